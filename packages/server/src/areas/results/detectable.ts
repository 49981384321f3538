import type { MetricResult } from "@assay/contract";
import { designMinimumEffect } from "@assay/core/stats/design";
import { minimumDetectableEffect } from "@assay/core/stats/planning";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import { decidingRows } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";
import { finite } from "./comparison.ts";

type Metric = ExperimentRecord["metrics"][number];
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
    const metric = record.metrics.find(({ id }) => id === row.metric_id);
    const effect = detectableOf(row, alpha, growth);
    const isWithin = metric && (metric.hypothesis ?? "SUPERIORITY") !== "SUPERIORITY";
    const margins = effect && isWithin ? marginsOf(row, metric, alpha, growth) : {};
    return { ...row, minimum_detectable_effect: effect && { ...effect, ...margins } };
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

/** Returns the smallest margins that a row shows, now and with the planned users. */
function marginsOf(row: MetricResult, metric: Metric, alpha: number, growth: number | null) {
  const margin = smallestMargin(row, metric, alpha, 1);
  return { margin, margin_at_planned_size: growth === null ? null : smallestMargin(row, metric, alpha, growth) };
}

/**
 * Returns the smallest margin m that a row shows with 80 % power if its arms are alike, as `meanMarginSampleSize` plans
 * it; null if there is none below 1. The distance m |c| from the border is then z standard errors of the treatment
 * less R = 1 - m (or 1 + m) times the control: m^2 c^2 = z^2 e^2 (1 - w + R^2 w), where w is the treatment's share of
 * the users. Equivalence may miss by either border, so each gets half of the misses, and the upper one decides.
 */
function smallestMargin(row: MetricResult, metric: Metric, alpha: number, growth: number): number | null {
  const isEquivalence = metric.hypothesis === "EQUIVALENCE";
  const side = isEquivalence || (metric.direction === "DECREASE") === row.control_value > 0 ? 1 : -1;
  const distance = smallestEffect(row, row.standard_error!, alpha, isEquivalence ? 0.9 : 0.8);
  const square = ((distance ?? Number.NaN) * growth) ** 2 / row.control_value ** 2;
  const { control, treatment } = row.n;
  const part = (square * treatment) / (control + treatment);
  const margin = (side * part + Math.sqrt(part ** 2 + square * (1 - part))) / (1 - part);
  return part < 1 && margin < 1 ? margin : null;
}

/** Returns the smallest detectable effect. For clusters it uses the t-distribution, which matters if they are few. */
function smallestEffect({ clusters }: MetricResult, error: number, alpha: number, power = 0.8): number | null {
  if (!clusters) return minimumDetectableEffect(error, { alpha, power });
  const all = clusters.control + clusters.treatment;
  if (all <= 2) return null;
  // The variance of equal arms whose difference has this error.
  const variance = (error ** 2 * all) / 4;
  return designMinimumEffect({ control: variance, treatment: variance }, all, { distribution: "t", alpha, power });
}
