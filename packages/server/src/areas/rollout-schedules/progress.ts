import { MetricTrigger, type RolloutEvidence, TimeTrigger } from "@assay/contract";
import type { Analysis } from "../../analysis/analysis.ts";
import { conflict, isApiError, preconditionFailed } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { ScheduleRecord, StageRecord } from "../../model/rollout-schedule.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection, Companion } from "../../storage/collection.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { gatherEvidence } from "./evidence.ts";
import { currentStage, nextStage, waitingSince, withBegun } from "./stage.ts";

const MINUTE = 60_000;

/** Creates the audit note of a write. */
export type Noted = (action: string, reason?: string) => Change;

/**
 * The change of a schedule that accompanies a change of its flag. If it does not change the schedule, the flag stays as
 * it is.
 */
export interface Step {
  schedule: ScheduleRecord;
  change(current: ScheduleRecord): ScheduleRecord;
  by: Change;
  ifVersion?: number | undefined;
}

/** Moves schedules from stage to stage. */
export interface Progress {
  /**
   * Raises a flag and changes its schedule in one batch.
   * @throws ApiError 409 if the flag was lowered since it was read or the schedule activated
   */
  raise(seen: FlagRecord, target: number, why: Change, step: Step): Promise<ScheduleRecord>;
  /**
   * Starts the next stage of an ACTIVE schedule and raises its flag, both or neither.
   * @throws ApiError 409 if the flag was lowered since it was read
   */
  begin(schedule: ScheduleRecord, stage: StageRecord, seen: FlagRecord, noted: Noted): Promise<ScheduleRecord>;
  /** Performs what is due: starts a stage, fails it, or pauses the schedule with a reason. */
  follow(schedule: ScheduleRecord, noted: Noted): Promise<void>;
  /** Pauses a schedule whose status is one of `from`, by default ACTIVE, and stores the reason. */
  pause(id: string, reason: string, by: Change, from?: readonly ScheduleRecord["status"][]): Promise<ScheduleRecord>;
}

export function createProgress(deps: {
  runtime: Runtime;
  schedules: Collection<ScheduleRecord>;
  featureFlags: FeatureFlagService;
  analysis: Analysis;
}): Progress {
  const { runtime, schedules, featureFlags, analysis } = deps;
  const now = () => timestampOf(runtime.now());

  /** Why a schedule cannot continue with its flag, or null. */
  function obstacle(schedule: ScheduleRecord, flag: FlagRecord): string | null {
    if (flag.status !== "ACTIVE") return `The flag is ${flag.status}`;
    if (isRolledBack(flag, schedule)) return takenBack(flag);
    const current = currentStage(schedule);
    // Lowering the flag counts as a decision, even without changing the schedule.
    return current && flag.rollout_percentage < current.target_percentage ? takenBack(flag) : null;
  }

  function isTimeDue(schedule: ScheduleRecord, stage: StageRecord): boolean {
    const config = TimeTrigger.parse(stage.trigger_config);
    const at = "at" in config ? Date.parse(config.at) : waitingSince(schedule) + config.after_minutes * MINUTE;
    return at <= runtime.now();
  }

  /** Whether the stage before a METRIC stage has lasted long enough. */
  function hasLasted(schedule: ScheduleRecord, stage: StageRecord): boolean {
    const { duration_minutes } = MetricTrigger.parse(stage.trigger_config);
    return waitingSince(schedule) + duration_minutes * MINUTE <= runtime.now();
  }

  async function fail(schedule: ScheduleRecord, stage: StageRecord, evidence: RolloutEvidence, noted: Noted) {
    const reason = `Stage ${stage.order} failed: ${describe(stage, evidence)}`;
    const failed = (current: ScheduleRecord): ScheduleRecord =>
      current.status !== "ACTIVE" || nextStage(current)?.id !== stage.id
        ? current
        : {
            ...current,
            status: "PAUSED",
            pause_reason: reason,
            stages: current.stages.map((one) => (one.id === stage.id ? { ...one, status: "FAILED", evidence } : one)),
          };
    await schedules.update(schedule.id, failed, noted("rollout_schedule.fail", reason));
  }

  const progress: Progress = {
    async raise(seen, target, why, { schedule: { id }, change, by, ifVersion }) {
      const rolled = (flag: FlagRecord) => {
        const current = schedules.require(id);
        if (ifVersion !== undefined && ifVersion !== current.version) throw preconditionFailed();
        const next = change(current);
        if (isTakenBack(flag, seen) || isRolledBack(flag, next)) throw conflict(takenBack(flag));
        return next !== current && flag.rollout_percentage < target ? { rollout_percentage: target } : null;
      };
      let isChanged = false;
      const alongside = (): Companion => {
        const step = schedules.replacement(id, change, by);
        const begin = () => {
          isChanged = true;
          return step.begin();
        };
        return { ...step, begin };
      };
      await featureFlags.roll(seen.id, rolled, why, { alongside });
      // A flag that already has the target did not change.
      return isChanged ? schedules.require(id) : schedules.update(id, change, by, { ifVersion });
    },
    async begin(schedule, stage, seen, noted) {
      const reason = `Stage ${stage.order} of rollout schedule "${schedule.name}"`;
      const target = stage.target_percentage;
      const begun = (current: ScheduleRecord) =>
        current.status === "ACTIVE" && nextStage(current)?.id === stage.id ? withBegun(current, stage, now()) : current;
      const by = noted("rollout_schedule.advance", `Stage ${stage.order}: ${target} %`);
      return progress.raise(seen, target, noted("feature_flag.rollout", reason), { schedule, change: begun, by });
    },
    async follow(schedule, noted) {
      const flag = featureFlags.find(schedule.feature_flag_id);
      const stopped = flag ? obstacle(schedule, flag) : "The flag was deleted";
      if (!flag || stopped !== null) {
        await progress.pause(schedule.id, stopped ?? "", noted("rollout_schedule.pause", stopped ?? ""));
        return;
      }
      const stage = nextStage(schedule);
      if (!stage || stage.trigger === "MANUAL") return;
      const isMetric = stage.trigger === "METRIC";
      const evidence = isMetric ? await gatherEvidence(analysis, flag, schedule, stage, runtime.now()) : null;
      // Harm needs no minimum duration: the interval is valid at any time.
      if (evidence?.verdict === "REFUTED") return fail(schedule, stage, evidence, noted);
      const isDue =
        stage.trigger === "TIME"
          ? isTimeDue(schedule, stage)
          : evidence?.verdict === "HOLDS" && !evidence.sample_ratio_mismatch && hasLasted(schedule, stage);
      if (!isDue) return;
      try {
        await progress.begin(schedule, { ...stage, evidence }, flag, noted);
      } catch (error) {
        if (!isApiError(error) || error.status !== 409) throw error;
        await progress.pause(schedule.id, error.message, noted("rollout_schedule.pause", error.message));
      }
    },
    pause: (id, reason, by, from = ["ACTIVE"]) =>
      schedules.update(
        id,
        (current) => (from.includes(current.status) ? { ...current, status: "PAUSED", pause_reason: reason } : current),
        by,
      ),
  };
  return progress;
}

/** Whether a flag was lowered or its rules switched off since it was read, perhaps on another node. */
function isTakenBack(flag: FlagRecord, seen: FlagRecord): boolean {
  return flag.rollout_percentage < seen.rollout_percentage || (seen.rules_enabled && !flag.rules_enabled);
}

/**
 * Whether a flag was rolled back for safety since its schedule was activated, or shortly before on another node.
 * Compares counts, because clocks of two nodes cannot be compared.
 */
function isRolledBack({ rollbacks = 0 }: FlagRecord, { known_rollbacks = rollbacks }: ScheduleRecord): boolean {
  return rollbacks > known_rollbacks;
}

function takenBack({ rollout_percentage }: FlagRecord): string {
  return `The flag was rolled back to ${rollout_percentage} %`;
}

function describe({ trigger_config }: StageRecord, { difference, confidence_interval }: RolloutEvidence): string {
  const { event_type, comparison, threshold } = MetricTrigger.parse(trigger_config);
  const [lower, upper] = (confidence_interval ?? [0, 0]).map((end) => end.toFixed(4));
  const claim = `${comparison.toLowerCase().replaceAll("_", " ")} ${threshold}`;
  return `the difference in "${event_type}" is ${difference?.toFixed(4)}, between ${lower} and ${upper}, and not ${claim}`;
}
