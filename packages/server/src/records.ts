import { apiKeyCollection } from "./areas/api-keys/record.ts";
import { sessionCollection } from "./areas/auth/record.ts";
import { experimentCollection } from "./areas/experiments/record.ts";
import { flagCollection } from "./areas/feature-flags/record.ts";
import { holdoutCollection } from "./areas/holdout/record.ts";
import { integrationCollection } from "./areas/integrations/record.ts";
import { groupCollection } from "./areas/mutual-exclusion-groups/record.ts";
import { preferencesCollection } from "./areas/notifications/record.ts";
import { grantCollection, roleCollection } from "./areas/roles/record.ts";
import { scheduleCollection } from "./areas/rollout-schedules/record.ts";
import { flagSafetyCollection, rollbackCollection, safetySettingsCollection } from "./areas/safety/record.ts";
import { segmentCollection } from "./areas/segments/record.ts";
import { userCollection } from "./areas/users/record.ts";
import { connectionCollection, syncCollection } from "./areas/warehouse/record.ts";
import { draftCollection } from "./areas/wizard/record.ts";
import { codeCollection } from "./identity/codes.ts";
import type { Collections } from "./storage/collections.ts";

/** Every collection of documents there is, by what its documents are. */
export type Records = ReturnType<typeof defineRecords>;

export function defineRecords({ define }: Collections) {
  return {
    users: define(userCollection),
    sessions: define(sessionCollection),
    codes: define(codeCollection),
    roles: define(roleCollection),
    grants: define(grantCollection),
    apiKeys: define(apiKeyCollection),
    flags: define(flagCollection),
    experiments: define(experimentCollection),
    segments: define(segmentCollection),
    groups: define(groupCollection),
    holdouts: define(holdoutCollection),
    integrations: define(integrationCollection),
    connections: define(connectionCollection),
    syncs: define(syncCollection),
    drafts: define(draftCollection),
    schedules: define(scheduleCollection),
    safetySettings: define(safetySettingsCollection),
    flagSafety: define(flagSafetyCollection),
    rollbacks: define(rollbackCollection),
    preferences: define(preferencesCollection),
  };
}
