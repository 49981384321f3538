import { createGate, type Participation, toParticipation } from "../assignment/participation.ts";
import { readPercentage } from "../targeting/block.ts";
import { describeProblem, isAbsent, isRecord, isString, own, type Problem } from "../targeting/problem.ts";
import { createScope, type Scope } from "../targeting/scope.ts";
import type { FlagDefinition, JsonValue } from "./definition.ts";
import { drawn } from "./draw.ts";
import type { Environment } from "./environment.ts";
import { compilePrerequisites } from "./prerequisite.ts";
import type { ErrorCode, EvaluationResult, Reason } from "./result.ts";
import { type Arm, compileSelection, type Run } from "./selection.ts";
import { readVariants } from "./variant.ts";

/** A flag compiled to one function; ask it through `evaluate`. */
export interface CompiledFlag {
  readonly key: string;
  readonly definition: FlagDefinition;
  /** What could not be understood; such a flag answers its default with PARSE_ERROR. */
  readonly problems: readonly Problem[];
  /** Ids or names of the segments it refers to. */
  readonly references: readonly string[];
  /** Keys of the flags it requires. */
  readonly prerequisites: readonly string[];
  /** Key of the variant an experiment over the flag compares with: the first one, `off` for a boolean flag. */
  readonly control: string;
  /** Whether it names the value served outside the rollout, or is a boolean flag, for which that is false. */
  readonly hasDefault: boolean;
  /** The evaluation without its bucket and without a guard against throwing. */
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
  const scope = createScope(environment);
  const { problems, references } = scope;
  // Read as unknown: whatever its type says, a definition came over the wire.
  const source: unknown = definition;
  const fields = isRecord(source) ? source : {};
  if (!isRecord(source)) problems.push({ path: [], message: "Expected a flag" });
  const isPlain = isPlainBoolean(fields);
  const defaultValue = toDefault(definition, isPlain);
  const prerequisites = compilePrerequisites(own(fields, "prerequisites"), environment, ["prerequisites"], problems);
  const run = compileRun(definition, fields, isPlain, defaultValue, prerequisites.test, participation, scope);
  const failure = problems[0];
  const failed =
    failure &&
    toError(defaultValue, "PARSE_ERROR", `Flag ${definition?.key} is not understood: ${describeProblem(failure)}`);
  return {
    key: definition?.key,
    definition,
    problems,
    references,
    prerequisites: prerequisites.keys,
    control: isPlain ? "off" : String(definition?.variants?.[0]?.key ?? ""),
    hasDefault: isPlain || definition?.default_value !== undefined,
    run: failed ? () => failed : run,
  };
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

function isPlainBoolean(fields: Record<string, unknown>): boolean {
  const variants = own(fields, "variants");
  const type = own(fields, "value_type");
  return (
    (isAbsent(variants) || (Array.isArray(variants) && variants.length === 0)) && (isAbsent(type) || type === "BOOLEAN")
  );
}

function toDefault(definition: FlagDefinition | null | undefined, isPlain: boolean): JsonValue {
  return definition?.default_value ?? (isPlain ? false : null);
}

/** Compiles everything from `enabled` on; problems are left in the scope. */
function compileRun(
  definition: FlagDefinition,
  fields: Record<string, unknown>,
  isPlain: boolean,
  defaultValue: JsonValue,
  prerequisites: Run<boolean> | null,
  participation: Participation | null,
  scope: Scope,
): Run<EvaluationResult> {
  const { problems } = scope;
  const key = own(fields, "key");
  const enabled = own(fields, "enabled");
  const bucketBy = own(fields, "bucket_by");
  if (!isString(key)) problems.push({ path: ["key"], message: "Expected a string" });
  if (typeof enabled !== "boolean") problems.push({ path: ["enabled"], message: "Expected true or false" });
  if (!isAbsent(bucketBy) && !isString(bucketBy))
    problems.push({ path: ["bucket_by"], message: "Expected an attribute" });
  const listed = readVariants(own(fields, "variants"), ["variants"], problems);
  if (!isPlain && listed.keys.length === 0) problems.push({ path: ["variants"], message: "Expected variants" });
  // A boolean flag has one arm that is drawn, `on`; what is left of the line is `off`.
  const variants = isPlain ? { keys: ["on", "off"], weights: [1, 0] } : listed;
  const values = isPlain
    ? [true, defaultValue]
    : listed.keys.map((_, index) => definition.variants[index]?.value ?? null);
  const result = (reason: Reason) => toResult(defaultValue, null, reason);
  const [disabled, failed, held, rejected] = [
    result("DISABLED"),
    result("PREREQUISITE_FAILED"),
    result("HOLDOUT"),
    result("DEFAULT"),
  ];
  const keyMissing = toError(
    defaultValue,
    "TARGETING_KEY_MISSING",
    `Flag ${String(key)} needs ${isString(bucketBy) ? bucketBy : "a targeting key"} to draw by`,
  );
  const gate = participation === null ? null : createGate(participation);
  const select = compileSelection<EvaluationResult>(
    {
      key: String(key),
      bucketBy: isString(bucketBy) ? bucketBy : null,
      variants,
      rollout: readPercentage(own(fields, "rollout_percentage"), scope, ["rollout_percentage"]) ?? 100,
      targeting: own(fields, "targeting_rules"),
      rules: own(fields, "rules"),
      rulesEnabled: own(fields, "rules_enabled") !== false,
      gated: prerequisites !== null || gate !== null,
      outcome: ({ index, reason, ruleId, forced }: Arm) =>
        index < 0
          ? toResult(defaultValue, isPlain ? "off" : null, reason, ruleId, forced)
          : toResult(values[index] ?? null, variants.keys[index] ?? null, reason, ruleId, forced),
      rejected,
      keyMissing,
    },
    scope,
  );

  return (context, now, trace) => {
    if (trace !== null) {
      const detail = enabled === true ? "flag is enabled" : "flag is disabled";
      trace.push({ step: "STATUS", subject: String(key), matched: enabled === true, detail });
    }
    if (enabled !== true) return disabled;
    if (prerequisites !== null) {
      const matched = prerequisites(context, now, trace);
      // The required flags left their own hash behind.
      drawn[0] = -1;
      if (!matched) return failed;
    }
    if (gate !== null) {
      const refusal = gate(context, trace);
      if (refusal !== null) return refusal === "HOLDOUT" ? held : refusal === "EXCLUDED" ? rejected : keyMissing;
    }
    return select(context, now, trace);
  };
}
