/** The page of a list that `skip` and `limit` ask for. */
export function pageOf<T>(all: T[], { skip, limit }: { skip: number; limit: number }) {
  return { items: all.slice(skip, skip + limit), total: all.length, skip, limit };
}

/** A `Link` header that leads on: the same request with other query parameters. */
export function nextLink(request: Request, query: Record<string, string>): string {
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
