import { ai } from "./areas/ai.ts";
import { apiKeys } from "./areas/api-keys.ts";
import { auditLogs } from "./areas/audit-logs.ts";
import { auth } from "./areas/auth.ts";
import { bandit } from "./areas/bandit.ts";
import { compliance } from "./areas/compliance.ts";
import { counters } from "./areas/counters.ts";
import { etl } from "./areas/etl.ts";
import { experiments } from "./areas/experiments.ts";
import { featureFlags } from "./areas/feature-flags.ts";
import { holdout } from "./areas/holdout.ts";
import { integrations } from "./areas/integrations.ts";
import { interactions } from "./areas/interactions.ts";
import { mcp } from "./areas/mcp.ts";
import { mutualExclusionGroups } from "./areas/mutual-exclusion-groups.ts";
import { notifications } from "./areas/notifications.ts";
import { openfeature } from "./areas/openfeature.ts";
import { results } from "./areas/results.ts";
import { roles } from "./areas/roles.ts";
import { rolloutSchedules } from "./areas/rollout-schedules.ts";
import { safety } from "./areas/safety.ts";
import { scheduler } from "./areas/scheduler.ts";
import { segments } from "./areas/segments.ts";
import { tracking } from "./areas/tracking.ts";
import { users } from "./areas/users.ts";
import { warehouse } from "./areas/warehouse.ts";
import { wizard } from "./areas/wizard.ts";

export * from "./areas/ai.ts";
export * from "./areas/api-keys.ts";
export * from "./areas/audit-logs.ts";
export * from "./areas/auth.ts";
export * from "./areas/bandit.ts";
export * from "./areas/compliance.ts";
export * from "./areas/counters.ts";
export * from "./areas/etl.ts";
export * from "./areas/experiments.ts";
export * from "./areas/feature-flags.ts";
export * from "./areas/holdout.ts";
export * from "./areas/integrations.ts";
export * from "./areas/interactions.ts";
export * from "./areas/mcp.ts";
export * from "./areas/mutual-exclusion-groups.ts";
export * from "./areas/notifications.ts";
export * from "./areas/openfeature.ts";
export * from "./areas/results.ts";
export * from "./areas/roles.ts";
export * from "./areas/rollout-schedules.ts";
export * from "./areas/safety.ts";
export * from "./areas/scheduler.ts";
export * from "./areas/segments.ts";
export * from "./areas/tracking.ts";
export * from "./areas/users.ts";
export * from "./areas/warehouse.ts";
export * from "./areas/wizard.ts";
export { chosen } from "./choice.ts";
export * from "./common-passwords.ts";
export * from "./errors.ts";
export { MAX_METRIC_VALUE } from "./fields.ts";
export { type OpenApiDocument, toOpenApi } from "./openapi.ts";
export * from "./permission.ts";
export * from "./route.ts";
export * from "./sample-size.ts";
export * from "./timestamp.ts";
export * from "./tool.ts";

export type Contract = typeof auth &
  typeof users &
  typeof roles &
  typeof apiKeys &
  typeof experiments &
  typeof wizard &
  typeof notifications &
  typeof results &
  typeof counters &
  typeof warehouse &
  typeof bandit &
  typeof interactions &
  typeof etl &
  typeof featureFlags &
  typeof segments &
  typeof mutualExclusionGroups &
  typeof holdout &
  typeof tracking &
  typeof openfeature &
  typeof auditLogs &
  typeof compliance &
  typeof mcp &
  typeof scheduler &
  typeof integrations &
  typeof rolloutSchedules &
  typeof safety &
  typeof ai;

/** Every route of `/api/v1`, by its key. */
export const contract: Contract = {
  ...auth,
  ...users,
  ...roles,
  ...apiKeys,
  ...experiments,
  ...wizard,
  ...notifications,
  ...results,
  ...counters,
  ...warehouse,
  ...bandit,
  ...interactions,
  ...etl,
  ...featureFlags,
  ...segments,
  ...mutualExclusionGroups,
  ...holdout,
  ...tracking,
  ...openfeature,
  ...auditLogs,
  ...compliance,
  ...integrations,
  ...mcp,
  ...rolloutSchedules,
  ...safety,
  ...scheduler,
  ...ai,
};
