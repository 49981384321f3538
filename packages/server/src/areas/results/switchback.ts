import { type CarryOverStatistics, estimateOf, type StayCounts } from "@assay/analysis";
import { compareArms, isSignificant } from "@assay/core/stats";

/** The share of exposures outside of their cluster's period that clocks may explain. */
const MAX_ASTRAY = 0.05;
/** As for a sample-ratio mismatch: what is looked at often must not alarm for nothing. */
const CARRY_OVER_ALPHA = 0.001;

/** Warnings about an experiment whose units switch between the arms. */
export function switchbackWarnings(stays: StayCounts, carryOver: CarryOverStatistics | null): string[] {
  return [
    ...(stays.astray > MAX_ASTRAY * stays.exposures ? ["PERIODS_MISALIGNED"] : []),
    ...(carryOver && isCarriedOver(carryOver) ? ["CARRY_OVER"] : []),
  ];
}

/**
 * Whether outcomes in an arm depend on the arm before it, which was drawn too: of the deciding metrics, by Bonferroni's
 * correction over them and the arms.
 */
function isCarriedOver({ same, other }: CarryOverStatistics): boolean {
  const primary = same.metrics.filter(({ metric }) => metric.role === "PRIMARY");
  const deciding = (primary.length > 0 ? primary : same.metrics).map(({ metric }) => metric.id);
  const tested = same.metrics.flatMap((statistics, index) =>
    deciding.includes(statistics.metric.id)
      ? statistics.arms.map((_, arm) => {
          const [stayed, came] = [estimateOf(statistics, arm), estimateOf(other.metrics[index]!, arm)];
          return compareArms(stayed, came).pValue;
        })
      : [],
  );
  return tested.some((pValue) => isSignificant(pValue, CARRY_OVER_ALPHA / tested.length));
}
