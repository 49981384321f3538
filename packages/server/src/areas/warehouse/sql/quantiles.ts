import { EXPOSURE } from "@assay/analysis";
import type { Metric } from "@assay/contract";
import type { Dialect } from "./dialect.ts";
import { countsIn, outcomesOf, withTables } from "./outcomes.ts";
import type { Grouping } from "./subject.ts";
import type { Tables } from "./tables.ts";

/** Places in the order of an arm's observations, counted from 0. */
export interface Places {
  grp: number;
  arm: number;
  places: readonly number[];
}

/** The observations of a metric in order: `grp`, `arm`, `user_id`, `value`, `place` from 0 and their number `n`. */
function rankedOf(dialect: Dialect, tables: Tables, metric: Metric, grouping: Grouping): string[] {
  const { double, once } = dialect;
  const { event_type, conversion_window_hours: hours } = metric;
  const window = hours == null ? null : Math.floor(hours * 3_600_000_000);
  const types = [event_type === EXPOSURE ? "" : event_type];
  const { tables: own, events, members } = outcomesOf(dialect, tables, grouping, types);
  return [
    ...own,
    `assay_amounts ${once} (
  SELECT user_id, grp, amount FROM ${events}
  WHERE amount IS NOT NULL AND ${countsIn(dialect, { eventTypes: types, period: "SINCE_EXPOSURE", window })}
)`,
    `assay_ranked ${once} (
  SELECT grp, arm, user_id, amount,
    ${double("ROW_NUMBER() OVER (PARTITION BY grp, arm ORDER BY amount)")} - 1 AS place,
    ${double("COUNT(*) OVER (PARTITION BY grp, arm)")} AS amounts
  FROM assay_amounts JOIN ${members} USING (user_id, grp)
)`,
  ];
}

/**
 * Generates a row per group and arm with observations: `grp`, `arm`, the `quantile`, the sums over users of the number of
 * their observations at or below it (`x`) and of all (`y`), of their squares and products (`xx`, `xy`, `yy`), the number
 * of `users`, of observations equal to the quantile (`ties`), and the next smaller and greater observation.
 */
export function quantileSql(dialect: Dialect, tables: Tables, metric: Metric, grouping: Grouping): string {
  const { double, once } = dialect;
  const position = `${double(String(metric.quantile ?? 0.5))} * (amounts - 1)`;
  const steps = [
    `assay_positions ${once} (
  SELECT grp, arm, amount, place, ${position} AS position FROM assay_ranked
)`,
    `assay_middles ${once} (
  SELECT grp, arm, MIN(position - FLOOR(position)) AS part, MIN(CASE WHEN place = FLOOR(position) THEN amount END) AS low,
    MIN(CASE WHEN place = FLOOR(position) + 1 THEN amount END) AS high
  FROM assay_positions GROUP BY grp, arm
)`,
    `assay_quantiles ${once} (
  SELECT grp, arm, low + part * (COALESCE(high, low) - low) AS quantile FROM assay_middles
)`,
    `assay_users ${once} (
  SELECT grp, arm, user_id, MIN(quantile) AS quantile,
    ${double("SUM(CASE WHEN amount <= quantile THEN 1 ELSE 0 END)")} AS x, ${double("COUNT(*)")} AS y,
    ${double("SUM(CASE WHEN amount = quantile THEN 1 ELSE 0 END)")} AS ties,
    MAX(CASE WHEN amount < quantile THEN amount END) AS smaller, MIN(CASE WHEN amount > quantile THEN amount END) AS greater
  FROM assay_ranked JOIN assay_quantiles USING (grp, arm)
  GROUP BY grp, arm, user_id
)`,
  ];
  const select = `SELECT ${double("grp")} AS grp, ${double("arm")} AS arm, MIN(quantile) AS quantile, ${double("COUNT(*)")} AS users,
    SUM(x) AS x, SUM(y) AS y, SUM(x * x) AS xx, SUM(x * y) AS xy, SUM(y * y) AS yy, SUM(ties) AS ties,
    MAX(smaller) AS smaller, MIN(greater) AS greater
FROM assay_users
GROUP BY grp, arm ORDER BY grp, arm`;
  return withTables([...rankedOf(dialect, tables, metric, grouping), ...steps], select);
}

/** Generates the observations at some places: `grp`, `arm`, `place`, `amount`. */
export function placesSql(
  dialect: Dialect,
  tables: Tables,
  metric: Metric,
  grouping: Grouping,
  wanted: readonly Places[],
): string {
  const { double } = dialect;
  const conditions = wanted.map(
    ({ grp, arm, places }) => `(grp = ${grp} AND arm = ${arm} AND place IN (${places.join(", ")}))`,
  );
  const select = `SELECT ${double("grp")} AS grp, ${double("arm")} AS arm, place, amount
FROM assay_ranked
WHERE ${conditions.join("\n  OR ")}
ORDER BY grp, arm, place`;
  return withTables(rankedOf(dialect, tables, metric, grouping), select);
}
