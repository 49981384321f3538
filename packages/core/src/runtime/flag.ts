import type { JsonValue } from "../format/definition.ts";
import { refuse, toMessage } from "../format/definition-error.ts";
import type { FlagProgram, FlagReason, Outcome } from "../format/program.ts";
import type { ErrorCode, EvaluationResult, Reason } from "../format/result.ts";
import { linkDecision } from "./decision.ts";
import type { Links, Run } from "./links.ts";

/** A flag linked to one function; evaluate it with `evaluate`. */
export interface LinkedFlag {
  readonly program: FlagProgram;
  /** The evaluation without its bucket; errors of the context propagate. */
  readonly run: Run<EvaluationResult>;
}

/** Links a flag. Never throws: an invalid flag serves everyone the default. */
export function linkFlag(program: FlagProgram, links: Links): LinkedFlag {
  try {
    return { program, run: linkRun(program, links) };
  } catch (cause) {
    const failed = toError(program.default_value, "PARSE_ERROR", toMessage(cause));
    return { program, run: () => failed };
  }
}

function linkRun(program: FlagProgram, links: Links): Run<EvaluationResult> {
  const { key, bucket_by = "targetingKey", default_value, variants, decision, error } = program;
  if (error !== undefined) refuse(error);
  // Without a variant the default is served.
  const values = new Map<string | undefined, JsonValue>([
    [undefined, default_value],
    ...variants.map((variant): [string, JsonValue] => [variant.key, variant.value]),
  ]);
  const keyMissing = toError(default_value, "TARGETING_KEY_MISSING", `Flag ${key} draws by ${bucket_by}`);
  const answer = ({ variant, reason, rule_id, forced }: Outcome<FlagReason>) =>
    reason === "KEY_MISSING"
      ? keyMissing
      : toResult(values.get(variant) ?? null, variant ?? null, reason, rule_id, forced);
  return linkDecision(decision, program, answer, keyMissing, links);
}

/** Creates a result that serves the default and reports an error. */
export function toError(value: JsonValue, error_code: ErrorCode, error_message: string): EvaluationResult {
  return Object.freeze({ ...toResult(value, null, "ERROR"), error_code, error_message });
}

/** Creates a result, frozen because it is shared. */
export function toResult(
  value: JsonValue,
  variant: string | null,
  reason: Reason,
  rule_id: string | null = null,
  forced = false,
): EvaluationResult {
  const enabled = typeof value === "boolean" ? value : variant !== null;
  return Object.freeze({ value, variant, reason, enabled, rule_id, bucket: null, forced });
}
