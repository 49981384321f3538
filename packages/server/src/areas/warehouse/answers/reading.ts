import type { Metric } from "@assay/contract";
import { type Row, WarehouseFailure, type WarehouseSession } from "../engines/engine.ts";
import type { Queries } from "../sql/queries.ts";
import type { Subject } from "../sql/subject.ts";

/** What an answer is read with. */
export interface Reading {
  session: Pick<WarehouseSession, "query">;
  queries: Queries;
  subject: Subject;
  /** Null if the experiment names none. */
  metrics: readonly Metric[] | null;
}

/** Returns a number of a row. @throws WarehouseFailure if the sums exceed the range of a number */
export function numberOf(row: Row, name: string): number {
  const value = row[name];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new WarehouseFailure("The warehouse returned a value that is not a number; the values may be too large to sum");
}

/** Returns a number of a row, or null. @throws WarehouseFailure */
export function numberOrNull(row: Row, name: string): number | null {
  return row[name] == null ? null : numberOf(row, name);
}

/** Returns the rows of a group and arm by their numbers. */
export function byGroup(rows: readonly Row[]): (grp: number, arm: number) => Row | null {
  const known = new Map(rows.map((row) => [`${row.grp} ${row.arm}`, row]));
  return (grp, arm) => known.get(`${grp} ${arm}`) ?? null;
}
