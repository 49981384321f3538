import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Status } from "./status.ts";

/**
 * An experiment with note taken of which of its dates are to come: those set in the past are history, for analysis, and
 * start or complete nothing.
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

/** The status an experiment is due to be in by its dates, null where it is as it should be. */
export function dueStatus(experiment: ExperimentRecord, now: string): Status | null {
  const { status, start_date, end_date, scheduled } = experiment;
  if (status === "DRAFT" && scheduled?.start && start_date !== null && start_date <= now) return "ACTIVE";
  const isUnderWay = status === "ACTIVE" || status === "PAUSED";
  if (isUnderWay && scheduled?.end && end_date !== null && end_date <= now) return "COMPLETED";
  return null;
}

/** An experiment that could not do what it was due to: it says why, and waits for somebody to set a new date. */
export function withFailedSchedule(experiment: ExperimentRecord, reason: string): ExperimentRecord {
  return { ...experiment, scheduled: { start: false, end: false }, schedule_error: reason };
}
