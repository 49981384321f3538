import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRelay } from "./index.ts";
import { quiet, startUpstream, type Upstream } from "./relay.fixture.ts";

let upstream: Upstream;
beforeEach(async () => {
  upstream = await startUpstream();
  await upstream.create("one", { client_side: true });
});
afterEach(() => upstream.close());

const FLAGS = "/api/v1/openfeature/flags";

test.each([
  ["apiKey", () => ({ apiKey: "wrong" }), "apiKey: the upstream refuses this key: Invalid API key"],
  ["clientKey", () => ({ clientKey: "wrong" }), "clientKey: the upstream refuses this key: Invalid API key"],
  ["the kind of apiKey", () => ({ apiKey: upstream.clientKey }), "apiKey must be a SERVER key, not a CLIENT key"],
  [
    "the kind of clientKey",
    () => ({ clientKey: upstream.serverKey }),
    "clientKey must be a CLIENT key, not a SERVER key",
  ],
  [
    "an address where nothing listens",
    () => ({ upstream: "http://127.0.0.1:9" }),
    /Cannot reach .*and the directory has no/,
  ],
])("does not start with a wrong option: %s", async (_name, options, message) => {
  await expect(upstream.relay(options())).rejects.toThrow(message);
});

test("does not start with a key that cannot send events", async () => {
  const { key } = await upstream.keyOf("SERVER", { scopes: ["read"] });
  await expect(upstream.relay({ apiKey: key })).rejects.toThrow("apiKey needs the scope write");
});

test("does not start with the address of another server", async () => {
  const other = createServer((_request, response) => response.writeHead(404).end("<h1>Not here</h1>"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  const start = upstream.relay({ upstream: `http://127.0.0.1:${port}` });
  await expect(start).rejects.toThrow("upstream: this address answers 404");
  other.close();
});

test("names an invalid option at once", async () => {
  const good = { upstream: upstream.url, apiKey: upstream.serverKey, directory: await upstream.newDirectory() };
  const bad: [object, RegExp][] = [
    [{ upstream: "ftp://x" }, /^baseUrl/],
    [{ upstream: undefined }, /^upstream/],
    [{ apiKey: undefined }, /^apiKey/],
    [{ directory: undefined }, /^directory/],
    [{ maxBufferBytes: 0 }, /^maxBufferBytes/],
    [{ keyTtlMs: -1 }, /^keyTtlMs/],
    [{ maxStreams: "many" }, /^maxStreams/],
  ];
  for (const [options, message] of bad) expect(() => createRelay({ ...good, ...options } as never)).toThrow(message);
});

test("one relay at a time uses a directory", async () => {
  const { directory } = await upstream.relay();
  await expect(upstream.relay({ directory })).rejects.toThrow(/in use by another relay/);
});

test("starts with the last definitions while the upstream is down, and follows it when it is back", async () => {
  const first = await upstream.relay();
  for (const key of [upstream.serverKey, upstream.clientKey]) await first.send(FLAGS, key);
  await first.close();
  upstream.goDown();
  const relay = await upstream.relay({ directory: first.directory, pollMs: 50 });
  const health = await relay.ready();
  expect(health).toMatchObject({ upstream: { reachable: false, failed_with: 0 }, program: { age_seconds: null } });
  for (const key of [upstream.serverKey, upstream.clientKey]) {
    const { status, json, headers } = await relay.send(FLAGS, key);
    expect([status, json.flags.length]).toEqual([200, 1]);
    expect(headers.get("etag")).toBe(
      `"${key === upstream.serverKey ? health.program.version : health.client_program.version}"`,
    );
  }
  await upstream.comeBack();
  await upstream.create("two", { client_side: true });
  const isThere = async () => (await relay.send(FLAGS, upstream.clientKey)).json.flags.length;
  await expect.poll(isThere).toBe(2);
  const upstreamState = async () => (await relay.ready()).upstream;
  await expect.poll(upstreamState).toEqual({ reachable: true, failed_with: null });
});

test("does not serve the definitions of another upstream or key from its directory", async () => {
  const first = await upstream.relay();
  await first.close();
  upstream.goDown();
  const other = { apiKey: "asy_other_key", directory: first.directory };
  await expect(upstream.relay(other)).rejects.toThrow(/and the directory has no definitions/);
});

test("answers 503 until it is ready, and is healthy", async () => {
  const directory = await upstream.newDirectory();
  const relay = createRelay({ upstream: upstream.url, apiKey: upstream.serverKey, directory, logger: quiet });
  const statusOf = async (path: string) => (await relay.fetch(new Request(`http://relay.test${path}`))).status;
  expect(await Promise.all([statusOf("/healthz"), statusOf("/readyz"), statusOf(FLAGS)])).toEqual([200, 503, 503]);
  await relay.ready;
  expect(await Promise.all([statusOf("/healthz"), statusOf("/readyz"), statusOf(FLAGS)])).toEqual([200, 200, 401]);
  await relay.close();
});

test("a relay may be the upstream of another", async () => {
  const near = await upstream.relay();
  const far = await upstream.relay({ upstream: near.url });
  expect((await far.send(FLAGS, upstream.clientKey)).json.flags).toMatchObject([{ key: "one" }]);
  await far.send("/api/v1/tracking/track", upstream.clientKey, { event_type: "seen", user_id: "ada" });
  await expect.poll(async () => (await upstream.eventsOf("ada")).length).toBe(1);
});

test("pages of the given origins may call the relay", async () => {
  const relay = await upstream.relay({ cors: { origins: ["https://shop.example"] } });
  const preflight = async (origin: string) => {
    const headers = { origin, "access-control-request-method": "POST", "access-control-request-headers": "x-api-key" };
    const answer = await fetch(`${relay.url}/api/v1/openfeature/evaluate`, { method: "OPTIONS", headers });
    return answer.headers.get("access-control-allow-origin");
  };
  expect(await preflight("https://shop.example")).toBe("https://shop.example");
  expect(await preflight("https://other.example")).toBeNull();
  const { headers } = await relay.send(FLAGS, upstream.clientKey, undefined, { origin: "https://shop.example" });
  expect(headers.get("access-control-allow-origin")).toBe("https://shop.example");
});
