import type { Experiment } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";
import type { Margins } from "./experiment-margins.ts";

/** An experiment as stored: the API fields plus its history. */
export interface ExperimentRecord extends Experiment, Document {
  /** In order. The analysis compares receipt times of events with it. The last one is the current status. */
  status_history: { status: Experiment["status"]; at: string }[];
  /** Which dates were in the future when they were set, and therefore start or complete it. */
  scheduled?: { start: boolean; end: boolean };
  /** The variants of its flag each time it became ACTIVE, if they had changed. */
  flag_arms?: { key: string; weight: number }[][];
  /** `planned_sample_size` when it first became ACTIVE. Absent before, and in records of earlier versions. */
  planned_at_start?: number | null;
  /** `group_sequential` when it first became ACTIVE, likewise. */
  looks_at_start?: Experiment["group_sequential"];
  /** The metrics' hypotheses and margins when it first became ACTIVE. Absent before, and in records of earlier versions. */
  margins_at_start?: Margins;
  /** Weight changes of a bandit, in order. Absent if there were none. The last one applies now. */
  weight_history?: WeightChange[];
}

/** New weights by variant key, from a time on. They sum to 1. */
export interface WeightChange {
  at: string;
  weights: Record<string, number>;
  /** Computed from the metric, or set by an ADMIN. */
  source: "UPDATE" | "MANUAL";
}

/** Returns the message of the 409 for a taken key. */
export function keyTaken({ key }: Pick<ExperimentRecord, "key">): string {
  return `An experiment with key "${key}" already exists`;
}

export const experimentCollection: CollectionOptions<ExperimentRecord> = {
  name: "experiments",
  resource: "experiment",
  title: (experiment) => experiment.key,
  secret: [
    "status_history",
    "scheduled",
    "flag_arms",
    "planned_at_start",
    "looks_at_start",
    "margins_at_start",
    "weight_history",
  ],
  unique: {
    key: {
      of: (experiment) => experiment.key,
      taken: keyTaken,
    },
  },
};
