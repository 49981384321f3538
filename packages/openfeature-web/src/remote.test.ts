import { OpenFeature, ProviderStatus } from "@openfeature/web-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventsOf, startAssay } from "./assay-server.fixture.ts";
import { ada, adaOnly, BULK, bob, connect, hold, memory, newDomain, toProvider } from "./provider.fixture.ts";
import { AssayWebProvider as RemoteProvider } from "./remote.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("remote evaluation", () => {
  const remote = { evaluation: "remote" } as const;

  test("gives the page only results for its context", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const storage = memory();
    const client = await connect(toProvider(server, { ...remote, storage }));
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({
      value: true,
      variant: "on",
      reason: "CACHED",
      flagMetadata: { evaluationReason: "TARGETING_MATCH", ruleId: "ada", version: 1 },
    });
    expect(client.getStringDetails("checkout", "x")).toMatchObject({ value: "x", errorCode: "TYPE_MISMATCH" });
    expect(client.getBooleanDetails("missing", true)).toMatchObject({ value: true, errorCode: "FLAG_NOT_FOUND" });
    expect(server.received.map(({ path, body }) => [path, body])).toEqual([[BULK, JSON.stringify({ context: ada })]]);
    const [[name, kept] = []] = [...storage.items];
    expect(kept).toContain("checkout");
    expect(`${name}${kept}`).not.toMatch(new RegExp(`targetingKey|${server.apiKey}|token=|operator`));
  });

  test("is the only evaluation of the remote entry, also with evaluation: local", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const options = { apiKey: server.apiKey, baseUrl: server.url, evaluation: "local" };
    const client = await connect(new RemoteProvider(options));
    await OpenFeature.setContext(client.domain, bob);
    expect(client.getBooleanValue("checkout", true)).toBe(false);
    expect(server.received.map(({ path }) => path)).toEqual([BULK, BULK]);
  });

  test("sends one request for each context and is RECONCILING until the response", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const client = await connect(toProvider(server, remote));
    const changing = OpenFeature.setContext(client.domain, bob);
    expect(client.providerStatus).toBe(ProviderStatus.RECONCILING);
    await changing;
    expect([client.providerStatus, client.getBooleanValue("checkout", true)]).toEqual([ProviderStatus.READY, false]);
    expect(server.statuses(BULK)).toEqual([200, 200]);
  });

  test("ignores a late response for an older context, and is READY after the response for the newest", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const client = await connect(toProvider(server, remote), bob);
    const [forAda, forBob] = [hold(), hold()];
    server.gate = ({ body }) => (body.includes("ada") ? forAda.held : forBob.held);
    const first = OpenFeature.setContext(client.domain, ada);
    await expect.poll(() => server.received.length).toBe(2);
    const second = OpenFeature.setContext(client.domain, { ...bob, again: true });
    await expect.poll(() => server.received.length).toBe(3);
    forAda.release();
    await expect.poll(() => server.received[1]!.status).toBe(200);
    expect([client.providerStatus, client.getBooleanValue("checkout", true)]).toEqual([
      ProviderStatus.RECONCILING,
      false,
    ]);
    forBob.release();
    await Promise.all([first, second]);
    expect([client.providerStatus, client.getBooleanValue("checkout", true)]).toEqual([ProviderStatus.READY, false]);
  });

  test("does not use results of another context if the server fails, and recovers", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const client = await connect(toProvider(server, { ...remote, storage: false }));
    server.gate = () => 500;
    await OpenFeature.setContext(client.domain, bob);
    expect(client.providerStatus).toBe(ProviderStatus.ERROR);
    expect(client.getBooleanDetails("checkout", true)).toMatchObject({ value: true, errorCode: "PROVIDER_NOT_READY" });
    server.gate = undefined;
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY);
    expect(client.getBooleanValue("checkout", true)).toBe(false);
  });

  test("sends the ETag only with a request for the same context", async () => {
    await using server = await startAssay("checkout");
    let now = 0;
    const client = await connect(toProvider(server, { ...remote, now: () => now }));
    now = 300_000;
    expect(client.getBooleanDetails("checkout", false).reason).toBe("STATIC");
    await expect.poll(() => client.getBooleanDetails("checkout", false).reason).toBe("CACHED");
    await OpenFeature.setContext(client.domain, bob);
    expect(server.statuses(BULK)).toEqual([200, 304, 200]);
    expect(server.received.map(({ headers }) => headers["if-none-match"] !== undefined)).toEqual([false, true, false]);
  });
});

test("a provider whose code of remote evaluation cannot be loaded fails, and loads it with the next context", async () => {
  let isBroken = true;
  vi.doMock("./remote-core.ts", (importOriginal) => {
    if (isBroken) throw new TypeError("Failed to fetch dynamically imported module");
    return importOriginal();
  });
  await using server = await startAssay("checkout");
  const domain = newDomain();
  const provider = toProvider(server, { evaluation: "remote" });
  await expect(OpenFeature.setProviderAndWait(domain, provider, ada)).rejects.toThrow();
  const client = OpenFeature.getClient(domain);
  expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: false, reason: "ERROR" });
  isBroken = false;
  vi.resetModules();
  await OpenFeature.setContext(domain, bob);
  expect(client.getBooleanValue("checkout", false)).toBe(true);
  vi.doUnmock("./remote-core.ts");
});

test("a remote provider that is closed while its code loads sends what was tracked", async () => {
  const gate = hold();
  vi.doMock("./remote-core.ts", async (importOriginal) => {
    await gate.held;
    return importOriginal();
  });
  await using server = await startAssay("checkout");
  const provider = toProvider(server, { evaluation: "remote" });
  const opening = provider.initialize(ada).catch(() => {});
  provider.track("purchase", ada);
  const closing = provider.onClose();
  gate.release();
  await Promise.all([opening, closing]);
  expect(new Set(eventsOf(server).map(({ event_id }) => event_id)).size).toBe(1);
  vi.doUnmock("./remote-core.ts");
});
