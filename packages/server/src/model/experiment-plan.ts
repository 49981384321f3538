import type { GroupSequential } from "@assay/contract";
import type { ExperimentRecord } from "./experiment.ts";

/** The planned looks of an experiment. */
export interface ExperimentPlan extends GroupSequential {
  /** Planned number of users in all arms. */
  users: number;
}

/**
 * Returns the plan that an experiment started with: one look at the planned size, or several. Returns null without a
 * planned size. A plan that was made or changed after the start may depend on the results, so it does not count.
 */
export function planOf(record: ExperimentRecord): ExperimentPlan | null {
  const users = plannedUsers(record);
  return users === null ? null : { ...(looksAtStart(record) ?? ONE_LOOK), users };
}

const ONE_LOOK: GroupSequential = { looks: 1, spending_function: "obrien_fleming" };

/** Returns the planned number of users in all arms when the experiment started, or null without a plan. */
export function plannedUsers({ planned_at_start, planned_sample_size }: ExperimentRecord): number | null {
  return planned_at_start === undefined ? planned_sample_size : planned_at_start;
}

function looksAtStart({ looks_at_start, group_sequential }: ExperimentRecord): GroupSequential | null {
  return (looks_at_start === undefined ? group_sequential : looks_at_start) ?? null;
}

/** Whether the plan was changed after the start. */
export function isPlanChanged(record: ExperimentRecord): boolean {
  const [now, then] = [record.group_sequential, looksAtStart(record)];
  const isSame = now?.looks === then?.looks && now?.spending_function === then?.spending_function;
  return plannedUsers(record) !== record.planned_sample_size || !isSame;
}
