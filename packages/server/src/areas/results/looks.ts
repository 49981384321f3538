import type { Look, MetricStatistics } from "@assay/analysis";
import type { Adjustment } from "@assay/contract";
import type { AnytimeDecision, AnytimeOptions, MarginTest } from "@assay/core/stats";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { weightChanges } from "../../model/experiment-weights.ts";
import { comparePair, comparePairAnytime } from "./comparison.ts";
import { testMarginAnytime } from "./hypothesis.ts";

/**
 * Minimum number of users per arm for a look to count. Both tests use the estimated variance as the true one. The
 * estimate from a handful of users may be nearly 0 by chance, and a p-value that only falls would never recover.
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

/** Returns the estimates of metric number `metric` for an arm, look by look. */
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
 * Returns the variance of plausible effects, or null if there is none. The first look that counts and has one fixes it,
 * so that later data cannot change earlier looks.
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

/** A test without a result. */
export const UNDEFINED: LookTest = {
  margin: { aboveLower: null, belowUpper: null },
  logLikelihoodRatio: null,
  pValue: null,
  halfWidth: null,
  confidenceInterval: null,
  relativeConfidenceInterval: null,
};

/** Tests an arm at one look by a test that is valid at any time. Returns {@link UNDEFINED} below `MIN_USERS` users. */
export function testLook({ statistics, counts }: LookEstimate, arm: number, options: AnytimeOptions): LookTest {
  if (!counts) return UNDEFINED;
  return {
    ...comparePairAnytime(statistics, arm, options),
    margin: testMarginAnytime(statistics, arm, options),
  };
}

/** Returns the warnings about the looks: a single look, and pooled periods. */
export function lookWarnings(record: ExperimentRecord, looks: readonly Look[]): string[] {
  return [...(looks.length === 1 ? ["ONE_LOOK"] : []), ...pooledWarnings(record)];
}

/** Returns the warnings of an analysis that pools all users of an arm although the weights changed. */
export function pooledWarnings(record: ExperimentRecord): string[] {
  return weightChanges(record).length > 0 ? ["PERIODS_POOLED"] : [];
}
