import { AssayError } from "./error.ts";

const PREFIX = "/api/v1";

/**
 * The address all paths are appended to: `base` with `/api/v1` once at its end. A relative one is resolved against
 * the page.
 * @throws TypeError where it is no http(s) address, or carries credentials (which `fetch` refuses).
 */
export function toBaseUrl(base: string): string {
  const page = globalThis.location?.href;
  const url = URL.canParse(base, page) ? new URL(base, page) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http(s) address");
  if (url.username || url.password) throw new TypeError("baseUrl must not carry a username or password");
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (path.endsWith(PREFIX) ? path : path + PREFIX);
}

/** The method and the path of a route key, with its parameters filled in and encoded. */
export function toTarget(route: string, params: Record<string, string> = {}): [method: string, path: string] {
  const [, method, template] = /^([A-Z]+) (\/.*)$/.exec(route) ?? [];
  if (!method || !template) throw new TypeError(`Not a route: ${route}`);
  return [method, template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(route, name, params[name]))];
}

/** URLs have no spelling for an empty, `.` or `..` segment or half a surrogate pair: another path would be asked. */
function encodeSegment(route: string, name: string, value = ""): string {
  try {
    if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  } catch {
    // Half a surrogate pair.
  }
  const msg = value === "" ? "Is missing or empty" : "Cannot be part of a URL";
  const issues = [{ loc: ["path", name], msg, type: "path_segment" }];
  throw new AssayError({ status: 0, code: "VALIDATION", detail: `path.${name}: ${msg}`, issues, route });
}

/** Query values as strings: objects as JSON, dates as ISO 8601, arrays repeated, `null` and `undefined` left out. */
export function toQuery(query: Record<string, unknown> = {}): Record<string, string | string[]> {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(toText) : toText(value)]),
  );
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
