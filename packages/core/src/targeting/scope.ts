import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";
import type { Problem } from "./problem.ts";

/**
 * A compiled condition. `now` is asked of the scope's clock where it is undefined and needed; `trace` collects
 * steps where it is not null. Three arguments and no object, because every evaluation makes this call.
 */
export type Test = (context: EvaluationContext, now: number | undefined, trace: TraceStep[] | null) => boolean;

/** Looks up a stored segment by id or name. */
export type SegmentLookup = (idOrName: string) => Test | undefined;

/** What compiling needs around a definition; problems gather instead of being thrown, so that all are named. */
export interface Scope {
  problems: Problem[];
  segment: SegmentLookup;
  now: () => number;
  /** Conditions met so far: the limit is for the definition as a whole. */
  conditions: number;
  /** Ids or names of the segments that the definition refers to. */
  references: string[];
}

/** The surroundings of one compilation; without segments and with the system clock by default. */
export function createScope(surroundings: { segment?: SegmentLookup; now?: () => number } = {}): Scope {
  return {
    problems: [],
    segment: surroundings.segment ?? (() => undefined),
    now: surroundings.now ?? Date.now,
    conditions: 0,
    references: [],
  };
}

/** What stands for a condition that could not be compiled; its definition answers PARSE_ERROR anyway. */
export const never: Test = () => false;
