import type { ExperimentDefinition, GroupDefinition, HoldoutDefinition } from "../format/definition.ts";
import type { Outcome, Step } from "../format/program.ts";

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

/** Lowers a participation to steps on the user id (never on `bucket_by`: a person is held out, not a device). */
export function toGate<R>(
  participation: Participation,
  heldOut: Outcome<R>,
  excluded: Outcome<R>,
  keyMissing: Outcome<R>,
): Step<R>[] {
  if (participation.length === 0) return [];
  const barriers = participation.map(
    ({ key, slots, isHoldout }): Step<R> => [
      ["slots", key, slots.map(({ slot_start, slot_end }): [number, number] => [slot_start, slot_end]), !isHoldout],
      isHoldout ? heldOut : excluded,
    ],
  );
  return [[["nobody"], keyMissing], ...barriers];
}
