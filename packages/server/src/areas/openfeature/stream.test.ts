import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAssay } from "../../create.ts";
import { readEvents } from "../../event-reader.fixture.ts";
import { silentLogger } from "../../ground/runtime.ts";
import { createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer({ maxStreams: 3 });
});
afterEach(() => server.assay.close());

const create = (key: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE", ...body } });
const change = (id: string, body: object) => server.admin.request("PUT /feature-flags/{id}", { params: { id }, body });

function open(key: string, headers: Record<string, string> = {}): Promise<Response> {
  const init = { headers: { "x-api-key": key, ...headers } };
  return server.assay.fetch(new Request(`${ORIGIN}/api/v1/openfeature/stream`, init));
}

async function versionFor(key: string): Promise<string> {
  const { headers } = await server.send("GET", "/openfeature/flags", { headers: { "x-api-key": key } });
  return headers.get("etag")!.replaceAll('"', "");
}

test("sends a toggle to a reader with exactly the changed flags and the new ETag", async () => {
  await create("base");
  await create("other");
  await create("dependent", { prerequisites: [{ flag_key: "base", value: true }] });
  const { key } = await server.withKey(["read"]);
  const response = await open(key);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  const events = readEvents(response);
  await change("base", { status: "INACTIVE" });
  const event = await events.next();
  expect(event).toMatchObject({ event: "definitions", data: { flags: ["base", "dependent"], experiments: [] } });
  expect([event!.id, event!.data.version]).toEqual([await versionFor(key), await versionFor(key)]);
});

test("names changed experiments", async () => {
  const { key } = await server.withKey(["read"]);
  const events = readEvents(await open(key));
  const variants = [
    { key: "a", name: "A" },
    { key: "b", name: "B" },
  ];
  const experiment = await server.admin.request("POST /experiments/", { body: { name: "Copy", variants } });
  await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: experiment.id } });
  expect((await events.next())!.data).toMatchObject({ flags: [], experiments: ["copy"] });
});

test("does not announce a change without effect on answers", async () => {
  await create("a");
  const { key } = await server.withKey(["read"]);
  const events = readEvents(await open(key));
  await server.admin.request("POST /experiments/", { body: { name: "A draft" } });
  await change("a", { rollout_percentage: 10 });
  expect((await events.next())!.data).toMatchObject({ flags: ["a"], experiments: [] });
});

test("tells a returning reader to fetch again once if it missed a change", async () => {
  await create("a");
  const { key } = await server.withKey(["read"]);
  const before = await versionFor(key);
  await change("a", { rollout_percentage: 10 });
  await change("a", { rollout_percentage: 20 });
  const late = readEvents(await open(key, { "last-event-id": before }));
  const current = await versionFor(key);
  expect(await late.next()).toEqual({ event: "refetch", id: current, data: { version: current } });
  const punctual = readEvents(await open(key, { "last-event-id": current }));
  await change("a", { rollout_percentage: 30 });
  for (const events of [late, punctual]) {
    expect(await events.next()).toMatchObject({ event: "definitions", data: { flags: ["a"] } });
  }
});

test("starts with the retry delay and the current version", async () => {
  const { key } = await server.withKey(["read"]);
  expect(await readEvents(await open(key)).block()).toBe(`retry: 2000\nid: ${await versionFor(key)}`);
});

test("a comment every 15 seconds keeps the connection alive", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { key } = await server.withKey(["read"]);
    const events = readEvents(await open(key));
    await events.block();
    vi.advanceTimersByTime(15_000);
    expect(await events.block()).toBe(":");
  } finally {
    vi.useRealTimers();
  }
});

test("a reader that does not read has a bounded queue, and gets what it missed as one event", async () => {
  await create("a".repeat(200));
  await create("b");
  const { key } = await server.withKey(["read"]);
  const response = await open(key);
  for (let index = 0; index < 200; index++) await change("a".repeat(200), { rollout_percentage: index % 100 });
  await change("b", { rollout_percentage: 1 });
  const events = readEvents(response);
  let count = 0;
  for (let isTold = false; !isTold; count++) {
    isTold = ((await events.next())!.data.flags as string[]).includes("b");
  }
  expect(count).toBeLessThan(120);
  await change("b", { rollout_percentage: 2 });
  expect((await events.next())!.data.flags).toEqual(["b"]);
});

test("closes the stream of a revoked key at once; others continue", async () => {
  await create("a");
  const [lost, kept] = [await server.withKey(["read"]), await server.withKey(["read"])];
  const [ended, going] = [readEvents(await open(lost.key)), readEvents(await open(kept.key))];
  await server.admin.request("DELETE /api-keys/{id}", { params: { id: lost.id } });
  expect(await ended.next()).toBeUndefined();
  expect((await open(lost.key)).status).toBe(401);
  await change("a", { rollout_percentage: 10 });
  expect((await going.next())!.data.flags).toEqual(["a"]);
});

test("closes the stream of an expired key at the next heartbeat", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { key } = await server.withKey(["read"], { expires_at: new Date(server.now() + 60_000).toISOString() });
    const events = readEvents(await open(key));
    server.advance(61_000);
    vi.advanceTimersByTime(15_000);
    expect(await events.next()).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test("closing the server ends every stream", async () => {
  const { key } = await server.withKey(["read"]);
  const events = readEvents(await open(key));
  await server.assay.close();
  expect(await events.next()).toBeUndefined();
});

test("frees the places of readers that disconnect", async () => {
  const { key } = await server.withKey(["read"]);
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all([open(key), open(key), open(key)]);
    const refused = await open(key);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    for (const response of responses) await response.body!.cancel();
  }
  const head = () =>
    server.assay.fetch(
      new Request(`${ORIGIN}/api/v1/openfeature/stream`, { method: "HEAD", headers: { "x-api-key": key } }),
    );
  for (let round = 0; round < 5; round++) expect((await head()).status).toBe(200);
});

test("a CLIENT key receives changes of client-side flags, including their removal, and no others", async () => {
  await create("hidden");
  await create("shown", { client_side: true });
  const { key } = await server.withKey(["read"], { kind: "CLIENT" });
  const events = readEvents(await open(key));
  await change("hidden", { rollout_percentage: 10 });
  await change("shown", { rollout_percentage: 10 });
  expect((await events.next())!.data).toMatchObject({ flags: ["shown"], experiments: [] });
  await change("shown", { client_side: false });
  expect((await events.next())!.data).toMatchObject({ flags: ["shown"] });
});

test("over a socket events arrive one by one, and a disconnect frees the place", async () => {
  await create("a");
  const { key } = await server.withKey(["read"]);
  const http = createServer(server.assay.node);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api/v1/openfeature/stream`;
  try {
    for (let round = 0; round < 4; round++) {
      const abort = new AbortController();
      const events = readEvents(await fetch(url, { headers: { "x-api-key": key }, signal: abort.signal }));
      await change("a", { rollout_percentage: round });
      expect((await events.next())!.data.flags).toEqual(["a"]);
      await change("a", { rollout_percentage: 50 + round });
      expect((await events.next())!.data.flags).toEqual(["a"]);
      abort.abort();
    }
    await expect.poll(async () => (await open(key)).status).toBe(200);
  } finally {
    http.closeAllConnections();
    http.close();
  }
});

test("a change made on another node is announced within a second or so", async () => {
  const memory = memoryStore();
  const storage = { ...memory, capabilities: { ...memory.capabilities, multiProcess: true }, close: async () => {} };
  const here = await createTestServer({ storage });
  const there = createAssay({ storage, logger: silentLogger, rateLimit: false, passwordCost: 16 });
  await there.ready;
  try {
    const { key } = await here.withKey(["read"]);
    const request = new Request(`${ORIGIN}/api/v1/openfeature/stream`, { headers: { "x-api-key": key } });
    await expect.poll(async () => (await there.fetch(request.clone())).status).toBe(200);
    const events = readEvents(await there.fetch(request));
    const body = { key: "a", name: "a", status: "ACTIVE" } as const;
    await here.admin.request("POST /feature-flags/", { body });
    const event = await events.next();
    expect(event!.data.flags).toEqual(["a"]);
    const { headers } = await here.send("GET", "/openfeature/flags", { headers: { "x-api-key": key } });
    expect(headers.get("etag")).toBe(`"${event!.id}"`);
  } finally {
    await Promise.all([here.assay.close(), there.close()]);
  }
});
