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
