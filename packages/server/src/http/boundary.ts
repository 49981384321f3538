import { HTTPError } from "h3-v2";
import { ApiError, badRequest, isApiError } from "../ground/errors.ts";
import type { Logger } from "../ground/runtime.ts";
import { isUnavailable } from "../storage/write-watch.ts";
import { linkToHelp } from "./error-help.ts";
import { type Body, prepareResponse } from "./prepared-response.ts";

/** Headers of every response. */
export function standardHeaders(requestId: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    // Browsers must not load or frame anything from a response.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
  };
}

/** Creates a JSON response. @param type a more specific media type */
export function jsonResponse(
  status: number,
  body: Body,
  headers: Record<string, string>,
  type = "application/json; charset=utf-8",
): Response {
  return prepareResponse(status, headers, body, type);
}

/** Creates a response without a body, such as 204 or 304. */
export function emptyResponse(status: number, headers: Record<string, string>): Response {
  return prepareResponse(status, headers, null);
}

/**
 * Turns every error into a response, by default with the body `{detail}`.
 * @param base path of the server, for a link to the help; without it there is none
 */
export function toErrorResponse(
  error: unknown,
  headers: Record<string, string>,
  logger: Logger,
  toBody: (refusal: ApiError) => object = ({ detail }) => ({ detail }),
  base?: string,
): Response {
  const refusal = toRefusal(error, headers, logger);
  const help = base === undefined ? {} : linkToHelp(refusal.status, base);
  const all = { ...headers, "Cache-Control": "no-store", ...help, ...refusal.headers };
  return jsonResponse(refusal.status, JSON.stringify(toBody(refusal)), all);
}

/** Returns the error that a client sees. Logs unexpected errors instead of showing them. */
function toRefusal(error: unknown, headers: Record<string, string>, logger: Logger): ApiError {
  const expected = toApiError(error);
  if (expected) return expected;
  logger.error("Unexpected error", { request_id: headers["X-Request-Id"], error: describe(error) });
  return new ApiError(500, "Internal server error");
}

function toApiError(error: unknown): ApiError | null {
  if (isApiError(error)) return error;
  if (isUnavailable(error)) {
    return new ApiError(503, "Storage is unavailable; try again shortly", { "Retry-After": "5" });
  }
  if (!HTTPError.isError(error)) return null;
  // h3 rejects invalid percent-encoding before routing.
  if (error.status === 400) return badRequest("Request path is not valid percent-encoding");
  // A host that uses srvx may set a lower body limit.
  return error.status === 413 ? new ApiError(413, "Request body is too large", { Connection: "close" }) : null;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
