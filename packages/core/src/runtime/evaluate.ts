import { DefinitionError, toMessage } from "../format/definition-error.ts";
import type { EvaluationContext, EvaluationResult } from "../format/result.ts";
import { drawn } from "./drawn.ts";
import { type LinkedFlag, toError } from "./flag.ts";

/** How to evaluate; every part may be left out. */
export interface EvaluateOptions {
  /** Milliseconds since the epoch, instead of the environment's clock. */
  now?: number;
  /** False leaves `bucket` null: the answer is then always a shared object, and nothing is allocated. */
  bucket?: boolean;
}

/**
 * Evaluates a linked flag for a context. Never throws. Answers without a bucket are frozen and shared, and an
 * object value is the definition's own: read them, do not write to them.
 */
export function evaluate(flag: LinkedFlag, context: EvaluationContext, options?: EvaluateOptions): EvaluationResult {
  drawn[0] = -1;
  drawn[1] = 0;
  let outcome: EvaluationResult;
  try {
    outcome = flag.run(context, options?.now);
  } catch (error) {
    // A context that is no object, an attribute whose getter throws, or a segment that is not understood.
    const code = error instanceof DefinitionError ? "PARSE_ERROR" : "GENERAL";
    drawn[0] = -1;
    outcome = toError(flag.program.default_value, code, toMessage(error));
  }
  const bucket = options?.bucket === false || drawn[0]! < 0 ? null : drawn[0]!;
  if (bucket === null || outcome.reason === "ERROR") return outcome;
  // Field by field: several times as fast as a spread.
  const { value, variant, reason, enabled, rule_id, forced } = outcome;
  return { value, variant, reason, enabled, rule_id, bucket, forced };
}
