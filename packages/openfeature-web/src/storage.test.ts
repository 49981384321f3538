import { OpenFeature, ProviderStatus } from "@openfeature/web-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { ada, adaOnly, BULK, bob, connect, FLAGS, hold, memory, toProvider } from "./provider.fixture.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a storage", () => {
  test.each(["local", "remote"] as const)("makes an offline start possible: %s", async (evaluation) => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const storage = memory();
    await connect(toProvider(server, { evaluation, storage }), ada, "shop");
    await OpenFeature.clearProviders();
    await server.goAway();
    const client = await connect(toProvider(server, { evaluation, storage }), ada, "shop");
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.STALE);
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "STATIC" });
    vi.spyOn(Math, "random").mockReturnValue(0);
    await server.comeBack();
    await expect.poll(() => client.getBooleanDetails("checkout", false).reason).toBe("CACHED");
    expect(client.providerStatus).toBe(ProviderStatus.READY);
    expect(server.statuses(evaluation === "local" ? FLAGS : BULK)).toEqual([200, 304]);
  });

  test("makes the provider ready before the server has responded", async () => {
    await using server = await startAssay("checkout");
    const storage = memory();
    await connect(toProvider(server, { storage }), ada, "shop");
    await OpenFeature.clearProviders();
    const gate = hold();
    server.gate = () => gate.held;
    const client = await connect(toProvider(server, { storage }), ada, "shop");
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "STATIC" });
    gate.release();
    await expect.poll(() => client.getBooleanDetails("checkout", false).reason).toBe("CACHED");
  });

  test("that responds after the provider was closed causes no request", async () => {
    await using server = await startAssay("checkout");
    const gate = hold();
    const provider = toProvider(server, { storage: { ...memory(), getItem: () => gate.held } });
    const starting = provider.initialize(ada, "shop");
    await provider.onClose();
    gate.release();
    await starting;
    expect(server.received).toEqual([]);
  });

  test("returns remote answers only for the same context", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const options = { evaluation: "remote", storage: memory() } as const;
    await connect(toProvider(server, options), ada, "shop");
    await OpenFeature.clearProviders();
    const client = await connect(toProvider(server, options), bob, "shop");
    expect(client.getBooleanDetails("checkout", true)).toMatchObject({ value: false, reason: "CACHED" });
  });

  test("has one item for each domain, without the key and the context", async () => {
    await using server = await startAssay("checkout");
    const storage = memory();
    await connect(toProvider(server, { storage }), { ...ada, mail: "ada@example.org" }, "shop");
    await connect(toProvider(server, { storage }), ada, "blog");
    expect([...storage.items.keys()]).toEqual([`assay local ${server.url} shop`, `assay local ${server.url} blog`]);
    expect(JSON.stringify([...storage.items])).not.toMatch(new RegExp(`example.org|${server.apiKey}`));
  });

  test.each([
    ["definitions, as an older version kept them", (_: string[]) => '0.0\n"1"\n{"schema_version":1,"flags":[]}'],
    ["definitions for the same page", ([unit, etag]: string[]) => JSON.stringify([unit, etag, { flags: [] }])],
  ])("that contains %s is treated as empty", async (_, replace) => {
    await using server = await startAssay("checkout");
    const storage = memory();
    await connect(toProvider(server, { storage }), ada, "shop");
    await OpenFeature.clearProviders();
    const [[name, kept] = []] = [...storage.items];
    storage.setItem(name!, replace(JSON.parse(kept!)));
    const client = await connect(toProvider(server, { storage }), ada, "shop");
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "CACHED" });
    expect(server.statuses(FLAGS)).toEqual([200, 200]);
  });

  test.each([
    ["that is full", { setItem: () => Promise.reject(new Error("QuotaExceededError")) }],
    ["that throws", { getItem: () => Promise.reject(new Error("SecurityError")) }],
    ["with something else in it", { getItem: () => "0\n\n{}" }],
  ])("%s changes nothing", async (_, broken) => {
    await using server = await startAssay("checkout");
    const client = await connect(toProvider(server, { storage: { ...memory(), ...broken } }));
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "CACHED" });
  });

  test("is localStorage by default, if the page has one", async () => {
    await using server = await startAssay("checkout");
    const localStorage = memory();
    vi.stubGlobal("localStorage", localStorage);
    vi.stubGlobal("document", new EventTarget());
    await connect(toProvider(server, { storage: false }));
    expect(localStorage.items.size).toBe(0);
    await connect(toProvider(server));
    expect(localStorage.items.size).toBe(1);
  });
});
