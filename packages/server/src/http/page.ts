/** The page of a list that `skip` and `limit` ask for. */
export function pageOf<T>(all: T[], { skip, limit }: { skip: number; limit: number }) {
  return { items: all.slice(skip, skip + limit), total: all.length, skip, limit };
}

/** What of a query a route reads: a link made of all of it would be a header as long as anybody likes. */
export function knownQuery(url: URL, parameters: readonly string[]): URLSearchParams {
  // As routes read it, the last of several counts.
  const last = Object.fromEntries([...url.searchParams].filter(([name]) => parameters.includes(name)));
  return new URLSearchParams(last);
}

/**
 * A `Link` header that leads on: the same request with some query parameters changed.
 * @param query the parameters as the route reads them, of which only the names count
 */
export function nextLink(request: Request, query: object, changed: Record<string, string>): string {
  const url = new URL(request.url);
  const next = knownQuery(url, Object.keys(query));
  for (const [name, value] of Object.entries(changed)) next.set(name, value);
  return `<${url.pathname}?${next}>; rel="next"`;
}
