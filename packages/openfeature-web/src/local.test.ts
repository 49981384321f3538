import { type Definitions, toProgram } from "@assay/core";
import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { ada, adaOnly, bob, connect, FLAGS, hold, next, toProvider } from "./provider.fixture.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("local evaluation", () => {
  test("evaluates flags of all four types from definitions that it fetched once", async () => {
    await using server = await startAssay("checkout");
    await server.createFlag("text", { value_type: "STRING", variants: [{ key: "a", weight: 1, value: "hello" }] });
    await server.createFlag("number", { value_type: "NUMBER", variants: [{ key: "a", weight: 1, value: 4.5 }] });
    await server.createFlag("object", { value_type: "OBJECT", variants: [{ key: "a", weight: 1, value: { n: 1 } }] });
    const client = await connect(toProvider(server));
    expect(client.getBooleanValue("checkout", false)).toBe(true);
    expect(client.getStringValue("text", "")).toBe("hello");
    expect(client.getNumberValue("number", 0)).toBe(4.5);
    expect(client.getObjectValue("object", {})).toEqual({ n: 1 });
    expect(server.statuses(FLAGS)).toEqual([200]);
  });

  test("returns the cache reason, the evaluation reason, the rule and the version", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const client = await connect(toProvider(server));
    const details = client.getBooleanDetails("checkout", false);
    const flagMetadata = { cacheReason: "CACHED", evaluationReason: "TARGETING_MATCH", ruleId: "ada", version: 1 };
    expect(details).toMatchObject({ value: true, variant: "on", reason: "CACHED", flagMetadata });
    const evaluating = await connect(toProvider(server, { reasons: "evaluation" }));
    expect(evaluating.getBooleanDetails("checkout", false)).toMatchObject({ reason: "TARGETING_MATCH", flagMetadata });
  });

  test.each(["local", "remote"] as const)("returns the metadata of the flag's authors: %s", async (evaluation) => {
    await using server = await startAssay();
    await server.createFlag("checkout", { metadata: { team: "shop", cost: 1.5, live: false }, ...adaOnly });
    const client = await connect(toProvider(server, { evaluation }));
    expect(client.getBooleanDetails("checkout", false).flagMetadata).toEqual({
      team: "shop",
      cost: 1.5,
      live: false,
      cacheReason: "CACHED",
      evaluationReason: "TARGETING_MATCH",
      ruleId: "ada",
      version: 1,
      flagSetId: expect.any(String),
    });
  });

  test("returns the caller's default for a server-side flag and for a flag of another type", async () => {
    await using server = await startAssay("checkout");
    await server.createFlag("secret", { client_side: false });
    const client = await connect(toProvider(server));
    expect(client.getBooleanDetails("secret", false)).toMatchObject({ value: false, errorCode: "FLAG_NOT_FOUND" });
    expect(client.getStringDetails("checkout", "x")).toMatchObject({ value: "x", errorCode: "TYPE_MISMATCH" });
  });

  test("uses a new context immediately, without a request and without RECONCILING", async () => {
    await using server = await startAssay();
    await server.createFlag("checkout", adaOnly);
    const client = await connect(toProvider(server));
    const reconciling = vi.fn();
    client.addHandler(ProviderEvents.Reconciling, reconciling);
    void OpenFeature.setContext(client.domain, bob);
    expect(client.getBooleanValue("checkout", true)).toBe(false);
    void OpenFeature.setContext(client.domain, ada);
    expect(client.getBooleanValue("checkout", false)).toBe(true);
    expect([reconciling.mock.calls.length, server.statuses(FLAGS)]).toEqual([0, [200]]);
  });

  test("uses expired definitions with STATIC until a 304 arrives", async () => {
    await using server = await startAssay("checkout");
    let now = 0;
    const client = await connect(toProvider(server, { now: () => now }));
    now = 300_000;
    expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "STATIC" });
    await expect.poll(() => client.getBooleanDetails("checkout", false).reason).toBe("CACHED");
    expect(server.statuses(FLAGS)).toEqual([200, 304]);
  });

  test("starts from its bootstrap, and emits the flags that differ on the server", async () => {
    await using server = await startAssay("checkout", "banner");
    const text = await (
      await fetch(`${server.url}/api/v1${FLAGS}`, { headers: { "x-api-key": server.apiKey } })
    ).text();
    const definitions = JSON.parse(text) as Definitions;
    definitions.flags[0]!.enabled = false;
    const bootstrap = toProgram(definitions);
    const gate = hold();
    server.gate = () => gate.held;
    const client = await connect(toProvider(server, { bootstrap }));
    expect(client.getBooleanDetails("checkout", true)).toMatchObject({ value: false, reason: "STATIC" });
    const changed = next(client, ProviderEvents.ConfigurationChanged);
    gate.release();
    expect(await changed).toMatchObject({ flagsChanged: ["checkout"] });
    expect(client.getBooleanValue("checkout", false)).toBe(true);
  });
});
