import { createHash } from "node:crypto";
import type { EvaluationContext, EvaluationResult } from "@assay/core";
import { toOfrepAnswer } from "@assay/sdk/internal";
import { Refusal } from "./ground/refusal.ts";
import type { View } from "./view.ts";

/** The attributes of an evaluation request. */
export type Attributes = Record<string, unknown> | undefined;

/** Evaluates one flag; undefined if the view does not show it. */
export function ask(view: View, key: string, context: EvaluationContext, trace = false): EvaluationResult | undefined {
  if (!view.mayAsk(key)) return undefined;
  const result = view.engine.evaluate(key, context, null, { trace });
  return result.error_code === "FLAG_NOT_FOUND" ? undefined : result;
}

/** Answers `POST /openfeature/evaluate`. */
export function answerOpenFeature(
  view: View,
  { flagKey, userId, attributes }: { flagKey: string; userId?: string | undefined; attributes?: Attributes },
) {
  const result = ask(view, flagKey, { ...attributes, targetingKey: userId } as EvaluationContext);
  if (!result) return { value: null, variant: null, reason: "DEFAULT", flagKey, errorCode: "FLAG_NOT_FOUND" };
  const { value, variant, reason, error_code, error_message } = result;
  return {
    value,
    variant,
    reason,
    flagKey,
    ...(error_code ? { errorCode: error_code } : {}),
    ...(error_message ? { errorMessage: error_message } : {}),
  };
}

/** Error codes of the protocol; any other becomes GENERAL. */
const OFREP_ERRORS = ["TARGETING_KEY_MISSING", "PARSE_ERROR"];

type Flag = View["engine"]["definitions"]["flags"][number];

function toOfrep(view: View, flag: Flag, result: EvaluationResult) {
  const { flag_set_id } = view.engine.definitions;
  const { errorCode, ...answer } = toOfrepAnswer(result, flag, flag_set_id);
  if (errorCode === undefined) return answer;
  // The metadata is that of the same evaluation without its error.
  const { metadata } = toOfrepAnswer({ ...result, error_code: undefined }, flag, flag_set_id);
  return { ...answer, errorCode: OFREP_ERRORS.includes(errorCode) ? errorCode : "GENERAL", metadata };
}

/** Answers an OFREP evaluation of one flag. */
export function answerOfrep(view: View, key: string, context: EvaluationContext): { status: number; body: object } {
  const { flags, flag_set_id } = view.engine.definitions;
  const result = ask(view, key, context);
  const flag = result && flags.find((flag) => flag.key === key);
  if (!flag) {
    const errorDetails = `Flag ${JSON.stringify(key)} was not found`;
    const metadata = flag_set_id === undefined ? {} : { flagSetId: flag_set_id };
    return { status: 404, body: { key, errorCode: "FLAG_NOT_FOUND", errorDetails, metadata } };
  }
  const body = toOfrep(view, flag, result);
  return { status: "errorCode" in body ? 400 : 200, body };
}

/** Answers an OFREP evaluation of every flag. The ETag covers the whole text. */
export function answerAllOfrep(view: View, context: EvaluationContext): { text: string; etag: string } {
  const { flags, flag_set_id } = view.engine.definitions;
  const shown = flags.filter(({ key }) => view.mayAsk(key));
  const answers = shown.map((flag) => toOfrep(view, flag, view.engine.evaluate(flag.key, context, null)));
  const metadata = flag_set_id === undefined ? {} : { flagSetId: flag_set_id };
  const text = JSON.stringify({ flags: answers, metadata });
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}

/** In code points, as the contract counts the characters of a user id. */
const MAX_KEY_LENGTH = 1024;
const isTooLong = (key: string) => key.length > MAX_KEY_LENGTH && [...key].length > MAX_KEY_LENGTH;

/** Reads the context of an OFREP request. @throws OfrepRefusal 400 */
export function readContext(body: unknown): EvaluationContext {
  if (!isRecord(body)) throw new OfrepRefusal("PARSE_ERROR", "Request body is not a JSON object");
  const { context = {} } = body;
  if (!isRecord(context)) throw new OfrepRefusal("INVALID_CONTEXT", "Context is not an object");
  const targetingKey = context.targetingKey ?? undefined;
  if (targetingKey !== undefined && typeof targetingKey !== "string") {
    throw new OfrepRefusal("INVALID_CONTEXT", "targetingKey is not a string");
  }
  if (targetingKey !== undefined && isTooLong(targetingKey)) {
    throw new OfrepRefusal("INVALID_CONTEXT", `targetingKey is longer than ${MAX_KEY_LENGTH} characters`);
  }
  return { ...context, targetingKey } as EvaluationContext;
}

/** A 400 with an error code of the protocol. */
export class OfrepRefusal extends Refusal {
  readonly code: string;

  constructor(code: string, message: string) {
    super(400, message);
    this.code = code;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
