import { HTTPError } from "h3";
import { FastResponse } from "srvx";
import { ApiError, badRequest, isApiError } from "../errors.ts";
import type { Logger } from "../runtime.ts";
import { isUnavailable } from "../storage/write-watch.ts";

/** Headers that every answer carries. */
export function standardHeaders(requestId: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    // An answer is data: whatever a browser makes of it, it loads and frames nothing.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
  };
}

/** An answer of JSON. @param type its media type, where that says more */
export function jsonResponse(
  status: number,
  text: string,
  headers: Record<string, string>,
  type = "application/json; charset=utf-8",
): Response {
  return new (responseClass())(text, { status, headers: { ...headers, "Content-Type": type } });
}

/** An answer without a body, such as a 204 or a 304. */
export function emptyResponse(status: number, headers: Record<string, string>): Response {
  return new (responseClass())(null, { status, headers });
}

/**
 * srvx's own class goes to a socket of `node:http` as the text it was made of, where a plain `Response` goes through a web
 * stream; to everybody else it is a `Response`. It is none to a host that has replaced the global class since.
 */
function responseClass(): typeof Response {
  return FastResponse.prototype instanceof Response ? FastResponse : Response;
}

/** The one place where errors become answers: `{detail}` and nothing else. */
export function toErrorResponse(error: unknown, headers: Record<string, string>, logger: Logger): Response {
  const { status, detail, headers: own } = toRefusal(error, headers, logger);
  return jsonResponse(status, JSON.stringify({ detail }), { ...headers, "Cache-Control": "no-store", ...own });
}

/** What a client is told of an error; what nobody expected is logged, not shown. */
export function toRefusal(error: unknown, headers: Record<string, string>, logger: Logger): ApiError {
  const known = toApiError(error);
  if (known) return known;
  logger.error("Unexpected error", { request_id: headers["X-Request-Id"], error: describe(error) });
  return new ApiError(500, "Internal server error");
}

function toApiError(error: unknown): ApiError | null {
  if (isApiError(error)) return error;
  if (isUnavailable(error)) {
    return new ApiError(503, "Storage is unavailable; try again shortly", { "Retry-After": "5" });
  }
  if (!HTTPError.isError(error)) return null;
  // h3 refuses a path that is not valid percent-encoding before any route sees it.
  if (error.status === 400) return badRequest("Request path is not valid percent-encoding");
  // A host that serves with srvx may set a limit for bodies that is lower than ours.
  return error.status === 413 ? new ApiError(413, "Request body is too large", { Connection: "close" }) : null;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
