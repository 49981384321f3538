import type { Predicate } from "../format/program.ts";
import type { TraceStep } from "../format/result.ts";
import type { WireCondition } from "./condition.ts";

/** Describes a condition for an explanation. */
export type Describe = (condition: WireCondition) => string;

/** The scope in which a definition is lowered. */
export interface Scope {
  /** Collects the ids or names of the segments that the definition refers to. */
  references: string[];
  /** Describes conditions, if the program explains its results. */
  describe?: Describe | undefined;
}

/** A lowered definition with its references and its error. */
export interface Lowered<P> {
  program: P;
  /** Ids or names of the segments that it refers to. */
  references: readonly string[];
  /** Keys of the flags that it requires. */
  requires: readonly string[];
  /** The error of an invalid definition, else null. */
  error: string | null;
}

/** Creates a predicate that records its result, if the program explains its results. */
export function noted(
  scope: Scope,
  predicate: Predicate,
  step: TraceStep["step"],
  subject: string,
  detail?: string,
): Predicate {
  return scope.describe ? ["note", predicate, step, subject, detail] : predicate;
}
