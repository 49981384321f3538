/** Cuts a list by `skip` and `limit`. */
export function pageOf<T>(all: T[], { skip, limit }: { skip: number; limit: number }) {
  return { items: all.slice(skip, skip + limit), total: all.length, skip, limit };
}

/** Cuts a list by `skip` and `limit`, for answers that are bare lists; `X-Total-Count` has the number of all items. */
export function countedPage<T>(
  all: readonly T[],
  { skip, limit }: { skip: number; limit: number },
  headers: Record<string, string>,
): T[] {
  headers["X-Total-Count"] = String(all.length);
  return all.slice(skip, skip + limit);
}

/** Returns the order of two items by a field, whose name has a leading `-` for descending. Ties are in order of id. */
export function orderBy<T extends { id: string }, F extends string>(
  sort: F | `-${F}`,
  fieldOf: (item: T, field: F) => string | null,
): (a: T, b: T) => number {
  const isDescending = sort.startsWith("-");
  const field = (isDescending ? sort.slice(1) : sort) as F;
  const direction = isDescending ? -1 : 1;
  return (a, b) => direction * (compare(fieldOf(a, field) ?? "", fieldOf(b, field) ?? "") || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether one of the texts contains another, in any letter case. */
export function contains(texts: readonly string[], part: string | undefined): boolean {
  return !part || texts.join("\n").toLowerCase().includes(part.toLowerCase());
}

/** Returns the query parameters a route knows. Unknown ones would let clients grow the `Link` header without bound. */
export function knownQuery(url: URL, parameters: readonly string[]): URLSearchParams {
  // Routes use the last of repeated parameters.
  const last = Object.fromEntries([...url.searchParams].filter(([name]) => parameters.includes(name)));
  return new URLSearchParams(last);
}

/**
 * Returns a `Link` header to the next page: the same request with some query parameters changed.
 * @param query the parsed parameters of the route, of which only the names are used
 */
export function nextLink(request: Request, query: object, changed: Record<string, string>): string {
  const url = new URL(request.url);
  const next = knownQuery(url, Object.keys(query));
  for (const [name, value] of Object.entries(changed)) next.set(name, value);
  return `<${url.pathname}?${next}>; rel="next"`;
}
