import type { Look, MetricStatistics } from "@assay/analysis";
import type { Adjustment } from "@assay/contract";
import type { AnytimeDecision, AnytimeOptions, MarginTest } from "@assay/core/stats";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { weightChanges } from "../../model/experiment-weights.ts";
import { comparePair, comparePairAnytime } from "./comparison.ts";
import { testMarginAnytime } from "./hypothesis.ts";

/**
 * Users in each arm from which a look counts. Both tests take the estimated variance for the true one; of a handful of
 * users it may be nearly 0 by chance, and a p-value that only falls would never forget that.
 */
export const MIN_USERS = 10;

/** One metric of one treatment at the end of one day. */
export interface LookEstimate {
  date: string;
  /** Users of both arms. */
  n: number;
  difference: number | null;
  standardError: number | null;
  /** Whether there are enough users for a test. */
  counts: boolean;
  status: string;
  /** Absent if the experiment does not adjust metrics. */
  adjustment?: Adjustment;
  statistics: MetricStatistics;
}

/** The estimates of metric number `metric` for an arm, look by look. */
export function toEstimates(looks: readonly Look[], metric: number, arm: number, alpha: number): LookEstimate[] {
  return looks.map(({ date, users, metrics }) => {
    const statistics = metrics[metric]!;
    const { compared, control, treatment, adjustment } = comparePair(statistics, arm, alpha);
    const counts = Math.min(control.n, treatment.n) >= MIN_USERS;
    return {
      date,
      n: (users[0] ?? 0) + (users[arm] ?? 0),
      difference: compared.difference,
      standardError: compared.standardError,
      counts,
      status: compared.status === "OK" && !counts ? "INSUFFICIENT_DATA" : compared.status,
      ...(adjustment && { adjustment }),
      statistics,
    };
  });
}

/**
 * The variance of plausible effects, fixed at the first look that counts and has one, so that later data cannot change
 * earlier looks; `null` if none has.
 */
export function fixedMixingVariance(
  estimates: readonly LookEstimate[],
  effectOf: (statistics: MetricStatistics) => number | null,
): number | null {
  for (const { counts, statistics } of estimates) {
    const effect = counts ? effectOf(statistics) : null;
    const variance = effect === null ? 0 : effect * effect;
    if (variance > 0 && Number.isFinite(variance)) return variance;
  }
  return null;
}

/** A look's tests of the difference and of the metric's margin. */
export interface LookTest extends AnytimeDecision {
  margin: MarginTest;
}

/** A test without an answer. */
export const UNDEFINED: LookTest = {
  margin: { aboveLower: null, belowUpper: null },
  logLikelihoodRatio: null,
  pValue: null,
  halfWidth: null,
  confidenceInterval: null,
  relativeConfidenceInterval: null,
};

/** One look of an arm, by a test that may be read at any time; undefined for fewer users than `MIN_USERS`. */
export function testLook({ statistics, counts }: LookEstimate, arm: number, options: AnytimeOptions): LookTest {
  if (!counts) return UNDEFINED;
  return {
    ...comparePairAnytime(statistics, arm, options),
    margin: testMarginAnytime(statistics, arm, options),
  };
}

/** Returns the warnings about how the looks were taken. */
export function lookWarnings(record: ExperimentRecord, looks: readonly Look[]): string[] {
  return [...(looks.length === 1 ? ["ONE_LOOK"] : []), ...pooledWarnings(record)];
}

/** Warnings of an analysis that pools all users of an arm, although the weights changed. */
export function pooledWarnings(record: ExperimentRecord): string[] {
  return weightChanges(record).length > 0 ? ["PERIODS_POOLED"] : [];
}
