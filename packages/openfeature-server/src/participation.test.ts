import { OpenFeature } from "@openfeature/server-sdk";
import { expect, test } from "vitest";
import { participationVectors } from "../../core/vectors/participation.ts";
import { KEY, startFlagServer } from "../../sdk/src/fake-server.fixture.ts";
import { AssayServerProvider } from "./index.ts";

test("the server provider applies holdout, exclusion groups and segments as the participation vectors say", async () => {
  const { definitions, cases } = participationVectors;
  await using server = await startFlagServer();
  server.definitions = definitions;
  const provider = new AssayServerProvider({ apiKey: KEY, baseUrl: server.url, reasons: "evaluation" });
  await OpenFeature.setProviderAndWait("participation", provider);
  const client = OpenFeature.getClient("participation");
  for (const { user_id, attributes, flags } of cases) {
    const context = { ...attributes, targetingKey: user_id };
    for (const key of ["free", "ruled"]) {
      expect(await client.getBooleanValue(key, false, context), `${key} for ${user_id}`).toBe(flags[key]![0]);
    }
    const { value, variant } = await client.getStringDetails("bound", "fallback", context);
    expect([value, variant ?? null], user_id).toEqual(flags.bound!.slice(0, 2));
  }
  await OpenFeature.clearProviders();
});
