import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { ErrorCode, type EvaluationContext, OpenFeature as OnServers } from "@openfeature/server-sdk";
import { OpenFeature as InBrowsers, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listen } from "../../listening.fixture.ts";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import { TestEventSource } from "./event-source.fixture.ts";

const POLLED = "/ofrep/v1/evaluate/flags";

/** The protocol's own providers, as published, against a server on a port. */
let server: TestServer;
let http: Awaited<ReturnType<typeof listen>>;
let key: string;
let domains = 0;
let domain: string;
let polls = 0;

beforeEach(async () => {
  polls = 0;
  server = await createTestServer({ accessLog: ({ route }) => void (route === POLLED && polls++) });
  http = await listen(server.assay);
  domain = `test-${domains++}`;
  const variants = (value: unknown) => [{ key: "only", value }];
  await create("boolean");
  await create("text", { variants: variants("hello") });
  await create("number", { variants: variants(4.5) });
  await create("object", { variants: variants({ colour: "red" }) });
  await create("split", { rollout_percentage: 50 });
  await create("off", { status: "INACTIVE" });
  ({ key } = await server.withKey(["read"]));
});
afterEach(async () => {
  await Promise.all([OnServers.clearProviders(), InBrowsers.clearProviders()]);
  vi.unstubAllGlobals();
  await server.assay.close();
  await http.close();
});

const create = (flag: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key: flag, name: flag, status: "ACTIVE", ...body } });
const ada = { targetingKey: "ada" };

describe("@openfeature/ofrep-provider", () => {
  async function connect(headers: [string, string][], baseUrl = http.url) {
    await OnServers.setProviderAndWait(domain, new OFREPProvider({ baseUrl, headers }));
    return OnServers.getClient(domain);
  }

  test("evaluates all four types, with either kind of credentials, at the root and under /api/v1", async () => {
    for (const [headers, base] of [
      [["X-API-Key", key], http.url],
      [["Authorization", `Bearer ${key}`], `${http.url}/api/v1`],
    ] as [[string, string], string][]) {
      const client = await connect([headers], base);
      expect(await client.getBooleanValue("boolean", false, ada)).toBe(true);
      expect(await client.getStringValue("text", "", ada)).toBe("hello");
      expect(await client.getNumberValue("number", 0, ada)).toBe(4.5);
      expect(await client.getObjectValue("object", {}, ada)).toEqual({ colour: "red" });
    }
  });

  test("passes on variant, reason and metadata, and the standard error codes", async () => {
    const client = await connect([["X-API-Key", key]]);
    expect(await client.getBooleanDetails("boolean", false, ada)).toMatchObject({
      variant: "on",
      reason: "STATIC",
      flagMetadata: { evaluationReason: "STATIC", version: 1, flagSetId: "default" },
    });
    const codeOf = async (flag: string, context: EvaluationContext) =>
      (await client.getBooleanDetails(flag, false, context)).errorCode;
    expect(await codeOf("nope", ada)).toBe(ErrorCode.FLAG_NOT_FOUND);
    expect(await codeOf("split", {})).toBe(ErrorCode.TARGETING_KEY_MISSING);
    expect(await codeOf("text", ada)).toBe(ErrorCode.TYPE_MISMATCH);
    expect(await client.getBooleanValue("off", true, ada)).toBe(true);
  });

  test("assigns every user like the engine", async () => {
    const client = await connect([["X-API-Key", key]]);
    for (let index = 0; index < 50; index++) {
      const context = { targetingKey: `user-${index}` };
      const expected = server.assay.engine.evaluate("split", context, null).value;
      expect(await client.getBooleanValue("split", !expected, context)).toBe(expected);
    }
  });
});

describe("@openfeature/ofrep-web-provider", () => {
  async function connect(options: object = {}) {
    const provider = new OFREPWebProvider({
      baseUrl: http.url,
      headers: [["X-API-Key", key]],
      pollInterval: 0,
      ...options,
    });
    await InBrowsers.setContext(domain, ada);
    await InBrowsers.setProviderAndWait(domain, provider);
    return InBrowsers.getClient(domain);
  }

  test("has every flag after one request, and the caller's default for a disabled one", async () => {
    const client = await connect();
    expect(client.getBooleanValue("boolean", false)).toBe(true);
    expect(client.getStringValue("text", "")).toBe("hello");
    expect(client.getNumberValue("number", 0)).toBe(4.5);
    expect(client.getObjectValue("object", {})).toEqual({ colour: "red" });
    expect(client.getBooleanDetails("off", true)).toMatchObject({ value: true, reason: "DISABLED" });
    expect(client.getBooleanDetails("nope", true)).toMatchObject({ value: true, errorCode: ErrorCode.FLAG_NOT_FOUND });
  });

  test("follows a change of its context", async () => {
    const client = await connect();
    for (const targetingKey of ["user-1", "user-2", "user-3", "user-4"]) {
      await InBrowsers.setContext(domain, { targetingKey });
      const expected = server.assay.engine.evaluate("split", { targetingKey }, null).value;
      expect(client.getBooleanValue("split", !expected)).toBe(expected);
    }
  });

  test("receives the toggled flag, and no other, over its event stream", async () => {
    vi.stubGlobal("EventSource", TestEventSource);
    const client = await connect();
    const changes: unknown[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged));
    const params = { id: "boolean" };
    await expect.poll(() => TestEventSource.opened).toBe(1);
    await server.admin.request("PUT /feature-flags/{id}", { params, body: { status: "INACTIVE" } });
    await expect.poll(() => changes).toEqual([["boolean"]]);
    expect(client.getBooleanDetails("boolean", true)).toMatchObject({ value: true, reason: "DISABLED" });
  });

  test("receives changes by polling too, and nothing without changes", async () => {
    const client = await connect({ pollInterval: 50, changeDetection: "polling" });
    const changes: unknown[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged));
    const before = polls;
    await expect.poll(() => polls).toBeGreaterThan(before + 2);
    expect(changes).toEqual([]);
    const params = { id: "text" };
    await server.admin.request("PUT /feature-flags/{id}", { params, body: { status: "INACTIVE" } });
    await expect.poll(() => changes).toEqual([["text"]]);
  });
});
