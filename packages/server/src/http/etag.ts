import { createHash } from "node:crypto";
import type { CachePolicy } from "@assay/contract";
import { preconditionFailed } from "../errors.ts";

const MAX_AGE: Record<Exclude<CachePolicy, "no-store">, number> = { definitions: 3600, results: 300 };

/** Cache headers of a successful answer. @param isNegotiated whether `Accept` decides what is answered */
export function cacheHeaders(policy: CachePolicy | undefined, isNegotiated = false): Record<string, string> {
  if (!policy || policy === "no-store") return { "Cache-Control": "no-store" };
  return {
    "Cache-Control": `private, max-age=${MAX_AGE[policy]}`,
    Vary: `Authorization, X-API-Key, Origin${isNegotiated ? ", Accept" : ""}`,
  };
}

/** A strong ETag: the version of a document and whose it is, or the hash of anything else. */
export function etagOf(value: unknown, text: string): string {
  const version = versionOf(value);
  // A key can come again after its document was deleted; its versions then start over, its id does not.
  if (version !== undefined) return `"v${version}-${(value as { id: string }).id.slice(-12)}"`;
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

/** A strong ETag for a document that is answered with more than its version says; `If-Match` reads it as the version. */
export function toVersionedEtag(version: number, beside: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(beside)).digest("base64url");
  return `"v${version}-${hash.slice(0, 12)}"`;
}

function versionOf(value: unknown): number | undefined {
  if (!value || typeof value !== "object" || !("version" in value) || !("id" in value)) return undefined;
  return typeof value.version === "number" ? value.version : undefined;
}

/** Whether `If-None-Match` names this ETag, by weak comparison: proxies weaken what they compress. */
export function isFresh(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (!header) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header === "*" || header.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/** The version that `If-Match` asks for, undefined where it asks for none. @throws ApiError 412 for a tag of ours it cannot be */
export function versionAskedFor(request: Request): number | undefined {
  const header = request.headers.get("if-match")?.trim();
  if (!header || header === "*") return undefined;
  const match = /^"v(\d{1,15})(?:-[\w-]{1,12})?"$/.exec(header);
  if (!match) throw preconditionFailed();
  return Number(match[1]);
}
