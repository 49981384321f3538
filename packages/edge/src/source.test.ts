import { expect, test, vi } from "vitest";
import { ask, toDefinitions, toExperiment, toFlag } from "./definitions.fixture.ts";
import { createEdgeSource, createFlagHandler, createSplitUrlHandler, type EdgeSourceOptions } from "./index.ts";

const DEFINITIONS = toDefinitions({ flags: [toFlag("plain")], experiments: [toExperiment("landing", ["/b"])] });
const REQUEST = ask("/", { "x-user": "ada" });

/** A server that answers what it is told to, a clock, and a handler over both. */
function setUp(options: Partial<EdgeSourceOptions> = {}) {
  const server = { answer: () => Response.json(DEFINITIONS) as Response | Promise<Response>, asked: 0 };
  const clock = { now: 1_000_000 };
  const errors: string[] = [];
  const source = createEdgeSource({
    apiKey: "asy_test",
    now: () => clock.now,
    onError: ({ message }) => errors.push(message),
    fetch: () => {
      server.asked++;
      return server.answer();
    },
    ...options,
  });
  const split = createSplitUrlHandler({ source, routes: { "/": "landing" }, userId: { header: "x-user" } });
  const work: Promise<unknown>[] = [];
  const context = { waitUntil: (promise: Promise<unknown>) => void work.push(promise) };
  const go = async () => (await split(REQUEST, undefined, context))?.headers.get("location");
  return { server, clock, errors, source, go, settle: () => Promise.all(work) };
}

const never = () => new Promise<Response>(() => {});
const broken = () => new Response("down", { status: 503 });

test("nothing is fetched before the first request, and once for all that come together", async () => {
  const { server, go } = setUp();
  expect(server.asked).toBe(0);
  expect(await Promise.all([go(), go(), go()])).toEqual(["/b", "/b", "/b"]);
  expect(server.asked).toBe(1);
  await go();
  expect(server.asked).toBe(1);
});

test("handlers share a source", async () => {
  const { server, source, go } = setUp();
  await go();
  const flags = createFlagHandler({ source, flags: "all" });
  expect(await flags.evaluate(REQUEST, "plain", false)).toMatchObject({ value: true });
  expect(server.asked).toBe(1);
});

test("with definitions, a server that is gone changes nothing", async () => {
  const { server, clock, errors, go, settle } = setUp({ cacheTtlMs: 1_000 });
  expect(await go()).toBe("/b");
  server.answer = () => Promise.reject(new Error("gone"));
  for (let hour = 0; hour < 5; hour++) {
    clock.now += 3_600_000;
    expect(await go()).toBe("/b");
    await settle();
  }
  expect(errors.length).toBe(5);
  expect(server.asked).toBe(6);
});

test("expired definitions answer while they are fetched anew", async () => {
  const { server, clock, go, settle } = setUp({ cacheTtlMs: 1_000 });
  await go();
  clock.now += 2_000;
  server.answer = () => Response.json({ ...DEFINITIONS, experiments: [toExperiment("landing", ["/new"])] });
  expect(await go()).toBe("/b");
  await settle();
  expect(await go()).toBe("/new");
});

test("with a bootstrap nobody waits", async () => {
  const { server, go } = setUp({ bootstrap: DEFINITIONS });
  server.answer = never;
  expect(await go()).toBe("/b");
});

test("without definitions a server that hangs holds requests up for no longer than wanted, and together", async () => {
  vi.useFakeTimers();
  try {
    const { server, clock, go } = setUp({ waitMs: 300 });
    server.answer = never;
    const first = go();
    await vi.advanceTimersByTimeAsync(299);
    clock.now += 299;
    const second = go();
    await vi.advanceTimersByTimeAsync(2);
    clock.now += 2;
    expect(await first).toBeUndefined();
    expect(await second).toBeUndefined();
    // The time for waiting is over, so this one does not wait at all.
    expect(await go()).toBeUndefined();
    expect(server.asked).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("a server that fails is left alone for a while, and its recovery needs no timer", async () => {
  const { server, clock, source, go, settle } = setUp({ waitMs: 5_000 });
  server.answer = broken;
  expect(await go()).toBeUndefined();
  expect(await go()).toBeUndefined();
  expect(server.asked).toBe(1);
  source.close();
  server.answer = () => Response.json(DEFINITIONS);
  clock.now += 1_001;
  expect(await go()).toBe("/b");
  await settle();
  expect(server.asked).toBe(2);
});

test("a flag cannot be asked for before there are definitions; the page gets its default", async () => {
  const { server, source } = setUp({ waitMs: 5 });
  server.answer = never;
  const flags = createFlagHandler({ source, flags: "all" });
  const init = { method: "POST", body: JSON.stringify({ context: {} }) };
  const response = await flags(ask("/ofrep/v1/evaluate/flags/plain", {}, init));
  expect([response?.status, response?.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await flags.evaluate(REQUEST, "plain", "mine")).toMatchObject({ value: "mine", reason: "DEFAULT" });
});
