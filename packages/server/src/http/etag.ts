import { hash } from "node:crypto";
import type { CachePolicy } from "@assay/contract";
import { preconditionFailed } from "../ground/errors.ts";

const MAX_AGE: Record<Exclude<CachePolicy, "no-store">, number> = { definitions: 3600, results: 300 };

/** Cache headers of a successful response. @param isNegotiated whether the response depends on `Accept` */
export function cacheHeaders(policy: CachePolicy | undefined, isNegotiated = false): Record<string, string> {
  if (!policy || policy === "no-store") return { "Cache-Control": "no-store" };
  return {
    "Cache-Control": `private, max-age=${MAX_AGE[policy]}`,
    Vary: `Authorization, X-API-Key, Origin${isNegotiated ? ", Accept" : ""}`,
  };
}

/** Returns a strong ETag: version and id of a document, or the hash of any other value. */
export function etagOf(value: unknown, text: string | Uint8Array): string {
  const version = versionOf(value);
  // A key can be used again after its document was deleted. Versions then restart, but the id differs.
  if (version !== undefined) return `"v${version}-${(value as { id: string }).id.slice(-12)}"`;
  return `"${digestOf(text).slice(0, 22)}"`;
}

/**
 * Returns a strong ETag for a document whose response contains more than its version covers. `If-Match` reads the
 * version from it.
 */
export function toVersionedEtag(version: number, beside: unknown): string {
  return `"v${version}-${digestOf(JSON.stringify(beside)).slice(0, 12)}"`;
}

/** Returns the SHA-256 of a text, or of its bytes in UTF-8, in base64url. */
export function digestOf(text: string | Uint8Array): string {
  return hash("sha256", text, "base64url");
}

function versionOf(value: unknown): number | undefined {
  if (!value || typeof value !== "object" || !("version" in value) || !("id" in value)) return undefined;
  return typeof value.version === "number" ? value.version : undefined;
}

/** Whether `If-None-Match` matches this ETag, by weak comparison: proxies weaken the tags of compressed responses. */
export function isFresh(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (!header) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header === "*" || header.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Returns the version in `If-Match`, or undefined if there is none.
 * @throws ApiError 412 for a tag no document can have
 */
export function versionAskedFor(request: Request): number | undefined {
  const header = request.headers.get("if-match")?.trim();
  if (!header || header === "*") return undefined;
  const match = /^"v(\d{1,15})(?:-[\w-]{1,12})?"$/.exec(header);
  if (!match) throw preconditionFailed();
  return Number(match[1]);
}
