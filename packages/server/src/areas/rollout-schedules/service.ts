import type {
  RolloutScheduleCreate,
  RolloutScheduleUpdate,
  RolloutStageInput,
  RolloutStageReplacement,
  RolloutStageUpdate,
} from "@assay/contract";
import type { Analysis } from "../../analysis/analysis.ts";
import { badRequest, conflict, invalid, isApiError, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import { type Caller, personOf } from "../../model/caller.ts";
import { type ScheduleRecord, type StageRecord, takenByActive } from "../../model/rollout-schedule.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { gatherEvidence } from "./evidence.ts";
import { createProgress, type Noted } from "./progress.ts";
import { currentStage, hasSamePlan, mergeStage, nextStage, ordered, requirePending, toStage } from "./stage.ts";
import { changed, moved, requireReady, type ScheduleStatus } from "./transition.ts";

export interface ScheduleFilter {
  feature_flag_id?: string | undefined;
  status?: ScheduleStatus | undefined;
}

export interface RolloutScheduleService {
  /** Newest first. */
  list(filter: ScheduleFilter): ScheduleRecord[];
  /** With the evidence for the next METRIC stage. @throws ApiError 404 */
  show(id: string): Promise<ScheduleRecord>;
  /** @throws ApiError 403, 422 */
  create(body: RolloutScheduleCreate, caller: Caller, by: Change): Promise<ScheduleRecord>;
  /** @throws ApiError 400 if stages are given and it is not a DRAFT, 403, 404, 412, 422 */
  update(id: string, body: RolloutScheduleUpdate, by: Change, ifVersion?: number): Promise<ScheduleRecord>;
  /** @throws ApiError 400 while ACTIVE or PAUSED, 403, 404, 412 */
  remove(id: string, by: Change, ifVersion?: number): Promise<void>;
  /** @throws ApiError 400 naming both states, 403, 404, 409 if the flag cannot be rolled out now, 412 */
  activate(id: string, noted: Noted, ifVersion?: number): Promise<ScheduleRecord>;
  /** Pauses or cancels. @throws ApiError 400 naming both states, 403, 404, 412 */
  move(id: string, status: "PAUSED" | "CANCELLED", by: Change, ifVersion?: number): Promise<ScheduleRecord>;
  /** @throws ApiError 400 unless DRAFT or PAUSED, 403, 404, 412, 422 */
  addStage(id: string, body: RolloutStageInput, by: Change, ifVersion?: number): Promise<ScheduleRecord>;
  /** @throws ApiError 400 if it has started, or the schedule is neither DRAFT nor PAUSED, 403, 404, 412, 422 */
  updateStage(stageId: string, body: RolloutStageUpdate, by: Change, ifVersion?: number): Promise<ScheduleRecord>;
  /** @throws ApiError 400 if it has started, or the schedule is neither DRAFT nor PAUSED, 403, 404, 412 */
  removeStage(stageId: string, by: Change, ifVersion?: number): Promise<void>;
  /** Starts a stage manually. @throws ApiError 400 unless it is the next one of an ACTIVE schedule, 403, 404, 409 */
  advance(stageId: string, noted: Noted): Promise<ScheduleRecord>;
  active(): ScheduleRecord[];
  /** Performs what is due on one ACTIVE schedule. */
  follow(id: string, noted: Noted): Promise<void>;
  /** Pauses the ACTIVE schedules of a flag. Returns their ids. */
  pauseAll(flagId: string, reason: string, by: Change): Promise<string[]>;
}

export function createRolloutScheduleService(deps: {
  runtime: Runtime;
  schedules: Collection<ScheduleRecord>;
  featureFlags: FeatureFlagService;
  analysis: Analysis;
  rights: Rights;
}): RolloutScheduleService {
  const { runtime, schedules, featureFlags, analysis, rights } = deps;
  const progress = createProgress(deps);
  const now = () => timestampOf(runtime.now());

  /** @throws ApiError 403, 404 */
  function owned(id: string, by: Change): ScheduleRecord {
    const schedule = schedules.require(id);
    rights.require(by, "schedules", unchanged(schedule));
    return schedule;
  }

  /** @throws ApiError 403, 404 */
  function ownedByStage(stageId: string, by: Change): ScheduleRecord {
    const schedule = schedules.all().find(({ stages }) => stages.some(({ id }) => id === stageId));
    if (!schedule) throw notFound();
    return owned(schedule.id, by);
  }

  const stageOf = ({ stages }: ScheduleRecord, stageId: string): StageRecord => {
    const stage = stages.find(({ id }) => id === stageId);
    if (!stage) throw notFound();
    return stage;
  };

  const toStages = (inputs: readonly RolloutStageReplacement[], before: readonly StageRecord[] = []) =>
    ordered(
      inputs.map((input, index) => {
        const kept = before.find(({ id }) => id === input.id);
        return toStage(input, kept?.id ?? runtime.id(), ["body", "stages", index]);
      }),
      (index) => ["body", "stages", index],
    );

  const service: RolloutScheduleService = {
    list({ feature_flag_id, status }) {
      const flagId = feature_flag_id === undefined ? undefined : (featureFlags.find(feature_flag_id)?.id ?? "");
      return schedules
        .all()
        .reverse()
        .filter((one) => flagId === undefined || one.feature_flag_id === flagId)
        .filter((one) => !status || one.status === status);
    },
    async show(id) {
      const schedule = schedules.require(id);
      const [stage, flag] = [nextStage(schedule), featureFlags.find(schedule.feature_flag_id)];
      if (schedule.status !== "ACTIVE" || stage?.trigger !== "METRIC" || !flag) return schedule;
      const evidence = await gatherEvidence(analysis, flag, schedule, stage, runtime.now());
      return { ...schedule, stages: schedule.stages.map((one) => (one.id === stage.id ? { ...one, evidence } : one)) };
    },
    async create(body, caller, by) {
      const flag = featureFlags.find(body.feature_flag_id);
      if (!flag) throw invalid(["body", "feature_flag_id"], `Feature flag "${body.feature_flag_id}" does not exist`);
      rights.require(by, "flags", unchanged(flag));
      const schedule: Omit<ScheduleRecord, "id" | "created_at" | "updated_at" | "version"> = {
        name: body.name,
        description: body.description ?? "",
        feature_flag_id: flag.id,
        feature_flag_key: flag.key,
        status: "DRAFT",
        pause_reason: null,
        stages: toStages(body.stages ?? []),
        activated_at: null,
        completed_at: null,
        created_by: personOf(caller) ?? "",
      };
      return schedules.insert(schedule, by);
    },
    async update(id, { name, description, stages }, by, ifVersion) {
      owned(id, by);
      const change = (current: ScheduleRecord): ScheduleRecord => {
        const replaced = stages === undefined ? current.stages : toStages(stages ?? [], current.stages);
        const stays = hasSamePlan(replaced, current.stages);
        if (!stays && current.status !== "DRAFT") {
          throw badRequest(`Stages can be replaced only in DRAFT; this schedule is ${current.status}`);
        }
        return {
          ...current,
          name: name ?? current.name,
          description: description === undefined ? current.description : (description ?? ""),
          stages: stays ? current.stages : replaced,
        };
      };
      return schedules.update(id, change, by, { ifVersion });
    },
    async remove(id, by, ifVersion) {
      const { status } = owned(id, by);
      if (status === "ACTIVE" || status === "PAUSED") {
        throw badRequest(`A rollout schedule that is ${status} cannot be deleted; cancel it first`);
      }
      await schedules.remove(id, by, { ifVersion });
    },
    async activate(id, noted, ifVersion) {
      // Checks the transition first, even if the flag is gone.
      const by = noted("rollout_schedule.activate");
      const { feature_flag_id } = moved(owned(id, by), "ACTIVE");
      const flag = featureFlags.require(feature_flag_id);
      const activated = (current: ScheduleRecord): ScheduleRecord => {
        const active = moved(current, "ACTIVE");
        const other = schedules.findBy("active", flag.id);
        if (other) throw conflict(takenByActive(current));
        // A failed stage starts over, with new evidence only.
        const stages = active.stages.map(
          (stage): StageRecord => (stage.status === "FAILED" ? { ...stage, status: "PENDING", evidence: null } : stage),
        );
        requireReady({ ...active, stages }, flag);
        featureFlags.requireRollable(flag);
        return { ...active, stages, activated_at: now(), known_rollbacks: flag.rollbacks ?? 0 };
      };
      const before = schedules.require(id);
      const target = currentStage(before)?.target_percentage ?? 0;
      const why = noted("feature_flag.rollout", `Rollout schedule "${before.name}" continues`);
      activated(before);
      const step = { schedule: before, change: activated, by, ifVersion };
      const schedule = await progress.raise(flag, target, why, step).catch(async (error: unknown) => {
        // The batch wrote nothing. If the flag rejects the plan, the schedule waits for a decision.
        if (isApiError(error) && error.status === 409) {
          await progress.pause(id, error.message, noted("rollout_schedule.pause", error.message), ["DRAFT", "PAUSED"]);
        }
        throw error;
      });
      if (nextStage(schedule)?.trigger === "TIME") await progress.follow(schedule, noted);
      return schedules.require(id);
    },
    async move(id, status, by, ifVersion) {
      owned(id, by);
      return schedules.update(id, (current) => moved(current, status), by, { ifVersion });
    },
    async addStage(id, body, by, ifVersion) {
      owned(id, by);
      const stage = toStage(body, runtime.id(), ["body"]);
      return schedules.update(id, (current) => changed(current, [...current.stages, stage]), by, { ifVersion });
    },
    async updateStage(stageId, body, by, ifVersion) {
      const { id } = ownedByStage(stageId, by);
      const change = (current: ScheduleRecord) => {
        const merged = mergeStage(stageOf(current, stageId), body);
        return changed(
          current,
          current.stages.map((stage) => (stage.id === stageId ? merged : stage)),
        );
      };
      return schedules.update(id, change, by, { ifVersion });
    },
    async removeStage(stageId, by, ifVersion) {
      const { id } = ownedByStage(stageId, by);
      const change = (current: ScheduleRecord) => {
        requirePending(stageOf(current, stageId));
        return changed(
          current,
          current.stages.filter((stage) => stage.id !== stageId),
        );
      };
      await schedules.update(id, change, by, { ifVersion });
    },
    async advance(stageId, noted) {
      const schedule = ownedByStage(stageId, noted("rollout_schedule.advance"));
      const stage = stageOf(schedule, stageId);
      if (schedule.status !== "ACTIVE") {
        throw badRequest(`Stages can start only while a rollout schedule is ACTIVE; this one is ${schedule.status}`);
      }
      if (stage.status !== "PENDING")
        throw badRequest(`Stage ${stage.order} cannot go from ${stage.status} to IN_PROGRESS`);
      const next = nextStage(schedule);
      if (next?.id !== stageId) throw badRequest(`Stage ${stage.order} cannot start before stage ${next?.order}`);
      const flag = featureFlags.require(schedule.feature_flag_id);
      if (flag.status !== "ACTIVE")
        throw conflict(`Feature flag "${flag.key}" is ${flag.status}; make it ACTIVE first`);
      return progress.begin(schedule, stage, flag, noted);
    },
    active: () => schedules.all().filter(({ status }) => status === "ACTIVE"),
    async follow(id, noted) {
      const schedule = schedules.get(id);
      if (schedule?.status === "ACTIVE") await progress.follow(schedule, noted);
    },
    async pauseAll(flagId, reason, by) {
      const running = service.active().filter(({ feature_flag_id }) => feature_flag_id === flagId);
      const paused = await Promise.all(running.map(({ id }) => progress.pause(id, reason, by)));
      return paused.map(({ id }) => id);
    },
  };
  return service;
}
