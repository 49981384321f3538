import { keepPreviousData, type QueryKey, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";

interface Page<T> {
  items: T[];
  /** How many there are in all, if the server says so. */
  total: number | null;
}

/** A list that loads page by page. */
export interface Pages<T> {
  list: Pick<
    UseInfiniteQueryResult,
    "isPending" | "isError" | "error" | "refetch" | "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"
  >;
  /** What has loaded; undefined before the first page. */
  items: T[] | undefined;
  total: number | null;
}

/** Reads a list page by page. While another filter loads, what the last one found stays. */
export function usePages<T>(
  queryKey: QueryKey,
  read: (page: { skip: number; limit: number }) => Promise<Page<T>>,
  { limit = 100, enabled = true, refetchOnWindowFocus = true } = {},
): Pages<T> {
  const list = useInfiniteQuery({
    queryKey,
    enabled,
    refetchOnWindowFocus,
    initialPageParam: 0,
    queryFn: ({ pageParam }) => read({ skip: pageParam, limit }),
    getNextPageParam({ items, total }, _, skip) {
      const next = skip + limit;
      const hasMore = total === null ? items.length === limit : next < total;
      return hasMore ? next : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const pages = list.data?.pages;
  return { list, items: pages?.flatMap(({ items }) => items), total: pages?.[0]?.total ?? null };
}
