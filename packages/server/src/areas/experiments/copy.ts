import type { ExperimentRecord } from "../../model/experiment.ts";

/** Returns a DRAFT with the design of another experiment, without history, group and links. */
export function toCopy(
  source: ExperimentRecord,
  { name, key, createdBy, now }: { name: string; key: string; createdBy: string; now: string },
) {
  const { id, created_at, updated_at, version, ...own } = source;
  const { current_weights, flag_arms, weight_history, planned_at_start, looks_at_start, margins_at_start, ...design } =
    own;
  return {
    ...design,
    name,
    key,
    status: "DRAFT" as const,
    start_date: null,
    end_date: null,
    scheduled: { start: false, end: false },
    schedule_error: null,
    winner: null,
    mutual_exclusion_group_id: null,
    tracker_issue_key: null,
    crm_campaign_id: null,
    code_pull_request: null,
    started_at: null,
    ended_at: null,
    created_by: createdBy,
    status_history: [{ status: "DRAFT" as const, at: now }],
  };
}
