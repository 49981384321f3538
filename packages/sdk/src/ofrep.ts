import type { ErrorCode, EvaluationResult, Outline, Reason } from "@assay/core";

/** What the metadata of an evaluation says; undefined where it does not apply. */
export interface OfrepMetadata {
  /** The evaluator's own reason. */
  evaluationReason?: string;
  ruleId?: string | undefined;
  /** The variant was given by name and not drawn. */
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
   * A disabled flag's value by its own settings. It is not part of the protocol, whose providers serve the caller's
   * default.
   */
  defaultValue?: Value;
  variant?: string | undefined;
  metadata?: OfrepMetadata;
  errorCode?: string;
  errorDetails?: string | undefined;
}

/** Reasons in the protocol; any other becomes UNKNOWN, with the evaluator's own in the metadata. */
const REASONS = ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED"];

/** Translates one evaluation for JSON, which omits undefined fields. */
export function toOfrepAnswer(
  result: EvaluationResult,
  { key, version }: Outline["flags"][number],
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
      evaluationReason: reason,
      ruleId: rule_id ?? undefined,
      forced: forced || undefined,
      version,
      flagSetId,
    },
  };
}

/** The reverse of {@link toOfrepAnswer}, as far as the protocol carries it; `bucket` is null. */
export function fromOfrepAnswer(answer: OfrepAnswer<EvaluationResult["value"]>): EvaluationResult {
  const { defaultValue = null, value = defaultValue, variant = null, metadata = {}, errorCode, errorDetails } = answer;
  const { evaluationReason = "DEFAULT", ruleId = null, forced = false } = metadata;
  return {
    value,
    variant,
    reason: evaluationReason as Reason,
    enabled: typeof value === "boolean" ? value : variant !== null,
    rule_id: ruleId,
    bucket: null,
    forced,
    ...(errorCode && { error_code: errorCode as ErrorCode, error_message: errorDetails }),
  };
}
