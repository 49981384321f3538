import { integrationCollection } from "./areas/integrations/record.ts";
import { preferencesCollection } from "./areas/notifications/record.ts";
import { flagSafetyCollection, rollbackCollection, safetySettingsCollection } from "./areas/safety/record.ts";
import { draftCollection } from "./areas/wizard/record.ts";
import { codeCollection } from "./identity/codes.ts";
import { apiKeyCollection } from "./model/api-key.ts";
import { groupCollection } from "./model/exclusion-group.ts";
import { experimentCollection } from "./model/experiment.ts";
import { flagCollection } from "./model/feature-flag.ts";
import { holdoutCollection } from "./model/holdout.ts";
import { grantCollection, roleCollection } from "./model/role.ts";
import { scheduleCollection } from "./model/rollout-schedule.ts";
import { segmentCollection } from "./model/segment.ts";
import { sessionCollection } from "./model/session.ts";
import { userCollection } from "./model/user.ts";
import { connectionCollection, syncCollection } from "./model/warehouse.ts";
import type { Collections } from "./storage/collections.ts";

/** Every collection of documents, by kind. */
export type Records = ReturnType<typeof defineCollections>;

/** Defines every collection of documents. */
export function defineCollections({ define }: Collections) {
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
