import * as z from "zod";
import { IdOrKey, page, paging, strict, Text, Timestamp, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { COMPARISONS } from "./rollout-schedules.ts";

export const AGGREGATIONS = ["RATE", "MEAN", "COUNT"] as const;

/** A metric to monitor among users who have a flag, with its thresholds. */
export const SafetyMetric = strict({
  event_type: z.string().min(1).max(255),
  aggregation: upper(AGGREGATIONS)
    .default("RATE")
    .meta({
      description:
        "RATE: share of users with the event. COUNT: events per user. MEAN: mean value among users with a " + "value",
    }),
  comparison: upper(COMPARISONS).default("GREATER_THAN").meta({ description: "Side of the threshold that is harmful" }),
  warning_threshold: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  critical_threshold: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  min_users: z.int().min(10).max(1_000_000_000).default(100).meta({
    description: "Minimum number of users in the rollout, and outside of it, for a check",
  }),
}).meta({ id: "SafetyMetric" });
export type SafetyMetric = z.infer<typeof SafetyMetric>;

const MetricName = z.string().min(1).max(100);
const WindowMinutes = z.int().min(1).max(43_200).meta({ description: "Time window of the live values, in minutes" });
const metrics = z.record(MetricName, SafetyMetric);

/** The safety settings of all flags; a flag can override them. */
export const SafetySettings = z
  .object({ automatic_rollback: z.boolean(), metrics, window_minutes: z.int(), updated_at: Timestamp.nullable() })
  .meta({ id: "SafetySettings" });
export type SafetySettings = z.infer<typeof SafetySettings>;

const MAX_METRICS = 20;
const fewEnough = (value: Record<string, unknown>) => Object.keys(value).length <= MAX_METRICS;
const tooMany = { message: `At most ${MAX_METRICS} metrics` };

/** Requires that the value reaches the warning threshold before the critical threshold. */
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
      .meta({ description: "Replaces all monitored metrics" }),
    window_minutes: WindowMinutes.optional(),
  })
  .meta({ id: "SafetySettingsUpdate" });
export type SafetySettingsUpdate = z.infer<typeof SafetySettingsUpdate>;

export const FlagSafetyUpdate = z
  .object({
    automatic_rollback: z.boolean().nullish().meta({ description: "Null: use the value of the safety settings" }),
    metrics: z
      .record(MetricName, SafetyMetric.nullable())
      .refine(fewEnough, tooMany)
      .superRefine(requireOrder)
      .nullish()
      .meta({
        description:
          "Monitored metrics by name; they override metrics of the safety settings, and null removes one of those",
      }),
    window_minutes: WindowMinutes.nullish(),
  })
  .meta({ id: "FlagSafetyUpdate" });
export type FlagSafetyUpdate = z.infer<typeof FlagSafetyUpdate>;

export const SAFETY_HEALTH = ["HEALTHY", "WARNING", "CRITICAL", "UNKNOWN"] as const;

/** The current value and status of one monitored metric. */
export const SafetyValue = z
  .object({
    name: z.string(),
    health: z.enum(SAFETY_HEALTH),
    live_value: z.number().nullable().meta({ description: "Value of the users in the rollout, within the window" }),
    live_users: z.int(),
    users_in: z.int().meta({ description: "Number of distinct users since the rollout began" }),
    users_out: z.int(),
    value_in: z.number().nullable(),
    value_out: z.number().nullable(),
    difference: z.number().nullable(),
    confidence_interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "Confidence interval of the difference since the rollout began; valid at any time",
    }),
    worse: z.boolean().meta({ description: "Whether users in the rollout are significantly worse off" }),
  })
  .meta({ id: "SafetyValue" });
export type SafetyValue = z.infer<typeof SafetyValue>;

/** The safety settings of a flag, with the status of each monitored metric. */
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
    watched_since: Timestamp.nullable().meta({
      description: "Start of the comparison: since then some users have the flag and others do not",
    }),
    warnings: z.array(z.string()),
    unguarded_reason: z.string().nullable().meta({
      description: "Why the flag cannot be rolled back automatically at the moment; null if it can",
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
    paused_schedules: z
      .array(z.string())
      .meta({ description: "Ids of the rollout schedules that were paused; a user can activate them again" }),
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
    metric: z.string().nullable().meta({ description: "Name of the metric that became worse" }),
    previous_percentage: z.number(),
    new_percentage: z.number(),
    evidence: SafetyValue.nullable(),
    created_by: z.string().nullable().meta({ description: "Id of the user; null for an automatic rollback" }),
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
    summary: "Retrieve the safety settings of all flags",
    response: SafetySettings,
  },
  "PUT /safety/settings": {
    ...administers,
    operationId: "safety.updateSettings",
    summary: "Update the safety settings of all flags",
    body: SafetySettingsUpdate,
    response: SafetySettings,
  },
  "GET /safety/feature-flags/{id}": {
    operationId: "safety.flag",
    summary: "Retrieve the monitored metrics of a flag, with live values and health",
    auth: { user: true },
    limit: "api",
    params: byFlag,
    response: FlagSafety,
  },
  "PUT /safety/feature-flags/{id}": {
    operationId: "safety.updateFlag",
    summary: "Update the safety settings of a flag: absent fields keep their value",
    auth: { user: "DEVELOPER", own: true },
    limit: "api",
    params: byFlag,
    body: FlagSafetyUpdate,
    response: FlagSafety,
  },
  "POST /safety/rollback/{flag_id}": {
    operationId: "safety.rollback",
    summary: "Roll a flag back immediately, by default to 0 %; at 0 % no user gets the flag, not even by a rule",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: z.object({ flag_id: IdOrKey }),
    body: z.object({ percentage: z.number().min(0).max(100).default(0), reason: Text.optional() }).optional(),
    response: RollbackAnswer,
  },
  "GET /safety/rollback-history": {
    operationId: "safety.history",
    summary: "List rollbacks, newest first",
    auth: { user: "ANALYST" },
    limit: "api",
    query: z.object({ ...paging(500, 100), feature_flag_id: IdOrKey.optional() }),
    response: page(Rollback),
  },
});
