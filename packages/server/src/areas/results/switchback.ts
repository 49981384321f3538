import { type CarryOverStatistics, estimateOf, type StayCounts } from "@assay/analysis";
import { compareArms, isSignificant } from "@assay/core/stats";

/** The share of exposures outside their cluster's period that inaccurate clocks may explain. */
const MAX_ASTRAY = 0.05;
/**
 * The level of the test of carry-over, as low as that of a sample-ratio mismatch. Teams look often, so false alarms
 * must be rare.
 */
const CARRY_OVER_ALPHA = 0.001;

/** Returns the warnings about an experiment whose units switch between the arms. */
export function switchbackWarnings(stays: StayCounts, carryOver: CarryOverStatistics | null): string[] {
  return [
    ...(stays.astray > MAX_ASTRAY * stays.exposures ? ["PERIODS_MISALIGNED"] : []),
    ...(carryOver && isCarriedOver(carryOver) ? ["CARRY_OVER"] : []),
  ];
}

/**
 * Whether outcomes in an arm depend on the previous arm, which was random, too. Tests the deciding metrics, with
 * Bonferroni's correction over metrics and arms.
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
