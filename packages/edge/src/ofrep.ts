import type { EvaluationResult, Outline } from "@assay/core";

/** One evaluation in the OpenFeature Remote Evaluation Protocol 0.3; without `value`, the caller's default applies. */
export interface OfrepAnswer {
  key: string;
  reason?: string;
  value?: unknown;
  /**
   * A disabled flag's value by its own settings. It is not part of the protocol, whose providers serve the caller's
   * default.
   */
  defaultValue?: unknown;
  variant?: string | undefined;
  metadata?: Record<string, string | number | boolean | undefined>;
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

/** A JSON response with `no-store`, unless its headers override that. */
export function toJson(status: number, body: unknown, headers?: Record<string, string>): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** Why a request is rejected, with an error code of the protocol. */
export type Refusal = [status: number, errorCode: string, errorDetails: string];

const MAX_BODY_BYTES = 1_048_576;

/** Reads the context from a request's body, or returns the reason for rejecting it. */
export async function readContext({ body }: Request): Promise<Record<string, unknown> | Refusal> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  let context: unknown;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length;
      // The rest stays unread.
      if (length > MAX_BODY_BYTES) return [413, "GENERAL", "The body is over 1 MB"];
      text += decoder.decode(chunk, { stream: true });
    }
    ({ context } = Object(JSON.parse(text + decoder.decode())));
  } catch {
    return [400, "PARSE_ERROR", "The body is not JSON"];
  }
  if (!isObject(context)) return [400, "INVALID_CONTEXT", "context has to be an object"];
  const isNamed = typeof (context.targetingKey ?? "") === "string";
  return isNamed ? context : [400, "INVALID_CONTEXT", "targetingKey has to be a string"];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return Object(value) === value && !Array.isArray(value);
}
