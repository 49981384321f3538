import { noteBarrier } from "#platform";
import { createBucketer } from "../bucketing/bucket.ts";
import type { ExperimentDefinition, GroupDefinition, HoldoutDefinition } from "../evaluation/definition.ts";
import { drawn } from "../evaluation/draw.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import type { Trace } from "../targeting/scope.ts";

/** Something that keeps users out of a running experiment, as data: two equal ones keep out the same users. */
export interface Barrier {
  /** The bucketing key of its hash line. */
  key: string;
  /** Ranges of the line: fractions, start in, end out. */
  slots: { slot_start: number; slot_end: number }[];
  /** The holdout keeps out who is in a slot; a group who is in none of the experiment's. */
  isHoldout: boolean;
}

/** What keeps users out of an experiment, in order; nothing while it is not ACTIVE. */
export type Participation = readonly Barrier[];

/** Keeps nobody out. */
export const EVERYONE: Participation = [];

/** What the global holdout and the experiment's mutual-exclusion group mean for it. */
export function toParticipation(
  experiment: ExperimentDefinition | undefined,
  holdout: HoldoutDefinition | null | undefined,
  groupOf?: (id: string) => GroupDefinition | undefined,
): Participation {
  if (experiment?.status !== "ACTIVE") return EVERYONE;
  const barriers: Barrier[] = [];
  if (holdout) {
    const slots = [{ slot_start: 0, slot_end: holdout.percentage / 100 }];
    barriers.push({ key: `holdout:${holdout.id}`, slots, isHoldout: true });
  }
  const group = groupOf?.(experiment.mutual_exclusion_group_id ?? "");
  if (group) {
    const slots = group.slots?.filter?.((slot) => slot?.experiment_key === experiment.key) ?? [];
    barriers.push({ key: `group:${group.id}`, slots, isHoldout: false });
  }
  return barriers;
}

/**
 * Compiles a participation to a check of the user id (never of `bucket_by`: a person is held out, not a device), which
 * answers null for those who take part; null where everyone does.
 */
export function createGate<T>(
  participation: Participation,
  heldOut: T,
  excluded: T,
  keyMissing: T,
): ((context: EvaluationContext, trace: Trace) => T | null) | null {
  const barriers = participation.map((barrier) => ({ ...barrier, hash: createBucketer(barrier.key) }));
  if (barriers.length === 0) return null;
  return ({ targetingKey }, trace) => {
    if (typeof targetingKey !== "string" || targetingKey === "") return keyMissing;
    for (const { key, slots, isHoldout, hash } of barriers) {
      const bucket = hash(targetingKey);
      const isInside = slots.some(({ slot_start, slot_end }) => bucket >= slot_start && bucket < slot_end);
      noteBarrier(trace, key, isInside, bucket);
      if (isInside === isHoldout) {
        drawn[0] = bucket;
        return isHoldout ? heldOut : excluded;
      }
    }
    return null;
  };
}
