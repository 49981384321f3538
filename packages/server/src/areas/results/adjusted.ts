import { clusterLiftInterval, estimateOf, type MetricStatistics } from "@assay/analysis";
import type { Adjustment } from "@assay/contract";
import { type AdjustedArms, type ArmEstimate, compareArms, type Decision } from "@assay/core/stats";
import { type Adjusting, adjusting } from "./adjusting.ts";

/** Returns the estimates of control and of an arm for their comparison: adjusted if the experiment adjusts. */
export function comparedEstimates(
  statistics: MetricStatistics,
  arm: number,
): Record<"control" | "treatment", ArmEstimate> {
  const adjusted = adjusting(statistics, arm)?.arms;
  return adjusted ?? { control: estimateOf(statistics, 0), treatment: estimateOf(statistics, arm) };
}

/** Tests the adjusted arms instead of the unadjusted ones, and returns the fields that describe the adjustment. */
export function decideAdjusted(
  { baseline, status, arms }: Adjusting,
  unadjusted: { test: string; compared: Decision },
  alpha: number,
): { test: string; compared: Decision; adjustment: Adjustment } {
  const { test, compared } = unadjusted;
  const adjusted = arms && compareAdjusted(arms, baseline.clusters !== undefined, alpha);
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

/**
 * Returns the estimate of each arm, adjusted to the mean covariates of all arms with users: each arm is adjusted with the
 * others together. If one of them cannot be adjusted, none is.
 */
export function adjustedEstimates(statistics: MetricStatistics): ArmEstimate[] {
  const observed = statistics.arms.map((_, arm) => estimateOf(statistics, arm));
  const used = [...observed.keys()].filter((arm) => observed[arm]!.n > 0);
  if (used.length < 2) return observed;
  const adjusted = used.map((arm) => {
    const others = used.filter((one) => one !== arm);
    return adjusting(statistics, arm, others)?.arms?.treatment;
  });
  return observed.map((own, arm) => (adjusted.includes(undefined) ? own : (adjusted[used.indexOf(arm)] ?? own)));
}

function compareAdjusted({ control, treatment }: AdjustedArms, isClustered: boolean, alpha: number): Decision {
  const decided = compareArms(control, treatment, { alpha });
  const lift = decided.relativeConfidenceInterval;
  if (!lift || !isClustered) return decided;
  return { ...decided, relativeConfidenceInterval: clusterLiftInterval(lift, control, treatment, alpha) };
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
