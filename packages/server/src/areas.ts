import * as ai from "./areas/ai/index.ts";
import * as apiKeys from "./areas/api-keys/index.ts";
import * as auditLogs from "./areas/audit-logs/index.ts";
import * as auth from "./areas/auth/index.ts";
import * as bandit from "./areas/bandit/index.ts";
import * as compliance from "./areas/compliance/index.ts";
import * as counters from "./areas/counters/index.ts";
import * as environments from "./areas/environments/index.ts";
import * as etl from "./areas/etl/index.ts";
import * as experiments from "./areas/experiments/index.ts";
import * as featureFlags from "./areas/feature-flags/index.ts";
import * as holdout from "./areas/holdout/index.ts";
import * as integrations from "./areas/integrations/index.ts";
import * as interactions from "./areas/interactions/index.ts";
import * as mcp from "./areas/mcp/index.ts";
import * as mutualExclusionGroups from "./areas/mutual-exclusion-groups/index.ts";
import * as notifications from "./areas/notifications/index.ts";
import * as ofrep from "./areas/ofrep/index.ts";
import * as openfeature from "./areas/openfeature/index.ts";
import * as proposals from "./areas/proposals/index.ts";
import * as results from "./areas/results/index.ts";
import * as roles from "./areas/roles/index.ts";
import * as rolloutSchedules from "./areas/rollout-schedules/index.ts";
import * as safety from "./areas/safety/index.ts";
import * as scheduler from "./areas/scheduler/index.ts";
import * as search from "./areas/search/index.ts";
import * as segments from "./areas/segments/index.ts";
import * as tracking from "./areas/tracking/index.ts";
import * as users from "./areas/users/index.ts";
import * as warehouse from "./areas/warehouse/index.ts";
import * as wizard from "./areas/wizard/index.ts";

/**
 * Every area, in the order of creation and start. An area uses the services of those before it. Areas close in the
 * opposite order.
 */
export const areas = [
  // Users and keys.
  users,
  roles,
  apiKeys,
  auth,
  environments,

  // Flags and experiments.
  featureFlags,
  openfeature,
  ofrep,
  mutualExclusionGroups,
  experiments,
  segments,
  search,
  wizard,

  // Events and results.
  tracking,
  counters,
  warehouse,
  results,
  interactions,
  holdout,

  // Delivery.
  rolloutSchedules,
  safety,
  bandit,
  notifications,

  // Approvals of changes to what comes before.
  proposals,

  // Third parties and data.
  integrations,
  etl,
  ai,

  // The server itself.
  scheduler,
  auditLogs,
  compliance,
  mcp,
] as const;

/** One area: its routes, its collections of documents, and the function that creates it. */
export type Area = (typeof areas)[number];

/** `A & B` for the union `A | B`. */
export type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  merged: infer All,
) => void
  ? All
  : never;
