import type { Look } from "@assay/analysis";
import { type Conclusion, conclude } from "@assay/core/stats";
import { decidingPValues } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";
import type { Steps } from "../../slices.ts";
import { claimOf } from "./hypothesis.ts";
import { toRows } from "./rows.ts";

/**
 * The share of alpha for the one look at the planned size; the rest is for the tests at any time. Together they keep
 * alpha, and the planned look loses little of its power (docs/statistics/sequential.md).
 */
const PLANNED_SHARE = 0.8;

/** The level of each of the two ways to a decision. */
export interface AlphaShares {
  anytime: number;
  planned: number;
}

/** Divides an experiment's alpha; without a plan the tests at any time have all of it. */
export function alphaShares(record: ExperimentRecord): AlphaShares {
  const share = plannedUsers(record) === null ? 0 : PLANNED_SHARE;
  return { anytime: (1 - share) * record.alpha, planned: share * record.alpha };
}

/** The fixed-horizon tests of the first day with the planned number of users; later days do not change them. */
export interface PlannedLook {
  /** `2026-01-31` */
  date: string;
  /** The rows that decide, and what they show at this look's share of alpha, by p-values adjusted as `decidingPValues` does. */
  rows: { metric_id: string; variant: string; difference: number; conclusion: Conclusion }[];
}

/** The planned look; null before it, and without a plan. */
export function* toPlannedLook(record: ExperimentRecord, looks: readonly Look[]): Steps<PlannedLook | null> {
  const planned = plannedUsers(record);
  if (planned === null) return null;
  const look = looks.find(({ users }) => users.reduce((sum, n) => sum + n, 0) >= planned);
  if (!look) return null;
  const rows = yield* toRows(record, look);
  const adjusted = decidingPValues(
    rows.map((row) => ({ ...row, pValue: row.p_value, marginPValue: row.margin_p_value })),
  );
  const { planned: alpha } = alphaShares(record);
  const metrics = new Map(look.metrics.map(({ metric }) => [metric.id, metric]));
  const decided = rows.flatMap(({ metric_id, variant, difference }, index) => {
    const own = adjusted[index]!;
    if (own.pValue === null) return [];
    const conclusion = conclude(claimOf(metrics.get(metric_id)!), { difference, ...own }, { alpha });
    return [{ metric_id, variant, difference, conclusion }];
  });
  return { date: look.date, rows: decided };
}
