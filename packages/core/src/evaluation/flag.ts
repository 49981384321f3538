import { createGate, type Participation, toParticipation } from "../assignment/participation.ts";
import { isAbsent, refuse, toMessage, toPercentage } from "../targeting/definition-error.ts";
import { note, type Scope } from "../targeting/scope.ts";
import type { FlagDefinition, JsonValue } from "./definition.ts";
import type { Environment } from "./environment.ts";
import { compilePrerequisites } from "./prerequisite.ts";
import type { ErrorCode, EvaluationResult, Reason } from "./result.ts";
import { compileSelection, type Run } from "./selection.ts";
import { readVariants, type VariantList } from "./variant.ts";

/** A flag compiled to one function; ask it through `evaluate`. */
export interface CompiledFlag {
  readonly key: string;
  readonly definition: FlagDefinition;
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
  participation: Participation | null,
): CompiledFlag {
  const scope: Scope = { segment: environment.segment, now: environment.now, references: [] };
  const key = definition?.key;
  const isPlain = isPlainBoolean(definition);
  const defaultValue = definition?.default_value ?? (isPlain ? false : null);
  const compiled = { key, definition, references: scope.references, defaultValue };
  try {
    // A boolean flag has one arm that is drawn, `on`; what is left of the line is `off`.
    const variants = isPlain ? { keys: ["on", "off"], weights: [1, 0] } : readVariants(definition.variants);
    const control = isPlain ? "off" : (variants.keys[0] ?? refuse("Expected variants"));
    const run = compileRun(definition, variants, isPlain, defaultValue, environment, participation, scope);
    return { ...compiled, control, error: null, run };
  } catch (cause) {
    const error = `Flag ${JSON.stringify(key)} is not understood: ${toMessage(cause)}`;
    const failed = toError(defaultValue, "PARSE_ERROR", error);
    return { ...compiled, control: "", error, run: () => failed };
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

/** A boolean flag that lists no variants: it has `on` and `off`. */
export function isPlainBoolean(definition: FlagDefinition | null | undefined): boolean {
  const variants = definition?.variants ?? [];
  return Array.isArray(variants) && variants.length === 0 && (definition?.value_type ?? "BOOLEAN") === "BOOLEAN";
}

function compileRun(
  definition: FlagDefinition,
  variants: VariantList,
  isPlain: boolean,
  defaultValue: JsonValue,
  environment: Environment,
  participation: Participation | null,
  scope: Scope,
): Run<EvaluationResult> {
  const { key, enabled, bucket_by, prerequisites: required } = definition;
  if (typeof key !== "string" || typeof enabled !== "boolean") refuse("Expected a key and enabled");
  if (!isAbsent(bucket_by) && typeof bucket_by !== "string") refuse("Expected an attribute in bucket_by");
  const values = isPlain ? [true, defaultValue] : definition.variants.map(({ value }) => value ?? null);
  const answer = (reason: Reason) => toResult(defaultValue, null, reason);
  const [disabled, failed, held, rejected] = [
    answer("DISABLED"),
    answer("PREREQUISITE_FAILED"),
    answer("HOLDOUT"),
    answer("DEFAULT"),
  ];
  const keyMissing = toError(
    defaultValue,
    "TARGETING_KEY_MISSING",
    `Flag ${key} draws by ${bucket_by ?? "targetingKey"}`,
  );
  const prerequisites = compilePrerequisites(required ?? [], environment);
  const gate = participation && createGate(participation);
  const select = compileSelection<EvaluationResult>(
    {
      key,
      bucketBy: bucket_by,
      variants,
      rollout: toPercentage(definition.rollout_percentage),
      targeting: definition.targeting_rules,
      rules: definition.rules,
      rulesEnabled: definition.rules_enabled !== false,
      gated: prerequisites !== null || gate !== null,
      outcome: ({ index, reason, ruleId, forced }) =>
        index < 0
          ? toResult(defaultValue, isPlain ? "off" : null, reason, ruleId, forced)
          : toResult(values[index]!, variants.keys[index]!, reason, ruleId, forced),
      rejected,
      keyMissing,
    },
    scope,
  );

  return (context, now, trace) => {
    if (!note(trace, "STATUS", key, enabled, enabled ? "enabled" : "disabled")) return disabled;
    if (prerequisites !== null && !prerequisites(context, now, trace)) return failed;
    const refusal = gate === null ? null : gate(context, trace);
    if (refusal === null) return select(context, now, trace);
    return refusal === "HOLDOUT" ? held : refusal === "EXCLUDED" ? rejected : keyMissing;
  };
}
