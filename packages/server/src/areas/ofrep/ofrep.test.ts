import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readEvents } from "../../event-reader.fixture.ts";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let key: string;
beforeEach(async () => {
  server = await createTestServer({ cors: { origins: ["https://app.example.org"] } });
  await create("plain", { client_side: true });
  await create("split", { rollout_percentage: 50 });
  await create("off", { status: "INACTIVE" });
  await create("text", { variants: [{ key: "greeting", value: "hello" }] });
  ({ key } = await server.withKey(["read"]));
});
afterEach(() => server.assay.close());

const create = (flag: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key: flag, name: flag, status: "ACTIVE", ...body } });

async function post(path: string, body: unknown, headers: Record<string, string> = { "x-api-key": key }) {
  const response = await server.assay.fetch(
    new Request(`${ORIGIN}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) };
}

const ALL = "/ofrep/v1/evaluate/flags";
const ada = { context: { targetingKey: "ada" } };
const bulk = (headers: Record<string, string> = {}) => post(ALL, ada, { "x-api-key": key, ...headers });

function openStream(json: { eventStreams: { endpoint: { requestUri: string } }[] }, headers = {}): Promise<Response> {
  return server.assay.fetch(new Request(ORIGIN + json.eventStreams[0]!.endpoint.requestUri, { headers }));
}

describe.each(["", "/api/v1"])("under %j", (prefix) => {
  test("evaluates one flag with value, variant, reason and metadata", async () => {
    const { status, headers, json } = await post(`${prefix}${ALL}/plain`, ada);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(json).toEqual({
      key: "plain",
      value: true,
      variant: "on",
      reason: "STATIC",
      metadata: { evaluationReason: "STATIC", version: 1, flagSetId: "default" },
    });
  });

  test("evaluates all flags like each alone", async () => {
    const { json } = await post(prefix + ALL, ada);
    expect(json.flags.map((flag: { key: string }) => flag.key)).toEqual(["plain", "split", "off", "text"]);
    for (const flag of json.flags) expect((await post(`${prefix}${ALL}/${flag.key}`, ada)).json).toEqual(flag);
    expect(json.eventStreams).toEqual([
      {
        type: "sse",
        endpoint: { requestUri: expect.stringMatching(`^${prefix}/ofrep/v1/stream\\?token=[\\w-]+$`) },
        inactivityDelaySec: 120,
      },
    ]);
  });
});

test("the API and the protocol give the same answers", async () => {
  const client = await server.withKey(["read"]);
  for (let index = 0; index < 50; index++) {
    const userId = `user-${index}`;
    const { json } = await post(`${ALL}/split`, { context: { targetingKey: userId } });
    const answer = await client.request("POST /openfeature/evaluate", { body: { flagKey: "split", userId } });
    expect([json.value, json.variant, json.reason]).toEqual([answer.value, answer.variant, answer.reason]);
  }
});

test("answers a disabled flag without a value, so that the caller's default is used", async () => {
  const { status, json } = await post(`${ALL}/off`, ada);
  expect(status).toBe(200);
  expect(json).toEqual({
    key: "off",
    reason: "DISABLED",
    defaultValue: false,
    metadata: { evaluationReason: "DISABLED", version: 1, flagSetId: "default" },
  });
});

test("includes the default of a disabled flag apart from a value", async () => {
  await create("sign", { status: "INACTIVE", variants: [{ key: "a", value: "hello" }], default_value: "closed" });
  expect((await post(`${ALL}/sign`, ada)).json).toMatchObject({ reason: "DISABLED", defaultValue: "closed" });
  expect((await post(`${ALL}/off`, ada)).json.defaultValue).toBe(false);
  await create("bare", { status: "INACTIVE", variants: [{ key: "a", value: "hello" }] });
  for (const flag of ["sign", "off", "bare"])
    expect((await post(`${ALL}/${flag}`, ada)).json).not.toHaveProperty("value");
  expect((await post(`${ALL}/bare`, ada)).json).not.toHaveProperty("defaultValue");
});

test("names the flag set also for unknown flags", async () => {
  expect((await bulk()).json.metadata).toEqual({ flagSetId: "default" });
  expect((await post(`${ALL}/nope`, ada)).json.metadata).toEqual({ flagSetId: "default" });
});

test("maps a reason outside of the protocol to UNKNOWN, with the original in the metadata", async () => {
  await create("dependent", { prerequisites: [{ flag_key: "off", value: true }] });
  const { json } = await post(`${ALL}/dependent`, ada);
  expect(json).toMatchObject({
    value: false,
    reason: "UNKNOWN",
    metadata: { evaluationReason: "PREREQUISITE_FAILED" },
  });
});

test("targets attributes of the context, and names the matched rule in the metadata", async () => {
  const when = { attribute: "country", operator: "EQUALS", value: "DE" };
  await create("local", { rollout_percentage: 0, rules: [{ id: "germans", when, serve: { variant: "on" } }] });
  const { json } = await post(`${ALL}/local`, { context: { targetingKey: "ada", country: "DE" } });
  expect(json).toMatchObject({
    value: true,
    reason: "TARGETING_MATCH",
    metadata: { ruleId: "germans", forced: true },
  });
});

test.each([
  ["an unknown flag", "nope", ada, 404, "FLAG_NOT_FOUND"],
  ["a name of every object", "__proto__", ada, 404, "FLAG_NOT_FOUND"],
  ["another name of every object", "constructor", ada, 404, "FLAG_NOT_FOUND"],
  ["a key with a slash", "a/b", ada, 404, "FLAG_NOT_FOUND"],
  ["a missing targeting key for a draw", "split", { context: {} }, 400, "TARGETING_KEY_MISSING"],
  ["a targeting key that is not a string", "plain", { context: { targetingKey: 7 } }, 400, "INVALID_CONTEXT"],
  [
    "a targeting key that is too long",
    "plain",
    { context: { targetingKey: "x".repeat(1025) } },
    400,
    "INVALID_CONTEXT",
  ],
  ["a context that is not an object", "plain", { context: [] }, 400, "INVALID_CONTEXT"],
  ["a body that is not an object", "plain", [], 400, "PARSE_ERROR"],
  ["a body that is not JSON", "plain", "{", 400, "PARSE_ERROR"],
])("reports %s in the protocol's terms", async (_, flag, body, status, errorCode) => {
  const answer = await post(`${ALL}/${flag}`, body);
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ key: flag, errorCode, errorDetails: expect.any(String) });
});

test("counts the characters of a targeting key as those of a user id are counted: by code points", async () => {
  const short = "😀".repeat(1024);
  const long = "😀".repeat(1025);
  const ask = (targetingKey: string) => post(`${ALL}/plain`, { context: { targetingKey } });
  const evaluate = (userId: string) => post("/api/v1/openfeature/evaluate", { flagKey: "plain", userId });
  expect([(await ask(short)).status, (await ask(long)).status]).toEqual([200, 400]);
  expect([(await evaluate(short)).status, (await evaluate(long)).status]).toEqual([200, 422]);
});

test("evaluates a flag without a draw without a targeting key; other flags report the missing key", async () => {
  const { status, json } = await post(ALL, { context: {} });
  expect(status).toBe(200);
  expect(json.flags).toMatchObject([{ key: "plain", value: true }, { errorCode: "TARGETING_KEY_MISSING" }, {}, {}]);
  expect((await post(ALL, { context: 1 })).json).toEqual({
    errorCode: "INVALID_CONTEXT",
    errorDetails: "Context is not an object",
  });
});

test("the ETag covers the evaluated body: 304 until an answer for this context changes", async () => {
  const first = await bulk();
  const tag = first.headers.get("etag")!;
  const again = await bulk({ "if-none-match": tag });
  expect([again.status, again.json, again.headers.get("etag")]).toEqual([304, undefined, tag]);
  const valueFor = (targetingKey: string) => server.assay.engine.evaluate("split", { targetingKey }, null).value;
  const targetingKey = ["bob", "eve", "kim", "lee", "max", "zoe"].find((name) => valueFor(name) !== valueFor("ada"));
  expect((await post(ALL, { context: { targetingKey } })).headers.get("etag")).not.toBe(tag);
  const params = { id: "plain" };
  await server.admin.request("PUT /feature-flags/{id}", { params, body: { status: "INACTIVE" } });
  const changed = await bulk({ "if-none-match": tag });
  expect(changed.status).toBe(200);
  expect(changed.json.flags[0]).toMatchObject({ key: "plain", reason: "DISABLED" });
});

describe("credentials", () => {
  test("are an API key, by header or as a bearer token", async () => {
    expect((await post(`${ALL}/plain`, ada, { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  test("that are missing, wrong or insufficient are rejected", async () => {
    expect(await post(ALL, ada, {})).toMatchObject({ status: 401, json: { errorDetails: "Not authenticated" } });
    const wrong = { authorization: "Bearer asy_nope" };
    expect(await post(ALL, ada, wrong)).toMatchObject({ status: 401, json: { errorDetails: "Invalid API key" } });
    const writer = await server.withKey(["write"]);
    expect((await post(`${ALL}/plain`, ada, { "x-api-key": writer.key })).status).toBe(403);
  });

  test("of a CLIENT key see client-side flags only", async () => {
    const client = await server.withKey(["read"], { kind: "CLIENT" });
    const headers = { "x-api-key": client.key };
    expect((await post(ALL, ada, headers)).json.flags).toMatchObject([{ key: "plain" }]);
    expect((await post(`${ALL}/split`, ada, headers)).status).toBe(404);
  });
});

test("answers too many requests with 429 and Retry-After", async () => {
  await server.assay.close();
  server = await createTestServer({ rateLimit: { api: 2 } });
  ({ key } = await server.withKey(["read"]));
  await bulk();
  await bulk();
  const { status, headers, json } = await bulk();
  expect([status, Object.keys(json)]).toEqual([429, ["errorDetails"]]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});

test("answers a wrong method with 405", async () => {
  const response = await server.assay.fetch(new Request(`${ORIGIN}${ALL}`, { headers: { "x-api-key": key } }));
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test("allows pages of configured origins, preflight included", async () => {
  const origin = "https://app.example.org";
  const preflight = await server.assay.fetch(
    new Request(`${ORIGIN}${ALL}`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "x-api-key" },
    }),
  );
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
  const { headers } = await bulk({ origin });
  expect(headers.get("access-control-allow-origin")).toBe(origin);
  expect(headers.get("access-control-expose-headers")).toContain("ETag");
  expect(
    (await bulk({ origin: "https://elsewhere.example.org" })).headers.get("access-control-allow-origin"),
  ).toBeNull();
});

test("a node answers with a change that the client has seen on another node", async () => {
  await server.assay.close();
  const storage = sharedStore();
  const here = await createTestServer({ storage });
  server = here;
  await create("plain");
  ({ key } = await server.withKey(["read"]));
  const events = readEvents(await openStream((await bulk()).json));
  await events.next();
  // Nodes notify each other and poll once a second. This one does neither.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  server = await createTestServer({ storage: { ...storage, subscribe: async () => async () => {} } });
  vi.useRealTimers();
  await here.admin.request("PUT /feature-flags/{id}", { params: { id: "plain" }, body: { status: "INACTIVE" } });
  const { etag } = (await events.next())!.data as { etag: string };
  expect((await bulk()).json.flags).toMatchObject([{ reason: "STATIC" }]);
  expect((await post(`${ALL}?flagConfigEtag=${etag}`, ada)).json.flags).toMatchObject([{ reason: "DISABLED" }]);
  await here.assay.close();
});

describe("the event stream", () => {
  const change = (body: object) =>
    server.admin.request("PUT /feature-flags/{id}", { params: { id: "split" }, body: body as never });

  test("tells a provider to evaluate again when definitions change", async () => {
    const response = await openStream((await bulk()).json);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = readEvents(response);
    // Sent at once, because definitions may have changed since the evaluation.
    expect((await events.next())!.data.type).toBe("refetchEvaluation");
    await change({ rollout_percentage: 60 });
    const event = await events.next();
    expect(event).toMatchObject({ event: "message", data: { type: "refetchEvaluation", etag: event!.id } });
    const resumed = await openStream((await bulk()).json, { "last-event-id": "an older one" });
    expect((await readEvents(resumed).next())!.data.type).toBe("refetchEvaluation");
  });

  test("has an address that changes after a while, and a provider learns the new one by the ETag", async () => {
    const first = await bulk();
    server.advance(16 * 60_000);
    expect((await openStream(first.json)).status).toBe(200);
    const later = await bulk({ "if-none-match": first.headers.get("etag")! });
    expect(later.status).toBe(200);
    expect(later.json.flags).toEqual(first.json.flags);
    server.advance(15 * 60_000);
    expect((await openStream(first.json)).status).toBe(401);
    expect((await openStream(later.json)).status).toBe(200);
  });

  test("rejects forged tokens, and closes the streams of a revoked key", async () => {
    const { json } = await bulk();
    const [{ endpoint }] = json.eventStreams;
    const forged = Buffer.from(endpoint.requestUri.split("=")[1], "base64url").toString().replace(/^./, "f");
    const uri = `/ofrep/v1/stream?token=${Buffer.from(forged).toString("base64url")}`;
    for (const requestUri of [uri, "/ofrep/v1/stream", "/ofrep/v1/stream?token=x"]) {
      expect((await openStream({ eventStreams: [{ endpoint: { requestUri } }] })).status).toBe(401);
    }
    const other = await server.withKey(["read"]);
    const { json: theirs } = await post(ALL, ada, { "x-api-key": other.key });
    const events = readEvents(await openStream(theirs));
    expect((await events.next())!.data.type).toBe("refetchEvaluation");
    await server.admin.request("DELETE /api-keys/{id}", { params: { id: other.id } });
    expect(await events.next()).toBeUndefined();
    expect((await openStream(theirs)).status).toBe(401);
  });
});
