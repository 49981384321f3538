import type { ExperimentDefinition, GroupDefinition, HoldoutDefinition } from "../format/definition.ts";
import type { Outcome, Predicate, Step } from "../format/program.ts";

/** An exclusion of users from a running experiment. Two equal ones exclude the same users. */
export interface Exclusion {
  /** The bucketing key of the slots. */
  key: string;
  /** Ranges of the hash: fractions, start inclusive, end exclusive. */
  slots: { slot_start: number; slot_end: number }[];
  /** The holdout excludes users in a slot; a group excludes users in none of the experiment's slots. */
  isHoldout: boolean;
}

/** The exclusions of an experiment, in order; empty while it is not ACTIVE. */
export type Participation = readonly Exclusion[];

/** The participation without exclusions. */
export const EVERYONE: Participation = [];

/** Returns the exclusions of the global holdout and of the experiment's mutual-exclusion group. */
export function toParticipation(
  experiment: ExperimentDefinition | undefined,
  holdout: HoldoutDefinition | null | undefined,
  groupOf?: (id: string) => GroupDefinition | undefined,
): Participation {
  if (experiment?.status !== "ACTIVE") return EVERYONE;
  const exclusions: Exclusion[] = [];
  if (holdout) {
    const slots = [{ slot_start: 0, slot_end: holdout.percentage / 100 }];
    exclusions.push({ key: `holdout:${holdout.id}`, slots, isHoldout: true });
  }
  const group = groupOf?.(experiment.mutual_exclusion_group_id ?? "");
  if (group) {
    const slots = group.slots?.filter?.((slot) => slot?.experiment_key === experiment.key) ?? [];
    exclusions.push({ key: `group:${group.id}`, slots, isHoldout: false });
  }
  return exclusions;
}

/** The steps of a participation. */
export interface ExclusionSteps<R> {
  /** Excludes users. They need a user id; without one, nothing is excluded here. */
  before: Step<R>[];
  /** Answers for those without a user id, before anything is served; empty if nobody is excluded. */
  keyMissing: Step<R>[];
}

/** Lowers a participation to steps on the user id, never on `bucket_by`: a holdout excludes persons, not devices. */
export function toExclusionSteps<R>(
  participation: Participation,
  heldOut: Outcome<R>,
  excluded: Outcome<R>,
  keyMissing: Outcome<R>,
): ExclusionSteps<R> {
  const before = participation.map(({ key, slots, isHoldout }): Step<R> => {
    const ranges = slots.map(({ slot_start, slot_end }): [number, number] => [slot_start, slot_end]);
    const where: Predicate = ["slots", key, ranges, !isHoldout];
    return [["all", [["not", ["nobody"]], where]], isHoldout ? heldOut : excluded];
  });
  return { before, keyMissing: before.length > 0 ? [[["nobody"], keyMissing]] : [] };
}
