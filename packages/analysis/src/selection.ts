import type { Question } from "./analyst.ts";
import { type EventKind, JOIN } from "./event-kind.ts";
import { EXPOSURE } from "./event-record.ts";
import type { RolloutStratum } from "./rollout.ts";
import type { Subject } from "./subject.ts";

/** Which rows of a log an answer depends on; other rows would not change it. */
export interface Selection {
  /** Equal selections have the same name. */
  name: string;
  /** The experiments in question. */
  ids: readonly string[];
  histories: readonly Subject["history"][];
  /** For how many milliseconds before the first exposure outcomes count. */
  lookbackMs: number;
  /** Whether the answer depends on the names of users. */
  hasNames: boolean;
  /** Returns what rows of a kind are. */
  roleOf(kind: EventKind): number;
  /** The times whose rows count, of {@link TIMED} ones. */
  strata: readonly Pick<RolloutStratum, "from" | "to">[];
}

// What rows of a kind are; numbers, because one is read for each of ten million rows.

/** Not needed. */
export const SKIPPED = 0;
/** Always needed. */
export const KEPT = 1;
/** Needed, and its user is a member: someone whose outcomes are needed. */
export const EXPOSES = 2;
/** Joins two ids, and is needed if they are members. If one is, the other is as well. */
export const JOINS = 3;
/** Joins two ids that are both members. */
export const JOINS_MEMBERS = 4;
/** Needed if the user is a member and the time is late enough. */
export const OUTCOME = 5;
/** Needed if the time is in a stratum. */
export const TIMED = 6;

/** Determines the rows that the answer to a question depends on. */
export function selectionOf(subject: Subject, question: Question): Selection {
  if (question.about === "rollout") return rolloutOf(question.options);
  if (question.about === "holdout") return holdoutOf(subject);
  const subjects = question.about === "overlaps" ? [subject, ...question.options.others] : [subject];
  const ids = subjects.map(({ experimentId }) => experimentId);
  const histories = subjects.map(({ history }) => history);
  const everyOutcome = subjects.some((one) => one.everyOutcome);
  const types = question.about === "counts" ? null : typesOf(subjects);
  const own = question.about === "covariates" ? question.options.lookbackMs : 0;
  const lookbackMs = Math.max(own, ...subjects.map(({ baseline }) => baseline?.lookbackMs ?? 0));
  return {
    name: JSON.stringify(["experiments", ids, histories, everyOutcome, types && [...types].sort(), lookbackMs]),
    ids,
    histories,
    lookbackMs,
    hasNames: false,
    strata: [],
    roleOf({ type, experimentId, variantKey }) {
      const isOwn = experimentId !== null && ids.includes(experimentId);
      if (type === JOIN) return isOwn ? JOINS_MEMBERS : experimentId === null ? JOINS : SKIPPED;
      if (isOwn) return variantKey === null ? KEPT : EXPOSES;
      if (type === EXPOSURE || (experimentId !== null && !everyOutcome)) return SKIPPED;
      return types === null || types.has(type) ? OUTCOME : SKIPPED;
    },
  };
}

/** Returns the event types of the metrics; null if an experiment names none, so that every type is one. */
function typesOf(subjects: readonly Subject[]): Set<string> | null {
  const types = new Set<string>();
  for (const { metrics } of subjects) {
    if (metrics === null) return null;
    for (const { event_type, denominator_event_type } of metrics) {
      types.add(event_type);
      if (denominator_event_type !== undefined) types.add(denominator_event_type);
    }
  }
  return types;
}

/** The events of the strata, and the exposures to the flag, which may exclude users. */
function rolloutOf({ flagKey, strata }: Extract<Question, { about: "rollout" }>["options"]): Selection {
  return {
    name: JSON.stringify(["rollout", flagKey, strata.map(({ from, to }) => [from, to])]),
    ids: [],
    histories: [],
    lookbackMs: 0,
    hasNames: true,
    strata,
    roleOf({ type, flagKey: flag }) {
      if (type === JOIN) return SKIPPED;
      return type === EXPOSURE && flag === flagKey ? KEPT : TIMED;
    },
  };
}

/** Every event but the exposures of experiments: a holdout is about all users. */
function holdoutOf({ experimentId, history }: Subject): Selection {
  return {
    name: JSON.stringify(["holdout", experimentId, history]),
    ids: [experimentId],
    histories: [history],
    lookbackMs: 0,
    hasNames: true,
    strata: [],
    roleOf({ type, experimentId: named }) {
      if (type === JOIN) return named === null || named === experimentId ? KEPT : SKIPPED;
      return type !== EXPOSURE || named === experimentId ? KEPT : SKIPPED;
    },
  };
}

/** Numbers the times between changes of a status: within one number, no experiment changes its status. */
export function createEras({ histories }: Selection): (time: number) => number {
  const changes = [...new Set(histories.flat().map(({ at }) => at))].sort((a, b) => a - b);
  return (time) => {
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (changes[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Whether outcomes received at a time count in one of the experiments. */
export function countsAt({ histories }: Selection, time: number): boolean {
  return histories.some((history) => {
    const later = history.findIndex(({ at }) => at > time);
    const status = (later < 0 ? history.at(-1) : history[later - 1])?.status;
    return status === "ACTIVE" || status === "PAUSED";
  });
}
