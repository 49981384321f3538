import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";

/** The steps of an explanation, or null where none was asked for. */
export type Trace = TraceStep[] | null;

/**
 * A compiled condition. `now` is asked of the scope's clock where it is undefined and needed. Three arguments and
 * no object, because every evaluation makes this call.
 */
export type Test = (context: EvaluationContext, now: number | undefined, trace: Trace) => boolean;

/** Looks up a stored segment by id or name. */
export type SegmentLookup = (idOrName: string) => Test | undefined;

/** What a definition is compiled in. */
export interface Scope {
  segment?: SegmentLookup;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
  /** Collects the ids or names of the segments that the definition refers to. */
  references: string[];
}
