import type { ExperimentProgram } from "@assay/core";
import { isBelow, trimSlash } from "./route.ts";

export interface TargetOptions {
  /**
   * How the URL of a variant replaces the URL of a request. `replace`: every page of the route becomes the variant's
   * URL. `append`: the path after the route's prefix, or after another variant's URL, is appended to the variant's
   * path.
   * @default "replace"
   */
  path?: "replace" | "append";
  /**
   * Whether to keep the request's query; parameters of the variant's own query are never replaced.
   * @default "keep"
   */
  query?: "keep" | "drop";
}

/** An arm of a split-URL experiment, with its URL resolved for one request. */
export interface Arm {
  key: string;
  url: URL;
  /** Whether the URL is a path on the host of the request. */
  isPath: boolean;
}

/** The maximum number of other arms to strip from a URL. Beyond it, only the arm's own URL is kept. */
const MAX_ROUNDS = 10;

/** Returns the arms with a valid URL: http(s), or a path that stays on its host. */
export function toArms({ variants }: Pick<ExperimentProgram, "variants">, request: URL): Arm[] {
  return variants.flatMap(({ key, url: text = "" }) => {
    if (!/^(\/|https?:\/\/)/i.test(text) || !URL.canParse(text, request.href)) return [];
    const url = new URL(text, request);
    const isPath = text.startsWith("/");
    // Two slashes at the start, or an equivalent that browsers accept, name another host.
    return isPath && (url.origin !== request.origin || url.pathname.startsWith("//")) ? [] : { key, url, isPath };
  });
}

/**
 * Where a request has to go for an arm: a `Location`, or null if it is already there.
 *
 * The origin is always the arm's: content of the request only ever becomes part of path and query. Asking again for the
 * returned URL returns null, so there are no loops, even if one arm's URL lies below another's.
 */
export function toLocation(
  request: URL,
  arm: Arm,
  arms: readonly Arm[],
  prefix: string,
  { path, query }: TargetOptions,
): string | null {
  const isAppended = path === "append";
  // The most specific first; for equal ones, the intended arm.
  const ranked = [arm, ...arms].sort((left, right) => weigh(right) - weigh(left));
  const findArm = (at: URL) => ranked.find((each) => isOn(at, each, isAppended));
  let at = request;
  // Every round removes a part of the URL that belongs to another arm.
  for (let round = 0, current = findArm(at); current !== arm && round <= MAX_ROUNDS; round++, current = findArm(at)) {
    const target = new URL(arm.url);
    if (round < MAX_ROUNDS) {
      const rest = at.pathname.slice(trimSlash(current?.url.pathname ?? prefix).length).replace(/^\/+/, "");
      if (isAppended && rest) target.pathname = `${trimSlash(target.pathname)}/${rest}`;
      const isKept = (pair: string) => query !== "drop" && !hasName(arm, pair) && !hasName(current, pair);
      target.search = [...readPairs(target), ...readPairs(at).filter(isKept)].join("&");
    }
    at = target;
  }
  const { host, pathname, search, hash, href } = at;
  if (host === request.host && pathname === request.pathname && search === request.search) return null;
  const location = arm.isPath ? pathname + search + hash : href;
  // Always true by construction; checked again because a redirect follows this line.
  return new URL(location, request).origin === arm.url.origin ? location : null;
}

/** Returns whether a URL is an arm's. The scheme is ignored: behind a proxy that terminates TLS, requests are http. */
function isOn(at: URL, { url, isPath }: Arm, isAppended: boolean): boolean {
  const [path, own] = [trimSlash(at.pathname), trimSlash(url.pathname)];
  return (
    (isPath || at.host === url.host) &&
    (isAppended ? isBelow(path, own) : path === own) &&
    readPairs(url).every((pair) => readPairs(at).includes(pair))
  );
}

/** Weighs the specificity of a URL. A longer path is more specific than any number of parameters. */
function weigh({ url }: Arm): number {
  return trimSlash(url.pathname).length * 1_000 + readPairs(url).length;
}

/** Returns the pairs of a query, without decoding. */
function readPairs({ search }: URL): string[] {
  return search.slice(1).split("&").filter(Boolean);
}

/** Returns whether an arm's own query has a parameter of the same name. */
function hasName(arm: Arm | undefined, pair: string): boolean {
  const [name = ""] = new URLSearchParams(`&${pair}`).keys();
  return arm?.url.searchParams.has(name) ?? false;
}
