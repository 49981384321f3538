import { note } from "#platform";
import { createGate, type Participation, toParticipation } from "../assignment/participation.ts";
import { refuse, toMessage } from "../targeting/definition-error.ts";
import type { Scope } from "../targeting/scope.ts";
import type { FlagDefinition, JsonValue } from "./definition.ts";
import type { Environment } from "./environment.ts";
import { compilePrerequisites } from "./prerequisite.ts";
import type { ErrorCode, EvaluationResult, Reason } from "./result.ts";
import { compileSelection, type Run } from "./selection.ts";
import { isPlainBoolean, readVariants, toArms } from "./variant.ts";

/** A flag compiled to one function; ask it through `evaluate`. */
export interface CompiledFlag {
  readonly key: string;
  readonly definition: FlagDefinition;
  /** What keeps users out of it: that of the experiment over it. */
  readonly participation: Participation;
  /** What was not understood, else null; such a flag answers its default with PARSE_ERROR. */
  readonly error: string | null;
  /** Ids or names of the segments it refers to. */
  readonly references: readonly string[];
  /** What is served where no variant is. */
  readonly defaultValue: JsonValue;
  /** Key of the variant that an experiment over the flag compares with: the first, `off` for a boolean flag. */
  readonly control: string;
  /** The evaluation without its bucket, and without a guard against what a context may throw. */
  readonly run: Run<EvaluationResult>;
}

/**
 * Compiles a flag definition for `evaluate`. Never throws: a definition that is not understood compiles to a flag
 * that serves everyone the default.
 *
 * @example evaluate(compileFlag(definition), { targetingKey: "user-123", country: "DE" }).value
 */
export function compileFlag(definition: FlagDefinition, environment: Environment = {}): CompiledFlag {
  const experiment = environment.experiment?.(definition?.key);
  return compileFlagFor(definition, environment, toParticipation(experiment, environment.holdout, environment.group));
}

/** {@link compileFlag} where the participation of the experiment over the flag is known already. */
export function compileFlagFor(
  definition: FlagDefinition,
  environment: Environment,
  participation: Participation,
): CompiledFlag {
  const scope: Scope = { segment: environment.segment, now: environment.now, references: [] };
  const key = definition?.key;
  const defaultValue = definition?.default_value ?? (isPlainBoolean(definition) ? false : null);
  const compiled = { key, definition, participation, references: scope.references, defaultValue };
  try {
    return { ...compiled, error: null, ...compileRun(definition, defaultValue, environment, participation, scope) };
  } catch (cause) {
    const error = `Flag ${JSON.stringify(key)} is not understood: ${toMessage(cause)}`;
    const failed = toError(defaultValue, "PARSE_ERROR", error);
    return { ...compiled, error, control: "", run: () => failed };
  }
}

/** An answer that serves the default and says what went wrong. */
export function toError(value: JsonValue, error_code: ErrorCode, error_message: string): EvaluationResult {
  return Object.freeze({ ...toResult(value, null, "ERROR"), error_code, error_message });
}

/** An answer, frozen: it is shared by everyone who gets it. */
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

function compileRun(
  definition: FlagDefinition,
  defaultValue: JsonValue,
  environment: Environment,
  participation: Participation,
  scope: Scope,
): Pick<CompiledFlag, "control" | "run"> {
  const { key, enabled, bucket_by } = definition;
  if (typeof enabled !== "boolean") refuse("Expected enabled");
  const arms = toArms(definition);
  const variants = readVariants(arms);
  const values = new Map(arms.map((arm) => [arm.key, arm.value ?? null]));
  // A boolean flag has one arm that is drawn, `on`; what is left of the line is `off`.
  const outside = isPlainBoolean(definition) ? "off" : null;
  const control = outside ?? variants.keys[0] ?? refuse("Expected variants");
  const answer = (reason: Reason) => toResult(defaultValue, null, reason);
  const [disabled, unmet, rejected] = [answer("DISABLED"), answer("PREREQUISITE_FAILED"), answer("DEFAULT")];
  const drawsBy = `Flag ${key} draws by ${bucket_by ?? "targetingKey"}`;
  const keyMissing = toError(defaultValue, "TARGETING_KEY_MISSING", drawsBy);
  const prerequisites = compilePrerequisites(definition.prerequisites ?? [], environment);
  const gate = createGate(participation, answer("HOLDOUT"), rejected, keyMissing);
  const select = compileSelection<EvaluationResult>(
    definition,
    {
      variants,
      gated: prerequisites !== null || gate !== null,
      outcome: (variant, reason, ruleId, forced) =>
        toResult(variant === null ? defaultValue : values.get(variant)!, variant ?? outside, reason, ruleId, forced),
      rejected,
      keyMissing,
    },
    scope,
  );

  return {
    control,
    run(context, now, trace) {
      note(trace, "STATUS", key, enabled, enabled ? "enabled" : "disabled");
      if (!enabled) return disabled;
      if (prerequisites !== null && !prerequisites(context, now, trace)) return unmet;
      return gate?.(context, trace) ?? select(context, now, trace);
    },
  };
}
