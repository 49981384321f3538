import type { ReactNode } from "react";
import { TEXT } from "../text.ts";
import type { Pages } from "./pages.ts";
import { Problem, Skeleton } from "./states.tsx";

export interface Column<T> {
  label: string;
  /** Numbers stand right. The label of buttons is only for screen readers. */
  kind?: "number" | "buttons";
  cell: (item: T) => ReactNode;
}

interface RowsProps<T> {
  items: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (item: T) => string;
}

/** A table, which stacks the cells of a row on phones. */
export function Rows<T>({ items, columns, keyOf }: RowsProps<T>) {
  return (
    <table className="rows">
      <thead>
        <tr>
          {columns.map(({ label, kind }) => (
            <th key={label} scope="col" className={kind === "number" ? "number" : undefined}>
              {kind === "buttons" ? <span className="sr">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map(({ label, kind, cell }) => (
              <td
                key={label}
                data-label={kind === "buttons" ? undefined : label}
                className={kind === "number" ? "number" : undefined}
              >
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PagedRowsProps<T> extends Omit<RowsProps<T>, "items"> {
  pages: Pages<T>;
  /** Stands in place of a table without rows. */
  empty: ReactNode;
  /** How many rows the table will probably have. */
  rows?: number;
}

/** A table that loads page by page, or what stands in its place while it loads, fails or is empty. */
export function PagedRows<T>({ pages, empty, rows, columns, keyOf }: PagedRowsProps<T>) {
  const { items } = pages;
  return (
    <PagedList pages={pages} empty={empty} rows={rows}>
      {items !== undefined && items.length > 0 && <Rows items={items} columns={columns} keyOf={keyOf} />}
    </PagedList>
  );
}

type PagedListProps<T> = Pick<PagedRowsProps<T>, "pages" | "empty" | "rows"> & { children: ReactNode };

/** What loads page by page, such as cards, with a button for more. */
export function PagedList<T>({ pages: { list, items }, empty, rows = 4, children }: PagedListProps<T>) {
  return (
    <>
      {list.isPending && <Skeleton rows={rows} />}
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {items?.length === 0 && empty}
      {children}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {TEXT.actions.more}
        </button>
      )}
    </>
  );
}
