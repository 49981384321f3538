import type { Metric } from "@assay/contract";
import type { MetricColumns } from "./columns.ts";
import { countsSql, seenSql, segmentsSql } from "./counts.ts";
import type { Dialect } from "./dialect.ts";
import { momentsSql } from "./moments.ts";
import { type Places, placesSql, quantileSql } from "./quantiles.ts";
import type { Grouping, Subject } from "./subject.ts";
import { createTables } from "./tables.ts";

/** The statements that the questions about an experiment need. */
export interface Queries {
  counts(): string;
  seen(): string;
  segments(column: string, limit: number): string;
  moments(metrics: readonly MetricColumns[], grouping: Grouping): string;
  quantile(metric: Metric, grouping: Grouping): string;
  places(metric: Metric, grouping: Grouping, wanted: readonly Places[]): string;
}

/** Generates the SQL about an experiment for a warehouse. */
export function createQueries(dialect: Dialect, subject: Subject): Queries {
  const tables = createTables(dialect, subject);
  return {
    counts: () => countsSql(dialect, tables),
    seen: () => seenSql(dialect, tables),
    segments: (column, limit) => segmentsSql(dialect, tables, column, limit),
    moments: (metrics, grouping) => momentsSql(dialect, tables, metrics, grouping),
    quantile: (metric, grouping) => quantileSql(dialect, tables, metric, grouping),
    places: (metric, grouping, wanted) => placesSql(dialect, tables, metric, grouping, wanted),
  };
}
