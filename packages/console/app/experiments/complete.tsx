import type { Experiment, Overview } from "@assay/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "../parts/field.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { Question, useRefresh } from "./confirm.tsx";
import { useResults } from "./data.ts";

const words = TEXT.experiments;

/** Ends an experiment with a decision, for which it shows what the results say. */
export function Complete({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const { data, error, refetch } = useResults(experiment);
  const refresh = useRefresh();
  const [chosen, setChosen] = useState<string>();
  const control = experiment.variants.find(({ is_control }) => is_control)?.key ?? "";
  const decision = data?.overview.decision;
  const winner = chosen ?? (decision ? advised(decision, control) : "");
  const completion = useMutation({
    mutationFn: () =>
      api.request("POST /experiments/{experiment_id}/complete", {
        params: { experiment_id: experiment.id },
        body: winner ? { winner } : {},
      }),
    async onSuccess() {
      await refresh();
      onClose();
    },
  });
  return (
    <Question
      title={words.completeTitle}
      lead={words.completeLead}
      label={words.complete}
      isPending={completion.isPending || (!decision && !error)}
      error={completion.error}
      onSubmit={() => completion.mutate()}
      onClose={onClose}
    >
      {decision ? (
        <div className="card">
          <p>
            <b>{TEXT.results.verdicts[decision.action](decision.variant ?? "", control)}</b>
          </p>
          <p>{decision.sentence}</p>
        </div>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={1} />
      )}
      <Field label={words.winner} hint={experiment.feature_flag_key ? words.winnerServed : words.winnerNoted}>
        <select value={winner} onChange={(event) => setChosen(event.currentTarget.value)}>
          <option value="">{words.noWinner}</option>
          {experiment.variants.map(({ id, key }) => (
            <option key={id} value={key}>
              {key}
            </option>
          ))}
        </select>
      </Field>
    </Question>
  );
}

/** The arm that the results advise, or an empty text. */
function advised({ action, variant }: Overview["decision"], control: string): string {
  if (action === "SHIP") return variant ?? "";
  return action === "KEEP_CONTROL" ? control : "";
}
