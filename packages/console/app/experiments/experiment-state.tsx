import type { Experiment } from "@assay/client";
import { TEXT } from "../text.ts";

/** The state of an experiment, by word and shape. */
export function ExperimentState({ status }: { status: Experiment["status"] }) {
  return <span className={`badge state-${status.toLowerCase()}`}>{TEXT.experiments.states[status]}</span>;
}
