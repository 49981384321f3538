import type { Prerequisite } from "../evaluation/definition.ts";
import type { EvaluationContext, EvaluationResult, TraceStep } from "../evaluation/result.ts";
import type { LinkedFlag } from "./flag.ts";
import type { LinkedSegment } from "./segment.ts";

/** Answers one context, with one of the answers made when it was linked; `now` is the links' where undefined. */
export type Run<T> = (context: EvaluationContext, now: number | undefined) => T;

/** A linked predicate. */
export type Test = Run<boolean>;

/** What a program is linked to; what it refers to is looked up when it is asked, so that it can be replaced. */
export interface Links {
  /** Another flag: for prerequisites, and for the arms of experiments over a flag. */
  flag(key: string): LinkedFlag | undefined;
  /** A segment by id or name. */
  segment(name: string): LinkedSegment | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Hears of every step, where an answer is to be explained. */
  notes?: Notes;
}

/** Takes down the steps of an evaluation. */
export interface Notes {
  step(step: TraceStep["step"], subject: string, matched: boolean, detail: string | undefined): void;
  /** A draw by hash, over a rollout in percent. */
  draw(key: string, isInside: boolean, bucket: number, rollout: number | undefined): void;
  /** The slots of the holdout or of a group, by the key of their hash line. */
  slots(key: string, isInside: boolean, bucket: number): void;
  /** Another flag, which may be missing. */
  prerequisite(required: Prerequisite, isMet: boolean, result: EvaluationResult | undefined): void;
}
