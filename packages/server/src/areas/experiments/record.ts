import type { Experiment } from "@assay/contract";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** An experiment as it is stored: what the API answers, plus when it had which status. */
export interface ExperimentRecord extends Experiment, Document {
  /** In order; receipt times of events are judged against it. The last one is the current status. */
  status_history: { status: Experiment["status"]; at: string }[];
}

export const experimentCollection: CollectionOptions<ExperimentRecord> = {
  name: "experiments",
  resource: "experiment",
  title: (experiment) => experiment.key,
  secret: ["status_history"],
  unique: {
    key: {
      of: (experiment) => experiment.key,
      taken: (experiment) => `An experiment with key "${experiment.key}" already exists`,
    },
  },
};
