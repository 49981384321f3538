import type { ErrorCode, EvaluationResult, Outline, Reason } from "@assay/core";

/** The metadata of an evaluation, next to that of the flag's authors; undefined fields do not apply. */
export interface OfrepMetadata {
  [name: string]: string | number | boolean | undefined;
  /** The evaluator's own reason. */
  evaluationReason?: string;
  ruleId?: string | undefined;
  /** Whether the variant was forced instead of drawn. */
  forced?: boolean | undefined;
  /** The version of the flag. */
  version?: number | undefined;
  flagSetId?: string | undefined;
}

/** One evaluation in the OpenFeature Remote Evaluation Protocol 0.3; without `value`, the caller's default applies. */
export interface OfrepAnswer<Value = unknown> {
  key: string;
  reason?: string;
  value?: Value;
  /**
   * The value that the flag's own settings give a disabled flag. Not part of the protocol, whose providers serve the
   * caller's default.
   */
  defaultValue?: Value;
  variant?: string | undefined;
  metadata?: OfrepMetadata;
  errorCode?: string;
  errorDetails?: string | undefined;
}

/** Reasons in the protocol; any other becomes UNKNOWN, with the evaluator's own in the metadata. */
const REASONS = ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED"];

/** Converts an evaluation to the protocol's JSON, which omits undefined fields. */
export function toOfrepAnswer(
  result: EvaluationResult,
  { key, version, metadata }: Outline["flags"][number],
  flagSetId: string | undefined,
): OfrepAnswer {
  const { value, variant, reason, rule_id, forced, error_code, error_message } = result;
  if (error_code) return { key, errorCode: error_code, errorDetails: error_message };
  return {
    key,
    reason: REASONS.includes(reason) ? reason : "UNKNOWN",
    variant: variant ?? undefined,
    [reason === "DISABLED" ? "defaultValue" : "value"]: value ?? undefined,
    metadata: {
      ...metadata,
      evaluationReason: reason,
      ruleId: rule_id ?? undefined,
      forced: forced || undefined,
      version,
      flagSetId,
    },
  };
}

/** Converts the protocol's JSON back to an evaluation. `bucket` is null, because the protocol does not contain it. */
export function fromOfrepAnswer(answer: OfrepAnswer<EvaluationResult["value"]>): EvaluationResult {
  const { defaultValue = null, value = defaultValue, variant = null, metadata = {}, errorCode, errorDetails } = answer;
  const { evaluationReason = "DEFAULT", ruleId: rule_id = null, forced = false } = metadata;
  return {
    value,
    variant,
    reason: evaluationReason as Reason,
    enabled: typeof value === "boolean" ? value : variant !== null,
    rule_id,
    bucket: null,
    forced,
    ...(errorCode && { error_code: errorCode as ErrorCode, error_message: errorDetails }),
  };
}
