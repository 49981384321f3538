import type { Question } from "@assay/analysis";
import type { Metric } from "@assay/contract";

/** The options of outcomes with a covariate. */
export type CovariateOptions = Extract<Question, { about: "covariates" }>["options"];

/** How a participant's events become a number. */
export type CellOperation = "ANY" | "COUNT" | "SUM" | "SUM_OR_COUNT" | "AVERAGE" | "MINIMUM" | "MAXIMUM";

/** A column with one number per participant, from which a metric is computed. */
export interface CellColumn {
  /** Prefix of the result columns. */
  name: string;
  operation: CellOperation;
  eventTypes: readonly string[];
  /** Events from the first exposure on, or those before it. */
  period: "SINCE_EXPOSURE" | "BEFORE_EXPOSURE";
  /** Time from the exposure, or until it, within which events count; null for all. In microseconds. */
  window: number | null;
  /** Maximum number; null without one. */
  cap: number | null;
  /** Quantiles of all arms' numbers at which numbers are clipped; null if they are not. */
  clip: { lower: number; upper: number; isNonZero: boolean } | null;
}

/** The columns of one metric, and the sums of products that it needs. */
export interface MetricColumns {
  metric: Metric;
  /** None for a quantile. */
  columns: CellColumn[];
  /** Whether to sum products of each pair of columns. */
  isJoint: boolean;
  /** With a covariate: 1 for a user with an earlier event of the metric. */
  covered: CellColumn | null;
}

const MICROSECONDS = { hour: 3_600_000_000, millisecond: 1000 };

/** Returns the columns of results: two for a ratio, none for a quantile. */
export function outcomeColumns(metrics: readonly Metric[]): MetricColumns[] {
  return metrics.map((metric, index) => ({
    metric,
    columns: outcomesOf(metric, `m${index}`, null),
    isJoint: metric.kind === "RATIO",
    covered: null,
  }));
}

/** Returns the columns of results, each metric's followed by the same columns over the time before the exposure. */
export function covariateColumns(metrics: readonly Metric[], options: CovariateOptions): MetricColumns[] {
  const window = options.lookbackMs * MICROSECONDS.millisecond;
  return metrics.map((metric, index) => {
    const columns = outcomesOf(metric, `m${index}`, options.winsorize);
    const eventTypes = [...new Set(columns.flatMap((column) => column.eventTypes))];
    const any = eventTypes.length > 0 ? eventTypes : [metric.event_type];
    const earlier = { period: "BEFORE_EXPOSURE", window } as const;
    return {
      metric,
      columns: [...columns, ...columns.map((column) => ({ ...column, ...earlier, name: `${column.name}_before` }))],
      isJoint: true,
      covered: {
        name: `m${index}_covered`,
        operation: "ANY",
        eventTypes: any,
        cap: null,
        clip: null,
        ...earlier,
      },
    };
  });
}

/** @param winsorize the shares at which all metrics but rates are winsorised; null for each metric's own */
function outcomesOf(metric: Metric, prefix: string, winsorize: CovariateOptions["winsorize"]): CellColumn[] {
  if (metric.kind === "QUANTILE") return [];
  const { conversion_window_hours: hours, winsorize_pct: share, winsorize_of } = metric;
  const own = share == null ? null : { lower: share, upper: 1 - share, isNonZero: winsorize_of === "NON_ZERO" };
  const given = winsorize && { lower: winsorize[0], upper: winsorize[1], isNonZero: false };
  const common = {
    period: "SINCE_EXPOSURE",
    window: hours == null ? null : Math.floor(hours * MICROSECONDS.hour),
    clip: metric.kind === "CONVERSION" ? null : (given ?? own),
  } as const;
  const first: CellColumn = {
    ...common,
    name: `${prefix}_0`,
    operation: operationOf(metric),
    eventTypes: [metric.event_type],
    cap: metric.kind === "CONVERSION" ? null : (metric.cap ?? null),
  };
  if (metric.kind !== "RATIO") return [first];
  const eventTypes = [metric.denominator_event_type ?? ""];
  return [first, { ...common, name: `${prefix}_1`, operation: "COUNT", eventTypes, cap: null }];
}

function operationOf({ kind, aggregation }: Metric): CellOperation {
  if (kind === "CONVERSION") return "ANY";
  if (kind === "COUNT") return "COUNT";
  if (kind === "RATIO") return "SUM_OR_COUNT";
  if (aggregation === "MEAN") return "AVERAGE";
  return aggregation === "MIN" ? "MINIMUM" : aggregation === "MAX" ? "MAXIMUM" : "SUM";
}

/** Returns the names of the result columns: mean, minimum and maximum, and sums of powers of deviations from that mean. */
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

/** Returns the name of the sum of products of two columns' deviations. */
export const productOf = (one: CellColumn, other: CellColumn) => `${one.name}_x_${other.name}`;
