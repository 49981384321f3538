import { OpenFeature, ProviderEvents, ProviderStatus } from "@openfeature/web-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { bob, connect, next, toProvider } from "./provider.fixture.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
});

test.each(["local", "remote"] as const)(
  "a long outage is an error; flags are still evaluated, until the server responds again: %s",
  async (evaluation) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await using server = await startAssay("checkout");
    let now = 0;
    const client = await connect(toProvider(server, { evaluation, now: () => now, errorAfterMs: 1 }));
    const failed = next(client, ProviderEvents.Error);
    server.gate = () => 500;
    now = 300_000;
    expect(client.getBooleanValue("checkout", false)).toBe(true);
    expect(await failed).toMatchObject({ message: expect.any(String), errorCode: "GENERAL" });
    expect(client.providerStatus).toBe(ProviderStatus.ERROR);
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "STATIC" });
    server.gate = undefined;
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY);
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "CACHED" });
  },
);

test("a long outage is still an error after a change of context, for which the SDK emits READY", async () => {
  await using server = await startAssay("checkout");
  let now = 0;
  const client = await connect(toProvider(server, { now: () => now, errorAfterMs: 1 }));
  const failed = next(client, ProviderEvents.Error);
  server.gate = () => 500;
  now = 300_000;
  client.getBooleanValue("checkout", false);
  await failed;
  await OpenFeature.setContext(client.domain, bob);
  await expect.poll(() => client.providerStatus).toBe(ProviderStatus.ERROR);
});

test("without the option an outage stays stale", async () => {
  await using server = await startAssay("checkout");
  let now = 0;
  const client = await connect(toProvider(server, { now: () => now }));
  const stale = next(client, ProviderEvents.Stale);
  server.gate = () => 500;
  now = 300_000;
  client.getBooleanValue("checkout", false);
  await stale;
  expect(client.providerStatus).toBe(ProviderStatus.STALE);
});
