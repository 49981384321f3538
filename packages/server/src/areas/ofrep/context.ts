import type { EvaluationContext } from "@assay/core";
import { ApiError } from "../../ground/errors.ts";
import type { OfrepErrorCode } from "./answer.ts";

/** An invalid request: a 400 with the error code of the protocol. */
export class ContextError extends ApiError {
  readonly code: OfrepErrorCode;

  constructor(code: OfrepErrorCode, message: string) {
    super(400, message);
    this.code = code;
  }
}

/** In code points, as the contract counts the characters of a user id. */
const MAX_KEY_LENGTH = 1024;
const isTooLong = (key: string) => key.length > MAX_KEY_LENGTH && [...key].length > MAX_KEY_LENGTH;

/**
 * Parses the context of a request. A missing targeting key is not a request error: flags without bucketing do not need
 * it, others return TARGETING_KEY_MISSING.
 * @throws ContextError
 */
export function parseContext(body: unknown): EvaluationContext {
  if (!isRecord(body)) throw new ContextError("PARSE_ERROR", "Request body is not a JSON object");
  const { context = {} } = body;
  if (!isRecord(context)) throw new ContextError("INVALID_CONTEXT", "Context is not an object");
  const { targetingKey } = context;
  if (targetingKey === undefined || targetingKey === null) return { ...context, targetingKey: undefined };
  if (typeof targetingKey !== "string") throw new ContextError("INVALID_CONTEXT", "targetingKey is not a string");
  if (isTooLong(targetingKey)) {
    throw new ContextError("INVALID_CONTEXT", `targetingKey is longer than ${MAX_KEY_LENGTH} characters`);
  }
  return context;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
