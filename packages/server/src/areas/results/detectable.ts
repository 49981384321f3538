import type { MetricResult } from "@assay/contract";
import { designMinimumEffect } from "@assay/core/stats/design";
import { minimumDetectableEffect } from "@assay/core/stats/planning";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import { decidingRows } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";
import { finite } from "./comparison.ts";

type Detectable = MetricResult["minimum_detectable_effect"];

/**
 * Adds the smallest effect that its test detects with 80 % power to each row that decides. The effect follows from the
 * standard error of the row, also if the row is adjusted, weighted or clustered. The PRIMARY rows share alpha, and so
 * do the GUARDRAIL rows, as in a sample size for as many comparisons.
 *
 * @param users users of all arms
 */
export function* withDetectable(
  record: ExperimentRecord,
  rows: readonly MetricResult[],
  users: number,
): Steps<MetricResult[]> {
  const { isPrimary, isWatched } = decidingRows(rows);
  const primary = rows.filter(isPrimary).length;
  const guardrails = rows.filter(isWatched).length - primary;
  // The standard error is inversely proportional to the square root of the users.
  const planned = plannedUsers(record);
  const growth = planned === null || users === 0 ? null : Math.sqrt(users / planned);
  return yield* mapSteps(rows, (row) => {
    if (!isWatched(row)) return row;
    const alpha = record.alpha / (isPrimary(row) ? primary : guardrails);
    return { ...row, minimum_detectable_effect: detectableOf(row, alpha, growth) };
  });
}

function detectableOf(row: MetricResult, alpha: number, growth: number | null): Detectable {
  const absolute = row.standard_error ? finite(smallestEffect(row, row.standard_error, alpha)) : null;
  if (absolute === null) return null;
  const share = (effect: number) => (row.control_value === 0 ? null : finite(effect / Math.abs(row.control_value)));
  const atPlan = growth === null ? null : finite(absolute * growth);
  return {
    alpha,
    absolute,
    relative: share(absolute),
    at_planned_size: atPlan,
    relative_at_planned_size: atPlan === null ? null : share(atPlan),
  };
}

/** Returns the smallest detectable effect. For clusters it uses the t-distribution, which matters if they are few. */
function smallestEffect({ clusters }: MetricResult, error: number, alpha: number): number | null {
  if (!clusters) return minimumDetectableEffect(error, { alpha });
  const all = clusters.control + clusters.treatment;
  if (all <= 2) return null;
  // The variance of equal arms whose difference has this error.
  const variance = (error ** 2 * all) / 4;
  return designMinimumEffect({ control: variance, treatment: variance }, all, { distribution: "t", alpha });
}
