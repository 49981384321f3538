import { type Baseline, estimateOf, type MetricStatistics } from "@assay/analysis";
import type { Adjustment } from "@assay/contract";
import {
  type AdjustedArms,
  type ArmEstimate,
  adjustArms,
  compareArms,
  type Decision,
  type Proportion,
} from "@assay/core/stats";

/**
 * Minimum expected number of conversions, and of users without one, in the smaller arm for comparing rates as means.
 * Below it, the score test of the unadjusted rates keeps its level better (docs/statistics/regression-adjustment.md).
 */
const MIN_EXPECTED_CONVERSIONS = 20;
/**
 * Minimum number of users per arm whose covariate is not 0, for slopes per arm. Fewer users would determine the slope
 * alone.
 */
const MIN_CARRIERS = 20;

/** Two arms adjusted by their baseline. Without arms, `status` is the reason. */
export interface Adjusting {
  baseline: Baseline;
  status: Adjustment["status"];
  arms: AdjustedArms | null;
}

/** Cache by metric and arm, because several tests of one answer need the same adjusted arms. */
const known = new WeakMap<MetricStatistics, Map<number, Adjusting>>();

/** Adjusts control and an arm, counted from 1. Returns null if the experiment does not adjust. */
export function adjusting(statistics: MetricStatistics, arm: number): Adjusting | null {
  const { baseline } = statistics;
  if (!baseline) return null;
  const own = known.get(statistics) ?? new Map<number, Adjusting>();
  known.set(statistics, own);
  const adjusted = own.get(arm) ?? adjust(statistics, baseline, arm);
  own.set(arm, adjusted);
  return adjusted;
}

/** Returns the estimates of control and of an arm for their comparison: adjusted if the experiment adjusts. */
export function comparedEstimates(
  statistics: MetricStatistics,
  arm: number,
): Record<"control" | "treatment", ArmEstimate> {
  const adjusted = adjusting(statistics, arm)?.arms;
  return adjusted ?? { control: estimateOf(statistics, 0), treatment: estimateOf(statistics, arm) };
}

function adjust(statistics: MetricStatistics, baseline: Baseline, arm: number): Adjusting {
  const reason = whyNot(statistics, baseline, arm);
  if (reason) return { baseline, status: reason, arms: null };
  const isPerArm = baseline.method === "REGRESSION" && isCarried(baseline, arm);
  const arms = adjustArms(baseline.arms![0]!, baseline.arms![arm]!, {
    outcome: statistics.form === "RATIO" ? "RATIO" : "MEAN",
    slopes: isPerArm ? "PER_ARM" : "COMMON",
  });
  if (arms.slopes === null) return { baseline, status: "NO_COVARIATE_VARIES", arms: null };
  const isCommon = baseline.method === "REGRESSION" && arms.slopes === "COMMON";
  return { baseline, status: isCommon ? "COMMON_SLOPES" : "OK", arms };
}

function whyNot(statistics: MetricStatistics, { arms }: Baseline, arm: number): Adjustment["status"] | null {
  if (arms === null) return statistics.form === "QUANTILE" ? "NOT_APPLICABLE" : "NOT_AVAILABLE";
  const both = [arms[0]!, arms[arm]!];
  const isDefined = both.every(({ n, means }) => n >= 2 && (statistics.form !== "RATIO" || means[1] !== 0));
  if (!isDefined) return "INSUFFICIENT_DATA";
  if (statistics.form !== "PROPORTION") return null;
  return hasFew(statistics.arms[0]!, statistics.arms[arm]!) ? "TOO_FEW_CONVERSIONS" : null;
}

/** Whether the smaller arm expects few conversions, or few users without one, at the rate of both arms together. */
function hasFew(control: Proportion, treatment: Proportion): boolean {
  const rate = (control.successes + treatment.successes) / (control.n + treatment.n);
  return Math.min(control.n, treatment.n) * Math.min(rate, 1 - rate) < MIN_EXPECTED_CONVERSIONS;
}

/** Whether enough users of both arms have each covariate that any of them has. */
function isCarried({ carriers }: Baseline, arm: number): boolean {
  const own = carriers.map((counts) => [counts[0]!, counts[arm]!]).filter(([c, t]) => c! + t! > 0);
  return own.every((counts) => Math.min(...counts) >= MIN_CARRIERS);
}

/** Tests the adjusted arms instead of the unadjusted ones, and returns the fields that describe the adjustment. */
export function decideAdjusted(
  { baseline, status, arms }: Adjusting,
  unadjusted: { test: string; compared: Decision },
  alpha: number,
): { test: string; compared: Decision; adjustment: Adjustment } {
  const { test, compared } = unadjusted;
  const adjusted = arms && compareArms(arms.control, arms.treatment, { alpha });
  const share = (adjusted?.standardError ?? Number.NaN) / (compared.standardError ?? Number.NaN);
  const reduction = 100 * (1 - share ** 2);
  return {
    test: !adjusted ? test : baseline.method === "CUPED" ? "CUPED" : "REGRESSION_ADJUSTED",
    // Adjustment does not make the arms less skewed, so an assumption of the unadjusted means stays.
    compared: adjusted ? { ...adjusted, assumption: compared.assumption } : compared,
    adjustment: {
      method: baseline.method,
      covariates: baseline.covariates,
      adjusted_control_mean: finiteOrNull(arms?.control.value),
      adjusted_treatment_mean: finiteOrNull(arms?.treatment.value),
      unadjusted_difference: compared.difference,
      unadjusted_standard_error: compared.standardError,
      variance_reduction_pct: finiteOrNull(reduction),
      status,
    },
  };
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
