import { createEngine } from "@assay/core";
import {
  type Client,
  type EventDetails,
  OpenFeature,
  ProviderEvents,
  ProviderStatus,
  type TrackingEventDetails,
} from "@openfeature/server-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Fault, type FlagServer, KEY, startFlagServer, toDefinitions } from "../../sdk/src/fake-server.fixture.ts";
import { AssayServerProvider, OptionError, type RemoteProviderOptions } from "./index.ts";

const ada = { targetingKey: "ada" };
const on = { key: "checkout", version: 3 };
const off = { key: "checkout", enabled: false, version: 4 };

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
});

let domains = 0;

function toProvider(server: FlagServer, options: Partial<RemoteProviderOptions> = {}) {
  return new AssayServerProvider({ apiKey: KEY, baseUrl: server.url, ...options });
}

/** A client of the stock SDK on this provider. */
async function connect(provider: AssayServerProvider): Promise<Client> {
  const domain = `test-${domains++}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  return OpenFeature.getClient(domain);
}

/** Returns the next event of this type. */
function next(client: Client, event: ProviderEvents): Promise<EventDetails | undefined> {
  return new Promise((resolve) => client.addHandler(event, resolve));
}

describe("the provider evaluates", () => {
  test("flags of all four types from definitions that it fetched once", async () => {
    await using server = await startFlagServer(
      on,
      { key: "text", value_type: "STRING", variants: [{ key: "a", weight: 1, value: "hello" }] },
      { key: "number", value_type: "NUMBER", variants: [{ key: "a", weight: 1, value: 4.5 }] },
      { key: "object", value_type: "OBJECT", variants: [{ key: "a", weight: 1, value: { color: "red" } }] },
    );
    const client = await connect(toProvider(server));
    expect(await client.getBooleanValue("checkout", false, ada)).toBe(true);
    expect(await client.getStringValue("text", "", ada)).toBe("hello");
    expect(await client.getNumberValue("number", 0, ada)).toBe(4.5);
    expect(await client.getObjectValue("object", {}, ada)).toEqual({ color: "red" });
    expect(server.answers).toEqual([200]);
  });

  test("a flag with the reason CACHED, and the evaluation reason, rule and version in the metadata", async () => {
    await using server = await startFlagServer({
      ...on,
      rules: [
        { id: "germans", when: { attribute: "country", operator: "EQUALS", value: "DE" }, serve: { variant: "on" } },
      ],
      rollout_percentage: 0,
    });
    const client = await connect(toProvider(server));
    expect(await client.getBooleanDetails("checkout", false, { ...ada, country: "DE" })).toEqual({
      flagKey: "checkout",
      value: true,
      variant: "on",
      reason: "CACHED",
      flagMetadata: { cacheReason: "CACHED", evaluationReason: "TARGETING_MATCH", ruleId: "germans", version: 3 },
    });
    const other = await client.getBooleanDetails("checkout", true, { ...ada, country: "FR" });
    expect(other).toMatchObject({ value: false, reason: "CACHED", flagMetadata: { version: 3 } });
    expect(other.flagMetadata).not.toHaveProperty("ruleId");
  });

  test("a missing flag to the caller's default with FLAG_NOT_FOUND, for any key", async () => {
    await using server = await startFlagServer(on);
    const provider = toProvider(server);
    const client = await connect(provider);
    for (const key of ["missing", "constructor", "__proto__", ""]) {
      expect(await client.getStringDetails(key, "mine", ada)).toMatchObject({
        value: "mine",
        errorCode: "FLAG_NOT_FOUND",
      });
      expect(await provider.resolveStringEvaluation(key, "mine", ada)).toMatchObject({
        value: "mine",
        reason: "DEFAULT",
        errorCode: "FLAG_NOT_FOUND",
        flagMetadata: { evaluationReason: "DEFAULT" },
      });
    }
  });

  test("a flag of another type to the caller's default with TYPE_MISMATCH", async () => {
    await using server = await startFlagServer(on, {
      key: "list",
      value_type: "OBJECT",
      variants: [{ key: "a", weight: 1, value: [1] }],
    });
    const client = await connect(toProvider(server));
    const mismatch = { reason: "ERROR", errorCode: "TYPE_MISMATCH" };
    expect(await client.getStringDetails("checkout", "mine", ada)).toMatchObject({ value: "mine", ...mismatch });
    expect(await client.getNumberDetails("checkout", 7, ada)).toMatchObject({ value: 7, ...mismatch });
    expect(await client.getObjectDetails("checkout", { a: 1 }, ada)).toMatchObject({ value: { a: 1 }, ...mismatch });
    expect(await client.getBooleanDetails("list", true, ada)).toMatchObject({ value: true, ...mismatch });
    expect(await client.getObjectValue("list", [], ada)).toEqual([1]);
  });

  test("a flag that needs a targeting key to TARGETING_KEY_MISSING without one", async () => {
    await using server = await startFlagServer({ key: "half", rollout_percentage: 50 });
    const client = await connect(toProvider(server));
    expect(await client.getBooleanDetails("half", true, {})).toMatchObject({
      value: true,
      reason: "ERROR",
      errorCode: "TARGETING_KEY_MISSING",
    });
  });

  test("a null value to the caller's default with the key of the variant", async () => {
    await using server = await startFlagServer({
      key: "nothing",
      value_type: "STRING",
      variants: [{ key: "none", weight: 1, value: null }],
    });
    const client = await connect(toProvider(server));
    expect(await client.getStringDetails("nothing", "mine", ada)).toMatchObject({
      value: "mine",
      variant: "none",
      reason: "CACHED",
    });
  });

  test("an object flag to a frozen value", async () => {
    await using server = await startFlagServer({
      key: "theme",
      value_type: "OBJECT",
      variants: [{ key: "a", weight: 1, value: { colors: ["red"] } }],
    });
    const client = await connect(toProvider(server));
    const theme = await client.getObjectValue<{ colors: string[] }>("theme", { colors: [] }, ada);
    expect(() => theme.colors.push("blue")).toThrow(TypeError);
    expect(await client.getObjectValue("theme", {}, ada)).toEqual({ colors: ["red"] });
  });

  test("a flag to the same result object until the definitions change", async () => {
    await using server = await startFlagServer({ key: "half", rollout_percentage: 50 });
    const provider = toProvider(server);
    await connect(provider);
    const answers = await Promise.all([1, 2].map(() => provider.resolveBooleanEvaluation("half", false, ada)));
    expect(answers[0]).toBe(answers[1]);
  });
});

describe("expired definitions", () => {
  test("are used with STATIC until the new ones arrive, which are used with CACHED", async () => {
    await using server = await startFlagServer(on);
    let now = 0;
    const client = await connect(toProvider(server, { now: () => now }));
    let release = () => {};
    server.held = new Promise((resolve) => {
      release = resolve;
    });
    server.definitions = toDefinitions(off);
    now = 300_000;
    const changed = next(client, ProviderEvents.ConfigurationChanged);
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "STATIC" });
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "STATIC" });
    release();
    expect(await changed).toMatchObject({ flagsChanged: ["checkout"] });
    expect(await client.getBooleanDetails("checkout", true, ada)).toMatchObject({
      value: false,
      reason: "CACHED",
      flagMetadata: { evaluationReason: "DISABLED", version: 4 },
    });
    expect(server.answers).toEqual([200, 200]);
  });

  test("are CACHED again after a 304", async () => {
    await using server = await startFlagServer(on);
    let now = 0;
    const client = await connect(toProvider(server, { now: () => now }));
    now = 300_000;
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ reason: "STATIC" });
    await vi.waitFor(async () => {
      expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "CACHED" });
    });
    expect(server.answers).toEqual([200, 304]);
  });

  test.each<Fault>(["error", "garbage", "later format", "hang", "rejected"])(
    "stay in use if the server fails with: %s; the provider emits STALE once",
    async (fault) => {
      await using server = await startFlagServer(on);
      let now = 0;
      const client = await connect(toProvider(server, { now: () => now, timeout: 100 }));
      const onStale = vi.fn();
      client.addHandler(ProviderEvents.Stale, onStale);
      const stale = next(client, ProviderEvents.Stale);
      server.fault = fault;
      now = 300_000;
      await client.getBooleanValue("checkout", false, ada);
      expect(await stale).toMatchObject({ message: expect.any(String) });
      expect(client.providerStatus).toBe(ProviderStatus.STALE);
      expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "STATIC" });
      expect(onStale).toHaveBeenCalledTimes(1);
    },
  );

  test("still evaluate flags when a long outage counts as an error, until the server responds again", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await using server = await startFlagServer(on);
    let now = 0;
    const client = await connect(toProvider(server, { now: () => now, errorAfterMs: 1 }));
    const failed = next(client, ProviderEvents.Error);
    server.fault = "error";
    now = 300_000;
    await client.getBooleanValue("checkout", false, ada);
    expect(await failed).toMatchObject({ message: expect.any(String), errorCode: "GENERAL" });
    expect(client.providerStatus).toBe(ProviderStatus.ERROR);
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "STATIC" });
    server.fault = undefined;
    await vi.waitFor(() => expect(client.providerStatus).toBe(ProviderStatus.READY), { timeout: 20_000 });
  });

  test("cause a READY event when the server responds again", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await using server = await startFlagServer(on);
    let now = 0;
    const client = await connect(toProvider(server, { now: () => now }));
    const stale = next(client, ProviderEvents.Stale);
    server.fault = "error";
    now = 300_000;
    await client.getBooleanValue("checkout", false, ada);
    await stale;
    const ready = new Promise<void>((resolve) => {
      client.addHandler(ProviderEvents.Ready, () => client.providerStatus === ProviderStatus.READY && resolve());
    });
    server.fault = undefined;
    await ready;
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "CACHED" });
  });
});

describe("initialisation", () => {
  test.each<Fault>(["error", "garbage", "later format", "hang"])(
    "fails if the server fails with: %s; the provider emits READY when the server recovers",
    async (fault) => {
      vi.spyOn(Math, "random").mockReturnValue(0);
      await using server = await startFlagServer(on);
      server.fault = fault;
      const domain = `test-${domains++}`;
      const setting = OpenFeature.setProviderAndWait(domain, toProvider(server, { timeout: 200 }));
      await expect(setting).rejects.toMatchObject({ code: "GENERAL" });
      const client = OpenFeature.getClient(domain);
      expect(client.providerStatus).toBe(ProviderStatus.ERROR);
      expect(await client.getBooleanValue("checkout", false, ada)).toBe(false);
      server.fault = undefined;
      await next(client, ProviderEvents.Ready);
      expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "CACHED" });
    },
  );

  test("fails with PROVIDER_FATAL for a rejected key, and the error does not contain the key", async () => {
    await using server = await startFlagServer(on);
    const domain = `test-${domains++}`;
    const setting = OpenFeature.setProviderAndWait(domain, toProvider(server, { apiKey: "asy_wrong_key" }));
    const error: Error = await setting.then(
      () => new Error("It was accepted"),
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ code: "PROVIDER_FATAL", message: "The server answered 401: Invalid API key" });
    expect(OpenFeature.getClient(domain).providerStatus).toBe(ProviderStatus.FATAL);
    expect(String(error.stack)).not.toContain("asy_wrong_key");
  });

  test("with a bootstrap does not wait; definitions that differ emit a change event", async () => {
    await using server = await startFlagServer(off);
    let release = () => {};
    server.held = new Promise((resolve) => {
      release = resolve;
    });
    const client = await connect(toProvider(server, { bootstrap: toDefinitions(on) }));
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "STATIC" });
    const changed = next(client, ProviderEvents.ConfigurationChanged);
    release();
    expect(await changed).toMatchObject({ flagsChanged: ["checkout"] });
    expect(await client.getBooleanDetails("checkout", true, ada)).toMatchObject({ value: false, reason: "CACHED" });
  });

  test("works again after the provider was closed", async () => {
    await using server = await startFlagServer(on);
    const provider = toProvider(server);
    await connect(provider);
    await OpenFeature.clearProviders();
    const client = await connect(provider);
    expect(await client.getBooleanValue("checkout", false, ada)).toBe(true);
  });

  test.each([
    [{}, "apiKey"],
    [undefined, "apiKey"],
    [{ apiKey: 7 }, "apiKey"],
    [{ apiKey: KEY, baseUrl: "localhost" }, "baseUrl"],
    [{ apiKey: "two\nlines" }, "apiKey"],
    [{ apiKey: KEY, timeout: "5s" }, "timeout"],
    [{ apiKey: KEY, fetch: "node-fetch" }, "fetch"],
    [{ apiKey: KEY, headers: "x-trace: 1" }, "headers"],
    [{ apiKey: KEY, headers: { "x trace": "1" } }, "headers"],
    [{ apiKey: KEY, streaming: "yes" }, "streaming"],
    [{ apiKey: KEY, bootstrap: null }, "bootstrap"],
    [{ apiKey: KEY, bootstrap: "flags.json" }, "bootstrap"],
    [{ apiKey: KEY, bootstrap: { flags: {} } }, "bootstrap"],
    [{ apiKey: KEY, bootstrap: { flags: [null] } }, "bootstrap"],
    [{ apiKey: KEY, cacheTtlMs: -1 }, "cacheTtlMs"],
    [{ engine: {} }, "engine"],
    [{ apiKey: KEY, reasons: "openfeature" }, "reasons"],
    [{ apiKey: KEY, flagSetId: 7 }, "flagSetId"],
    [{ apiKey: KEY, storage: "flags.json" }, "storage"],
    [{ apiKey: KEY, logger: {} }, "logger"],
    [{ apiKey: KEY, tracking: "off" }, "tracking"],
    [{ apiKey: KEY, tracking: { capacity: 0 } }, "tracking.capacity"],
    [{ apiKey: KEY, tracking: { batchSize: 1.5 } }, "tracking.batchSize"],
    [{ apiKey: KEY, tracking: { flushIntervalMs: "1s" } }, "tracking.flushIntervalMs"],
    [{ apiKey: KEY, tracking: { exposureCapacity: 0 } }, "tracking.exposureCapacity"],
    [{ apiKey: KEY, tracking: { exposures: 1 } }, "tracking.exposures"],
    [{ apiKey: KEY, tracking: { attributes: "country" } }, "tracking.attributes"],
    [{ apiKey: KEY, tracking: { attributes: [7] } }, "tracking.attributes"],
    [{ apiKey: KEY, tracking: { onDrop: true } }, "tracking.onDrop"],
  ])("throws OptionError for the options %j, and names %s", (options, option) => {
    // A value that a caller without TypeScript may pass.
    const create = () => new AssayServerProvider(options as unknown as RemoteProviderOptions);
    expect(create).toThrow(OptionError);
    expect(create).toThrow(expect.objectContaining({ option }));
  });
});

describe("track()", () => {
  test("sends a tracking event with value and metadata", async () => {
    await using server = await startFlagServer(on);
    const provider = toProvider(server);
    const client = await connect(provider);
    client.track("purchase", ada, { value: 19.9, currency: "EUR", at: new Date(0) } as TrackingEventDetails);
    client.track("exposure", ada, { experiment_id: "exp", variant_id: "treatment" });
    await provider.onClose();
    expect(server.events).toEqual([
      {
        event_type: "purchase",
        user_id: "ada",
        value: 19.9,
        event_metadata: { currency: "EUR", at: "1970-01-01T00:00:00.000Z" },
        event_id: expect.any(String),
        timestamp: expect.any(String),
      },
      expect.objectContaining({ event_type: "exposure", experiment_id: "exp", variant_id: "treatment" }),
    ]);
    expect(server.events[1]).not.toHaveProperty("event_metadata");
  });

  test("calls onDrop without a targeting key, and if the server is closed", async () => {
    const server = await startFlagServer(on);
    const drops: string[] = [];
    const provider = toProvider(server, { tracking: { onDrop: (_, reason) => drops.push(reason.message) } });
    const client = await connect(provider);
    client.track("purchase", {});
    client.track("purchase", ada);
    await server[Symbol.asyncDispose]();
    await provider.onClose();
    await provider.onClose();
    expect(drops).toEqual(['Event "purchase" has no targeting key', expect.stringContaining("closed")]);
  });
});

describe("a provider with an engine of the same process", () => {
  test("evaluates without requests and timers, and emits changes of the engine until it is closed", async () => {
    const fetch = vi.spyOn(globalThis, "fetch");
    const setTimer = vi.spyOn(globalThis, "setTimeout");
    const engine = createEngine(toDefinitions(on));
    const tracked: unknown[] = [];
    const provider = new AssayServerProvider({ engine, track: (event) => tracked.push(event) });
    const client = await connect(provider);
    const changes: (string[] | undefined)[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (details) => changes.push(details?.flagsChanged));
    expect(await client.getBooleanDetails("checkout", false, ada)).toMatchObject({ value: true, reason: "CACHED" });
    engine.update(toDefinitions(off));
    expect(await client.getBooleanDetails("checkout", true, ada)).toMatchObject({
      value: false,
      flagMetadata: { evaluationReason: "DISABLED", version: 4 },
    });
    client.track("purchase", ada, { value: 1 });
    await provider.onClose();
    engine.update(toDefinitions(on));
    expect(changes).toEqual([["checkout"]]);
    expect(tracked).toEqual([{ event_type: "purchase", user_id: "ada", value: 1 }]);
    expect(fetch).not.toHaveBeenCalled();
    expect(setTimer).not.toHaveBeenCalled();
  });
});
