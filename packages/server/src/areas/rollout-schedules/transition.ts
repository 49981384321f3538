import { badRequest, conflict } from "../../ground/errors.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { ScheduleRecord, StageRecord } from "../../model/rollout-schedule.ts";
import { currentStage, nextStage, ordered } from "./stage.ts";

export type ScheduleStatus = ScheduleRecord["status"];

const TRANSITIONS: Record<ScheduleStatus, readonly ScheduleStatus[]> = {
  DRAFT: ["ACTIVE", "CANCELLED"],
  ACTIVE: ["PAUSED", "CANCELLED"],
  PAUSED: ["ACTIVE", "CANCELLED"],
  COMPLETED: [],
  CANCELLED: [],
};

/**
 * Returns a schedule with other stages. They change only while it is stopped, so pause it first.
 * @throws ApiError 400, 422
 */
export function changed(schedule: ScheduleRecord, stages: StageRecord[]): ScheduleRecord {
  if (schedule.status !== "DRAFT" && schedule.status !== "PAUSED") {
    throw badRequest(
      `Stages can change only while a rollout schedule is DRAFT or PAUSED; this one is ${schedule.status}`,
    );
  }
  return { ...schedule, stages: ordered(stages, () => ["body"]) };
}

/** Returns a schedule in another status. @throws ApiError 400 naming both states */
export function moved(schedule: ScheduleRecord, status: ScheduleStatus): ScheduleRecord {
  if (!TRANSITIONS[schedule.status].includes(status)) {
    throw badRequest(`A rollout schedule cannot go from ${schedule.status} to ${status}`);
  }
  return { ...schedule, status, pause_reason: null };
}

/** @throws ApiError 400 if no stage is left, 409 if the flag cannot be rolled out as planned */
export function requireReady(schedule: ScheduleRecord, flag: FlagRecord): void {
  const next = nextStage(schedule);
  if (!next) throw badRequest("A rollout schedule needs at least one stage that has not started");
  if (flag.status !== "ACTIVE") throw conflict(`Feature flag "${flag.key}" is ${flag.status}; make it ACTIVE first`);
  if (flag.rollout_percentage > next.target_percentage) {
    throw conflict(
      `Stage ${next.order} has ${next.target_percentage} %, but the flag is at ${flag.rollout_percentage} %; percentages must not decrease`,
    );
  }
  const hasMetric = schedule.stages.some(({ trigger, status }) => trigger === "METRIC" && status === "PENDING");
  if (hasMetric && flag.bucket_by !== null) {
    throw conflict(
      `METRIC stages need a flag that buckets by user id; flag "${flag.key}" buckets by "${flag.bucket_by}"`,
    );
  }
  const isFirst = currentStage(schedule) === undefined;
  if (isFirst && next.trigger === "METRIC" && (flag.rollout_percentage <= 0 || flag.rollout_percentage >= 100)) {
    throw conflict(
      `Stage 1 compares users inside and outside of the rollout, but the flag is at ${flag.rollout_percentage} %`,
    );
  }
}
