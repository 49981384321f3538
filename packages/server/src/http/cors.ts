import { emptyResponse } from "./boundary.ts";

/** Cross-origin access from web pages. Off by default. */
export interface CorsOptions {
  /** For example `https://app.example.org`; `*` allows every origin. */
  origins: string[];
}

/** Handles CORS for the routes that allow it. */
export interface Cors {
  /** Adds the headers that let the page read the response. */
  allow(request: Request, headers: Record<string, string>): void;
  /** The preflight response, or null if the request is not a preflight. */
  preflight(request: Request, methods: string[], headers: Record<string, string>): Response | null;
}

const OPEN_PATHS = /^\/(?:openfeature|tracking|ofrep)\/|\/stream$/;
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-API-Key, X-Assay-Environment, X-Assay-Override, X-Request-Id";
const ANSWER_HEADERS =
  "ETag, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, X-Assay-Ignored-Fields";

/** Whether pages of other origins may call a path: evaluation, tracking and streams. */
export function isCrossOrigin(path: string, client: true | undefined): boolean {
  return client === true || OPEN_PATHS.test(path);
}

// Not h3's `handleCors`: it writes to an h3 event, while the pipeline makes whole responses.
/** @throws TypeError for an invalid origin, such as a URL with a path */
export function createCors({ origins }: CorsOptions): Cors {
  for (const origin of origins) {
    if (origin !== "*" && origin !== "null" && originOf(origin) !== origin) {
      throw new TypeError(
        `cors.origins: "${origin}" is not an origin; use ${originOf(origin) ?? "https://example.org"}`,
      );
    }
  }
  const allowed = new Set(origins);
  const everyone = allowed.has("*");

  function allow(request: Request, headers: Record<string, string>): boolean {
    headers.Vary = "Origin";
    const origin = request.headers.get("origin");
    if (origin === null || !(everyone || allowed.has(origin))) return false;
    // Credentials travel in headers, never in cookies, so a wildcard exposes nothing.
    headers["Access-Control-Allow-Origin"] = everyone ? "*" : origin;
    return true;
  }

  return {
    allow(request, headers) {
      if (allow(request, headers)) headers["Access-Control-Expose-Headers"] = ANSWER_HEADERS;
    },
    preflight(request, methods, headers) {
      if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return null;
      if (allow(request, headers)) {
        headers["Access-Control-Allow-Methods"] = methods.join(", ");
        headers["Access-Control-Allow-Headers"] = REQUEST_HEADERS;
        headers["Access-Control-Max-Age"] = "7200";
      }
      return emptyResponse(204, headers);
    },
  };
}

/** Returns the origin of a URL, or undefined for URLs other than http(s). */
export function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  return protocol === "http:" || protocol === "https:" ? origin : undefined;
}
