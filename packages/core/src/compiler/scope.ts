import type { Predicate } from "../format/program.ts";
import type { TraceStep } from "../format/result.ts";

/** What a definition is lowered in. */
export interface Scope {
  /** Collects the ids or names of the segments that the definition refers to. */
  references: string[];
  /** Whether the program is to explain its answers. */
  explains?: boolean;
}

/** A definition, lowered, and what nobody needs to evaluate it. */
export interface Lowered<P> {
  program: P;
  /** Ids or names of the segments that it refers to. */
  references: readonly string[];
  /** Keys of the flags that it requires. */
  requires: readonly string[];
  /** What was not understood, else null. */
  error: string | null;
}

/** A predicate that tells what it came to, where that is to be explained. */
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
