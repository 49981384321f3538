import { createBucketer } from "../bucketing/bucket.ts";
import type { ExperimentDefinition, GroupDefinition, HoldoutDefinition } from "../evaluation/definition.ts";
import { drawn } from "../evaluation/draw.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import { note, type Trace } from "../targeting/scope.ts";

/** What keeps users out of a running experiment, as data: two equal ones keep out the same users. */
export interface Participation {
  holdout: HoldoutDefinition | null;
  /** The id of the group and the experiment's slots in it: fractions of the group's hash line, start in, end out. */
  group: { id: string; slots: { slot_start: number; slot_end: number }[] } | null;
}

/** What the global holdout and the experiment's mutual-exclusion group mean for it; null while it is not ACTIVE. */
export function toParticipation(
  experiment: ExperimentDefinition | undefined,
  holdout: HoldoutDefinition | null = null,
  group?: (id: string) => GroupDefinition | undefined,
): Participation | null {
  if (experiment?.status !== "ACTIVE") return null;
  const { id, slots } = group?.(experiment.mutual_exclusion_group_id ?? "") ?? {};
  if (id === undefined) return holdout && { holdout, group: null };
  return { holdout, group: { id, slots: slots?.filter?.((slot) => slot?.experiment_key === experiment.key) ?? [] } };
}

/** Why a user takes no part, or null. */
export type Refusal = "HOLDOUT" | "EXCLUDED" | "KEY_MISSING" | null;

/** Compiles a participation to a check of the user id (never of `bucket_by`: a person is held out, not a device). */
export function createGate({ holdout, group }: Participation): (context: EvaluationContext, trace: Trace) => Refusal {
  const holdoutHash = createBucketer(`holdout:${holdout?.id}`);
  const groupHash = createBucketer(`group:${group?.id}`);
  return ({ targetingKey }, trace) => {
    if (typeof targetingKey !== "string" || targetingKey === "") return "KEY_MISSING";
    if (holdout !== null) {
      const bucket = holdoutHash(targetingKey);
      if (note(trace, "HOLDOUT", holdout.id, bucket < holdout.percentage / 100, `bucket ${bucket}`)) {
        drawn[0] = bucket;
        return "HOLDOUT";
      }
    }
    if (group !== null) {
      const bucket = groupHash(targetingKey);
      const inSlot = group.slots.some(({ slot_start, slot_end }) => bucket >= slot_start && bucket < slot_end);
      if (!note(trace, "BLOCK", `group ${group.id}`, inSlot, `bucket ${bucket}`)) {
        drawn[0] = bucket;
        return "EXCLUDED";
      }
    }
    return null;
  };
}
