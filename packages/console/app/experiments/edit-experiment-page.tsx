import type { Experiment, ExperimentUpdate } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useDraft } from "../parts/draft.ts";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { fromExperiment } from "./form/draft.ts";
import { ExperimentForm } from "./form/experiment-form.tsx";

/** Changes an experiment that has not started. */
export function EditExperimentPage() {
  const { key } = useParams({ from: "/experiments/$key/edit" });
  const { data, error, refetch } = useQuery({
    queryKey: ["experiment", key, "edit"],
    queryFn: () => api.raw("GET /experiments/{experiment_id}", { params: { experiment_id: key } }),
    // What is being edited does not change under the user's hands; the version is checked on saving.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!data) {
    return (
      <div className="page">
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={6} />}
      </div>
    );
  }
  if (data.data.status !== "DRAFT") {
    const back = (
      <Link to="/experiments/$key" params={{ key }} className="button">
        {TEXT.newExperiment.back}
      </Link>
    );
    return (
      <div className="page">
        <Empty action={back}>{TEXT.newExperiment.started}</Empty>
      </div>
    );
  }
  return <Editor experiment={data.data} etag={data.headers.get("etag") ?? ""} />;
}

function Editor({ experiment, etag }: { experiment: Experiment; etag: string }) {
  const { id, name, version } = experiment;
  const { draft, setDraft, clear } = useDraft(`experiment.${id}.${version}`, fromExperiment(experiment));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: ExperimentUpdate) =>
      api.request("PUT /experiments/{experiment_id}", {
        params: { experiment_id: id },
        body,
        headers: { "If-Match": etag },
      }),
    async onSuccess({ key }) {
      clear();
      await Promise.all([["experiment"], ["experiments"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
      await navigate({ to: "/experiments/$key", params: { key } });
    },
  });
  return (
    <div className="page">
      <h1>{TEXT.newExperiment.editTitle(name)}</h1>
      <ExperimentForm
        draft={draft}
        setDraft={setDraft}
        isNew={false}
        submit={TEXT.actions.save}
        owner={experiment.created_by}
        saving={change}
      />
    </div>
  );
}
