import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AssayServer, startServer } from "./server.fixture.ts";
import { type FlagType, SUBJECTS, type Subject } from "./subject.fixture.ts";

const SOON = { timeout: 20_000, interval: 50 };
let server: AssayServer;
let subject: Subject | undefined;

const create = (key: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", {
    body: { key, name: key, status: "ACTIVE", client_side: true, ...body },
  });
const update = (id: string, body: object) => server.admin.request("PUT /feature-flags/{id}", { params: { id }, body });
const only = (value: unknown) => ({ variants: [{ key: "only", value }] });

beforeEach(async () => {
  // The shortest pauses between attempts.
  vi.spyOn(Math, "random").mockReturnValue(0);
  server = await startServer();
  await create("plain");
  await create("text", only("hello"));
  await create("number", only(4.5));
  await create("object", only({ colour: "red" }));
  await create("ruled", {
    rollout_percentage: 0,
    rules: [{ id: "ada", when: { attribute: "user_id", operator: "EQUALS", value: "ada" }, serve: { variant: "on" } }],
  });
  await create("half", { rollout_percentage: 50 });
  await create("off", { status: "INACTIVE" });
  await create("dependent", { prerequisites: [{ flag_key: "off" }] });
});
afterEach(async () => {
  await subject?.stop();
  vi.restoreAllMocks();
  await server.close();
});

describe.each(Object.entries(SUBJECTS))("%s over HTTP", (_, start) => {
  const open = (cacheTtlMs = 300_000, streaming = false) => {
    const { apiKey, url: baseUrl } = server;
    const options = { apiKey, baseUrl, cacheTtlMs, streaming, timeout: 5_000 };
    subject = start({ ...options, reasons: "evaluation", fetch: (request) => fetch(request) });
    return subject;
  };

  test.each<[string, FlagType, object]>([
    ["plain", "Boolean", { value: true, variant: "on", reason: "STATIC" }],
    ["text", "String", { value: "hello", variant: "only", reason: "STATIC" }],
    ["number", "Number", { value: 4.5, variant: "only", reason: "STATIC" }],
    ["object", "Object", { value: { colour: "red" }, variant: "only", reason: "STATIC" }],
    ["ruled", "Boolean", { value: true, reason: "TARGETING_MATCH" }],
    ["half", "Boolean", { reason: "SPLIT" }],
    ["off", "Boolean", { reason: "DISABLED" }],
    ["missing", "Boolean", { reason: "ERROR", errorCode: "FLAG_NOT_FOUND" }],
    ["text", "Boolean", { reason: "ERROR", errorCode: "TYPE_MISMATCH" }],
  ])("answers the flag %s, asked for as %s, with %j and its metadata", async (key, type, expected) => {
    const { evaluate, started } = open();
    await started;
    const fallback = { Boolean: false, String: "", Number: 0, Object: {} }[type];
    const details = await evaluate(type, key, fallback, { targetingKey: "ada" });
    expect(details).toMatchObject(expected);
    if (key === "missing") return;
    expect(details.flagMetadata).toMatchObject({ version: 1, flagSetId: "default" });
    const ruleId = key === "ruled" ? "ada" : undefined;
    expect(details.flagMetadata.ruleId).toBe(ruleId);
  });

  test("returns the reason of a failed prerequisite, and TARGETING_KEY_MISSING only if a hash is needed", async () => {
    const { evaluate, started } = open();
    await started;
    expect(await evaluate("Boolean", "half", false, {})).toMatchObject({ errorCode: "TARGETING_KEY_MISSING" });
    expect(await evaluate("Boolean", "plain", false, {})).toMatchObject({ value: true });
    const dependent = await evaluate("Boolean", "dependent", true, { targetingKey: "ada" });
    expect(dependent).toMatchObject({
      value: false,
      reason: "DEFAULT",
      flagMetadata: { evaluationReason: "PREREQUISITE_FAILED" },
    });
  });

  test("goes STALE without its server, keeps its answers, and names the changed flags when the server is back", async () => {
    const { evaluate, started, status, changes } = open(200);
    await started;
    const answerOf = async (key: string) => (await evaluate("Boolean", key, false, {})).value;
    expect(await answerOf("plain")).toBe(true);
    await server.stop();
    await expect.poll(status, SOON).toBe("STALE");
    expect(await evaluate("Boolean", "plain", false, {})).toMatchObject({ value: true, reason: "STALE" });
    await server.restart();
    await expect.poll(status, SOON).toBe("READY");
    expect(changes).toEqual([]);
    await update("off", { status: "ACTIVE" });
    await expect.poll(() => answerOf("off"), SOON).toBe(true);
    // The flag, and the flag that requires it.
    expect(changes.map((flags) => [...flags].sort())).toEqual([["dependent", "off"]]);
  });

  test("with streaming goes STALE when the stream cannot be reopened, before its definitions expire", async () => {
    const { evaluate, started, status, changes } = open(300_000, true);
    await started;
    await expect.poll(() => server.streams(), SOON).toBe(1);
    await server.stop();
    await expect.poll(status, SOON).toBe("STALE");
    expect(await evaluate("Boolean", "plain", false, {})).toMatchObject({ value: true });
    await server.restart();
    await expect.poll(status, SOON).toBe("READY");
    await expect.poll(() => server.streams(), SOON).toBe(1);
    await update("off", { status: "ACTIVE" });
    await expect.poll(() => changes.map((flags) => [...flags].sort()), SOON).toEqual([["dependent", "off"]]);
  });

  test("that starts without its server is in ERROR, and READY when the server responds", async () => {
    await server.stop();
    const { evaluate, started, status } = open();
    await expect(started).rejects.toThrow();
    expect(status()).toBe("ERROR");
    expect(await evaluate("Boolean", "plain", true, {})).toMatchObject({
      value: true,
      errorCode: "PROVIDER_NOT_READY",
    });
    await server.restart();
    await expect.poll(status, SOON).toBe("READY");
    expect(await evaluate("Boolean", "plain", false, {})).toMatchObject({ value: true, reason: "STATIC" });
  });
});
