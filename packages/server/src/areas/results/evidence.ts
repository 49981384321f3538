import type { Results, SequentialResults } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { AlphaShares, PlannedLook } from "./planned-look.ts";

/**
 * The evidence for and against the treatments of an experiment, by the tests at the end and those valid at any time.
 */
export interface Evidence {
  record: ExperimentRecord;
  results: Results;
  /** At the level `alpha.anytime`. */
  sequential: SequentialResults;
  planned: PlannedLook | null;
  alpha: AlphaShares;
}
