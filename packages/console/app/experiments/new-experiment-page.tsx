import type { ExperimentCreate } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { dropDraft, useDraft } from "../parts/draft.ts";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { EMPTY } from "./form/draft.ts";
import { ExperimentForm } from "./form/experiment-form.tsx";

export function NewExperimentPage() {
  const { draft, setDraft, isChanged, clear } = useDraft("new-experiment", EMPTY);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: (body: ExperimentCreate) => api.request("POST /experiments/", { body }),
    async onSuccess({ key }) {
      clear();
      dropDraft("new-experiment-sentence");
      await queries.invalidateQueries({ queryKey: ["experiments"] });
      await navigate({ to: "/experiments/$key", params: { key } });
    },
  });
  return (
    <div className="page">
      <div className="title-row">
        <h1>{TEXT.newExperiment.title}</h1>
        {isChanged && (
          <button
            type="button"
            onClick={() => {
              creation.reset();
              clear();
            }}
          >
            {TEXT.newExperiment.discard}
          </button>
        )}
      </div>
      <p className="muted">{TEXT.newExperiment.lead}</p>
      <ExperimentForm draft={draft} setDraft={setDraft} isNew submit={TEXT.newExperiment.submit} saving={creation} />
    </div>
  );
}
