import { EXPOSURE } from "@assay/analysis";
import { type CellColumn, type MetricColumns, namesOf, productOf } from "./columns.ts";
import type { Dialect } from "./dialect.ts";
import { countsIn, outcomesOf, withTables } from "./outcomes.ts";
import type { Grouping } from "./subject.ts";
import type { Tables } from "./tables.ts";

/**
 * Generates a row per group and arm: `grp`, `arm`, `n`, and for each column the names of {@link namesOf}, for pairs of a
 * joint metric {@link productOf}, and the number of covered users by the name of that column. It computes in one pass
 * what `tally.ts`, `capping.ts` and `metric.ts` of the analysis compute.
 */
export function momentsSql(
  dialect: Dialect,
  tables: Tables,
  metrics: readonly MetricColumns[],
  grouping: Grouping,
): string {
  const { double, once } = dialect;
  const columns = metrics.flatMap((metric) => metric.columns);
  const covered = metrics.flatMap((metric) => metric.covered ?? []);
  const cells = [...columns, ...covered];
  const types = [...new Set(cells.flatMap(({ eventTypes }) => eventTypes))].filter((type) => type !== EXPOSURE);
  const lookbacks = cells.flatMap(({ period, window }) => (period === "BEFORE_EXPOSURE" ? [window ?? 0] : []));
  const outcomes = outcomesOf(
    dialect,
    tables,
    grouping,
    types.length > 0 ? types : [""],
    lookbacks.length > 0 ? Math.max(...lookbacks) : null,
  );
  const keys = `${double("grp")} AS grp, ${double("arm")} AS arm, ${double("COUNT(*)")} AS n`;
  if (cells.length === 0) {
    const select = `SELECT ${keys}\nFROM ${outcomes.members}\nGROUP BY grp, arm ORDER BY grp, arm`;
    return withTables(outcomes.tables, select);
  }
  const list = (write: (column: CellColumn) => string, of = cells) => of.map(write).join(",\n    ");
  const clipped = columns.filter(({ clip }) => clip !== null);
  const bounds = [
    `assay_bounds ${once} (
  SELECT grp, ${clipped.flatMap((column) => boundsOf(dialect, column)).join(",\n    ")}
  FROM assay_cells GROUP BY grp
)`,
    `assay_values ${once} (
  SELECT grp, arm, ${list((column) => (column.clip ? `${clip(column)} AS ${column.name}` : column.name))}
  FROM assay_cells JOIN assay_bounds USING (grp)
)`,
  ];
  const values = clipped.length > 0 ? "assay_values" : "assay_cells";
  const steps = [
    `assay_totals ${once} (
  SELECT user_id, grp, ${list((column) => `${cellOf(dialect, column)} AS ${column.name}`)}
  FROM ${outcomes.events} GROUP BY user_id, grp
)`,
    `assay_cells ${once} (
  SELECT grp, arm, ${list((column) => `${double(capped(column))} AS ${column.name}`)}
  FROM ${outcomes.members} LEFT JOIN assay_totals USING (user_id, grp)
)`,
    ...(clipped.length > 0 ? bounds : []),
    `assay_means ${once} (
  SELECT grp, arm, COUNT(*) AS members${columns.map((column) => `,\n    AVG(${column.name}) AS ${namesOf(column).mean}`).join("")}
  FROM ${values} GROUP BY grp, arm
)`,
  ];
  const sums = [
    keys,
    ...metrics.flatMap((metric) => sumsOf(dialect, metric)),
    ...covered.map(({ name }) => `${double(`SUM(${name})`)} AS ${name}`),
  ];
  const select = `SELECT ${sums.join(",\n    ")}
FROM ${values} JOIN assay_means USING (grp, arm)
GROUP BY grp, arm ORDER BY grp, arm`;
  return withTables([...outcomes.tables, ...steps], select);
}

/** One number per participant with any event. */
function cellOf(dialect: Dialect, { operation, ...column }: CellColumn): string {
  const when = countsIn(dialect, column);
  const of = (expression: string) => `CASE WHEN ${when} THEN ${expression} END`;
  switch (operation) {
    case "ANY":
      return `MAX(CASE WHEN ${when} THEN 1 ELSE 0 END)`;
    case "COUNT":
      return `COUNT(${of("1")})`;
    case "SUM_OR_COUNT":
      return dialect.sum(of("COALESCE(amount, 1)"));
    case "SUM":
      return dialect.sum(of("amount"));
    case "AVERAGE":
      return `AVG(${of("amount")})`;
    case "MINIMUM":
      return `MIN(${of("amount")})`;
    case "MAXIMUM":
      return `MAX(${of("amount")})`;
  }
}

/** Returns the expression for a participant's number, 0 without events. */
function capped({ name, cap }: CellColumn): string {
  const cell = `COALESCE(${name}, 0)`;
  return cap === null ? cell : `LEAST(${cell}, ${cap})`;
}

function boundsOf({ quantile }: Dialect, { name, clip }: CellColumn): string[] {
  if (!clip) return [];
  const ranked = clip.isNonZero ? `NULLIF(${name}, 0)` : name;
  return [`${quantile(clip.lower, ranked)} AS ${name}_low`, `${quantile(clip.upper, ranked)} AS ${name}_high`];
}

function clip({ name, clip }: CellColumn): string {
  const between = `LEAST(GREATEST(${name}, ${name}_low), ${name}_high)`;
  return clip?.isNonZero ? `CASE WHEN ${name} = 0 THEN 0 ELSE ${between} END` : between;
}

/** Returns the expressions of the sums of a metric. */
function sumsOf({ sum }: Dialect, { columns, isJoint }: MetricColumns): string[] {
  const deviation = (column: CellColumn) => `(${column.name} - ${namesOf(column).mean})`;
  const product = (...of: CellColumn[]) => sum(of.map(deviation).join(" * "));
  const own = columns.flatMap((column) => {
    const { mean, least, greatest, square, cube, ...names } = namesOf(column);
    const d = deviation(column);
    return [
      `MIN(${mean}) AS ${mean}`,
      `MIN(${column.name}) AS ${least}`,
      `MAX(${column.name}) AS ${greatest}`,
      `${product(column)} AS ${names.sum}`,
      `${product(column, column)} AS ${square}`,
      // Other cubes would exceed the range of a number.
      ...(isJoint
        ? []
        : [`${sum(`CASE WHEN ABS(${d}) BETWEEN 1e-100 AND 1e100 THEN ${d} * ${d} * ${d} ELSE 0 END`)} AS ${cube}`]),
    ];
  });
  if (!isJoint) return own;
  const pairs = columns.flatMap((one, index) =>
    columns.slice(0, index).map((other) => `${product(one, other)} AS ${productOf(one, other)}`),
  );
  return [...own, ...pairs];
}
