import { EXPOSURE, MIN_EVENT_VALUE } from "@assay/analysis";
import type { Metric, WarehouseSource } from "@assay/contract";
import { type CellColumn, cappedCell, columnsOf, namesOf, sumsOf } from "./columns.ts";
import type { Dialect } from "./engines/engine.ts";

/** The subject of the generated SQL. */
export interface Subject {
  experiment: { id: string; key: string };
  /** Control first. */
  arms: readonly { id: string; key: string }[];
  source: WarehouseSource;
  /** Schema of unqualified table names. */
  schema: string;
}

/** The statements of a sync. */
export interface Queries {
  /** `forced`, `crossover`. */
  counts(): string;
  /** `event_type`, `has_values` for every event type of participants. */
  seen(): string;
  /** One row per arm: `arm`, `n`, and per column of {@link columnsOf} its center and sums; see {@link namesOf}. */
  sums(metrics: readonly Metric[]): string;
}

const HOUR_MICROSECONDS = 3_600_000_000;
const DOUBLE = "DOUBLE PRECISION";
const GREATEST = Number.MAX_VALUE;

/**
 * Generates the SQL of a sync. It computes in one pass what `analysis/exposure.ts`, `tally.ts` and `metric.ts` compute.
 */
export function createQueries(dialect: Dialect, subject: Subject): Queries {
  const { identifier, literal, instant, duration, quantile } = dialect;
  const { arms, source } = subject;
  const { assignments, events } = source.columns;
  const ours = [...new Set([subject.experiment.key, subject.experiment.id])].map(literal).join(", ");
  const text = (name: string) => `CAST(${identifier(name)} AS TEXT)`;
  const double = (expression: string) => `CAST(${expression} AS ${DOUBLE})`;
  const relation = (table: string | undefined, sql: string | undefined) =>
    sql === undefined ? qualified(table ?? "") : `(\n${indent(sql)}\n  ) AS given`;

  function qualified(table: string): string {
    const parts = table.split(".");
    return (parts.length === 1 ? [subject.schema, ...parts] : parts).map(identifier).join(".");
  }

  function within(time: string, isExposure: boolean): string[] {
    const { start_date, end_date } = source;
    return [
      ...(start_date && isExposure ? [`${time} >= ${instant(literal(start_date))}`] : []),
      ...(end_date ? [`${time} < ${instant(literal(end_date))}`] : []),
    ];
  }

  const exposedAt = instant(identifier(assignments.timestamp));
  const armOf = arms
    .map(({ id, key }, arm) => {
      const names = [...new Set([key, id])].map(literal).join(", ");
      return `WHEN ${text(assignments.variant)} IN (${names}) THEN ${arm}`;
    })
    .join(" ");
  const exposures = [
    ...(assignments.experiment ? [`${text(assignments.experiment)} IN (${ours})`] : []),
    ...within(exposedAt, true),
  ];
  const forced = assignments.forced ? `COALESCE(CAST(${identifier(assignments.forced)} AS BOOLEAN), FALSE)` : "FALSE";

  // The first exposure of each user, whether it was randomized, and whether the arm never changed.
  const participants = `assay_assignments AS (
  SELECT ${text(assignments.user_id)} AS user_id, CASE ${armOf} END AS arm, ${exposedAt} AS exposed_at, ${forced} AS forced
  FROM ${relation(source.assignments_table, source.assignments_sql)}${where(exposures)}
),
assay_units AS (
  SELECT user_id, BOOL_OR(forced) AS forced, MIN(exposed_at) FILTER (WHERE NOT forced) AS since,
    MIN(arm) FILTER (WHERE NOT forced) AS arm, MAX(arm) FILTER (WHERE NOT forced) AS last_arm
  FROM assay_assignments
  WHERE user_id IS NOT NULL AND arm IS NOT NULL AND exposed_at IS NOT NULL
  GROUP BY user_id
),
assay_participants AS (
  SELECT user_id, arm, since FROM assay_units WHERE NOT forced AND arm = last_arm
)`;

  const happenedAt = instant(identifier(events.timestamp));
  const valueColumn = events.value === undefined ? "value" : events.value;
  const value = valueColumn === null ? `CAST(NULL AS ${DOUBLE})` : finite(double(identifier(valueColumn)));
  const ownEvents = [
    ...(events.experiment
      ? [`(${identifier(events.experiment)} IS NULL OR ${text(events.experiment)} IN (${ours}))`]
      : []),
    ...within(happenedAt, false),
  ];

  /** Events of participants since their exposure, of these types or all. */
  function outcomes(types: readonly string[] | null): string {
    const ofTypes = types === null ? `<> ${literal(EXPOSURE)}` : `IN (${types.map(literal).join(", ")})`;
    return `assay_events AS (
  SELECT ${text(events.user_id)} AS user_id, ${text(events.event_type)} AS event_type, ${happenedAt} AS happened_at, ${value} AS amount
  FROM ${relation(source.events_table, source.events_sql)}${where([`${text(events.event_type)} ${ofTypes}`, ...ownEvents])}
),
assay_outcomes AS (
  SELECT user_id, event_type, happened_at, since, amount
  FROM assay_events JOIN assay_participants USING (user_id)
  WHERE happened_at >= since
)`;
  }

  /** One number per participant with any event. */
  function cellOf({ metric, part }: CellColumn): string {
    const { kind, aggregation, conversion_window_hours: hours } = metric;
    const type = part === 1 ? (metric.denominator_event_type ?? "") : metric.event_type;
    const soon = hours == null ? "" : ` AND happened_at <= since + ${duration(Math.floor(hours * HOUR_MICROSECONDS))}`;
    const filter = `FILTER (WHERE event_type = ${literal(type)}${soon})`;
    if (kind === "CONVERSION") return `CASE WHEN COUNT(*) ${filter} > 0 THEN 1 ELSE 0 END`;
    if (kind === "COUNT" || part === 1) return `COUNT(*) ${filter}`;
    if (kind === "RATIO") return `SUM(COALESCE(amount, 1)) ${filter}`;
    const aggregate =
      aggregation === "MEAN" ? "AVG" : aggregation === "MIN" || aggregation === "MAX" ? aggregation : "SUM";
    return `${aggregate}(amount) ${filter}`;
  }

  function sums(metrics: readonly Metric[]): string {
    const columns = columnsOf(metrics);
    if (columns.length === 0) {
      return `WITH ${participants}
SELECT ${double("arm")} AS arm, ${double("COUNT(*)")} AS n FROM assay_participants GROUP BY arm ORDER BY arm`;
    }
    const types = [
      ...new Set(columns.map(({ metric, part }) => (part ? (metric.denominator_event_type ?? "") : metric.event_type))),
    ];
    const outcomeTypes = types.filter((type) => type !== EXPOSURE);
    const clipped = columns.filter(({ metric }) => metric.winsorize_pct != null && metric.kind !== "CONVERSION");
    const list = (write: (column: CellColumn) => string) => columns.map(write).join(",\n    ");
    const isNonZero = ({ metric }: CellColumn) => metric.winsorize_of === "NON_ZERO";
    const bounds = clipped.flatMap((column) => {
      const { name, metric } = column;
      const share = metric.winsorize_pct ?? 0;
      // Quantiles leave NULL out.
      const ranked = isNonZero(column) ? `NULLIF(${name}, 0)` : name;
      return [`${quantile(share, ranked)} AS ${name}_low`, `${quantile(1 - share, ranked)} AS ${name}_high`];
    });
    const clip = (column: CellColumn) => {
      const { name } = column;
      const between = `LEAST(GREATEST(${name}, ${name}_low), ${name}_high)`;
      return isNonZero(column) ? `CASE WHEN ${name} = 0 THEN 0 ELSE ${between} END` : between;
    };
    const winsorised = `,
assay_bounds AS (
  SELECT ${bounds.join(",\n    ")}
  FROM assay_cells
),
assay_values AS (
  SELECT arm, ${list((column) => (clipped.includes(column) ? `${clip(column)} AS ${column.name}` : column.name))}
  FROM assay_cells CROSS JOIN assay_bounds
)`;
    const values = clipped.length > 0 ? "assay_values" : "assay_cells";
    return `WITH ${participants},
${outcomes(outcomeTypes.length > 0 ? outcomeTypes : [""])},
assay_totals AS (
  SELECT user_id, ${list((column) => `${cellOf(column)} AS ${column.name}`)}
  FROM assay_outcomes GROUP BY user_id
),
assay_cells AS (
  SELECT arm, ${list((column) => `${double(cappedCell(column))} AS ${column.name}`)}
  FROM assay_participants LEFT JOIN assay_totals USING (user_id)
)${clipped.length > 0 ? winsorised : ""},
assay_means AS (
  SELECT arm, ${list((column) => `AVG(${column.name}) AS ${namesOf(column).mean}`)}
  FROM ${values} GROUP BY arm
)
SELECT ${double("arm")} AS arm, ${double("COUNT(*)")} AS n,
    ${list((column) => sumsOf(column).join(", "))}
FROM ${values} JOIN assay_means USING (arm)
GROUP BY arm ORDER BY arm`;
  }

  return {
    counts: () => `WITH ${participants}
SELECT ${double("COUNT(*) FILTER (WHERE forced)")} AS forced,
    ${double("COUNT(*) FILTER (WHERE NOT forced AND arm <> last_arm)")} AS crossover
FROM assay_units`,
    seen: () => `WITH ${participants},
${outcomes(null)}
SELECT event_type, ${double("COUNT(amount)")} AS amounts
FROM assay_outcomes GROUP BY event_type ORDER BY event_type LIMIT ${MAX_TYPES + 1}`,
    sums,
  };
}

/** Maximum number of event types used as metrics if an experiment names none. */
export const MAX_TYPES = 100;

/** NaN and infinities count as missing, because they cannot be sent to the server either; tiny values count as 0. */
function finite(expression: string): string {
  const value = `CASE WHEN ABS(${expression}) < ${MIN_EVENT_VALUE} THEN 0 ELSE ${expression} END`;
  return `CASE WHEN ${expression} BETWEEN -${GREATEST} AND ${GREATEST} THEN ${value} END`;
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `\n  WHERE ${conditions.join(" AND ")}` : "";
}

function indent(sql: string): string {
  return sql.replace(/^/gm, "    ");
}
