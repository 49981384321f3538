import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import { scheduleCollection } from "../../model/rollout-schedule.ts";
import type { Collections } from "../../storage/collections.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { createRolloutAdvanceJob } from "./job.ts";
import { createRolloutScheduleService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ schedules: define(scheduleCollection) });

type Needed = { rights: Rights; featureFlags: FeatureFlagService };

export function create({ runtime, records, analysis, services }: AreaInput<Needed>) {
  const { schedules } = records;
  const { rights, featureFlags } = services;
  const rolloutSchedules = createRolloutScheduleService({ runtime, schedules, featureFlags, analysis, rights });
  return { services: { rolloutSchedules }, jobs: [createRolloutAdvanceJob(rolloutSchedules)] };
}
