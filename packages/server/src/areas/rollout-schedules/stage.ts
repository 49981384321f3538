import { isDeepStrictEqual } from "node:util";
import { MetricTrigger, type RolloutStageInput, type RolloutStageUpdate, TimeTrigger } from "@assay/contract";
import { ApiError, badRequest, invalid } from "../../ground/errors.ts";
import { check } from "../../http/validate.ts";
import type { ScheduleRecord, StageRecord } from "../../model/rollout-schedule.ts";

type Place = (string | number)[];

/** Creates a pending stage. @throws ApiError 422 if its trigger lacks required fields */
export function toStage(input: RolloutStageInput, id: string, loc: Place): StageRecord {
  return {
    id,
    order: 0,
    target_percentage: input.target_percentage,
    trigger: input.trigger,
    trigger_config: toTriggerConfig(input, [...loc, "trigger_config"]),
    status: "PENDING",
    started_at: null,
    completed_at: null,
    evidence: null,
  };
}

/** Whether two lists plan the same stages in the same order, regardless of their progress. */
export function hasSamePlan(stages: readonly StageRecord[], others: readonly StageRecord[]): boolean {
  return isDeepStrictEqual(stages.map(toPlan), others.map(toPlan));
}

function toPlan({ id, target_percentage, trigger, trigger_config }: StageRecord) {
  return { id, target_percentage, trigger, trigger_config };
}

/** Merges a body into a stage. @throws ApiError 400 once it has started, 422 */
export function mergeStage(stage: StageRecord, body: RolloutStageUpdate): StageRecord {
  requirePending(stage);
  const trigger = body.trigger ?? stage.trigger;
  const kept = trigger === stage.trigger ? stage.trigger_config : null;
  const trigger_config = body.trigger_config === undefined ? kept : body.trigger_config;
  const target_percentage = body.target_percentage ?? stage.target_percentage;
  return { ...toStage({ target_percentage, trigger, trigger_config }, stage.id, ["body"]), order: stage.order };
}

/** @throws ApiError 400 */
export function requirePending({ order, status }: StageRecord): void {
  if (status !== "PENDING") throw badRequest(`Stage ${order} is ${status}; only a PENDING one can change`);
}

/**
 * Returns the stages of a schedule, sorted and numbered.
 * @throws ApiError 422 if percentages decrease, or if a METRIC stage follows one that leaves no control group
 */
export function ordered(stages: readonly StageRecord[], locOf: (index: number) => Place): StageRecord[] {
  stages.forEach(({ target_percentage, trigger }, index) => {
    const before = stages[index - 1];
    if (!before) return;
    if (target_percentage < before.target_percentage) {
      throw invalid(
        [...locOf(index), "target_percentage"],
        `Percentages must not decrease; stage ${index} has ${before.target_percentage} %`,
      );
    }
    if (trigger === "METRIC" && before.target_percentage === 100) {
      throw invalid(
        [...locOf(index), "trigger"],
        `After stage ${index} all users have the flag, so there are no users to compare`,
      );
    }
  });
  return stages.map((stage, index) => ({ ...stage, order: index + 1 }));
}

/** Returns the next pending stage, or undefined if all have started. */
export function nextStage({ stages }: Pick<ScheduleRecord, "stages">): StageRecord | undefined {
  return stages.find(({ status }) => status === "PENDING");
}

/** Returns the stage that started last. */
export function currentStage({ stages }: Pick<ScheduleRecord, "stages">): StageRecord | undefined {
  return stages.findLast(({ started_at }) => started_at !== null);
}

/**
 * When the wait of the next stage started: at the start of the previous stage or the activation, whichever is later.
 */
export function waitingSince(schedule: ScheduleRecord): number {
  const started = currentStage(schedule)?.started_at ?? schedule.activated_at;
  return Math.max(Date.parse(started ?? ""), Date.parse(schedule.activated_at ?? ""));
}

/** Returns a schedule after the start of its next stage. The last stage completes it. */
export function withBegun(schedule: ScheduleRecord, stage: StageRecord, at: string): ScheduleRecord {
  const isLast = stage.order === schedule.stages.length;
  const stages = schedule.stages.map((one): StageRecord => {
    if (one.status === "IN_PROGRESS") return { ...one, status: "COMPLETED", completed_at: at };
    if (one.id !== stage.id) return one;
    const begun = { ...stage, started_at: at };
    return isLast ? { ...begun, status: "COMPLETED", completed_at: at } : { ...begun, status: "IN_PROGRESS" };
  });
  return isLast ? { ...schedule, stages, status: "COMPLETED", completed_at: at } : { ...schedule, stages };
}

function toTriggerConfig(input: RolloutStageInput, loc: Place): StageRecord["trigger_config"] {
  const { trigger, trigger_config } = input;
  const config = trigger_config ?? {};
  if (trigger === "MANUAL") {
    if (Object.keys(config).length === 0) return null;
    throw invalid(loc, "A MANUAL stage takes no trigger_config");
  }
  if (trigger === "TIME" && Object.hasOwn(config, "at") === Object.hasOwn(config, "after_minutes")) {
    throw invalid(loc, "A TIME stage needs either `at` or `after_minutes`");
  }
  const parsed = check({ TIME: TimeTrigger, METRIC: MetricTrigger }[trigger], config, loc);
  if (parsed.issues) throw new ApiError(422, parsed.issues);
  return parsed.data;
}
