import type {
  ExperimentDefinition,
  FlagDefinition,
  GroupDefinition,
  HoldoutDefinition,
  SegmentDefinition,
} from "@assay/core";
import type { GroupRecord } from "./exclusion-group.ts";
import type { ExperimentRecord } from "./experiment.ts";
import { weightOf } from "./experiment-weights.ts";
import type { FlagRecord } from "./feature-flag.ts";
import type { HoldoutRecord } from "./holdout.ts";
import type { SegmentRecord } from "./segment.ts";

/** Converts a stored flag to the definition that evaluators read. */
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
    ...(flag.defer_to_caller ? { defer_to_caller: true } : {}),
    targeting_rules: flag.targeting_rules,
    prerequisites: flag.prerequisites,
    bucket_by: flag.bucket_by,
    version: flag.version,
    // Records of earlier versions have none.
    ...(Object.keys(flag.metadata ?? {}).length > 0 ? { metadata: flag.metadata } : {}),
  };
}

/** Converts a stored experiment to the definition that evaluators read. */
export function toExperimentDefinition(experiment: ExperimentRecord): ExperimentDefinition {
  return {
    id: experiment.id,
    key: experiment.key,
    status: experiment.status,
    experiment_type: experiment.experiment_type,
    variants: experiment.variants.map(({ key, weight, is_control, configuration, url }) => ({
      key,
      weight: weightOf(experiment, { key, weight }),
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

/** Converts a stored segment to the definition that evaluators read. */
export function toSegmentDefinition({ id, name, user_ids, conditions }: SegmentRecord): SegmentDefinition {
  return { id, name, ...(user_ids.length > 0 ? { user_ids } : {}), ...(conditions ? { when: conditions } : {}) };
}

/**
 * Converts a mutual-exclusion group to the definition that evaluators read, with the slots of some of its experiments.
 * If the group or a slot is missing, it excludes all users rather than let any into two experiments.
 */
export function toGroupDefinition(
  id: string,
  group: GroupRecord | undefined,
  experiments: readonly Pick<ExperimentRecord, "id" | "key">[],
): GroupDefinition {
  return {
    id,
    slots: experiments.flatMap((experiment) => {
      const slot = group?.slots.find(({ experiment_id }) => experiment_id === experiment.id);
      return slot ? [{ experiment_key: experiment.key, slot_start: slot.slot_start, slot_end: slot.slot_end }] : [];
    }),
  };
}

/** Converts the active holdout to the definition that evaluators read. */
export function toHoldoutDefinition(holdout: HoldoutRecord | undefined): HoldoutDefinition | null {
  return holdout ? { id: holdout.id, percentage: holdout.percentage } : null;
}
