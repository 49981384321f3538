import type { ExperimentRecord } from "./experiment.ts";

/**
 * The users in all arms that were planned when the experiment started; null without a plan. A plan that is made or
 * changed after the start may follow from the results, so it does not count.
 */
export function plannedUsers({ planned_at_start, planned_sample_size }: ExperimentRecord): number | null {
  return planned_at_start === undefined ? planned_sample_size : planned_at_start;
}
