import type { AreaInput, AreaParts } from "../../area.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { mountManifest } from "./manifest.ts";
import { createOpenFeatureService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({
  engine,
  announcements,
  flagUsage,
  services,
}: AreaInput<{ featureFlags: FeatureFlagService }>) {
  const flags = services.featureFlags;
  return {
    services: { openfeature: createOpenFeatureService({ engine, flags, announcements, flagUsage }) },
    mount: (app, base, deps) => mountManifest(app, base, { ...deps, flags }),
  } satisfies AreaParts;
}
