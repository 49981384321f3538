import type { Look } from "@assay/analysis";
import { type Conclusion, conclude } from "@assay/core/stats";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import { decidingPValues } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers, planOf } from "../../model/experiment-plan.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { type TakenLooks, takeLooks, testTakenLooks } from "./group-sequential.ts";
import { claimOf, hypothesisFields } from "./hypothesis.ts";

/**
 * The share of alpha for the look at the planned size, or for all planned looks; the rest is for the tests at any time.
 * Together they keep alpha, and the planned look loses little of its power (docs/statistics/sequential.md).
 */
const PLANNED_SHARE = 0.8;

/** The level of each of the two ways to a decision. */
export interface AlphaShares {
  anytime: number;
  planned: number;
}

/** Divides an experiment's alpha. Without a plan, the tests at any time get all of it. */
export function alphaShares(record: ExperimentRecord): AlphaShares {
  const share = plannedUsers(record) === null ? 0 : PLANNED_SHARE;
  return { anytime: (1 - share) * record.alpha, planned: share * record.alpha };
}

/** The tests at the planned looks so far; later days do not change them. */
export interface PlannedLook {
  /** Number of planned looks. */
  of: number;
  /** Whether the planned size was reached. */
  isLast: boolean;
  /**
   * The rows that decide, with their conclusions at the looks' share of alpha, by p-values adjusted as
   * `decidingPValues` does.
   */
  rows: {
    metric_id: string;
    variant: string;
    /** The difference, median-unbiased if the test stopped before the last look. */
    difference: number;
    conclusion: Conclusion;
    /** Date of the look at which the test stopped, or of the last one: `2026-01-31` */
    date: string;
  }[];
}

/** Tests at the planned looks. Returns null before the first one, and without a plan. */
export function* toPlannedLook(record: ExperimentRecord, looks: readonly Look[]): Steps<PlannedLook | null> {
  const plan = planOf(record);
  if (plan === null) return null;
  const { planned: alpha } = alphaShares(record);
  const taken = yield* takeLooks(looks, plan, alpha);
  const last = taken.taken.at(-1)?.look;
  if (!last) return null;
  const treatments = armsOf(record).slice(1);
  const numbers = last.metrics.flatMap(({ metric }, index) =>
    treatments.map(({ key }, treatment) => ({ metric, index, variant: key, arm: treatment + 1 })),
  );
  const rows = yield* mapSteps(numbers, ({ metric, index, variant, arm }) => {
    const test = testTakenLooks(taken, index, arm);
    const { pValue, marginPValue, stopped } = test;
    const difference =
      (stopped && !isLastLook(stopped.look, taken) ? stopped.estimate : test.looks.at(-1)!.difference) ?? 0;
    const date = stopped?.date ?? last.date;
    return {
      ...hypothesisFields(metric),
      metric,
      metric_id: metric.id,
      role: metric.role,
      variant,
      difference,
      date,
      pValue,
      marginPValue,
    };
  });
  const adjusted = decidingPValues(rows);
  const decided = rows.flatMap(({ metric, metric_id, variant, difference, date }, index) => {
    const own = adjusted[index]!;
    if (own.pValue === null) return [];
    const conclusion = conclude(claimOf(metric), { difference, ...own }, { alpha });
    return [{ metric_id, variant, difference, conclusion, date }];
  });
  return { of: plan.looks, isLast: taken.isOver, rows: decided };
}

function isLastLook(look: number, { taken, isOver }: TakenLooks): boolean {
  return isOver && look === taken.length;
}
