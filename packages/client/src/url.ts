import { unanswered } from "./error.ts";

/**
 * Returns `base` with `/api/v1` at its end.
 * @throws TypeError if it is not an http(s) URL.
 */
export function toBaseUrl(base: string): string {
  const url = new URL(base);
  if (!url.origin.startsWith("http")) throw new TypeError("baseUrl must be http(s)");
  return url.origin + url.pathname.replace(/(\/api\/v1)?\/*$/, "/api/v1");
}

/** Fills the parameters into a route key: method, space and encoded path. */
export function toTarget(route: string, params: Record<string, string> = {}): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    // The URLs of empty, `.` and `..` would request another path.
    if (/^\.{0,2}$/.test(value)) throw unanswered(route, "VALIDATION", `${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

/**
 * Returns the query of a URL, with its question mark; empty for none. An object is sent as JSON, and undefined is left
 * out.
 */
export function toSearch(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, Object(value) === value ? JSON.stringify(value) : String(value));
  }
  return `${search}` && `?${search}`;
}
