import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, createProgramEngine, toProgram } from "@assay/core";
import { expect, test, vi } from "vitest";
import { ask, toDefinitions, toExperiment, toFlag } from "./definitions.fixture.ts";
import { createEdgeSource, createFlagHandler, createSplitUrlHandler, type EdgeSourceOptions } from "./index.ts";

const DEFINITIONS = toDefinitions({ flags: [toFlag("plain")], experiments: [toExperiment("landing", ["/b"])] });
const PROGRAM = toProgram(DEFINITIONS);
const REQUEST = ask("/", { "x-user": "ada" });

/** A server with configurable answers, a clock, and a handler over both. */
function setUp(options: Partial<EdgeSourceOptions> = {}) {
  const server = { answer: () => Response.json(PROGRAM) as Response | Promise<Response>, requests: 0 };
  const clock = { now: 1_000_000 };
  const errors: string[] = [];
  const source = createEdgeSource({
    apiKey: "asy_test",
    now: () => clock.now,
    onError: ({ message }) => errors.push(message),
    fetch: () => {
      server.requests++;
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

test("a source fetches with the first request, once for concurrent requests", async () => {
  const { server, go } = setUp();
  expect(server.requests).toBe(0);
  expect(await Promise.all([go(), go(), go()])).toEqual(["/b", "/b", "/b"]);
  expect(server.requests).toBe(1);
  await go();
  expect(server.requests).toBe(1);
});

test("handlers share a source", async () => {
  const { server, source, go } = setUp();
  await go();
  const flags = createFlagHandler({ source, flags: "all" });
  expect(await flags.evaluate(REQUEST, "plain", false)).toMatchObject({ value: true });
  expect(server.requests).toBe(1);
});

test("a source keeps answering while the server is unreachable", async () => {
  const { server, clock, errors, go, settle } = setUp({ cacheTtlMs: 1_000 });
  expect(await go()).toBe("/b");
  server.answer = () => Promise.reject(new Error("gone"));
  for (let hour = 0; hour < 5; hour++) {
    clock.now += 3_600_000;
    expect(await go()).toBe("/b");
    await settle();
  }
  expect(errors.length).toBe(5);
  expect(server.requests).toBe(6);
});

test("an expired program answers while it is fetched again", async () => {
  const { server, clock, go, settle } = setUp({ cacheTtlMs: 1_000 });
  await go();
  clock.now += 2_000;
  server.answer = () => Response.json(toProgram({ ...DEFINITIONS, experiments: [toExperiment("landing", ["/new"])] }));
  expect(await go()).toBe("/b");
  await settle();
  expect(await go()).toBe("/new");
});

test("with a bootstrap, requests do not wait", async () => {
  const { server, go } = setUp({ bootstrap: PROGRAM });
  server.answer = never;
  expect(await go()).toBe("/b");
});

test("a server that hangs delays requests by waitMs at most, all together", async () => {
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
    // The waiting time is used up, so this request does not wait.
    expect(await go()).toBeUndefined();
    expect(server.requests).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("a server that fails gets the next request after a pause, without a timer", async () => {
  const { server, clock, go, settle } = setUp({ waitMs: 5_000 });
  server.answer = broken;
  expect(await go()).toBeUndefined();
  expect(await go()).toBeUndefined();
  expect(server.requests).toBe(1);
  server.answer = () => Response.json(PROGRAM);
  clock.now += 1_001;
  expect(await go()).toBe("/b");
  await settle();
  expect(server.requests).toBe(2);
});

test.each([
  ["120", 120_000],
  ["Sat, 06 Nov 2083 08:49:37 GMT", 300_000],
  ["99999999", 300_000],
  ["soon", 1_000],
])("a server that answers with Retry-After: %s gets the next request after %i ms", async (value, wait) => {
  const { server, clock, go, settle } = setUp({ waitMs: 5_000 });
  server.answer = () => new Response("busy", { status: 503, headers: { "retry-after": value } });
  await go();
  clock.now += wait - 1;
  await go();
  expect(server.requests).toBe(1);
  server.answer = () => Response.json(PROGRAM);
  clock.now += 1;
  expect(await go()).toBe("/b");
  await settle();
  expect(server.requests).toBe(2);
});

test("before there is a program, the handler answers 503 and evaluate returns the default", async () => {
  const { server, source } = setUp({ waitMs: 5 });
  server.answer = never;
  const flags = createFlagHandler({ source, flags: "all" });
  const init = { method: "POST", body: JSON.stringify({ context: {} }) };
  const response = await flags(ask("/ofrep/v1/evaluate/flags/plain", {}, init));
  expect([response?.status, response?.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await flags.evaluate(REQUEST, "plain", "mine")).toMatchObject({ value: "mine", reason: "DEFAULT" });
});

test("a source requests a program by its media type, over HTTP", async () => {
  const sent: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    sent.push([url, headers.accept, headers["if-none-match"]]);
    if (headers["if-none-match"]) response.writeHead(304).end();
    else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify(PROGRAM));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { go, clock, errors, settle } = setUp({ baseUrl: `http://127.0.0.1:${port}`, fetch, cacheTtlMs: 1_000 });
  expect(await go()).toBe("/b");
  clock.now += 2_000;
  expect(await go()).toBe("/b");
  await settle();
  clock.now += 999;
  expect(await go()).toBe("/b");
  const question = ["/api/v1/openfeature/flags", "application/vnd.assay.program+json"];
  expect(sent).toEqual([
    [...question, undefined],
    [...question, '"1"'],
  ]);
  expect(errors).toEqual([]);
  server.close();
  await once(server, "close");
});

test("definitions in place of a program are an error, and are not used", async () => {
  const { server, clock, errors, go, settle } = setUp({ cacheTtlMs: 1_000 });
  server.answer = () => Response.json(DEFINITIONS);
  expect(await go()).toBeUndefined();
  expect(errors).toEqual([expect.stringMatching(/Invalid response: .*program of version 1/)]);
  server.answer = () => Response.json(PROGRAM);
  clock.now += 2_000;
  expect(await go()).toBe("/b");
  server.answer = () => Response.json({ ...DEFINITIONS, experiments: [] });
  clock.now += 2_000;
  expect(await go()).toBe("/b");
  await settle();
  expect(await go()).toBe("/b");
  expect(errors).toHaveLength(2);
});

test("a 304 without an earlier response is an error", async () => {
  const { server, errors, go } = setUp();
  server.answer = () => new Response(null, { status: 304 });
  expect(await go()).toBeUndefined();
  expect(errors).toEqual(["The server answered 304: no body"]);
});

test("options reject definitions in place of a program, and name toProgram", () => {
  const wrong = [
    { program: DEFINITIONS },
    { apiKey: "k", bootstrap: DEFINITIONS },
    { apiKey: "k", bootstrap: JSON.stringify(DEFINITIONS) },
    { program: { ...PROGRAM, program_version: 2 } },
    { program: null },
  ];
  for (const options of wrong) {
    const refused = expect.objectContaining({ name: "OptionError", message: expect.stringContaining("toProgram") });
    expect(() => createFlagHandler({ flags: "all", ...options } as never)).toThrow(refused);
    expect(() => createSplitUrlHandler({ routes: { "/": "landing" }, ...options } as never)).toThrow(refused);
  }
  const source = { engine: createEngine(DEFINITIONS), ready: async () => true };
  expect(() => createFlagHandler({ flags: "all", source } as never)).toThrow("source must be from createEdgeSource");
});

test("a source can use any program engine, which the caller updates", async () => {
  const engine = createProgramEngine(PROGRAM);
  const source = { engine, ready: async () => true };
  const flags = createFlagHandler({ source, flags: "all" });
  expect(await flags.evaluate(REQUEST, "plain", false)).toMatchObject({ value: true });
  engine.update(toProgram({ ...DEFINITIONS, flags: [toFlag("plain", { enabled: false })] }));
  expect(await flags.evaluate(REQUEST, "plain", true)).toMatchObject({ value: false, reason: "DISABLED" });
});
