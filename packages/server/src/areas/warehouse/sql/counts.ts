import type { Dialect } from "./dialect.ts";
import { outcomesOf, withTables } from "./outcomes.ts";
import { EVERYONE, type Grouping } from "./subject.ts";
import type { Tables } from "./tables.ts";

/** Maximum number of event types used as metrics if an experiment names none. */
export const MAX_TYPES = 100;

/** Generates `forced` and `crossover`, the numbers of excluded users. */
export function countsSql({ double }: Dialect, tables: Tables): string {
  return withTables(
    tables.units(EVERYONE),
    `SELECT ${double("COALESCE(SUM(forced), 0)")} AS forced,
    ${double("COALESCE(SUM(CASE WHEN forced = 0 AND arm <> last_arm THEN 1 ELSE 0 END), 0)")} AS crossover
FROM assay_units`,
  );
}

/** Generates `event_type` and the number of `amounts` of every event type of participants. */
export function seenSql(dialect: Dialect, tables: Tables): string {
  const { tables: own, events } = outcomesOf(dialect, tables, EVERYONE, null);
  return withTables(
    own,
    `SELECT event_type, ${dialect.double("COUNT(amount)")} AS amounts
FROM ${events} GROUP BY event_type ORDER BY event_type LIMIT ${MAX_TYPES + 1}`,
  );
}

/** Generates the largest segments of a column: `segment` and its number of users `n`. */
export function segmentsSql({ double, ordered }: Dialect, tables: Tables, column: string, limit: number): string {
  const grouping: Grouping = { by: "SEGMENT", column, names: [] };
  return withTables(
    tables.participants(grouping),
    `SELECT segment, ${double("COUNT(*)")} AS n
FROM assay_participants GROUP BY segment ORDER BY COUNT(*) DESC, ${ordered("segment")} LIMIT ${limit}`,
  );
}
