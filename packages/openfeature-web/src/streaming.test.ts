import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { connect, FLAGS, hold, toProvider } from "./provider.fixture.ts";

const STREAM = "/openfeature/stream";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.doUnmock("@assay/core/change-stream");
  vi.resetModules();
});

test.each(["local", "remote"] as const)(
  "a flag toggled on the server reaches the page, which is told exactly what changed: %s",
  async (evaluation) => {
    await using server = await startAssay("checkout", "banner");
    const client = await connect(toProvider(server, { evaluation, streaming: true }));
    await expect.poll(() => server.met.map(({ path }) => path)).toContain(STREAM);
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

test("where the code for it cannot be loaded, that is told and changes come with the next fetch", async () => {
  vi.doMock("@assay/core/change-stream", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  await using server = await startAssay("checkout");
  let now = 0;
  const logger = { info: vi.fn(), warn: vi.fn() };
  const client = await connect(toProvider(server, { streaming: true, logger, now: () => now }));
  await expect.poll(() => logger.warn.mock.calls).toMatchObject([["Changes cannot be followed as they come", {}]]);
  expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "CACHED" });
  now = 300_000;
  expect(client.getBooleanDetails("checkout", false).reason).toBe("STATIC");
  await expect.poll(() => client.getBooleanDetails("checkout", false).reason).toBe("CACHED");
  expect(server.met.map(({ path }) => path)).toEqual([FLAGS, FLAGS]);
});

test("a provider that is closed while the code is being loaded does not listen, and does when it is set again", async () => {
  const gate = hold();
  const loading = vi.fn(() => gate.held);
  vi.doMock("@assay/core/change-stream", async (importOriginal) => {
    await loading();
    return importOriginal();
  });
  await using server = await startAssay("checkout");
  const provider = toProvider(server, { streaming: true });
  await connect(provider);
  await expect.poll(() => loading.mock.calls.length).toBe(1);
  await OpenFeature.clearProviders();
  gate.release();
  await connect(provider);
  await expect.poll(() => server.statuses(STREAM)).toEqual([200]);
});
