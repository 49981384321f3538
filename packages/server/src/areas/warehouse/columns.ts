import type { Metric } from "@assay/contract";

/** A column with one number per participant, from which a metric is computed. */
export interface CellColumn {
  /** Prefix of the result columns. */
  name: string;
  metric: Metric;
  /** 1 for the denominator of a ratio, otherwise 0. */
  part: number;
}

/** Returns the columns of some metrics: two for a ratio, none for a quantile. */
export function columnsOf(metrics: readonly Metric[]): CellColumn[] {
  return metrics.flatMap((metric, index) => {
    const parts = metric.kind === "QUANTILE" ? [] : metric.kind === "RATIO" ? [0, 1] : [0];
    return parts.map((part) => ({ name: `m${index}_${part}`, metric, part }));
  });
}

/**
 * Returns the names of the result columns: mean, minimum and maximum, and sums of powers of the deviations from that
 * mean.
 */
export function namesOf({ name }: CellColumn) {
  return {
    mean: `${name}_mean`,
    least: `${name}_min`,
    greatest: `${name}_max`,
    sum: `${name}_sum`,
    square: `${name}_sq`,
    cube: `${name}_cb`,
  };
}

/** Returns the name of the sum of products of a ratio's deviations. */
export const productOf = ({ name }: CellColumn) => `${name}_xy`;

/**
 * Returns the expression for a participant's number, with the cap of the metric. The denominator of a ratio has no cap.
 */
export function cappedCell({ name, metric, part }: CellColumn): string {
  const cell = `COALESCE(${name}, 0)`;
  return metric.cap == null || part > 0 ? cell : `LEAST(${cell}, ${metric.cap})`;
}

/** Returns the expressions of a column's sums, by the names of {@link namesOf}. */
export function sumsOf(column: CellColumn): string[] {
  const { name, metric, part } = column;
  const { mean, least, greatest, sum, square, cube } = namesOf(column);
  const deviation = `(${name} - ${mean})`;
  const own = [
    `MIN(${mean}) AS ${mean}`,
    `MIN(${name}) AS ${least}`,
    `MAX(${name}) AS ${greatest}`,
    `SUM(${deviation}) AS ${sum}`,
    `SUM(${deviation} * ${deviation}) AS ${square}`,
    // Other cubes would exceed the range of a number.
    `SUM(CASE WHEN ABS(${deviation}) BETWEEN 1e-100 AND 1e100 THEN ${deviation} * ${deviation} * ${deviation} ELSE 0 END) AS ${cube}`,
  ];
  if (metric.kind !== "RATIO" || part === 0) return own;
  const numerator = name.replace(/_1$/, "_0");
  return [...own, `SUM(${deviation} * (${numerator} - ${numerator}_mean)) AS ${productOf(column)}`];
}
