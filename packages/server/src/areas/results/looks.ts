import { estimateOf, type Look, type MetricStatistics } from "@assay/analysis";
import { alwaysValidTest, mixtureTest, type SequentialTest } from "@assay/core/stats";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { weightChanges } from "../../model/experiment-weights.ts";
import { comparePair } from "./comparison.ts";
import { mixingVarianceOf } from "./mixing.ts";

/**
 * Users in each arm from which a look counts. Both tests take the estimated variance for the true one; of a handful of
 * users it may be nearly 0 by chance, and a p-value that only falls would never forget that.
 */
export const LEAST_USERS = 10;

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
  statistics: MetricStatistics;
}

/** The estimates of metric number `metric` for an arm, look by look. */
export function toEstimates(looks: readonly Look[], metric: number, arm: number, alpha: number): LookEstimate[] {
  return looks.map(({ date, users, metrics }) => {
    const statistics = metrics[metric]!;
    const { compared, control, treatment } = comparePair(statistics, arm, alpha);
    const counts = Math.min(control.n, treatment.n) >= LEAST_USERS;
    return {
      date,
      n: (users[0] ?? 0) + (users[arm] ?? 0),
      difference: compared.difference,
      standardError: compared.standardError,
      counts,
      status: compared.status === "OK" && !counts ? "INSUFFICIENT_DATA" : compared.status,
      statistics,
    };
  });
}

/** The mixing variance, fixed at the first look that counts, so that later data cannot change earlier looks. */
export function fixedMixingVariance(estimates: readonly LookEstimate[], expectedLift: number): number | null {
  const first = estimates.find(({ counts, standardError }) => counts && standardError !== null && standardError > 0);
  return first ? mixingVarianceOf(estimateOf(first.statistics, 0), expectedLift) : null;
}

const UNDEFINED: SequentialTest = { logLikelihoodRatio: null, pValue: null, halfWidth: null, confidenceInterval: null };

/** The mixture test of one look. */
export function mixtureLook(estimate: LookEstimate, mixingVariance: number | null, alpha: number): SequentialTest {
  const { difference, standardError, counts } = estimate;
  if (!counts || mixingVariance === null) return UNDEFINED;
  return mixtureTest(difference, standardError, mixingVariance, { alpha });
}

/** The always-valid test of one look. */
export function alwaysValidLook({ difference, standardError, n, counts }: LookEstimate, alpha: number): SequentialTest {
  return counts ? alwaysValidTest(difference, standardError, n, { alpha }) : UNDEFINED;
}

/** What is to be said of how the looks came about. */
export function lookWarnings(record: ExperimentRecord, looks: readonly Look[]): string[] {
  return [...(looks.length === 1 ? ["ONE_LOOK"] : []), ...pooledWarnings(record)];
}

/** What is to be said of an analysis that takes all users of an arm together, whatever the weights were. */
export function pooledWarnings(record: ExperimentRecord): string[] {
  return weightChanges(record).length > 0 ? ["PERIODS_POOLED"] : [];
}
