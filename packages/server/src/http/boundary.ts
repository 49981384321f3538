import { HTTPError } from "h3";
import type { Logger } from "../runtime.ts";
import { StoreUnavailable } from "../storage/store.ts";
import { ApiError, badRequest, isApiError } from "./errors.ts";

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
  return new Response(text, { status, headers: { ...headers, "Content-Type": type } });
}

/** The one place where errors become answers: `{detail}` and nothing else; what nobody expected is logged, not shown. */
export function toErrorResponse(error: unknown, headers: Record<string, string>, logger: Logger): Response {
  const known = toApiError(error);
  if (!known) logger.error("Unexpected error", { request_id: headers["X-Request-Id"], error: describe(error) });
  const { status, detail, headers: own } = known ?? new ApiError(500, "Internal server error");
  return jsonResponse(status, JSON.stringify({ detail }), { ...headers, "Cache-Control": "no-store", ...own });
}

function toApiError(error: unknown): ApiError | null {
  if (isApiError(error)) return error;
  if (error instanceof StoreUnavailable || (error instanceof Error && error.name === "StoreUnavailable")) {
    return new ApiError(503, "Storage is unavailable; try again shortly", { "Retry-After": "5" });
  }
  // h3 refuses a path that is not valid percent-encoding before any route sees it.
  if (HTTPError.isError(error) && error.status === 400) return badRequest("Request path is not valid percent-encoding");
  return null;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
