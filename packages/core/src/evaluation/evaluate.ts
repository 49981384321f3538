import { DefinitionError } from "../targeting/problem.ts";
import { drawn } from "./draw.ts";
import { type CompiledFlag, toError } from "./flag.ts";
import type { EvaluationContext, EvaluationResult, TraceStep } from "./result.ts";

/** How to evaluate; every part may be left out. */
export interface EvaluateOptions {
  /** True explains the answer step by step in `trace`. */
  trace?: boolean;
  /** Milliseconds since the epoch, instead of the environment's clock. */
  now?: number;
  /** False leaves `bucket` null: the answer is then always a shared object, and nothing is allocated. */
  bucket?: boolean;
}

/**
 * Evaluates a compiled flag for a context. Never throws. Answers without a bucket are frozen and shared, and an
 * object value is the definition's own: read them, do not write to them.
 */
export function evaluate(
  compiled: CompiledFlag,
  context: EvaluationContext,
  options?: EvaluateOptions,
): EvaluationResult {
  const trace: TraceStep[] | null = options?.trace ? [] : null;
  drawn[0] = -1;
  let outcome: EvaluationResult;
  try {
    outcome = compiled.run(context, options?.now, trace);
  } catch (error) {
    outcome = toFailure(compiled, error);
  }
  const hash = drawn[0]!;
  if (trace === null && (hash < 0 || options?.bucket === false)) return outcome;
  const { value, variant, reason, enabled, rule_id, forced } = outcome;
  const bucket = hash < 0 || options?.bucket === false ? null : hash;
  if (trace === null) return { value, variant, reason, enabled, rule_id, bucket, forced };
  return { ...outcome, bucket, trace };
}

/** A context that is no object, an attribute whose getter throws, a segment that is not understood. */
function toFailure(compiled: CompiledFlag, error: unknown): EvaluationResult {
  const value = compiled.definition.default_value ?? (compiled.hasDefault ? false : null);
  const code = error instanceof DefinitionError ? "PARSE_ERROR" : "GENERAL";
  return toError(value, code, error instanceof Error ? error.message : String(error));
}
