import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningRelay, startUpstream, type Upstream } from "./relay.fixture.ts";

const EVENTS = "/api/v1/tracking/events";
const TRACK = "/api/v1/tracking/track";

let upstream: Upstream;
let relay: RunningRelay;
beforeEach(async () => {
  upstream = await startUpstream();
  relay = await upstream.relay();
  for (const key of [upstream.serverKey, upstream.clientKey]) await relay.send("/api/v1/api-keys/current", key);
});
afterEach(() => upstream.close());

const typesOf = async (user: string) => (await upstream.eventsOf(user)).map(({ event_type }) => event_type);
const event = (event_type: string, more: object = {}) => ({ event_type, user_id: "ada", ...more });
const until = (events: string[], user = "ada") => expect.poll(() => typesOf(user)).toEqual(events);

test("delivers the three forms of events, in order", async () => {
  expect((await relay.send(EVENTS, upstream.serverKey, event("one"))).status).toBe(201);
  expect((await relay.send(EVENTS, upstream.serverKey, [event("two")])).status).toBe(201);
  const batch = { events: [event("three"), event("four")], sent_at: new Date().toISOString() };
  expect((await relay.send(EVENTS, upstream.serverKey, batch)).json).toEqual({
    accepted: 2,
    duplicates: 0,
    rejected: 0,
    errors: [],
  });
  const tracked = await relay.send(TRACK, upstream.clientKey, event("five", { event_id: "mine" }));
  expect(tracked).toMatchObject({ status: 201, json: { event_id: "mine", duplicate: false } });
  await until(["one", "two", "three", "four", "five"]);
});

test("accepts NDJSON and gzip", async () => {
  const lines = `${JSON.stringify(event("one"))}\n${JSON.stringify(event("two"))}\n`;
  const response = await fetch(`${relay.url}${EVENTS}`, {
    method: "POST",
    headers: { "x-api-key": upstream.serverKey, "content-type": "application/x-ndjson", "content-encoding": "gzip" },
    body: gzipSync(lines),
  });
  expect(response.status).toBe(201);
  await until(["one", "two"]);
});

test("an event with the same id counts once", async () => {
  for (let time = 0; time < 3; time++) await relay.send(EVENTS, upstream.serverKey, [event("one", { event_id: "1" })]);
  await relay.send(EVENTS, upstream.serverKey, [event("last")]);
  await until(["one", "last"]);
});

test("a repeated request with an Idempotency-Key counts once", async () => {
  for (let time = 0; time < 3; time++) {
    await relay.send(TRACK, upstream.serverKey, event("one"), { "idempotency-key": "same" });
  }
  await relay.send(TRACK, upstream.serverKey, event("last"));
  await until(["one", "last"]);
});

test("keeps the time of receipt, and corrects times by the clock of the sender", async () => {
  upstream.goDown();
  const before = Date.now();
  const hour = 3_600_000;
  const timestamp = new Date(before - 2 * hour).toISOString();
  await relay.send(EVENTS, upstream.serverKey, { events: [event("slow", { timestamp })], sent_at: timestamp });
  await relay.send(TRACK, upstream.serverKey, event("now"));
  const after = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await upstream.comeBack();
  await until(["slow", "now"]);
  for (const { timestamp } of await upstream.eventsOf("ada")) {
    // The upstream corrects the clock of the relay by the time that a request takes.
    const time = new Date(timestamp!).getTime();
    expect(time).toBeGreaterThan(before - 2_000);
    expect(time).toBeLessThan(after + 2_000);
  }
});

test("refuses invalid events one by one, with their index", async () => {
  const body = { events: [event("good"), { event_type: "" }, event("fine"), 7] };
  const { status, json } = await relay.send(EVENTS, upstream.serverKey, body);
  expect(status).toBe(201);
  expect(json).toMatchObject({ accepted: 2, rejected: 2 });
  const places = json.errors.map(({ index, loc }: { index: number; loc: unknown[] }) => [index, loc.slice(0, 3)]);
  expect(places).toContainEqual([1, ["body", "events", 1]]);
  expect(places).toContainEqual([3, ["body", "events", 3]]);
  await until(["good", "fine"]);
  for (const bad of [[], { events: [] }, { events: 1 }, 7, [7], { events: [event("x")], sent_at: "soon" }]) {
    expect((await relay.send(EVENTS, upstream.serverKey, bad)).status).toBe(422);
  }
  expect((await relay.send(EVENTS, upstream.serverKey, Array(5001).fill(event("x")))).status).toBe(422);
  expect((await relay.send(TRACK, upstream.serverKey, { user_id: "ada" })).status).toBe(422);
});

test("events that only the upstream refuses do not take others with them", async () => {
  const long = event("long ago", { timestamp: "2001-01-01T00:00:00Z" });
  let deep: unknown = 1;
  for (let depth = 0; depth < 300; depth++) deep = [deep];
  const body = [event("one"), long, event("two"), event("deep", { event_metadata: { deep } }), event("three")];
  expect((await relay.send(EVENTS, upstream.serverKey, body)).status).toBe(201);
  await until(["one", "two", "three"]);
  expect(await relay.ready()).toMatchObject({ events: { buffered: 0, rejected: 2 } });
});

test("the upstream checks the arm that a CLIENT key reports, as without a relay", async () => {
  const variants = [{ key: "a", is_control: true }, { key: "b" }];
  const { id } = await upstream.admin.request("POST /experiments/", { body: { key: "exp", name: "Exp", variants } });
  await upstream.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: id } });
  const { variant_key } = upstream.assay.engine.assign("exp", "ada")!;
  const other = variant_key === "a" ? "b" : "a";
  const exposure = (variant_id: string) => event("exposure", { experiment_id: "exp", variant_id });
  await relay.send(EVENTS, upstream.clientKey, [exposure(other), exposure(variant_key!)]);
  await expect.poll(async () => (await relay.ready()).events).toMatchObject({ buffered: 0, rejected: 1 });
  expect(await upstream.eventsOf("ada")).toMatchObject([{ variant_id: variant_key }]);
});

test("keeps events while the upstream is down, also over a restart of the relay", async () => {
  upstream.goDown();
  for (const key of [upstream.serverKey, upstream.clientKey, upstream.serverKey]) {
    expect((await relay.send(EVENTS, key, [event("before"), event("before")])).status).toBe(201);
  }
  await relay.close();
  relay = await upstream.relay({ directory: relay.directory });
  expect(await relay.ready()).toMatchObject({ upstream: { reachable: false }, events: { buffered: 6 } });
  expect((await relay.send(EVENTS, upstream.clientKey, [event("after")])).status).toBe(201);
  await upstream.comeBack();
  await until([...Array(6).fill("before"), "after"]);
  expect(await relay.ready()).toMatchObject({ events: { buffered: 0, rejected: 0 } });
});

test("an upstream that answers 5xx, or as something else, loses no event", async () => {
  await relay.send(EVENTS, upstream.serverKey, [event("first")]);
  await until(["first"]);
  for (const [status, body] of [
    [500, '{"detail":"Internal server error"}'],
    [404, "<h1>Not found</h1>"],
    [200, "<h1>Sign in</h1>"],
  ] as const) {
    upstream.answerWith((_request, response) => void response.writeHead(status).end(body));
    expect((await relay.send(EVENTS, upstream.serverKey, [event(`while ${status}`)])).status).toBe(201);
    await expect.poll(async () => (await relay.ready()).events.buffered).toBeGreaterThan(0);
  }
  expect(await relay.ready()).toMatchObject({ status: "ready", events: { buffered: 3, rejected: 0 } });
  await upstream.comeBack();
  await until(["first", "while 500", "while 404", "while 200"]);
  expect(await relay.ready()).toMatchObject({ events: { buffered: 0, lag_seconds: 0 } });
});

test("a full buffer is a 503 with Retry-After, and takes events again once there is room", async () => {
  const small = await upstream.relay({ maxBufferBytes: 300_000 });
  await small.send("/api/v1/api-keys/current", upstream.serverKey);
  upstream.goDown();
  const kept: string[] = [];
  for (let number = 0; number < 20; number++) {
    const name = `event ${number}`;
    const body = [event(name, { event_metadata: { text: "x".repeat(50_000) } })];
    const { status, headers, json } = await small.send(EVENTS, upstream.serverKey, body);
    if (status === 201) kept.push(name);
    else {
      expect(status).toBe(503);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(json.detail).toContain("full");
    }
  }
  expect(kept).toHaveLength(5);
  // It still evaluates.
  expect((await small.send("/ofrep/v1/evaluate/flags", upstream.serverKey, { context: {} })).status).toBe(200);
  await upstream.comeBack();
  await until(kept);
  expect((await small.send(EVENTS, upstream.serverKey, [event("again")])).status).toBe(201);
  await until([...kept, "again"]);
});

test("events of a CLIENT key that is revoked meanwhile are counted as rejected, and do not stop the others", async () => {
  const { key, id } = await upstream.keyOf("CLIENT");
  await relay.send("/api/v1/api-keys/current", key);
  upstream.goDown();
  await relay.send(EVENTS, key, [event("revoked")]);
  await relay.send(EVENTS, upstream.serverKey, [event("good")]);
  await upstream.comeBack();
  await upstream.revoke(id);
  await expect.poll(async () => (await relay.ready()).events.buffered).toBe(0);
  const types = await typesOf("ada");
  // The upstream may have received the first one before it revoked the key.
  expect(types.at(-1)).toBe("good");
  expect((await relay.ready()).events.rejected).toBe(2 - types.length);
});
