import { type Experiment, type ExperimentUpdate, isAssayError } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { Conflict } from "./form/conflict.tsx";
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
  return <Editor key={data.data.version} experiment={data.data} etag={data.headers.get("etag") ?? ""} />;
}

function Editor({ experiment, etag }: { experiment: Experiment; etag: string }) {
  const { id, name, version } = experiment;
  const { draft, setDraft, clear } = useDraft(`experiment.${id}.${version}`, fromExperiment(experiment));
  const navigate = useNavigate();
  const queries = useQueryClient();
  /** What the server has since someone else changed it, and what was to be saved over it. */
  const [conflict, setConflict] = useState<{ latest: Experiment; etag: string; body: ExperimentUpdate }>();
  const params = { experiment_id: id };
  const change = useMutation({
    mutationFn: ({ body, over }: { body: ExperimentUpdate; over: string }) =>
      api.request("PUT /experiments/{experiment_id}", { params, body, headers: { "If-Match": over } }),
    async onError(error, { body }) {
      if (!isAssayError(error) || error.code !== "PRECONDITION_FAILED") return;
      const { data, headers } = await api.raw("GET /experiments/{experiment_id}", { params });
      setConflict({ latest: data, etag: headers.get("etag") ?? "", body });
    },
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
        saving={{
          mutate: (body) => change.mutate({ body, over: etag }),
          isPending: change.isPending,
          error: conflict ? null : change.error,
        }}
      />
      {conflict && (
        <Conflict
          base={experiment}
          latest={conflict.latest}
          mine={draft}
          onKeepMine={() => change.mutate({ body: conflict.body, over: conflict.etag })}
          onKeepTheirs={() => {
            clear();
            void queries.resetQueries({ queryKey: ["experiment"] });
          }}
        />
      )}
    </div>
  );
}
