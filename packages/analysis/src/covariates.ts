import type { JointMoments } from "@assay/core/stats";
import { capped, limited, winsorisedAt } from "./capping.ts";
import type { EventLog } from "./event-log.ts";
import type { Participants } from "./exposure.ts";
import { cellsOf, clusterMomentsOf, jointMomentsOf, ones, planTallies } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import type { Subject } from "./subject.ts";
import { attendanceOf, countArms, METRICS_A_PASS } from "./sufficient-statistics.ts";
import { createTallies } from "./tally.ts";
import type { TallyPlan } from "./tally-column.ts";

/** The options of outcomes with earlier behaviour as covariate. */
export interface CovariateOptions {
  /** How long before a user's first exposure events count, in milliseconds. */
  lookbackMs: number;
  /** Quantiles, over all arms' users, that winsorising clips at; null for each metric's own `winsorize_pct`. */
  winsorize: readonly [lower: number, upper: number] | null;
}

/** The metrics with their values before the exposure. */
export interface CovariateStatistics {
  /** Participants per arm, control first. */
  users: number[];
  metrics: MetricCovariate[];
}

export interface MetricCovariate {
  metric: Metric;
  /**
   * Per arm the moments of [outcome, covariate] per user; of a ratio those of [numerator, denominator, earlier
   * numerator, earlier denominator]; null for a quantile, which has none. Where users were drawn in clusters, those of each
   * cluster's [outcome, users, covariate, users], or of a ratio's four sums.
   */
  arms: JointMoments[] | null;
  /** Whether the moments are per cluster. */
  isClustered: boolean;
  /** Number of users per arm with an earlier event of the metric. */
  covered: number[];
}

/**
 * Sums outcomes and covariates: the covariate is the same metric over the time before each user's own first exposure.
 * Outcomes count as they do in results. Events before the exposure count regardless of when they were received,
 * including before the experiment existed.
 */
export function computeCovariates(log: EventLog, subject: Subject, options: CovariateOptions): CovariateStatistics {
  const { spans, participants, metrics } = attendanceOf(log, subject);
  const { length } = participants;
  const everything = [{ from: 0, to: log.rows.length, exposes: false }];
  const armOf = participants.arms.subarray(0, length);
  const count = subject.variants.length;
  const answer: CovariateStatistics = { users: countArms(armOf, count), metrics: [] };
  // Twice the columns of results, so half the metrics a pass.
  for (let from = 0; from < metrics.length; from += METRICS_A_PASS / 2) {
    const some = metrics.slice(from, from + METRICS_A_PASS / 2);
    const outcomes = some.map(planTallies);
    const earlier = some.map((metric) => [...planCovariate(metric, options), ...planCoverage(metric, options)]);
    const after = createTallies(log, subject, participants, outcomes.flat());
    after.add(spans);
    const before = createTallies(log, subject, participants, earlier.flat(), "BEFORE_EXPOSURE");
    before.add(everything);
    const [afterColumns, beforeColumns] = [[...after.columns], [...before.columns]];
    for (const [index, metric] of some.entries()) {
      const tallies = afterColumns.splice(0, outcomes[index]!.length);
      const covariates = beforeColumns.splice(0, earlier[index]!.length);
      const range = { from: 0, to: length };
      const own = covariates.splice(0, planCovariate(metric, options).length);
      const columns = [...cellsOf(metric, tallies, range), ...cellsOf(metric, own, range)];
      const parts = metric.kind === "RATIO" ? 2 : 1;
      const bounded = columns.map((cells, column) => winsorised(cells, metric, column % parts, options));
      answer.metrics.push({
        metric,
        arms: columns.length > 0 ? momentsOf(bounded, participants, count) : null,
        isClustered: participants.clusters !== undefined,
        covered: coveredOf(
          covariates.map((column) => column.cells(0, length)),
          armOf,
          count,
        ),
      });
    }
  }
  return answer;
}

/** Returns the joint moments of an outcome and its covariate, per user; per cluster as two ratios. */
function momentsOf(columns: Float64Array[], participants: Participants, arms: number): JointMoments[] {
  const range = { from: 0, to: participants.length };
  if (!participants.clusters) return jointMomentsOf(columns, participants.arms.subarray(0, range.to), arms);
  const ratios = columns.length > 2 ? columns : columns.flatMap((column) => [column, ones(range)]);
  return clusterMomentsOf(ratios, participants, arms, range);
}

function planCovariate(metric: Metric, { lookbackMs }: CovariateOptions): TallyPlan[] {
  if (metric.kind === "QUANTILE") return [];
  return planTallies(metric).map((plan) => ({ ...plan, windowMs: lookbackMs }));
}

function planCoverage(metric: Metric, { lookbackMs: windowMs }: CovariateOptions): TallyPlan[] {
  const types = metric.kind === "RATIO" ? [metric.event_type, metric.denominator_event_type] : [metric.event_type];
  return types.flatMap((eventType) => (eventType === undefined ? [] : [{ operation: "ANY", eventType, windowMs }]));
}

/** Winsorises a column. Rates are not winsorised, because with few conversions each would be an outlier. */
function winsorised(cells: Float64Array, metric: Metric, part: number, { winsorize }: CovariateOptions): Float64Array {
  if (metric.kind === "CONVERSION") return cells;
  if (winsorize) return winsorisedAt(capped(metric, part, cells), winsorize[0], winsorize[1]);
  return limited(metric, part, cells);
}

function coveredOf(columns: readonly Float64Array[], armOf: Uint8Array, count: number): number[] {
  const covered = new Array<number>(count).fill(0);
  for (let slot = 0; slot < armOf.length; slot++) {
    if (columns.some((cells) => cells[slot]! > 0)) covered[armOf[slot]!]!++;
  }
  return covered;
}
