import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import type { Collections } from "../../storage/collections.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { createSafetyCheckJob } from "./job.ts";
import { flagSafetyCollection, rollbackCollection, safetySettingsCollection } from "./record.ts";
import { createSafetyService, type PauseSchedules } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({
  safetySettings: define(safetySettingsCollection),
  flagSafety: define(flagSafetyCollection),
  rollbacks: define(rollbackCollection),
});

type Needed = { rights: Rights; featureFlags: FeatureFlagService; rolloutSchedules: { pauseAll: PauseSchedules } };

export function create({ runtime, records, collections, analysis, services }: AreaInput<Needed>) {
  const { rights, featureFlags, rolloutSchedules } = services;
  const safety = createSafetyService({
    runtime,
    settings: records.safetySettings,
    flagSettings: records.flagSafety,
    rollbacks: records.rollbacks,
    featureFlags,
    analysis,
    rights,
    async pauseSchedules(...given) {
      await collections.catchUp();
      return rolloutSchedules.pauseAll(...given);
    },
  });
  return { services: { safety }, jobs: [createSafetyCheckJob(safety)] };
}
