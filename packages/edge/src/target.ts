import type { ExperimentDefinition } from "@assay/core";
import { isBelow, trimSlash } from "./route.ts";

/** An arm of a split-URL experiment. */
export interface Arm {
  key: string;
  /** As the definition has it: an absolute http(s) URL, or a path on whatever host the request is for. */
  url: string;
}

export interface TargetOptions {
  /**
   * `replace`: every page of the route becomes the variant's. `append`: what is behind the route's prefix, or behind
   * another variant's URL, goes behind the variant's path.
   * @default "replace"
   */
  path?: "replace" | "append";
  /**
   * Whether the request's query goes along; parameters of the variant's own query are never replaced.
   * @default "keep"
   */
  query?: "keep" | "drop";
}

/** A URL of more parts than this belongs to nobody: only the arm's own is kept. */
const MAX_ROUNDS = 10;

/** An arm whose URL has been resolved for one request. */
interface Place {
  key: string;
  url: URL;
  isPath: boolean;
}

/** The arms that have somewhere to go. What is neither a path nor http(s), or would leave its host, is left out. */
export function toArms({ variants }: ExperimentDefinition): Arm[] {
  return variants.flatMap(({ key, url }) =>
    url && toPlace({ key, url }, "https://host.invalid") ? [{ key, url }] : [],
  );
}

/**
 * Where a request has to go for an arm: a `Location`, or null where it is there already.
 *
 * The origin is the arm's: whatever the request holds only ever becomes a part of path and query. The answer is where
 * the same question is answered with null, so there are no loops, not even where arms lie below one another.
 */
export function toLocation(
  request: URL,
  arm: Arm,
  arms: readonly Arm[],
  prefix: string,
  { path = "replace", query = "keep" }: TargetOptions,
): string | null {
  const places = arms.flatMap((each) => toPlace(each, request.href) ?? []);
  const place = places.find(({ key }) => key === arm.key);
  if (!place) return null;
  const append = path === "append";
  let at = request;
  // Every round takes away a part of the URL that belongs to another arm.
  for (let round = 0; ; round++) {
    const current = findPlace(at, place, places, append);
    if (current === place) break;
    if (round === MAX_ROUNDS) {
      at = place.url;
      break;
    }
    const target = new URL(place.url);
    if (append)
      target.pathname = join(place.url.pathname, at.pathname.slice(trimSlash(current?.url.pathname ?? prefix).length));
    const kept =
      query === "keep" ? readPairs(at).filter((pair) => !hasName(place, pair) && !hasName(current, pair)) : [];
    target.search = [...readPairs(place.url), ...kept].join("&");
    if (isSame(target, at)) break;
    at = target;
  }
  if (at === request || isSame(at, request)) return null;
  const location = place.isPath ? at.pathname + at.search + at.hash : at.href;
  // Never reached; but who follows a redirect follows this line.
  return toOrigin(location, request.href) === place.url.origin ? location : null;
}

function toPlace({ key, url: text }: Arm, base: string): Place | undefined {
  const isPath = text.startsWith("/");
  if (!isPath && !/^https?:\/\//i.test(text)) return undefined;
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  // Two slashes at the start, or what a browser reads as such, name another host.
  if (isPath && (url.origin !== new URL(base).origin || url.pathname.startsWith("//"))) return undefined;
  return { key, url, isPath };
}

/** The place that a request is on: the most specific one, and of equals the one it is meant to be on. */
function findPlace(at: URL, meant: Place, places: readonly Place[], append: boolean): Place | undefined {
  let found: Place | undefined;
  for (const place of [meant, ...places]) {
    if (isOn(at, place, append) && (!found || weigh(place) > weigh(found))) found = place;
  }
  return found;
}

/** The scheme is not compared: behind a proxy that ends TLS, requests are http. */
function isOn(at: URL, { url, isPath }: Place, append: boolean): boolean {
  if (!isPath && at.host !== url.host) return false;
  const [path, own] = [trimSlash(at.pathname), trimSlash(url.pathname)];
  if (append ? !isBelow(path, own) : path !== own) return false;
  const pairs = readPairs(at);
  return readPairs(url).every((pair) => pairs.includes(pair));
}

/** A longer path is more specific than any number of parameters. */
function weigh({ url }: Place): number {
  return trimSlash(url.pathname).length * 1_000 + readPairs(url).length;
}

/** The pairs of a query, encoded as they are. */
function readPairs({ search }: URL): string[] {
  return search.slice(1).split("&").filter(Boolean);
}

function hasName(place: Place | undefined, pair: string): boolean {
  const [name = ""] = new URLSearchParams(`&${pair}`).keys();
  return place?.url.searchParams.has(name) ?? false;
}

function join(path: string, rest: string): string {
  const below = rest.replace(/^\/+/, "");
  return below === "" ? path : `${trimSlash(path)}/${below}`;
}

function isSame(a: URL, b: URL): boolean {
  return a.host === b.host && a.pathname === b.pathname && a.search === b.search;
}

function toOrigin(location: string, base: string): string | null {
  return URL.canParse(location, base) ? new URL(location, base).origin : null;
}
