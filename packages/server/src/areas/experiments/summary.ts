import type { ExperimentSummary, PrimaryEffect, Results } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { splitState } from "../../model/split-state.ts";

/** What the server knows of results without computing any. */
interface Known {
  results: { known(experimentId: string): Pick<Results, "progress" | "srm"> | undefined };
  ai: { primaryEffect(experimentId: string): PrimaryEffect | null };
}

/** Returns an experiment as lists show it. */
export function toSummary(experiment: ExperimentRecord, { results, ai }: Known): ExperimentSummary {
  const known = results.known(experiment.id);
  return {
    ...experiment,
    users: known?.progress.users ?? null,
    srm: known ? splitState(known.srm) : null,
    primary_effect: ai.primaryEffect(experiment.id),
  };
}
