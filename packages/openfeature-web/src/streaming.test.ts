import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, expect, test } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { connect, toProvider } from "./provider.fixture.ts";

afterEach(() => OpenFeature.clearProviders());

test.each(["local", "remote"] as const)(
  "a flag toggled on the server reaches the page, which is told exactly what changed: %s",
  async (evaluation) => {
    await using server = await startAssay("checkout", "banner");
    const client = await connect(toProvider(server, { evaluation, streaming: true }));
    await expect.poll(() => server.met.map(({ path }) => path)).toContain("/openfeature/stream");
    const changes: (string[] | undefined)[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged));
    await server.admin.request("PUT /feature-flags/{id}", {
      params: { id: "checkout" },
      body: { status: "INACTIVE" },
    });
    const reason = () => client.getBooleanDetails("checkout", false).flagMetadata.evaluationReason;
    await expect.poll(reason).toBe("DISABLED");
    expect(changes).toEqual([["checkout"]]);
    expect(client.getBooleanValue("banner", false)).toBe(true);
  },
);
