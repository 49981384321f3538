import { invalid } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { clusterAttribute } from "../../model/experiment-subject.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";

type Switched = Pick<ExperimentRecord, "allocation" | "bucket_by" | "switchback" | "targeting_rules">;

/**
 * Requires everything that lets users switch between the arms: an attribute that changes with each period, no stored
 * arm, and fixed weights.
 * @throws ApiError 422
 */
export function requireSwitchback(experiment: Switched, flag: FlagRecord | undefined): void {
  const { allocation, switchback, targeting_rules } = experiment;
  if (!switchback) return;
  const refuse = (message: string) => invalid(["body", "switchback"], message);
  if (clusterAttribute(experiment, flag) === null) {
    throw refuse(`A switchback needs an attribute in bucket_by${flag ? " of the flag" : ""}, such as region_hour`);
  }
  if (targeting_rules?.sticky_assignment !== false) {
    throw refuse("A switchback needs targeting_rules with sticky_assignment: false, so that users can switch");
  }
  if (allocation !== "FIXED") throw refuse("An experiment whose weights change cannot be a switchback");
}
