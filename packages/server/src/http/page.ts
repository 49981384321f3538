/** The page of a list that `skip` and `limit` ask for. */
export function pageOf<T>(all: T[], { skip, limit }: { skip: number; limit: number }) {
  return { items: all.slice(skip, skip + limit), total: all.length, skip, limit };
}
