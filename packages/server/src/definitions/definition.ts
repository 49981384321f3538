import type { ExperimentDefinition, FlagDefinition } from "@assay/core";
import type { ExperimentRecord } from "../areas/experiments/record.ts";
import type { FlagRecord } from "../areas/feature-flags/record.ts";

/** A stored flag as every evaluator reads it. */
export function toFlagDefinition(flag: FlagRecord): FlagDefinition {
  return {
    key: flag.key,
    enabled: flag.status === "ACTIVE",
    rollout_percentage: flag.rollout_percentage,
    variants: flag.variants.map(({ key, weight, value }) => ({ key, weight, value })),
    rules: flag.rules,
    rules_enabled: flag.rules_enabled,
    value_type: flag.value_type,
    default_value: flag.default_value,
    targeting_rules: flag.targeting_rules,
    prerequisites: flag.prerequisites,
    bucket_by: flag.bucket_by,
    version: flag.version,
  };
}

/** A stored experiment as every evaluator reads it. */
export function toExperimentDefinition(experiment: ExperimentRecord): ExperimentDefinition {
  return {
    id: experiment.id,
    key: experiment.key,
    status: experiment.status,
    experiment_type: experiment.experiment_type,
    variants: experiment.variants.map(({ key, weight, is_control, configuration, url }) => ({
      key,
      weight,
      is_control,
      ...(configuration === undefined ? {} : { configuration }),
      ...(url === undefined ? {} : { url }),
    })),
    targeting_rules: experiment.targeting_rules,
    rules: experiment.rules,
    ...(experiment.overrides ? { overrides: experiment.overrides } : {}),
    feature_flag_key: experiment.feature_flag_key,
    mutual_exclusion_group_id: experiment.mutual_exclusion_group_id,
    bucket_by: experiment.bucket_by,
  };
}
