import type { Results, SequentialResults } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";

/** What speaks for or against an experiment's treatments, by the tests at the end and those at any time. */
export interface Evidence {
  record: ExperimentRecord;
  results: Results;
  sequential: SequentialResults;
}
