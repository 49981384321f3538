import type { Results, SequentialResults } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { AlphaShares, PlannedLook } from "./planned-look.ts";

/** What speaks for or against an experiment's treatments, by the tests at the end and those at any time. */
export interface Evidence {
  record: ExperimentRecord;
  results: Results;
  /** At the level `alpha.anytime`. */
  sequential: SequentialResults;
  planned: PlannedLook | null;
  alpha: AlphaShares;
}
