import { afterEach, beforeEach, expect, test } from "vitest";
import { startUpstream, type Upstream } from "./relay.fixture.ts";

const FLAGS = "/api/v1/openfeature/flags";
const TRACK = "/api/v1/tracking/track";
const EVENT = { event_type: "seen", user_id: "ada" };

let upstream: Upstream;
beforeEach(async () => {
  upstream = await startUpstream();
  await upstream.create("shown", { client_side: true });
  await upstream.create("hidden");
});
afterEach(() => upstream.close());

test("lets in the keys that its upstream lets in, and no other", async () => {
  const relay = await upstream.relay();
  const statusOf = async (path: string, key: string | null, body?: object, headers?: Record<string, string>) =>
    (await relay.send(path, key, body, headers)).status;
  expect(await statusOf(FLAGS, null)).toBe(401);
  for (const wrong of ["nonsense", `${upstream.serverKey}x`, upstream.serverKey.slice(0, -1)]) {
    expect(await statusOf(FLAGS, wrong)).toBe(401);
    expect(await statusOf(TRACK, wrong, EVENT)).toBe(401);
    expect(await statusOf("/ofrep/v1/evaluate/flags", wrong, {})).toBe(401);
    expect(await statusOf("/api/v1/openfeature/stream", wrong)).toBe(401);
  }
  expect(await statusOf(FLAGS, upstream.serverKey)).toBe(200);
  // OFREP clients may send a key as a bearer token, as to the upstream.
  const bearer = { authorization: `Bearer ${upstream.clientKey}` };
  expect(await statusOf("/ofrep/v1/evaluate/flags", null, {}, bearer)).toBe(200);
  expect(await statusOf(FLAGS, null, undefined, bearer)).toBe(401);
});

test("a key without a scope may not use it", async () => {
  const relay = await upstream.relay();
  const reader = await upstream.keyOf("SERVER", { scopes: ["read"] });
  expect((await relay.send(FLAGS, reader.key)).status).toBe(200);
  const refused = await relay.send(TRACK, reader.key, EVENT);
  expect(refused).toMatchObject({ status: 403, json: { detail: "Not enough permissions: scope write required" } });
  const writer = await upstream.keyOf("SERVER", { scopes: ["write"] });
  expect((await relay.send(FLAGS, writer.key)).status).toBe(403);
});

test("a key with origins works on their pages only", async () => {
  const relay = await upstream.relay();
  const { key } = await upstream.keyOf("CLIENT", { allowed_origins: ["https://shop.example"] });
  const from = async (origin: string | undefined) =>
    (await relay.send(FLAGS, key, undefined, origin ? { origin } : {})).status;
  expect(await from("https://other.example")).toBe(403);
  expect(await from("https://shop.example")).toBe(200);
  expect(await from("https://other.example")).toBe(403);
  expect(await from(undefined)).toBe(403);
  await relay.send(TRACK, key, EVENT, { origin: "https://shop.example" });
  await expect.poll(async () => (await upstream.eventsOf("ada")).length).toBe(1);
});

test("CLIENT keys receive their part of the definitions", async () => {
  const relay = await upstream.relay();
  const keysOf = async (key: string) =>
    (await relay.send(FLAGS, key)).json.flags.map((flag: { key: string }) => flag.key);
  expect(await keysOf(upstream.serverKey)).toEqual(["shown", "hidden"]);
  expect(await keysOf(upstream.clientKey)).toEqual(["shown"]);
});

test("without a clientKey, CLIENT keys send events and evaluate nothing", async () => {
  const relay = await upstream.relay({ clientKey: undefined });
  expect((await relay.send(FLAGS, upstream.clientKey)).json.detail).toContain("no clientKey");
  expect((await relay.send(FLAGS, upstream.serverKey)).status).toBe(200);
  expect((await relay.send(TRACK, upstream.clientKey, EVENT)).status).toBe(201);
});

test("a revoked key stops after keyTtlMs", async () => {
  let now = Date.now();
  const relay = await upstream.relay({ keyTtlMs: 1_000, now: () => now });
  const { key, id } = await upstream.keyOf("SERVER");
  const statusOf = async () => (await relay.send(FLAGS, key)).status;
  expect(await statusOf()).toBe(200);
  await upstream.revoke(id);
  expect(await statusOf()).toBe(200);
  // A key that was not used for a while is checked before it is let in.
  now += 2_000;
  expect(await statusOf()).toBe(401);
});

test("a key in use is checked again beside its requests", async () => {
  let now = Date.now();
  const relay = await upstream.relay({ keyTtlMs: 1_000, now: () => now });
  const { key, id } = await upstream.keyOf("SERVER");
  const statusOf = async () => (await relay.send(FLAGS, key)).status;
  expect(await statusOf()).toBe(200);
  await upstream.revoke(id);
  now += 1_500;
  await expect.poll(statusOf).toBe(401);
});

test("an expired key stops at its time, without the upstream", async () => {
  let now = Date.now();
  const relay = await upstream.relay({ now: () => now });
  const { key } = await upstream.keyOf("SERVER", { expires_at: new Date(now + 10_000).toISOString() });
  expect((await relay.send(FLAGS, key)).status).toBe(200);
  upstream.goDown();
  now += 10_000;
  expect((await relay.send(FLAGS, key)).status).toBe(401);
});

test("while the upstream is down, known keys work and unknown ones are a 503, also after a restart", async () => {
  let now = Date.now();
  const options = { now: () => now, outageMs: 3_600_000 };
  const relay = await upstream.relay(options);
  expect((await relay.send(FLAGS, upstream.clientKey)).status).toBe(200);
  upstream.goDown();
  now += 60_000;
  expect((await relay.send(FLAGS, upstream.clientKey)).status).toBe(200);
  const unknown = await relay.send(FLAGS, upstream.serverKey);
  expect(unknown.status).toBe(503);
  expect(unknown.headers.get("retry-after")).toBe("5");
  await relay.close();
  const again = await upstream.relay({ ...options, directory: relay.directory });
  expect((await again.send(FLAGS, upstream.clientKey)).json.flags).toMatchObject([{ key: "shown" }]);
  expect((await again.send(FLAGS, upstream.serverKey)).status).toBe(503);
  // Not longer than an outage may last.
  now += 3_600_000;
  expect((await again.send(FLAGS, upstream.clientKey)).status).toBe(503);
});

test("the directory contains no key in clear that is a secret", async () => {
  const relay = await upstream.relay();
  await relay.send(TRACK, upstream.serverKey, EVENT);
  upstream.goDown();
  await relay.send(TRACK, upstream.serverKey, EVENT);
  await relay.close();
  const { readdir, readFile } = await import("node:fs/promises");
  const names = await readdir(relay.directory);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names)
    expect(await readFile(`${relay.directory}/${name}`, "utf8")).not.toContain(upstream.serverKey);
});
