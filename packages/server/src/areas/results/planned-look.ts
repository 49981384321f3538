import type { Look } from "@assay/analysis";
import { decidingPValues } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";
import type { Steps } from "../../slices.ts";
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
  /** Adjusted as `decidingPValues` does; null for rows that do not decide. */
  rows: { metric_id: string; variant: string; difference: number; adjusted_p_value: number | null }[];
}

/** The planned look; null before it, and without a plan. */
export function* toPlannedLook(record: ExperimentRecord, looks: readonly Look[]): Steps<PlannedLook | null> {
  const planned = plannedUsers(record);
  if (planned === null) return null;
  const look = looks.find(({ users }) => users.reduce((sum, n) => sum + n, 0) >= planned);
  if (!look) return null;
  const rows = yield* toRows(record, look);
  const adjusted = decidingPValues(rows.map((row) => ({ ...row, pValue: row.p_value })));
  return {
    date: look.date,
    rows: rows.map(({ metric_id, variant, difference }, index) => ({
      metric_id,
      variant,
      difference,
      adjusted_p_value: adjusted[index]!,
    })),
  };
}
