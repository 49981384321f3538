import { createBucketer } from "../bucketing/bucket.ts";
import type { ExperimentDefinition, GroupDefinition, HoldoutDefinition } from "../evaluation/definition.ts";
import { drawn } from "../evaluation/draw.ts";
import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";

/** What keeps users out of a running experiment, as data: two equal ones keep out the same users. */
export interface Participation {
  holdout: { id: string; percentage: number } | null;
  /** Ranges `[slot_start, slot_end)` of the group's hash line, as fractions; null where it is in no group. */
  group: { id: string; slots: [start: number, end: number][] } | null;
}

/** What the global holdout and the experiment's mutual-exclusion group mean for it; null while it is not ACTIVE. */
export function toParticipation(
  experiment: ExperimentDefinition | undefined,
  holdout: HoldoutDefinition | null | undefined,
  group: ((id: string) => GroupDefinition | undefined) | undefined,
): Participation | null {
  if (experiment?.status !== "ACTIVE") return null;
  const groupId = experiment.mutual_exclusion_group_id;
  const found = groupId ? group?.(groupId) : undefined;
  if (!holdout && found === undefined) return null;
  const slots = found?.slots.filter((slot) => slot.experiment_key === experiment.key) ?? [];
  return {
    holdout: holdout ? { id: holdout.id, percentage: holdout.percentage } : null,
    group: found === undefined ? null : { id: found.id, slots: slots.map((slot) => [slot.slot_start, slot.slot_end]) },
  };
}

/** Why a user takes no part, or null. */
export type Refusal = "HOLDOUT" | "EXCLUDED" | "KEY_MISSING" | null;

/** Compiles a participation to a check of the user id (never of `bucket_by`: a person is held out, not a device). */
export function createGate(
  participation: Participation,
): (context: EvaluationContext, trace: TraceStep[] | null) => Refusal {
  const { holdout, group } = participation;
  const holdoutHash = createBucketer(`holdout:${holdout?.id}`);
  const groupHash = createBucketer(`group:${group?.id}`);
  return (context, trace) => {
    const userId = context.targetingKey;
    if (typeof userId !== "string" || userId === "") return "KEY_MISSING";
    if (holdout !== null) {
      const bucket = holdoutHash(userId);
      const matched = bucket < holdout.percentage / 100;
      trace?.push({ step: "HOLDOUT", subject: holdout.id, matched, detail: `bucket ${bucket.toFixed(6)}` });
      if (matched) {
        drawn[0] = bucket;
        return "HOLDOUT";
      }
    }
    if (group !== null) {
      const bucket = groupHash(userId);
      const matched = group.slots.some(([start, end]) => bucket >= start && bucket < end);
      trace?.push({ step: "BLOCK", subject: `group ${group.id}`, matched, detail: `bucket ${bucket.toFixed(6)}` });
      if (!matched) {
        drawn[0] = bucket;
        return "EXCLUDED";
      }
    }
    return null;
  };
}
