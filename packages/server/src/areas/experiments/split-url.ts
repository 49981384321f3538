import type { SplitUrlPreview } from "@assay/contract";
import type { Assignment } from "@assay/core";
import type { ExperimentRecord } from "../../model/experiment.ts";

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * Returns the URL to which a split-URL experiment sends a user.
 *
 * @param assignment the assignment of the user, or null
 */
export function toSplitUrlPreview(
  experiment: ExperimentRecord,
  userId: string,
  assignment: Assignment | null,
): SplitUrlPreview {
  const { variant_key = "", assigned = false } = assignment ?? {};
  return {
    experiment_id: experiment.id,
    experiment_key: experiment.key,
    user_id: userId,
    eligible: assigned,
    variant: variant_key,
    url: experiment.variants.find(({ key }) => key === variant_key)?.url ?? "",
    cookie_name: `exp_${experiment.key}`,
    cookie_value: variant_key,
    cookie_max_age: YEAR_SECONDS,
  };
}
