import * as z from "zod";
import { IdOrKey, Name, page, paging, strict, Text, Timestamp, TimestampInput, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

export const SCHEDULE_STATUSES = ["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "CANCELLED"] as const;
export const STAGE_STATUSES = ["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"] as const;
export const STAGE_TRIGGERS = ["TIME", "METRIC", "MANUAL"] as const;
export const COMPARISONS = ["GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL"] as const;

const Minutes = z.int().min(0).max(525_600);

/**
 * When a stage begins automatically: at a time, or some time after the previous stage began (for the first stage: after
 * the activation).
 */
export const TimeTrigger = z
  .union([strict({ at: TimestampInput }), strict({ after_minutes: Minutes })])
  .meta({ id: "TimeTrigger" });

/**
 * The evidence that a stage requires before it begins: a metric of users in the rollout compared with users outside of
 * it.
 */
export const MetricTrigger = strict({
  event_type: z.string().min(1).max(255),
  comparison: upper(COMPARISONS),
  threshold: z
    .number()
    .min(-1)
    .max(1)
    .meta({
      description:
        "Threshold of the difference: the share of users with the event among users in the rollout minus the " +
        "share among users outside of it. -0.01 with GREATER_THAN means at most one percentage point worse",
    }),
  min_users: z
    .int()
    .min(10)
    .max(1_000_000_000)
    .default(100)
    .meta({ description: "Minimum number of distinct users in the rollout, and outside of it" }),
  duration_minutes: Minutes.default(0).meta({ description: "Minimum duration of the previous stage, in minutes" }),
}).meta({ id: "MetricTrigger" });
export type MetricTrigger = z.infer<typeof MetricTrigger>;

const stageInput = {
  target_percentage: z.number().gt(0).max(100),
  trigger: upper(STAGE_TRIGGERS),
  trigger_config: z.record(z.string(), z.unknown()).nullish().meta({
    description: "A TimeTrigger for TIME, a MetricTrigger for METRIC, null for MANUAL",
  }),
};

export const RolloutStageInput = z.object(stageInput).meta({ id: "RolloutStageInput" });
export type RolloutStageInput = z.infer<typeof RolloutStageInput>;

/** A metric of users in and outside of the rollout, since the schedule was last activated. */
export const RolloutEvidence = z
  .object({
    users_in: z.int(),
    users_out: z.int(),
    value_in: z.number().nullable(),
    value_out: z.number().nullable(),
    difference: z.number().nullable(),
    confidence_interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "Stays valid under repeated looks",
    }),
    verdict: z.enum(["HOLDS", "REFUTED", "OPEN"]),
    sample_ratio_mismatch: z.boolean(),
    evaluated_at: Timestamp,
  })
  .meta({ id: "RolloutEvidence" });
export type RolloutEvidence = z.infer<typeof RolloutEvidence>;

/** One stage: when `trigger` fires, `target_percentage` of the users get the flag. */
export const RolloutStage = z
  .object({
    id: z.string(),
    order: z.int().meta({ description: "Position in the schedule, starting at 1" }),
    target_percentage: z.number(),
    trigger: z.enum(STAGE_TRIGGERS),
    trigger_config: z.union([TimeTrigger, MetricTrigger]).nullable(),
    status: z.enum(STAGE_STATUSES),
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
    evidence: RolloutEvidence.nullable().meta({
      description:
        "Evidence of a METRIC stage: the evidence that started it, or the current evidence if a single " +
        "schedule is retrieved",
    }),
  })
  .meta({ id: "RolloutStage" });
export type RolloutStage = z.infer<typeof RolloutStage>;

export const RolloutSchedule = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    feature_flag_id: z.string(),
    feature_flag_key: z.string(),
    status: z.enum(SCHEDULE_STATUSES),
    pause_reason: z.string().nullable().meta({ description: "Why the schedule paused itself" }),
    stages: z.array(RolloutStage),
    activated_at: Timestamp.nullable().meta({ description: "When the schedule last became ACTIVE" }),
    completed_at: Timestamp.nullable(),
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: "RolloutSchedule" });
export type RolloutSchedule = z.infer<typeof RolloutSchedule>;

export const RolloutScheduleCreate = z
  .object({
    name: Name,
    description: Text.nullish(),
    feature_flag_id: IdOrKey,
    stages: z.array(RolloutStageInput).max(50).nullish(),
  })
  .meta({ id: "RolloutScheduleCreate" });
export type RolloutScheduleCreate = z.infer<typeof RolloutScheduleCreate>;

const RolloutStageReplacement = RolloutStageInput.extend({
  id: Uuid.optional().meta({ description: "Id of an existing stage to keep; a stage without an id is new" }),
}).meta({ id: "RolloutStageReplacement" });
export type RolloutStageReplacement = z.infer<typeof RolloutStageReplacement>;

export const RolloutScheduleUpdate = z
  .object({ name: Name, description: Text.nullish(), stages: z.array(RolloutStageReplacement).max(50).nullish() })
  .partial()
  .meta({ id: "RolloutScheduleUpdate" });
export type RolloutScheduleUpdate = z.infer<typeof RolloutScheduleUpdate>;

export const RolloutStageUpdate = z.object(stageInput).partial().meta({ id: "RolloutStageUpdate" });
export type RolloutStageUpdate = z.infer<typeof RolloutStageUpdate>;

const byId = z.object({ id: Uuid });
const byStage = z.object({ stage_id: Uuid });
const reads = { auth: { user: true }, limit: "api" } as const;
const changes = { auth: { user: "DEVELOPER", own: true }, limit: "api" } as const;
const moves = { ...changes, params: byId, response: RolloutSchedule } as const;

export const rolloutSchedules = defineArea({
  "POST /rollout-schedules": {
    ...changes,
    operationId: "rolloutSchedules.create",
    summary: "Create a schedule that rolls out a flag in stages",
    body: RolloutScheduleCreate,
    status: 201,
    response: RolloutSchedule,
  },
  "GET /rollout-schedules": {
    ...reads,
    operationId: "rolloutSchedules.list",
    summary: "List rollout schedules, newest first",
    query: z.object({
      ...paging(500, 100),
      feature_flag_id: IdOrKey.optional(),
      status: upper(SCHEDULE_STATUSES).optional(),
    }),
    response: page(RolloutSchedule),
  },
  "GET /rollout-schedules/{id}": {
    ...reads,
    operationId: "rolloutSchedules.get",
    summary: "Retrieve a rollout schedule, with the current evidence for its next METRIC stage",
    params: byId,
    response: RolloutSchedule,
  },
  "PUT /rollout-schedules/{id}": {
    ...moves,
    operationId: "rolloutSchedules.update",
    summary: "Rename a schedule, or replace the stages of a DRAFT",
    body: RolloutScheduleUpdate,
  },
  "DELETE /rollout-schedules/{id}": {
    ...changes,
    operationId: "rolloutSchedules.delete",
    summary: "Delete a DRAFT, COMPLETED or CANCELLED schedule",
    params: byId,
    status: 204,
  },
  "POST /rollout-schedules/{id}/activate": {
    ...moves,
    operationId: "rolloutSchedules.activate",
    summary: "Activate a schedule: from DRAFT or PAUSED to ACTIVE",
  },
  "POST /rollout-schedules/{id}/pause": {
    ...moves,
    operationId: "rolloutSchedules.pause",
    summary: "Pause a schedule: from ACTIVE to PAUSED; the percentage stays",
  },
  "POST /rollout-schedules/{id}/cancel": {
    ...moves,
    operationId: "rolloutSchedules.cancel",
    summary: "Cancel a schedule: from DRAFT, ACTIVE or PAUSED to CANCELLED; the percentage stays",
  },
  "POST /rollout-schedules/{id}/stages": {
    ...changes,
    operationId: "rolloutStages.create",
    summary: "Add a stage at the end of a schedule",
    params: byId,
    body: RolloutStageInput,
    status: 201,
    response: RolloutSchedule,
  },
  "PUT /rollout-schedules/stages/{stage_id}": {
    ...changes,
    operationId: "rolloutStages.update",
    summary: "Update a stage that has not begun",
    params: byStage,
    body: RolloutStageUpdate,
    response: RolloutSchedule,
  },
  "DELETE /rollout-schedules/stages/{stage_id}": {
    ...changes,
    operationId: "rolloutStages.delete",
    summary: "Remove a stage that has not begun",
    params: byStage,
    status: 204,
  },
  "POST /rollout-schedules/stages/{stage_id}/advance": {
    ...changes,
    operationId: "rolloutStages.advance",
    summary: "Start the next stage now, regardless of its trigger",
    params: byStage,
    response: RolloutSchedule,
  },
});
