import { readOption } from "@assay/sdk/internal";

/**
 * Maps requests to experiments. Either an object of pathnames and experiment keys, where `/landing` is only that page,
 * `/shop/*` also everything below it, and the longest match wins; or a function that returns a key or nothing.
 */
export type Routes =
  | Readonly<Record<string, string>>
  | ((url: URL, request: Request) => string | null | undefined | Promise<string | null | undefined>);

/** The experiment of a request, and the matching part of its pathname. */
export interface Route {
  experimentKey: string;
  prefix: string;
}

const EXPECTED = '{ "/pathname": experimentKey }, or a function';

/** Creates the lookup of routes. @throws OptionError if a pathname does not start with a slash or has no experiment */
export function createRouter(routes: Routes): (url: URL, request: Request) => Promise<Route | undefined> {
  if (typeof routes === "function") {
    return async (url, request) => {
      const experimentKey = await routes(url, request);
      return typeof experimentKey === "string" ? { experimentKey, prefix: "" } : undefined;
    };
  }
  const entries = Object.entries(Object(routes) as Record<string, string>).map(([pathname, experimentKey]) => {
    readOption("routes", EXPECTED, () => pathname.startsWith("/") && typeof experimentKey === "string");
    return { pathname, experimentKey, prefix: trimSlash(pathname.replace(/\/\*$/, "")) };
  });
  readOption("routes", EXPECTED, () => entries.length > 0);
  // The longest first; for equal lengths, the page before the paths below it.
  entries.sort((a, b) => b.prefix.length - a.prefix.length || a.pathname.length - b.pathname.length);
  return async (url) =>
    entries.find(({ pathname, prefix }) =>
      pathname.endsWith("/*") ? isBelow(url.pathname, prefix) : trimSlash(url.pathname) === prefix,
    );
}

/** Returns whether a pathname equals a prefix without a trailing slash, or is below it. */
export function isBelow(pathname: string, prefix: string): boolean {
  return `${pathname}/`.startsWith(`${prefix}/`);
}

export function trimSlash(pathname: string): string {
  return pathname.replace(/\/$/, "");
}
