/** Cuts a list by `skip` and `limit`. */
export function pageOf<T>(all: T[], { skip, limit }: { skip: number; limit: number }) {
  return { items: all.slice(skip, skip + limit), total: all.length, skip, limit };
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
