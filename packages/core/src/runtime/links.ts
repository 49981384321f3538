import type { Predicate } from "../format/program.ts";
import type { EvaluationContext } from "../format/result.ts";
import type { LinkedFlag } from "./flag.ts";
import type { LinkedSegment } from "./segment.ts";

/** Answers one context, with one of the answers made when it was linked; `now` is the links' where undefined. */
export type Run<T> = (context: EvaluationContext, now: number | undefined) => T;

/** A linked predicate. */
export type Test = Run<boolean>;

/** Bounds what one evaluation takes; `createStepLimit` of `@assay/core/server` makes one. */
export interface StepLimit {
  /** Counts steps before they are taken. @throws RangeError where they are too many */
  count(steps: number): void;
  /** The same test, counted. */
  guard(predicate: Predicate, test: Test): Test;
}

/** What a program is linked to; what it refers to is looked up when it is asked, so that it can be replaced. */
export interface Links {
  /** Another flag: for prerequisites, and for the arms of experiments over a flag. */
  flag(key: string): LinkedFlag | undefined;
  /** A segment by id or name. */
  segment(name: string): LinkedSegment | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Links what is to be explained, instead of how it is linked otherwise; undefined for all else. */
  explain?(predicate: Predicate): Test | undefined;
  /** Absent: evaluations take as long as they take. */
  limit?: StepLimit | undefined;
}
