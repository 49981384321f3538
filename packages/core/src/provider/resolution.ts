import type { Freshness } from "../definitions/definition-source.ts";
import type { JsonValue } from "../evaluation/definition.ts";
import type { Engine } from "../evaluation/engine.ts";
import type { ErrorCode, EvaluationContext, EvaluationResult } from "../evaluation/result.ts";
import { perDefinitions } from "./per-definitions.ts";

/**
 * Which reasons a provider reports. `specification`: CACHED, STATIC while expired definitions are fetched anew, DEFAULT
 * for a missing flag, ERROR. `evaluation`: OpenFeature's own TARGETING_MATCH, SPLIT, STATIC, DISABLED, DEFAULT, STALE
 * and ERROR. The metadata has both, whichever is chosen.
 */
export type ReasonMode = "specification" | "evaluation";

/** What `typeof` says of the four kinds of value. */
export type ValueKind = "boolean" | "string" | "number" | "object";

/** The error codes of OpenFeature that a provider answers with. */
export type ProviderErrorCode = ErrorCode | "PROVIDER_NOT_READY" | "PROVIDER_FATAL";

/** What a provider answers from: fresh or expired definitions, ones that cannot be renewed, or none. */
export type ProviderState = Freshness | "STALE" | "NOT_READY" | "FATAL";

/** The answer for one flag, in the shape of OpenFeature's `ResolutionDetails`. */
export interface Resolution<T, Code> {
  value: T;
  variant?: string;
  reason: string;
  errorCode?: Code;
  errorMessage?: string;
  /**
   * `cacheReason` (the reason by specification), `evaluationReason` (the evaluator's own), and where there are any
   * `ruleId`, `version` of the flag and `flagSetId`. The last two are what OpenTelemetry hooks read.
   */
  flagMetadata: Record<string, string | number | boolean>;
}

/** Answers for one flag; never throws. Answers without an error are frozen and shared. */
export type Resolve<Code> = <T extends JsonValue>(
  flagKey: string,
  defaultValue: T,
  context: EvaluationContext,
  kind: ValueKind,
  state: ProviderState,
) => Resolution<T, Code>;

/** The SDK's own error codes by their names. */
export type ErrorCodes<Code> = { readonly [Name in ProviderErrorCode]: Code };

/** How {@link createResolve} answers. */
export interface ResolveOptions<Code> {
  /** The SDK's own codes by their names: its `ErrorCode`. */
  codes: ErrorCodes<Code>;
  /** @default "specification" */
  reasons?: ReasonMode;
  /** Shown in the metadata in place of the definitions' own. */
  flagSetId?: string | undefined;
}

// Without the bucket, the engine answers with objects it shares; ours are made once for each of them.
const SHARED = { bucket: false } as const;

/** The evaluator's reasons that OpenFeature has no name for: the default is served, and the metadata says why. */
const UNNAMED: Record<string, string> = { PREREQUISITE_FAILED: "DEFAULT", HOLDOUT: "DEFAULT" };

/** Creates the function that evaluates by an engine and translates its answers; nothing is allocated for most. */
export function createResolve<Code>(
  engine: Pick<Engine, "definitions" | "evaluate">,
  options: ResolveOptions<Code>,
): Resolve<Code> {
  const { codes, reasons } = options;
  const current = perDefinitions(engine, (definitions) => ({
    versions: new Map(definitions.flags.map((flag) => [flag.key, flag.version])),
    flagSetId: options.flagSetId ?? definitions.flag_set_id,
    made: { CACHED: new WeakMap(), STATIC: new WeakMap(), STALE: new WeakMap() } as Made<Code>,
  }));

  /** @param evaluationReason the reason in `evaluation` mode @param result what the evaluator says, where it was asked */
  function toDetails<T>(
    flagKey: string,
    value: T,
    cacheReason: string,
    evaluationReason: string,
    result: EvaluationResult | undefined,
  ): Resolution<T, Code> {
    const { versions, flagSetId } = current();
    const flagMetadata: Resolution<T, Code>["flagMetadata"] = { cacheReason };
    if (result) flagMetadata.evaluationReason = result.reason;
    if (result && result.rule_id !== null) flagMetadata.ruleId = result.rule_id;
    const version = versions.get(flagKey);
    if (version !== undefined) flagMetadata.version = version;
    if (flagSetId !== undefined) flagMetadata.flagSetId = flagSetId;
    const reason = reasons === "evaluation" ? evaluationReason : cacheReason;
    return { value, reason, flagMetadata: Object.freeze(flagMetadata) };
  }

  function fail<T>(
    flagKey: string,
    value: T,
    code: ProviderErrorCode,
    errorMessage: string | undefined,
    result?: EvaluationResult,
  ): Resolution<T, Code> {
    const details = toDetails(flagKey, value, code === "FLAG_NOT_FOUND" ? "DEFAULT" : "ERROR", "ERROR", result);
    details.errorCode = codes[code];
    if (errorMessage !== undefined) details.errorMessage = errorMessage;
    return details;
  }

  function succeed<T>(
    flagKey: string,
    value: T,
    result: EvaluationResult,
    state: "CACHED" | "STATIC" | "STALE",
  ): Resolution<T, Code> {
    const evaluated = state === "STALE" ? state : (UNNAMED[result.reason] ?? result.reason);
    const details = toDetails(flagKey, value, state === "CACHED" ? state : "STATIC", evaluated, result);
    if (result.variant !== null) details.variant = result.variant;
    return details;
  }

  return <T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
    state: ProviderState,
  ): Resolution<T, Code> => {
    if (state === "NOT_READY") return fail(flagKey, defaultValue, "PROVIDER_NOT_READY", "No definitions yet");
    if (state === "FATAL") return fail(flagKey, defaultValue, "PROVIDER_FATAL", "The API key was rejected");
    const result = engine.evaluate(flagKey, context, null, SHARED);
    const { value, error_code, error_message } = result;
    if (error_code !== undefined) return fail(flagKey, defaultValue, error_code, error_message, result);
    if (value === null) return succeed(flagKey, defaultValue, result, state);
    if (typeof value !== kind) {
      const message = `The flag's value is of type ${typeof value}, not ${kind}`;
      return fail(flagKey, defaultValue, "TYPE_MISMATCH", message, result);
    }
    const made = current().made[state];
    let details = made.get(result);
    if (details === undefined) {
      details = Object.freeze(succeed(flagKey, freeze(value), result, state));
      made.set(result, details);
    }
    // The kind was checked above.
    return details as Resolution<T, Code>;
  };
}

/** The answers made so far, by what the provider answered from. */
type Made<Code> = Record<
  "CACHED" | "STATIC" | "STALE",
  Pick<WeakMap<EvaluationResult, Resolution<JsonValue, Code>>, "get" | "set">
>;

/** An object value is the definition's own and goes to every caller, so none of them may change it. */
function freeze<T extends JsonValue>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}
