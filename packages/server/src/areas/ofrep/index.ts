import type { AreaInput, AreaParts } from "../../area.ts";
import { createStreamTokens } from "../../identity/stream-tokens.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import type { OpenFeatureService } from "../openfeature/service.ts";
import { mountOfrep } from "./routes.ts";
import { createOfrepService } from "./service.ts";

/** None in the contract: the protocol defines its routes. */
export const routes = {};

export const collections = () => ({});

type Needed = { featureFlags: FeatureFlagService; openfeature: OpenFeatureService };

export async function create({ store, runtime, engine, collections, services }: AreaInput<Needed>) {
  const ofrep = createOfrepService({
    flags: services.featureFlags,
    openfeature: services.openfeature,
    tokens: await createStreamTokens(store, runtime),
    engine,
    catchUp: collections.catchUp,
  });
  return { services: {}, mount: (app, base, deps) => mountOfrep(app, base, { ...deps, ofrep }) } satisfies AreaParts;
}
