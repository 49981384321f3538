import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import { experimentCollection } from "../../model/experiment.ts";
import type { Collections } from "../../storage/collections.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { createExperimentScheduleJob } from "./job.ts";
import type { GroupSlots } from "./membership.ts";
import { createExperimentService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ experiments: define(experimentCollection) });

type Needed = { rights: Rights; featureFlags: FeatureFlagService; groups: GroupSlots };

export function create({ runtime, records, snapshot, services }: AreaInput<Needed>) {
  const { experiments, flags } = records;
  const { rights, featureFlags, groups: slots } = services;
  const service = createExperimentService({ runtime, experiments, flags, featureFlags, snapshot, slots, rights });
  return { services: { experiments: service }, jobs: [createExperimentScheduleJob(service)] };
}
