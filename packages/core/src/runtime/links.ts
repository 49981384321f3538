import type { Predicate } from "../format/program.ts";
import type { EvaluationContext } from "../format/result.ts";
import type { LinkedFlag } from "./flag.ts";
import type { LinkedSegment } from "./segment.ts";

/**
 * Returns one of the results created when the program was linked, for one context. `now` defaults to the clock of the
 * links.
 */
export type Run<T> = (context: EvaluationContext, now: number | undefined) => T;

/** A linked predicate. */
export type Test = Run<boolean>;

/** Limits the steps of one evaluation; created by `createStepLimit` of `@assay/core/server`. */
export interface StepLimit {
  /**
   * Counts steps before the evaluation takes them.
   * @throws RangeError if there are too many
   */
  count(steps: number): void;
  /** Wraps a test so that its steps are counted. */
  guard(predicate: Predicate, test: Test): Test;
}

/** The references of a program. They are looked up at evaluation, so that they can be replaced. */
export interface Links {
  /** Another flag: for prerequisites, and for the arms of experiments over a flag. */
  flag(key: string): LinkedFlag | undefined;
  /** A segment by id or name. */
  segment(name: string): LinkedSegment | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Links a predicate with its explanation; undefined for other predicates. */
  explain?(predicate: Predicate): Test | undefined;
  /** Absent: evaluations are not limited. */
  limit?: StepLimit | undefined;
}
