/** A part of a list: how many items come before it, and how many it has at most. */
export interface PageQuery {
  skip: number;
  limit: number;
}

/** Reads a whole list, page by page, until a page is not full. */
export async function readPages<T>(limit: number, read: (page: PageQuery) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const items = await read({ skip: all.length, limit });
    all.push(...items);
    if (items.length < limit) return all;
  }
}
