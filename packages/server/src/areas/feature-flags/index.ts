import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import { flagCollection } from "../../model/feature-flag.ts";
import type { Collections } from "../../storage/collections.ts";
import { createFlagExplanationService } from "./explanation.ts";
import { createFlagHistoryService } from "./history.ts";
import { createFeatureFlagService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ flags: define(flagCollection) });

export function create(input: AreaInput<{ rights: Rights }>) {
  const { runtime, records, engine, snapshot, flagUsage, audit, actorNames, services } = input;
  const { flags, experiments } = records;
  const { rights } = services;
  const featureFlags = createFeatureFlagService({
    flags,
    experiments,
    engine,
    snapshot,
    runtime,
    flagUsage,
    rights,
    actorNames,
  });
  const flagHistory = createFlagHistoryService({ featureFlags, log: audit.log });
  const flagExplanations = createFlagExplanationService({ featureFlags, experiments, engine, snapshot, runtime });
  return { services: { featureFlags, flagHistory, flagExplanations } };
}
