import * as z from "zod";
import {
  IdOrKey,
  JsonObject,
  paging,
  QueryBoolean,
  QueryJsonObject,
  sortBy,
  Text,
  UserId,
  upper,
} from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { BulkToggle, BulkToggleResult } from "./feature-flags/bulk-toggle.ts";
import { Evaluation } from "./feature-flags/evaluation.ts";
import { FlagExplanations, FlagQuestion } from "./feature-flags/explanation.ts";
import {
  FeatureFlag,
  FeatureFlagCreate,
  FeatureFlagSummary,
  FeatureFlagUpdate,
  FLAG_ORDERS,
  FLAG_STATUSES,
} from "./feature-flags/flag.ts";
import { FlagHistory } from "./feature-flags/history.ts";

export * from "./feature-flags/bulk-toggle.ts";
export * from "./feature-flags/evaluation.ts";
export * from "./feature-flags/explanation.ts";
export * from "./feature-flags/flag.ts";
export * from "./feature-flags/history.ts";

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
    summary: "List feature flags: filter and search",
    query: z.object({
      status_filter: upper(FLAG_STATUSES).optional(),
      ...paging(500, 100),
      search: z.string().max(255).optional(),
      stale: QueryBoolean.optional(),
      tag: z.string().min(1).max(100).optional(),
      owner_id: z.string().min(1).max(255).optional().meta({ description: "Id of the user who created the flag" }),
      experiment_id: IdOrKey.optional().meta({ description: "Id or key of an experiment: the flag that it runs on" }),
      sort: sortBy(FLAG_ORDERS).default("-created_at"),
    }),
    response: z.array(FeatureFlagSummary),
  },
  "POST /feature-flags/": {
    operationId: "featureFlags.create",
    summary: "Create a feature flag",
    auth: { user: "DEVELOPER", key: "admin" },
    limit: "api",
    refusesMisspelt: true,
    body: FeatureFlagCreate,
    status: 201,
    response: FeatureFlag,
  },
  "GET /feature-flags/{id}": {
    ...reads,
    operationId: "featureFlags.get",
    summary: "Retrieve a feature flag by id or key",
    params: byId,
    response: FeatureFlag,
  },
  "PUT /feature-flags/{id}": {
    ...changes,
    operationId: "featureFlags.update",
    summary: "Update a feature flag: absent fields keep their value, null clears a field",
    refusesMisspelt: true,
    body: FeatureFlagUpdate,
  },
  "PATCH /feature-flags/{id}": {
    ...changes,
    operationId: "featureFlags.patch",
    summary: "Update a feature flag, like PUT",
    refusesMisspelt: true,
    body: FeatureFlagUpdate,
  },
  "PATCH /feature-flags/{id}/rollout": {
    ...changes,
    auth: { user: "DEVELOPER", own: true, key: "write" },
    operationId: "featureFlags.setRollout",
    summary: "Update only the rollout percentage of a feature flag",
    refusesMisspelt: true,
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
    summary: "Enable, disable or archive up to 100 feature flags; each succeeds or fails independently",
    auth: { user: "DEVELOPER" },
    limit: "api",
    body: BulkToggle,
    response: BulkToggleResult,
  },
  "POST /feature-flags/explain": {
    operationId: "featureFlags.explain",
    summary: "Explain step by step what one flag or all flags serve a user, also with an unsaved change",
    description: "Leaves no trace: it changes no `last_evaluated_at` and records no exposure or assignment.",
    auth: { user: true },
    limit: "api",
    action: "READ",
    refusesMisspelt: true,
    query: z.object(paging(500, 500)),
    body: FlagQuestion,
    response: FlagExplanations,
  },
  "GET /feature-flags/{id}/history": {
    operationId: "featureFlags.history",
    summary: "List the changes of a feature flag, newest first; by id also after its deletion",
    auth: { user: "ANALYST" },
    limit: "api",
    params: byId,
    query: z.object(paging(500, 100)),
    response: FlagHistory,
  },
  "GET /feature-flags/user/{user_id}": {
    operationId: "featureFlags.forUser",
    summary: "Evaluate whether each feature flag is on for a user",
    auth: { key: "read" },
    limit: "api",
    client: true,
    params: z.object({ user_id: UserId }),
    query: z.object({ context: QueryJsonObject.optional() }),
    response: z.record(z.string(), z.boolean()),
  },
  "POST /feature-flags/{key}/evaluate": {
    operationId: "featureFlags.evaluate",
    summary: "Evaluate a feature flag for a user; `explain=true` adds a trace",
    auth: { key: "read" },
    limit: "api",
    client: true,
    params: z.object({ key: IdOrKey }),
    query: z.object({ explain: QueryBoolean.default(false) }),
    body: z.object({ user_id: UserId, attributes: JsonObject.optional() }),
    response: Evaluation,
  },
});
