import type { AreaInput, AreaParts } from "../../area.ts";
import { createStreamTokens, type StreamTokens } from "../../identity/stream-tokens.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import type { OpenFeatureService } from "../openfeature/service.ts";
import { mountOfrep } from "./routes.ts";
import { createOfrepService } from "./service.ts";

/** None in the contract: the protocol defines its routes. */
export const routes = {};

export const collections = () => ({});

type Needed = { featureFlags: FeatureFlagService; openfeature: OpenFeatureService };

export async function create({ store, runtime, engine, collections, services }: AreaInput<Needed>) {
  const tokens = await createStreamTokens(store, runtime);
  const ofrep = createOfrepService({
    flags: services.featureFlags,
    openfeature: services.openfeature,
    tokens,
    engine,
    catchUp: collections.catchUp,
  });
  return {
    services: {},
    claims: ({ url }) => isStreamOf(tokens, url),
    mount: (app, base, deps) => mountOfrep(app, base, { ...deps, ofrep }),
  } satisfies AreaParts;
}

/** Whether an address is that of a stream, with a token that was issued here. */
function isStreamOf(tokens: StreamTokens, url: string): boolean {
  if (!url.includes("/ofrep/v1/stream?")) return false;
  try {
    tokens.verify(new URL(url).searchParams.get("token") ?? "");
    return true;
  } catch {
    return false;
  }
}
