import type { EvaluationResult, FlagDefinition } from "@assay/core";

/** One evaluation as the OpenFeature Remote Evaluation Protocol 0.3 has it; without `value`, the caller's default holds. */
export interface OfrepAnswer {
  key: string;
  reason?: string;
  value?: unknown;
  /** What a disabled flag serves by its own settings; not of the protocol, whose providers serve the caller's default. */
  defaultValue?: unknown;
  variant?: string;
  metadata?: Record<string, string | number | boolean>;
  errorCode?: string;
  errorDetails?: string;
}

/** Reasons that the protocol knows; any other is UNKNOWN, with the evaluator's own in the metadata. */
const REASONS = ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED"];

/** Translates one evaluation. */
export function toOfrepAnswer(
  key: string,
  result: EvaluationResult,
  flag: FlagDefinition | undefined,
  flagSetId: string | undefined,
): OfrepAnswer {
  const { value, variant, reason, rule_id, forced, error_code, error_message } = result;
  if (error_code) return { key, errorCode: error_code, errorDetails: error_message };
  const metadata: OfrepAnswer["metadata"] = { evaluationReason: reason };
  if (rule_id !== null) metadata.ruleId = rule_id;
  if (forced) metadata.forced = true;
  if (flag?.version !== undefined) metadata.version = flag.version;
  if (flagSetId !== undefined) metadata.flagSetId = flagSetId;
  const answer: OfrepAnswer = { key, reason: REASONS.includes(reason) ? reason : "UNKNOWN", metadata };
  if (variant !== null) answer.variant = variant;
  if (value !== null) answer[reason === "DISABLED" ? "defaultValue" : "value"] = value;
  return answer;
}

/** A JSON response that no cache keeps. */
export function toJson(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** Answers that a request is refused, with an error code of the protocol. */
export type Refuse = (status: number, errorCode: string, errorDetails: string) => Response;

const MAX_BODY_BYTES = 1_048_576;

/** Reads the context out of a request's body, or refuses the request. */
export async function readContext(request: Request, refuse: Refuse): Promise<Record<string, unknown> | Response> {
  let body: unknown;
  try {
    const text = await readText(request);
    if (text === undefined) return refuse(413, "GENERAL", "The body is over 1 MB");
    body = JSON.parse(text);
  } catch {
    return refuse(400, "PARSE_ERROR", "The body is not JSON");
  }
  const { context } = Object(body) as { context?: unknown };
  if (!isObject(context)) return refuse(400, "INVALID_CONTEXT", "context has to be an object");
  const isNamed = typeof (context.targetingKey ?? "") === "string";
  return isNamed ? context : refuse(400, "INVALID_CONTEXT", "targetingKey has to be a string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The body as text; undefined once it is too long, with the rest unread. */
async function readText(request: Request): Promise<string | undefined> {
  const reader = request.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.byteLength;
    if (length > MAX_BODY_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}
