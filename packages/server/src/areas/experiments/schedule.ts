import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Status } from "./status.ts";

/**
 * Notes which dates of an experiment are in the future. Dates set in the past are for analysis only and trigger
 * nothing.
 */
export function withSchedule(after: ExperimentRecord, before: ExperimentRecord | null, now: string): ExperimentRecord {
  const isSame = (field: "start_date" | "end_date") => before !== null && before[field] === after[field];
  if (isSame("start_date") && isSame("end_date")) return after;
  const isToCome = (date: string | null) => date !== null && date > now;
  return {
    ...after,
    scheduled: {
      start: isSame("start_date") ? before?.scheduled?.start === true : isToCome(after.start_date),
      end: isSame("end_date") ? before?.scheduled?.end === true : isToCome(after.end_date),
    },
    schedule_error: null,
  };
}

/** Returns the status an experiment should have by its dates, or null if it already has it. */
export function dueStatus(experiment: ExperimentRecord, now: string): Status | null {
  const { status, start_date, end_date, scheduled } = experiment;
  if (status === "DRAFT" && scheduled?.start && start_date !== null && start_date <= now) return "ACTIVE";
  const isUnderWay = status === "ACTIVE" || status === "PAUSED";
  if (isUnderWay && scheduled?.end && end_date !== null && end_date <= now) return "COMPLETED";
  return null;
}

/** Records why a scheduled transition failed. The experiment then waits for a new date. */
export function withFailedSchedule(experiment: ExperimentRecord, reason: string): ExperimentRecord {
  return { ...experiment, scheduled: { start: false, end: false }, schedule_error: reason };
}
