import { bucket, compileExperiment, compileFlag, type Decision, normalizeWeights, type Predicate } from "@assay/core";
import { toExperimentDefinition, toFlagDefinition } from "../model/definition.ts";
import type { ExperimentRecord } from "../model/experiment.ts";
import { weightsByPeriod } from "../model/experiment-weights.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import { effectivePercentage } from "../model/flag-rollout.ts";

/** A range of the hash in [0, 1): start inclusive, end exclusive. */
type Range = readonly [from: number, to: number];
type RangesByArm = ReadonlyMap<string, readonly Range[]>;

/** The ways in which a user can have got an arm. */
export interface Ways {
  /** Whether the hash can have drawn the arm, with the current weights or earlier ones. */
  isDrawn: boolean;
  /**
   * Whether the definitions force the arm for this `USER`, or by a `RULE` that the user's attributes satisfy; null if
   * they do not.
   */
  givenBy: "USER" | "RULE" | null;
}

/** The arms that users of an ACTIVE experiment can have, or can have had since it started. */
export interface Arms {
  /** The attribute that is hashed instead of the user id; null for the user id. */
  bucketBy: string | null;
  /** Returns the ways in which a user, whose unit has this id, can have an arm. */
  waysTo(arm: string, userId: string, unit: string): Ways;
  /** Whether attributes decide who takes part, in addition to user id and clock. */
  asksAttributes: boolean;
}

/** The arms that one step of a decision forces. Its condition may hold or not, because attributes may be absent. */
interface ForcedArm {
  /** The only users of the step; null if it may apply to anyone. */
  users: ReadonlySet<string> | null;
  ranges: RangesByArm;
}

const WHOLE: Range = [0, 1];

/** @param flag the flag whose arms the experiment has; undefined where they are its own */
export function createArms(experiment: ExperimentRecord, flag: FlagRecord | undefined): Arms {
  const key = flag?.key ?? experiment.key;
  const decisions: Decision<unknown>[] = [
    compileExperiment(toExperimentDefinition(experiment)).lowered.program.decision,
  ];
  if (flag) decisions.push(compileFlag(toFlagDefinition(flag)).lowered.program.decision);
  const drawnRanges = flag ? rangesOfFlag(experiment, flag) : rangesOfOwn(experiment);
  const forcedArms = decisions.flatMap(forcedArmsOf);
  const has = (ranges: RangesByArm, arm: string, hash: number) =>
    ranges.get(arm)?.some(([from, to]) => hash >= from && hash < to) === true;
  return {
    bucketBy: (flag ?? experiment).bucket_by,
    waysTo(arm, userId, unit) {
      const hash = bucket(unit, key);
      const found = forcedArms.filter(({ users, ranges }) => (users?.has(userId) ?? true) && has(ranges, arm, hash));
      const givenBy = found.length === 0 ? null : found.some(({ users }) => users !== null) ? "USER" : "RULE";
      return { isDrawn: has(drawnRanges, arm, hash), givenBy };
    },
    asksAttributes: decisions.some(({ steps }) => steps.some(([predicate]) => asksAttributes(predicate))),
  };
}

/**
 * The ranges of an experiment's own arms, including those of earlier weights of a bandit, because sticky users keep
 * what they drew.
 */
function rangesOfOwn(experiment: ExperimentRecord): RangesByArm {
  const { variants } = experiment;
  const periods = weightsByPeriod(experiment, variants);
  return union(
    periods.map((weights) => intervalsOf(variants.map(({ key }, index) => ({ key, weight: weights[index]! })))),
  );
}

/**
 * The ranges of a flag's arms: of a boolean flag by its percentages since the experiment started, of others by weights.
 * The rollout percentage of a flag with weights moves no user between arms, so it is ignored.
 */
function rangesOfFlag(experiment: ExperimentRecord, flag: FlagRecord): RangesByArm {
  if (flag.variants.length > 0) {
    return union([flag.variants, ...(experiment.flag_arms ?? [experiment.variants])].map(intervalsOf));
  }
  const shares = percentagesSince(flag, experiment.started_at ?? "").map((percentage) => percentage / 100);
  return new Map([
    ["on", [[0, Math.max(...shares)]]],
    ["off", [[Math.min(...shares), 1]]],
  ]);
}

/** Lists the percentages of a flag since a time, including the one at that time. */
function percentagesSince(flag: FlagRecord, since: string): number[] {
  const history = flag.rollout_history ?? [];
  const first = Math.max(
    0,
    history.findLastIndex(({ at }) => at <= since),
  );
  const declared = Math.min(flag.rollout_percentage, flag.targeting_rules?.rollout_percentage ?? 100);
  return [declared, effectivePercentage(flag), ...history.slice(first).map(({ percentage }) => percentage)];
}

/** The interval of each variant. */
function intervalsOf(variants: readonly { key: string; weight: number }[]): [string, Range][] {
  const shares = normalizeWeights(variants.map(({ weight }) => weight));
  const last = shares.findLastIndex((share) => share > 0);
  let start = 0;
  return variants.map(({ key }, index) => {
    // As evaluators lay them out: the last one ends at exactly 1, regardless of rounding.
    const range: Range = [start, index >= last ? 1 : start + shares[index]!];
    start = range[1];
    return [key, range];
  });
}

function union(layouts: readonly (readonly [string, Range])[][]): RangesByArm {
  const all = new Map<string, Range[]>();
  for (const [arm, range] of layouts.flat()) all.set(arm, withRange(all.get(arm) ?? [], range));
  return all;
}

/** Merges adjacent ranges, so that the hundreds of weights of a bandit leave few. */
function withRange(ranges: readonly Range[], [from, to]: Range): Range[] {
  if (from >= to) return [...ranges];
  const touching = ranges.filter(([start, end]) => start <= to && end >= from);
  const apart = ranges.filter((range) => !touching.includes(range));
  const ends = [...touching, [from, to] as const];
  return [...apart, [Math.min(...ends.map(([start]) => start)), Math.max(...ends.map(([, end]) => end))]];
}

/** Lists the arms that the steps of a decision force. */
function forcedArmsOf({ steps }: Decision<unknown>): ForcedArm[] {
  return steps.flatMap(([predicate, then]): ForcedArm[] => {
    const users = predicate[0] === "users" && predicate[2] === undefined ? new Set(predicate[1]) : null;
    if (!("ends" in then)) {
      return then.forced && then.variant !== undefined ? [{ users, ranges: new Map([[then.variant, [WHOLE]]]) }] : [];
    }
    const { ends, fills, outcomes } = then;
    const layout = ends.flatMap((end, index): [number, Range][] => [
      [index, [ends[index - 1] ?? 0, fills[index]!]],
      [ends.length, [fills[index]!, end]],
    ]);
    const given = layout.flatMap(([index, range]): [string, Range][] => {
      const { forced, variant } = outcomes[index]!;
      return forced && variant !== undefined ? [[variant, range]] : [];
    });
    return given.length > 0 ? [{ users, ranges: union([given]) }] : [];
  });
}

function asksAttributes(predicate: Predicate): boolean {
  switch (predicate[0]) {
    case "all":
    case "any":
      return predicate[1].some(asksAttributes);
    case "not":
      return asksAttributes(predicate[1]);
    case "users":
    case "time":
    case "slots":
    case "nobody":
      return false;
    default:
      return true;
  }
}
