import type { EvaluationResult, FlagDefinition, JsonValue } from "@assay/core";

/** An evaluation in the format of the OpenFeature Remote Evaluation Protocol 0.3. */
export type OfrepAnswer = OfrepSuccess | OfrepFailure;

export interface OfrepSuccess {
  key: string;
  /** Absent if the default of the caller applies. */
  value?: JsonValue;
  /** The value a disabled flag serves. An extension: protocol providers serve the default of the caller. */
  defaultValue?: JsonValue;
  variant?: string;
  reason: "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DISABLED" | "UNKNOWN";
  metadata: Metadata;
}

export interface OfrepFailure {
  key: string;
  errorCode: OfrepErrorCode;
  errorDetails: string;
  metadata?: Metadata;
}

export type OfrepErrorCode = "FLAG_NOT_FOUND" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "PARSE_ERROR" | "GENERAL";

export type Metadata = Record<string, string | number | boolean>;

/** Reasons the protocol lacks. The metadata contains them, as Assay's providers name them. */
const UNNAMED = new Set(["DEFAULT", "PREREQUISITE_FAILED", "HOLDOUT", "ERROR"]);
const ERRORS = new Set(["TARGETING_KEY_MISSING", "PARSE_ERROR"]);

/** Converts an evaluation to the protocol. @param own metadata by the authors of the flag */
export function toAnswer(
  key: string,
  result: EvaluationResult,
  { version, metadata: own }: Pick<FlagDefinition, "version" | "metadata">,
  flagSetId: string | undefined,
): OfrepAnswer {
  const { value, variant, reason, rule_id, forced, error_code, error_message = "" } = result;
  const metadata: Metadata = { ...own, evaluationReason: reason };
  if (version !== undefined) metadata.version = version;
  if (flagSetId !== undefined) metadata.flagSetId = flagSetId;
  if (rule_id !== null) metadata.ruleId = rule_id;
  if (forced) metadata.forced = true;
  if (error_code !== undefined) {
    const errorCode = ERRORS.has(error_code) ? (error_code as OfrepErrorCode) : "GENERAL";
    return { key, errorCode, errorDetails: error_message, metadata };
  }
  return {
    key,
    ...(value === null ? {} : reason === "DISABLED" ? { defaultValue: value } : { value }),
    ...(variant === null ? {} : { variant }),
    reason: UNNAMED.has(reason) ? "UNKNOWN" : (reason as OfrepSuccess["reason"]),
    metadata,
  };
}

export function toMissing(key: string, metadata: Metadata): OfrepFailure {
  return { key, errorCode: "FLAG_NOT_FOUND", errorDetails: `Flag ${JSON.stringify(key)} was not found`, metadata };
}
