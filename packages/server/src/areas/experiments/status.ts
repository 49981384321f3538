import { badRequest } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { marginsOf } from "../../model/experiment-margins.ts";

export type Status = ExperimentRecord["status"];

const TRANSITIONS: Record<Status, readonly Status[]> = {
  DRAFT: ["ACTIVE", "ARCHIVED"],
  ACTIVE: ["PAUSED", "COMPLETED", "ARCHIVED"],
  PAUSED: ["ACTIVE", "COMPLETED", "ARCHIVED"],
  COMPLETED: ["ARCHIVED"],
  ARCHIVED: [],
};

/**
 * Returns the experiment in its next status, with its history.
 * @throws ApiError 400 naming both states for an invalid transition, 400 if it starts incomplete
 */
export function transition(experiment: ExperimentRecord, status: Status, now: string): ExperimentRecord {
  if (!TRANSITIONS[experiment.status].includes(status)) {
    throw badRequest(`An experiment cannot go from ${experiment.status} to ${status}`);
  }
  if (status === "ACTIVE") requireComplete(experiment);
  const isStart = status === "ACTIVE" && experiment.started_at === null;
  return {
    ...experiment,
    status,
    ...(isStart && {
      planned_at_start: experiment.planned_sample_size,
      looks_at_start: experiment.group_sequential ?? null,
      margins_at_start: marginsOf(experiment.metrics),
    }),
    started_at: isStart ? now : experiment.started_at,
    ended_at: status === "COMPLETED" || status === "ARCHIVED" ? (experiment.ended_at ?? now) : null,
    status_history: [...experiment.status_history, { status, at: now }],
  };
}

function requireComplete({ experiment_type, variants, group_sequential, planned_sample_size }: ExperimentRecord): void {
  const weighted = variants.filter((variant) => variant.weight > 0).length;
  const needed = experiment_type === "SPLIT_URL" ? 1 : 2;
  if (weighted < needed) {
    throw badRequest(`An experiment needs at least ${needed} variant${needed > 1 ? "s" : ""} with weight to start`);
  }
  if (group_sequential && planned_sample_size === null) {
    throw badRequest(
      "An experiment with group_sequential needs planned_sample_size to start: its looks are shares of it",
    );
  }
}
