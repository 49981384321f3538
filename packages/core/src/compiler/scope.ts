import type { Predicate } from "../format/program.ts";
import type { TraceStep } from "../format/result.ts";

/** The scope in which a definition is lowered. */
export interface Scope {
  /** Collects the ids or names of the segments that the definition refers to. */
  references: string[];
  /** Whether the program explains its results. */
  explains?: boolean;
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
  if (!scope.explains) return predicate;
  return detail === undefined ? ["note", predicate, step, subject] : ["note", predicate, step, subject, detail];
}
