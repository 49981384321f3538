import { unanswered } from "./error.ts";

/**
 * The base of all paths: `base` with `/api/v1` once at its end.
 * @throws TypeError if it is not an http(s) address.
 */
export function toBaseUrl(base: string): string {
  const url = new URL(base);
  if (!url.origin.startsWith("http")) throw new TypeError("baseUrl must be http(s)");
  return url.origin + url.pathname.replace(/(\/api\/v1)?\/*$/, "/api/v1");
}

/** A route key with its parameters filled in and encoded: method, space and path. */
export function toTarget(route: string, params: Record<string, string> = {}): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(route, name, params[name]));
}

/** URLs cannot express an empty, `.` or `..` segment: another path would be requested. */
function encodeSegment(route: string, name: string, value = ""): string {
  if (/^\.{0,2}$/.test(value)) throw unanswered(route, "VALIDATION", `${name} cannot be "${value}"`);
  return encodeURIComponent(value);
}
