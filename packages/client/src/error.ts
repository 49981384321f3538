import type { ErrorBody, ValidationIssue } from "./openapi.generated.ts";

/** The kind of failure, for programs. */
export type AssayErrorCode =
  | "BAD_REQUEST"
  | "NOT_AUTHENTICATED"
  | "INVALID_API_KEY"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "CONFLICT"
  | "PRECONDITION_FAILED"
  | "PAYLOAD_TOO_LARGE"
  | "VALIDATION"
  | "RATE_LIMIT"
  | "SERVER"
  | "UNAVAILABLE"
  | "TIMEOUT"
  | "NETWORK"
  | "INVALID_RESPONSE";

export interface AssayErrorFields {
  /** HTTP status; 0 without a response. */
  status: number;
  code: AssayErrorCode;
  /** The message of the server, or of the client if there is no response. */
  detail: string;
  /** Validation errors by field; empty unless the status is 422. */
  issues: ValidationIssue[];
  /** Key of the route, such as `GET /users/me`. */
  route: string;
  /** `X-Request-Id` of the response, which the log of the server contains too. */
  requestId?: string;
  /** Seconds to wait, as the server requests. */
  retryAfter?: number;
}

/**
 * The error of any failed request. It contains no headers, credentials or body of the request, so it is safe to log.
 */
export class AssayError extends Error implements AssayErrorFields {
  override readonly name = "AssayError";
  declare readonly status: number;
  declare readonly code: AssayErrorCode;
  declare readonly detail: string;
  declare readonly issues: ValidationIssue[];
  declare readonly route: string;
  declare readonly requestId?: string;
  declare readonly retryAfter?: number;

  constructor(fields: AssayErrorFields, options?: ErrorOptions) {
    super(`[${fields.route}] ${fields.status ? `${fields.status} ` : ""}${fields.detail}`, options);
    Object.assign(this, fields);
  }
}

/**
 * Returns whether a value is an {@link AssayError}. Compares the name, so it also recognises errors of another copy of
 * this package.
 */
export function isAssayError(error: unknown): error is AssayError {
  return error instanceof Error && error.name === "AssayError";
}

const CODES: Record<number, AssayErrorCode> = {
  401: "NOT_AUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  422: "VALIDATION",
  429: "RATE_LIMIT",
};

/** Creates the error of an unsuccessful response. `body` is its parsed JSON, or its text if it is not JSON. */
export function toAssayError(route: string, { status, statusText, headers }: Response, body: unknown): AssayError {
  const detail = (body as Partial<ErrorBody> | undefined)?.detail;
  const wait = headers.get("retry-after")!;
  const isList = Array.isArray(detail);
  const text = isList ? detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ") : detail;
  return new AssayError({
    status,
    // A redirect that was not followed comes from another server, or leads from http to https.
    code:
      status === 401 && /api key/i.test(text!)
        ? "INVALID_API_KEY"
        : status > 501
          ? "UNAVAILABLE"
          : (CODES[status] ?? (status < 400 ? "INVALID_RESPONSE" : status < 500 ? "BAD_REQUEST" : "SERVER")),
    detail: text || statusText,
    issues: isList ? detail : [],
    route,
    requestId: headers.get("x-request-id") || undefined,
    // Seconds, or a date.
    retryAfter: Math.max(0, +wait || (Date.parse(wait) - Date.now()) / 1_000) || undefined,
  });
}

/** Creates the error of a request without a response. */
export function unanswered(route: string, code: AssayErrorCode, detail: string, cause?: unknown): AssayError {
  return new AssayError({ status: 0, code, detail, issues: [], route }, { cause });
}
