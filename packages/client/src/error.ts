import type { ValidationIssue } from "./openapi.generated.ts";

/** What went wrong, as a word to branch on. */
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
  /** HTTP status, 0 where no answer came. */
  status: number;
  code: AssayErrorCode;
  /** The server's own words, or ours where it gave none. */
  detail: string;
  /** What is wrong with the request, field by field; empty for anything but a 422. */
  issues?: ValidationIssue[];
  /** Key of the route that failed. */
  route: string;
  /** `X-Request-Id` of the answer, to find it in the server's log. */
  requestId?: string;
  /** Seconds the server asks to wait. */
  retryAfter?: number;
}

/** Every failure of a request. It holds no header, credential or body of the request, so it may be logged whole. */
export class AssayError extends Error implements AssayErrorFields {
  override readonly name = "AssayError";
  readonly status: number;
  readonly code: AssayErrorCode;
  readonly detail: string;
  readonly issues: ValidationIssue[];
  readonly route: string;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(fields: AssayErrorFields, options?: ErrorOptions) {
    super(`[${fields.route}] ${fields.status ? `${fields.status} ` : ""}${fields.detail}`, options);
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.issues = fields.issues ?? [];
    this.route = fields.route;
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
  }
}

/** Tells an {@link AssayError} from anything else by name, so that two copies of this package agree. */
export function isAssayError(error: unknown): error is AssayError {
  return error instanceof Error && error.name === "AssayError" && "code" in error;
}

const CODES: Record<number, AssayErrorCode> = {
  401: "NOT_AUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  408: "TIMEOUT",
  409: "CONFLICT",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  422: "VALIDATION",
  429: "RATE_LIMIT",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

/** The error an answer stands for; `body` is its parsed JSON, or text where it is none. */
export function toAssayError(route: string, response: Response, body: unknown, now: number): AssayError {
  const { status, headers } = response;
  const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : undefined;
  const issues = Array.isArray(detail) ? detail.filter(isIssue) : [];
  const text =
    typeof detail === "string" ? detail : issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  // The API redirects nowhere; most often this is http where https is meant.
  const redirect = status < 400 ? `Redirected to ${headers.get("location")}: is baseUrl the final address?` : "";
  return new AssayError({
    status,
    code: codeOf(status, text),
    detail: text || redirect || response.statusText || "No reason given",
    issues,
    route,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: parseRetryAfter(headers.get("retry-after"), now),
  });
}

function isIssue(value: unknown): value is ValidationIssue {
  return typeof value === "object" && value !== null && "msg" in value && "loc" in value && Array.isArray(value.loc);
}

function codeOf(status: number, detail: string): AssayErrorCode {
  if (status === 401 && /api key/i.test(detail)) return "INVALID_API_KEY";
  return CODES[status] ?? (status >= 500 ? "SERVER" : status >= 400 ? "BAD_REQUEST" : "INVALID_RESPONSE");
}

/** Seconds from a `Retry-After` header, which holds seconds or a date; undefined where it is absent or neither. */
function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
