import { requireOption } from "@assay/core/definitions";

/**
 * Which requests belong to which experiment: pathnames and experiment keys, where `/landing` is that page alone and
 * `/shop/*` also everything below (the longest wins); or a function that answers a key, or nothing.
 */
export type Routes =
  | Readonly<Record<string, string>>
  | ((url: URL, request: Request) => string | null | undefined | Promise<string | null | undefined>);

/** The experiment of a request, and the part of its pathname that the route stands for. */
export interface Route {
  experimentKey: string;
  prefix: string;
}

const EXPECTED = "pathnames with experiment keys, or a function";

/** Creates the lookup of routes. @throws OptionError where a pathname has no slash at its start or no experiment. */
export function createRouter(routes: Routes): (url: URL, request: Request) => Promise<Route | undefined> {
  if (typeof routes === "function") {
    return async (url, request) => {
      const experimentKey = await routes(url, request);
      return typeof experimentKey === "string" ? { experimentKey, prefix: "" } : undefined;
    };
  }
  const entries = Object.entries(Object(routes) as Record<string, string>).map(([pathname, experimentKey]) => {
    requireOption(pathname.startsWith("/"), "routes", "pathnames that start with a slash");
    requireOption(typeof experimentKey === "string", "routes", EXPECTED);
    const isPrefix = pathname.endsWith("/*");
    return { experimentKey, isPrefix, prefix: trimSlash(isPrefix ? pathname.slice(0, -2) : pathname) };
  });
  requireOption(entries.length > 0, "routes", EXPECTED);
  entries.sort((a, b) => b.prefix.length - a.prefix.length || Number(a.isPrefix) - Number(b.isPrefix));
  return async ({ pathname }) =>
    entries.find(({ prefix, isPrefix }) => (isPrefix ? isBelow(pathname, prefix) : trimSlash(pathname) === prefix));
}

/** Whether a pathname is a prefix (without a slash at its end) or below it. */
export function isBelow(pathname: string, prefix: string): boolean {
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}

export function trimSlash(pathname: string): string {
  return pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
}
