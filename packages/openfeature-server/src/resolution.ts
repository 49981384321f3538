import type { Engine, EvaluationContext, EvaluationResult, JsonValue } from "@assay/core";
import type { Freshness } from "@assay/core/definitions";
import {
  ErrorCode,
  type FlagMetadata,
  type ResolutionDetails,
  StandardResolutionReasons,
} from "@openfeature/server-sdk";

/** What `typeof` says of the four kinds of value. */
export type ValueKind = "boolean" | "string" | "number" | "object";

/** Answers for one flag as OpenFeature wants it. */
export type Resolve = <T extends JsonValue>(
  flagKey: string,
  defaultValue: T,
  context: EvaluationContext,
  kind: ValueKind,
  freshness: Freshness,
) => ResolutionDetails<T>;

// Without the bucket, the engine answers with objects it shares; ours are made once for each of them.
const SHARED = { bucket: false } as const;

/** Creates the function that evaluates by an engine and translates its answers; nothing is allocated for most. */
export function createResolve(engine: Engine): Resolve {
  const made: Record<Freshness, WeakMap<EvaluationResult, ResolutionDetails<JsonValue>>> = {
    CACHED: new WeakMap(),
    STATIC: new WeakMap(),
  };
  const versionOf = createVersionLookup(engine);

  return <T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
    freshness: Freshness,
  ): ResolutionDetails<T> => {
    const result = engine.evaluate(flagKey, context, null, SHARED);
    if (result.error_code !== undefined) return toFailure(result, defaultValue, versionOf(flagKey));
    if (result.value === null) return toDetails(result, defaultValue, freshness, versionOf(flagKey));
    if (typeof result.value !== kind) return toMismatch(result, defaultValue, kind, versionOf(flagKey));
    let details = made[freshness].get(result);
    if (details === undefined) {
      details = Object.freeze(toDetails(result, freeze(result.value), freshness, versionOf(flagKey)));
      made[freshness].set(result, details);
    }
    // The kind was checked above.
    return details as ResolutionDetails<T>;
  };
}

function toDetails<T>(
  result: EvaluationResult,
  value: T,
  freshness: Freshness,
  version: number | undefined,
): ResolutionDetails<T> {
  const details = { value, reason: StandardResolutionReasons[freshness], flagMetadata: toMetadata(result, version) };
  return result.variant === null ? details : { ...details, variant: result.variant };
}

function toFailure<T>(result: EvaluationResult, value: T, version: number | undefined): ResolutionDetails<T> {
  const { reason, error_code = "GENERAL", error_message } = result;
  return {
    value,
    reason: reason === "DEFAULT" ? StandardResolutionReasons.DEFAULT : StandardResolutionReasons.ERROR,
    errorCode: ErrorCode[error_code],
    errorMessage: error_message,
    flagMetadata: toMetadata(result, version),
  };
}

function toMismatch<T>(
  result: EvaluationResult,
  value: T,
  kind: ValueKind,
  version: number | undefined,
): ResolutionDetails<T> {
  return {
    value,
    reason: StandardResolutionReasons.ERROR,
    errorCode: ErrorCode.TYPE_MISMATCH,
    errorMessage: `The flag's value is of type ${typeof result.value}, not ${kind}`,
    flagMetadata: toMetadata(result, version),
  };
}

/** The evaluator's own reason, and where there are any the rule that matched and the flag's version. */
function toMetadata({ reason, rule_id }: EvaluationResult, version: number | undefined): FlagMetadata {
  const metadata: Record<string, string | number> = { reason };
  if (rule_id !== null) metadata.rule_id = rule_id;
  if (version !== undefined) metadata.version = version;
  return Object.freeze(metadata);
}

function createVersionLookup(engine: Engine): (flagKey: string) => number | undefined {
  let versions = new Map<string, number | undefined>();
  let definitions: unknown;
  return (flagKey) => {
    if (definitions !== engine.definitions) {
      definitions = engine.definitions;
      versions = new Map(engine.definitions.flags.map((flag) => [flag.key, flag.version]));
    }
    return versions.get(flagKey);
  };
}

/** An object value is the definition's own and goes to every caller, so none of them may change it. */
function freeze<T extends JsonValue>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}
