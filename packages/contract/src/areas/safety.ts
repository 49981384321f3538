import * as z from "zod";
import { IdOrKey, page, paging, strict, Text, Timestamp, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { COMPARISONS } from "./rollout-schedules.ts";

export const AGGREGATIONS = ["RATE", "MEAN", "COUNT"] as const;

/** A monitored metric of the users who have a flag, and its thresholds. */
export const SafetyMetric = strict({
  event_type: z.string().min(1).max(255),
  aggregation: upper(AGGREGATIONS).default("RATE").meta({
    description: "RATE: share of users with the event. COUNT: events a user. MEAN: mean value of users with values",
  }),
  comparison: upper(COMPARISONS)
    .default("GREATER_THAN")
    .meta({ description: "On which side of a threshold it is bad" }),
  warning_threshold: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  critical_threshold: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  min_users: z.int().min(10).max(1_000_000_000).default(100).meta({
    description: "Least number of users in the rollout, and outside of it, for a check",
  }),
}).meta({ id: "SafetyMetric" });
export type SafetyMetric = z.infer<typeof SafetyMetric>;

const MetricName = z.string().min(1).max(100);
const WindowMinutes = z.int().min(1).max(43_200).meta({ description: "How far back the live values reach" });
const metrics = z.record(MetricName, SafetyMetric);

/** Defaults for flags without their own settings. */
export const SafetySettings = z
  .object({ automatic_rollback: z.boolean(), metrics, window_minutes: z.int(), updated_at: Timestamp.nullable() })
  .meta({ id: "SafetySettings" });
export type SafetySettings = z.infer<typeof SafetySettings>;

const MAX_METRICS = 20;
const fewEnough = (value: Record<string, unknown>) => Object.keys(value).length <= MAX_METRICS;
const tooMany = { message: `At most ${MAX_METRICS} metrics` };

/** The warning threshold comes before the critical one. */
function requireOrder(value: Record<string, SafetyMetric | null>, context: z.RefinementCtx): void {
  for (const [name, metric] of Object.entries(value)) {
    const { warning_threshold: warning, critical_threshold: critical, comparison } = metric ?? {};
    if (warning == null || critical == null) continue;
    if (comparison?.startsWith("GREATER") ? warning <= critical : warning >= critical) continue;
    const message = `The warning_threshold of ${warning} lies beyond the critical_threshold of ${critical}`;
    context.addIssue({ code: "custom", path: [name, "warning_threshold"], message });
  }
}

export const SafetySettingsUpdate = z
  .object({
    automatic_rollback: z.boolean().optional(),
    metrics: metrics
      .refine(fewEnough, tooMany)
      .superRefine(requireOrder)
      .optional()
      .meta({ description: "Replaces all of them" }),
    window_minutes: WindowMinutes.optional(),
  })
  .meta({ id: "SafetySettingsUpdate" });
export type SafetySettingsUpdate = z.infer<typeof SafetySettingsUpdate>;

export const FlagSafetyUpdate = z
  .object({
    automatic_rollback: z.boolean().nullish().meta({ description: "null takes the settings' again" }),
    metrics: z
      .record(MetricName, SafetyMetric.nullable())
      .refine(fewEnough, tooMany)
      .superRefine(requireOrder)
      .nullish()
      .meta({ description: "By name, over the settings'; null leaves one of theirs out" }),
    window_minutes: WindowMinutes.nullish(),
  })
  .meta({ id: "FlagSafetyUpdate" });
export type FlagSafetyUpdate = z.infer<typeof FlagSafetyUpdate>;

export const SAFETY_HEALTH = ["HEALTHY", "WARNING", "CRITICAL", "UNKNOWN"] as const;

/** The status of one metric. */
export const SafetyValue = z
  .object({
    name: z.string(),
    health: z.enum(SAFETY_HEALTH),
    live_value: z.number().nullable().meta({ description: "Of the users in the rollout, over the window" }),
    live_users: z.int(),
    users_in: z.int().meta({ description: "Different users since the rollout began" }),
    users_out: z.int(),
    value_in: z.number().nullable(),
    value_out: z.number().nullable(),
    difference: z.number().nullable(),
    confidence_interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "Of the difference since the rollout began; always valid",
    }),
    worse: z.boolean().meta({ description: "It is established that those in the rollout are worse off" }),
  })
  .meta({ id: "SafetyValue" });
export type SafetyValue = z.infer<typeof SafetyValue>;

/** The monitored metrics of a flag, with their status. */
export const FlagSafety = z
  .object({
    feature_flag_id: z.string(),
    feature_flag_key: z.string(),
    rollout_percentage: z.number(),
    automatic_rollback: z.boolean(),
    metrics,
    window_minutes: z.int(),
    overrides: z.object({
      automatic_rollback: z.boolean().nullable(),
      metrics: z.record(MetricName, SafetyMetric.nullable()),
      window_minutes: z.int().nullable(),
    }),
    health: z.enum(SAFETY_HEALTH),
    values: z.array(SafetyValue),
    watched_since: Timestamp.nullable().meta({ description: "Since when some have the flag and others do not" }),
    warnings: z.array(z.string()),
    unguarded_reason: z.string().nullable().meta({
      description: "Why the flag is not rolled back by itself as it stands now; null where it would be",
    }),
    evaluated_at: Timestamp,
  })
  .meta({ id: "FlagSafety" });
export type FlagSafety = z.infer<typeof FlagSafety>;

export const RollbackAnswer = z
  .object({
    success: z.boolean(),
    feature_flag_id: z.string(),
    previous_percentage: z.number(),
    new_percentage: z.number(),
    previous_status: z.string(),
    new_status: z.string(),
    rollback_id: z.string(),
    paused_schedules: z.array(z.string()).meta({ description: "Ids; they continue when a user activates them" }),
  })
  .meta({ id: "RollbackAnswer" });
export type RollbackAnswer = z.infer<typeof RollbackAnswer>;

export const Rollback = z
  .object({
    id: z.string(),
    feature_flag_id: z.string(),
    feature_flag_key: z.string(),
    automatic: z.boolean(),
    reason: z.string(),
    metric: z.string().nullable().meta({ description: "Name of the metric that was established to be worse" }),
    previous_percentage: z.number(),
    new_percentage: z.number(),
    evidence: SafetyValue.nullable(),
    created_by: z.string().nullable().meta({ description: "Null where it was automatic" }),
    created_at: Timestamp,
  })
  .meta({ id: "Rollback" });
export type Rollback = z.infer<typeof Rollback>;

const administers = { auth: { user: "ADMIN" }, limit: "admin" } as const;
const byFlag = z.object({ id: IdOrKey });

export const safety = defineArea({
  "GET /safety/settings": {
    ...administers,
    operationId: "safety.settings",
    summary: "What is watched of every flag",
    response: SafetySettings,
  },
  "PUT /safety/settings": {
    ...administers,
    operationId: "safety.updateSettings",
    summary: "Change the safety settings of all flags",
    body: SafetySettingsUpdate,
    response: SafetySettings,
  },
  "GET /safety/feature-flags/{id}": {
    operationId: "safety.flag",
    summary: "What is watched of a flag, with live values and health",
    auth: { user: true },
    limit: "api",
    params: byFlag,
    response: FlagSafety,
  },
  "PUT /safety/feature-flags/{id}": {
    operationId: "safety.updateFlag",
    summary: "Change the safety settings of a flag; absent fields keep their value",
    auth: { user: "DEVELOPER", own: true },
    limit: "api",
    params: byFlag,
    body: FlagSafetyUpdate,
    response: FlagSafety,
  },
  "POST /safety/rollback/{flag_id}": {
    operationId: "safety.rollback",
    summary: "Roll a flag back at once, to 0 % by default; at 0 no user gets it, not even by a rule",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: z.object({ flag_id: IdOrKey }),
    body: z.object({ percentage: z.number().min(0).max(100).default(0), reason: Text.optional() }).optional(),
    response: RollbackAnswer,
  },
  "GET /safety/rollback-history": {
    operationId: "safety.history",
    summary: "Every rollback, newest first",
    auth: { user: "ANALYST" },
    limit: "api",
    query: z.object({ ...paging(500, 100), feature_flag_id: IdOrKey.optional() }),
    response: page(Rollback),
  },
});
