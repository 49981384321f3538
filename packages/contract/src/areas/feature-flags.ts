import * as z from "zod";
import {
  IdOrKey,
  Json,
  JsonObject,
  Name,
  page,
  paging,
  QueryBoolean,
  QueryJsonObject,
  strict,
  Text,
  Timestamp,
  TimestampInput,
  UserId,
  upper,
} from "../fields.ts";
import { defineArea } from "../route.ts";
import { Prerequisite, Rule, TargetingRules } from "../targeting.ts";
import { ACTOR_TYPES } from "./audit-logs.ts";
import { Key } from "./experiments.ts";

export const FLAG_STATUSES = ["ACTIVE", "INACTIVE", "ARCHIVED"] as const;
export const VALUE_TYPES = ["BOOLEAN", "STRING", "NUMBER", "OBJECT"] as const;
/** Why a flag is stale; the last three take 30 days. */
export const STALE_REASONS = ["EXPIRED", "NOT_EVALUATED", "FULLY_ROLLED_OUT", "SWITCHED_OFF"] as const;
export const REASONS = [
  "TARGETING_MATCH",
  "SPLIT",
  "STATIC",
  "DEFAULT",
  "DISABLED",
  "PREREQUISITE_FAILED",
  "HOLDOUT",
  "ERROR",
] as const;

export const FlagVariant = strict({
  key: Key,
  name: Name.optional(),
  weight: z.number().min(0).max(100).optional(),
  value: Json,
}).meta({
  id: "FlagVariant",
});

const inputFields = {
  key: Key,
  name: Name,
  description: Text.nullish(),
  status: upper(FLAG_STATUSES).optional(),
  rollout_percentage: z.number().min(0).max(100).optional(),
  targeting_rules: TargetingRules.nullish(),
  rules: z.array(Rule).max(50).nullish(),
  rules_enabled: z.boolean().optional(),
  prerequisites: z.array(Prerequisite).max(20).nullish(),
  variants: z.array(FlagVariant).max(50).nullish(),
  value_type: upper(VALUE_TYPES).optional(),
  default_value: Json.optional(),
  bucket_by: z.string().min(1).max(255).nullish(),
  client_side: z.boolean().optional(),
  expires_at: TimestampInput.nullish().meta({
    description: "When it should be gone; it is then `stale`, nothing else",
  }),
  permanent: z
    .boolean()
    .optional()
    .meta({ description: "Meant to stay, a kill switch for example: only `expires_at` makes it stale" }),
  tags: z.array(z.string().min(1).max(100)).max(50).nullish(),
};

export const FeatureFlagCreate = z.object(inputFields).meta({ id: "FeatureFlagCreate" });
export type FeatureFlagCreate = z.infer<typeof FeatureFlagCreate>;

export const FeatureFlagUpdate = z
  .object(inputFields)
  .partial()
  .extend({ reason: Text.optional() })
  .meta({ id: "FeatureFlagUpdate" });
export type FeatureFlagUpdate = z.infer<typeof FeatureFlagUpdate>;

const summaryFields = {
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(FLAG_STATUSES),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_evaluated_at: Timestamp.nullable().meta({
    description: "To the minute; by HTTP, in the server's process, or told by a tracking event. Null where never seen",
  }),
  stale: z.boolean().meta({ description: "It has probably done its work" }),
  stale_reasons: z.array(z.enum(STALE_REASONS)),
};

export const FeatureFlagSummary = z.object(summaryFields).meta({ id: "FeatureFlagSummary" });

export const FeatureFlag = z
  .object({
    ...summaryFields,
    rollout_percentage: z.number(),
    targeting_rules: TargetingRules.nullable(),
    rules: z.array(Rule),
    rules_enabled: z.boolean(),
    prerequisites: z.array(Prerequisite),
    variants: z.array(FlagVariant),
    value_type: z.enum(VALUE_TYPES),
    default_value: Json,
    bucket_by: z.string().nullable(),
    client_side: z.boolean(),
    expires_at: Timestamp.nullable(),
    permanent: z.boolean().default(false),
    tags: z.array(z.string()),
    created_by: z.string(),
    version: z.int(),
  })
  .meta({ id: "FeatureFlag" });
export type FeatureFlag = z.infer<typeof FeatureFlag>;

export const TraceStep = z.object({ step: z.string(), subject: z.string(), matched: z.boolean(), detail: z.string() });

export const Evaluation = z
  .object({
    key: z.string(),
    enabled: z.boolean(),
    value: Json,
    variant: z.string().nullable(),
    reason: z.enum(REASONS),
    rule_id: z.string().nullable(),
    bucket: z.number().nullable(),
    error_code: z.string().optional(),
    error_message: z.string().optional(),
    trace: z.array(TraceStep).optional(),
  })
  .meta({ id: "Evaluation" });

export const BulkToggle = z
  .object({
    flag_ids: z.array(IdOrKey).min(1).max(100).meta({ description: "Ids or keys; a flag named twice counts once" }),
    action: upper(["ENABLE", "DISABLE", "ARCHIVE"]),
    reason: Text.optional(),
  })
  .meta({ id: "BulkToggle" });
export type BulkToggle = z.infer<typeof BulkToggle>;

export const BulkToggleResult = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(
      z.object({
        flag_id: z.string().meta({ description: "As asked for where there is no such flag" }),
        flag_key: z.string().nullable(),
        success: z.boolean(),
        error: z.string().nullable(),
        old_status: z.enum(FLAG_STATUSES).nullable(),
        new_status: z.enum(FLAG_STATUSES).nullable(),
      }),
    ),
  })
  .meta({ id: "BulkToggleResult" });
export type BulkToggleResult = z.infer<typeof BulkToggleResult>;

const FlagDifference = z.object({
  path: z.string().meta({ description: "JSON Pointer", examples: ["/targeting_rules/countries"] }),
  op: z.enum(["ADD", "REMOVE", "REPLACE"]),
  old_value: Json,
  new_value: Json,
});

export const FlagHistory = page(
  z.object({
    id: z.string().meta({ description: "The audit entry" }),
    timestamp: Timestamp,
    actor_id: z.string().nullable(),
    actor_type: z.enum(ACTOR_TYPES),
    action: z.string().meta({ examples: ["feature_flag.update"] }),
    old_value: JsonObject.nullable().meta({ description: "The fields that changed, before" }),
    new_value: JsonObject.nullable().meta({ description: "The fields that changed, after" }),
    diff: z.array(FlagDifference).meta({ description: "Where they differ" }),
    reason: z.string().nullable(),
  }),
).meta({ id: "FlagHistory" });
export type FlagHistory = z.infer<typeof FlagHistory>;

const byId = z.object({ id: IdOrKey });
const reads = { auth: { user: true, key: "read" }, limit: "api", cache: "definitions" } as const;
const changes = {
  auth: { user: "DEVELOPER", own: true, key: "admin" },
  limit: "api",
  params: byId,
  response: FeatureFlag,
} as const;

export const featureFlags = defineArea({
  "GET /feature-flags/": {
    ...reads,
    operationId: "featureFlags.list",
    summary: "Feature flags, filtered and searched",
    query: z.object({
      status_filter: upper(FLAG_STATUSES).optional(),
      ...paging(500, 100),
      search: z.string().max(255).optional(),
      stale: QueryBoolean.optional(),
    }),
    response: z.array(FeatureFlagSummary),
  },
  "POST /feature-flags/": {
    operationId: "featureFlags.create",
    summary: "Create a feature flag",
    auth: { user: "DEVELOPER", key: "admin" },
    limit: "api",
    body: FeatureFlagCreate,
    status: 201,
    response: FeatureFlag,
  },
  "GET /feature-flags/{id}": {
    ...reads,
    operationId: "featureFlags.get",
    summary: "A feature flag, by id or key",
    params: byId,
    response: FeatureFlag,
  },
  "PUT /feature-flags/{id}": {
    ...changes,
    operationId: "featureFlags.update",
    summary: "Change a feature flag: absent fields keep their value, null clears",
    body: FeatureFlagUpdate,
  },
  "PATCH /feature-flags/{id}": {
    ...changes,
    operationId: "featureFlags.patch",
    summary: "The same as PUT",
    body: FeatureFlagUpdate,
  },
  "PATCH /feature-flags/{id}/rollout": {
    ...changes,
    auth: { user: "DEVELOPER", own: true, key: "write" },
    operationId: "featureFlags.setRollout",
    summary: "Change the rollout percentage only",
    body: z.object({ rollout_percentage: z.number().min(0).max(100), reason: Text.optional() }),
  },
  "DELETE /feature-flags/{id}": {
    operationId: "featureFlags.delete",
    summary: "Delete a feature flag",
    auth: { user: "DEVELOPER", own: true, key: "admin" },
    limit: "api",
    params: byId,
    status: 204,
  },
  "POST /feature-flags/bulk-toggle": {
    operationId: "featureFlags.bulkToggle",
    summary: "Enable, disable or archive up to 100 flags; each succeeds or fails by itself",
    auth: { user: "DEVELOPER" },
    limit: "api",
    body: BulkToggle,
    response: BulkToggleResult,
  },
  "GET /feature-flags/{id}/history": {
    operationId: "featureFlags.history",
    summary: "What was done to a feature flag, newest first; by id also after it was deleted",
    auth: { user: "ANALYST" },
    limit: "api",
    params: byId,
    query: z.object(paging(500, 100)),
    response: FlagHistory,
  },
  "GET /feature-flags/user/{user_id}": {
    operationId: "featureFlags.forUser",
    summary: "Whether each flag is on for a user",
    auth: { key: "read" },
    limit: "api",
    client: true,
    params: z.object({ user_id: UserId }),
    query: z.object({ context: QueryJsonObject.optional() }),
    response: z.record(z.string(), z.boolean()),
  },
  "POST /feature-flags/{key}/evaluate": {
    operationId: "featureFlags.evaluate",
    summary: "Evaluate a flag for a user; `explain=true` adds the trace",
    auth: { key: "read" },
    limit: "api",
    client: true,
    params: z.object({ key: IdOrKey }),
    query: z.object({ explain: QueryBoolean.default(false) }),
    body: z.object({ user_id: UserId, attributes: JsonObject.optional() }),
    response: Evaluation,
  },
});
