import type { WarehouseSource } from "@assay/client";
import { TEXT } from "../text.ts";

const { columnNames } = TEXT.warehouse;

export type Side = keyof typeof columnNames;

/** What the form of a sync keeps over a reload. */
export interface SyncDraft {
  experiment: string;
  connection: string;
  assignments: string;
  events: string;
  hasValue: boolean;
  columns: Record<Side, Record<string, string>>;
}

export const EMPTY: SyncDraft = {
  experiment: "",
  connection: "",
  assignments: "",
  events: "",
  hasValue: true,
  columns: { assignments: {}, events: {} },
};

const isQuery = (text: string) => /^\s*(select|with)\b/i.test(text);

/** A table, or a SELECT. */
function toSource(side: Side, text: string): Partial<WarehouseSource> {
  return isQuery(text) ? { [`${side}_sql`]: text } : { [`${side}_table`]: text.trim() };
}

/** Columns with a name; the others have the usual one. */
function toColumns(names: Record<string, string>): Record<string, string | string[]> {
  const given = Object.entries(names).flatMap(([column, name]): [string, string | string[]][] => {
    const parts = name
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    return parts.length === 0 ? [] : [[column, column === "attributes" ? parts : parts.join(",")]];
  });
  return Object.fromEntries(given);
}

export function toBody({ connection, assignments, events, hasValue, columns }: SyncDraft): WarehouseSource {
  return {
    connection_id: connection,
    ...toSource("assignments", assignments),
    ...toSource("events", events),
    columns: {
      assignments: toColumns(columns.assignments),
      events: { ...toColumns(columns.events), ...(hasValue ? {} : { value: null }) },
    },
  } as WarehouseSource;
}
