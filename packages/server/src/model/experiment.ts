import type { Experiment } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** An experiment as it is stored: what the API answers, plus when it had which status. */
export interface ExperimentRecord extends Experiment, Document {
  /** In order; receipt times of events are judged against it. The last one is the current status. */
  status_history: { status: Experiment["status"]; at: string }[];
  /** Which of its dates were to come when they were set, and so start or complete it. */
  scheduled?: { start: boolean; end: boolean };
  /** The variants of its flag as they were each time it became ACTIVE, where they were others than before. */
  flag_arms?: { key: string; weight: number }[][];
  /** The changes of a bandit's weights, in order; absent where they never changed. The last one is in force. */
  weight_history?: WeightChange[];
}

/** New weights, by variant key, from a moment on; they sum to 1. */
export interface WeightChange {
  at: string;
  weights: Record<string, number>;
  /** Computed from the metric, or set by an ADMIN. */
  source: "UPDATE" | "MANUAL";
}

/** The text of the 409 where another experiment has the key. */
export function keyTaken({ key }: Pick<ExperimentRecord, "key">): string {
  return `An experiment with key "${key}" already exists`;
}

export const experimentCollection: CollectionOptions<ExperimentRecord> = {
  name: "experiments",
  resource: "experiment",
  title: (experiment) => experiment.key,
  secret: ["status_history", "scheduled", "flag_arms", "weight_history"],
  unique: {
    key: {
      of: (experiment) => experiment.key,
      taken: keyTaken,
    },
  },
};
