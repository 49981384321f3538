import type { contract } from "@assay/contract";
import aiRoutes from "./areas/ai/routes.ts";
import apiKeyRoutes from "./areas/api-keys/routes.ts";
import auditLogRoutes from "./areas/audit-logs/routes.ts";
import authRoutes from "./areas/auth/routes.ts";
import banditRoutes from "./areas/bandit/routes.ts";
import complianceRoutes from "./areas/compliance/routes.ts";
import counterRoutes from "./areas/counters/routes.ts";
import etlRoutes from "./areas/etl/routes.ts";
import experimentRoutes from "./areas/experiments/routes.ts";
import flagRoutes from "./areas/feature-flags/routes.ts";
import holdoutRoutes from "./areas/holdout/routes.ts";
import integrationRoutes from "./areas/integrations/routes.ts";
import interactionRoutes from "./areas/interactions/routes.ts";
import mcpRoutes from "./areas/mcp/routes.ts";
import groupRoutes from "./areas/mutual-exclusion-groups/routes.ts";
import notificationRoutes from "./areas/notifications/routes.ts";
import openfeatureRoutes from "./areas/openfeature/routes.ts";
import resultsRoutes from "./areas/results/routes.ts";
import roleRoutes from "./areas/roles/routes.ts";
import rolloutScheduleRoutes from "./areas/rollout-schedules/routes.ts";
import safetyRoutes from "./areas/safety/routes.ts";
import schedulerRoutes from "./areas/scheduler/routes.ts";
import segmentRoutes from "./areas/segments/routes.ts";
import trackingRoutes from "./areas/tracking/routes.ts";
import userRoutes from "./areas/users/routes.ts";
import warehouseRoutes from "./areas/warehouse/routes.ts";
import wizardRoutes from "./areas/wizard/routes.ts";
import type { Handlers } from "./http/handler.ts";

/** A handler for every route of the contract. A missing one is a type error. */
export const handlers: Handlers<typeof contract> = {
  ...authRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...apiKeyRoutes,
  ...experimentRoutes,
  ...wizardRoutes,
  ...notificationRoutes,
  ...resultsRoutes,
  ...counterRoutes,
  ...warehouseRoutes,
  ...banditRoutes,
  ...interactionRoutes,
  ...etlRoutes,
  ...flagRoutes,
  ...segmentRoutes,
  ...groupRoutes,
  ...holdoutRoutes,
  ...trackingRoutes,
  ...openfeatureRoutes,
  ...auditLogRoutes,
  ...complianceRoutes,
  ...integrationRoutes,
  ...mcpRoutes,
  ...rolloutScheduleRoutes,
  ...safetyRoutes,
  ...schedulerRoutes,
  ...aiRoutes,
};
