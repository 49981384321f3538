import type { ErrorCode, EvaluationContext, EvaluationResult, JsonValue } from "@assay/core";
import type { ProviderEngine } from "./format.ts";
import { perDefinitions } from "./per-definitions.ts";
import type { Freshness } from "./poller.ts";

/**
 * The reasons that a provider reports. `specification`: CACHED, STATIC while expired definitions are fetched again,
 * DEFAULT for a missing flag, ERROR. `evaluation`: OpenFeature's own TARGETING_MATCH, SPLIT, STATIC, DISABLED, DEFAULT,
 * STALE and ERROR. The metadata contains both in either case.
 */
export type ReasonMode = "specification" | "evaluation";

/** The results of `typeof` for the four kinds of value. */
export type ValueKind = "boolean" | "string" | "number" | "object";

/** The OpenFeature error codes that a provider returns. */
export type ProviderErrorCode = ErrorCode | "PROVIDER_NOT_READY" | "PROVIDER_FATAL";

/** The state of a provider's definitions: fresh, expired, expired while fetching fails, or none. */
export type ProviderState = Freshness | "STALE" | "NOT_READY" | "FATAL";

/** The result for one flag in the shape of OpenFeature's `ResolutionDetails`. */
export interface Resolution<T, Code> {
  value: T;
  variant?: string;
  reason: string;
  errorCode?: Code;
  errorMessage?: string;
  /**
   * `cacheReason` (the reason by specification), `evaluationReason` (the evaluator's own), and if known `ruleId`,
   * `version` of the flag and `flagSetId`, which OpenTelemetry hooks read; and the metadata of the flag's authors.
   */
  flagMetadata: Record<string, string | number | boolean>;
}

/** Evaluates one flag; never throws. Results without an error are frozen and shared. */
type Resolve<Code> = <T extends JsonValue>(
  flagKey: string,
  defaultValue: T,
  context: EvaluationContext,
  kind: ValueKind,
  state: ProviderState,
) => Resolution<T, Code>;

/** The SDK's own error codes by their names. */
export type ErrorCodes<Code> = { readonly [Name in ProviderErrorCode]: Code };

/** Options of {@link createResolve}. */
export interface ResolveOptions<Code> {
  /** The SDK's own codes by their names: its `ErrorCode`. */
  codes: ErrorCodes<Code>;
  /** @default "specification" */
  reasons?: ReasonMode;
  /** Overrides the definitions' own in the metadata. */
  flagSetId?: string | undefined;
}

// Without the bucket, the engine returns shared objects; each is translated once.
const SHARED = { bucket: false } as const;

/** Evaluator reasons without an OpenFeature equivalent: the default is served, and the metadata contains the reason. */
const UNNAMED: Record<string, string> = { PREREQUISITE_FAILED: "DEFAULT", HOLDOUT: "DEFAULT" };

/** The messages of a provider without definitions. */
const UNAVAILABLE: Partial<Record<ProviderState, string>> = { NOT_READY: "No flags yet", FATAL: "API key rejected" };

/** Creates the function that evaluates flags and converts the results, mostly without allocating. */
export function createResolve<Code>(
  engine: Pick<ProviderEngine, "definitions" | "evaluate">,
  options: ResolveOptions<Code>,
): Resolve<Code> {
  const { codes, reasons } = options;
  const current = perDefinitions(engine, ({ flags, flag_set_id }) => ({
    known: new Map(flags.map((flag) => [flag.key, flag])),
    flagSetId: options.flagSetId ?? flag_set_id,
    // Translated answers so far, by the state of the provider.
    made: {} as Partial<Record<ProviderState, Made<Code>>>,
  }));

  /** @param result the evaluator's result, if it ran @param code of the error, if it is one */
  function toResolution<T>(
    flagKey: string,
    value: T,
    state: ProviderState,
    result?: EvaluationResult,
    code?: ProviderErrorCode,
    errorMessage?: string,
  ): Resolution<T, Code> {
    const { known, flagSetId } = current();
    const { version, metadata } = known.get(flagKey) ?? {};
    const { reason: evaluationReason, rule_id: ruleId, variant } = result ?? {};
    let cacheReason = state === "CACHED" ? state : "STATIC";
    let reason = state === "STALE" || !evaluationReason ? state : (UNNAMED[evaluationReason] ?? evaluationReason);
    if (code) {
      reason = "ERROR";
      cacheReason = code === "FLAG_NOT_FOUND" ? "DEFAULT" : reason;
    }
    const ours = { cacheReason, evaluationReason, ruleId, version, flagSetId };
    const flagMetadata: Resolution<T, Code>["flagMetadata"] = { ...metadata };
    for (const [name, value] of Object.entries(ours))
      if (value !== undefined && value !== null) flagMetadata[name] = value;
    if (reasons !== "evaluation") reason = cacheReason;
    const error = code && { errorCode: codes[code], errorMessage };
    return { value, reason, flagMetadata: Object.freeze(flagMetadata), ...(error ?? (variant && { variant })) };
  }

  return <T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
    state: ProviderState,
  ): Resolution<T, Code> => {
    let result: EvaluationResult | undefined;
    let code: ProviderErrorCode | undefined;
    let message = UNAVAILABLE[state];
    if (message) {
      code = `PROVIDER_${state}` as ProviderErrorCode;
    } else {
      result = engine.evaluate(flagKey, context, null, SHARED);
      const { value } = result;
      ({ error_code: code, error_message: message } = result);
      if (code === undefined && value !== null) {
        if (typeof value === kind) {
          const { made } = current();
          made[state] ??= new WeakMap();
          let details = made[state].get(result);
          if (details === undefined) {
            details = Object.freeze(toResolution(flagKey, freeze(value), state, result));
            made[state].set(result, details);
          }
          // The kind was checked above.
          return details as Resolution<T, Code>;
        }
        code = "TYPE_MISMATCH";
        message = `Expected a ${kind}, not a ${typeof value}`;
      }
    }
    return toResolution(flagKey, defaultValue, state, result, code, message);
  };
}

type Made<Code> = Pick<WeakMap<EvaluationResult, Resolution<JsonValue, Code>>, "get" | "set">;

/** Freezes an object value, because all callers share the definition's object. */
function freeze<T extends JsonValue>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}
