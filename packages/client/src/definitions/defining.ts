import type { Kind } from "./definition.ts";

const TARGETING = ["targeting_rules", "rules"];

/** The fields that define what something is. Status, rollout, dates and links to other systems belong to an environment. */
export const DEFINING: Record<Kind, readonly string[]> = {
  segment: ["name", "description", "status", "conditions", "user_ids"],
  flag: [
    ...["key", "name", "description", "value_type", "value_schema", "variants", "default_value", ...TARGETING],
    ...[
      "rules_enabled",
      "prerequisites",
      "defer_to_caller",
      "bucket_by",
      "client_side",
      "expires_at",
      "permanent",
      "tags",
      "metadata",
    ],
  ],
  experiment: [
    ...["key", "name", "description", "hypothesis", "experiment_type", "variants", "metrics", ...TARGETING],
    ...["factors", "design", "default_value", "overrides", "split_url_config", "feature_flag_key", "bucket_by"],
    ...["switchback", "alpha", "correction", "allocation", "bayesian_enabled", "bayesian_config"],
    ...["planned_sample_size", "group_sequential", "variance_reduction"],
  ],
};
