import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { SYSTEM } from "../storage/change.ts";
import { createTestServer, type TestServer } from "../testing.fixture.ts";
import { createIdempotency } from "./idempotency.ts";

const HOUR = 3600 * 1000;

let server: TestServer;
let token: string;
beforeEach(async () => {
  server = await createTestServer();
  token = await signIn();
});
afterEach(() => server.assay.close());

async function signIn(username = "admin", password = "correct horse battery"): Promise<string> {
  return (await server.send("POST", "/auth/login", { body: { username, password } })).json.access_token;
}

const post = (path: string, body: unknown, key: string, authorization = `Bearer ${token}`) =>
  server.send("POST", path, { body, headers: { authorization, "idempotency-key": key } });
const flags = async () => (await server.admin.request("GET /feature-flags/")).length;

test("a repeated creation gets the first response, and creates once", async () => {
  const body = { key: "f", name: "F" };
  const first = await post("/feature-flags/", body, "k-1");
  const second = await post("/feature-flags/", body, "k-1");
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json).toEqual(first.json);
  expect([first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")]).toEqual([
    null,
    "true",
  ]);
  expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect(await flags()).toBe(1);
});

test("the same key with another body or on another path is a 422", async () => {
  await post("/feature-flags/", { key: "f", name: "F" }, "k-1");
  const other = await post("/feature-flags/", { key: "g", name: "G" }, "k-1");
  expect(other.status).toBe(422);
  expect(other.json.detail[0]).toMatchObject({ loc: ["body"], type: "idempotency_key" });
  expect((await post("/experiments/", { key: "f", name: "F" }, "k-1")).status).toBe(422);
});

test("each caller has their own keys", async () => {
  const { username } = await server.as("DEVELOPER");
  const other = `Bearer ${await signIn(username, "a-password-of-tests")}`;
  await post("/feature-flags/", { key: "f", name: "F" }, "k-1");
  expect((await post("/feature-flags/", { key: "g", name: "G" }, "k-1", other)).status).toBe(201);
});

test("a repeated request for an API key gets the same key without its secret", async () => {
  const first = await post("/api-keys", { name: "k" }, "k-1");
  const second = await post("/api-keys", { name: "k" }, "k-1");
  expect(first.json.key).toMatch(/^asy_/);
  const { key: _, ...rest } = first.json;
  expect(second.json).toEqual(rest);
  expect(await server.admin.request("GET /api-keys")).toHaveLength(1);
});

test("keeps a rejection of the body like a response", async () => {
  const first = await post("/feature-flags/", { key: "f" }, "k-1");
  const second = await post("/feature-flags/", { key: "f" }, "k-1");
  expect([first.status, second.status]).toEqual([422, 422]);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
});

test("does not keep a rejection of the credentials or the rate limit", async () => {
  const body = { key: "f", name: "F" };
  expect((await post("/feature-flags/", body, "k-1", "Bearer nonsense")).status).toBe(401);
  expect((await post("/feature-flags/", body, "k-1")).status).toBe(201);
  await server.assay.close();
  server = await createTestServer({ rateLimit: { api: 1 } });
  token = await signIn();
  expect((await post("/feature-flags/", { key: "other", name: "Other" }, "k-1")).status).toBe(201);
  expect((await post("/feature-flags/", body, "k-2")).status).toBe(429);
});

test("does not keep the response of a failing store", async () => {
  const store = memoryStore();
  let fails = false;
  const { batch } = store;
  const failing = {
    ...store,
    batch: ((operations) => {
      const isFlag = operations.some((operation) => "key" in operation && operation.key.startsWith("feature-flags"));
      if (fails && isFlag) throw Object.assign(new Error("down"), { name: "StoreUnavailable" });
      return batch(operations);
    }) as typeof batch,
  };
  await server.assay.close();
  server = await createTestServer({ storage: failing });
  token = await signIn();
  fails = true;
  expect((await post("/feature-flags/", { key: "f", name: "F" }, "k-1")).status).toBe(503);
  fails = false;
  expect((await post("/feature-flags/", { key: "f", name: "F" }, "k-1")).status).toBe(201);
});

test("simultaneous repeats create once and get the same response", async () => {
  const body = { key: "f", name: "F" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post("/feature-flags/", body, "k-1")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  expect(await flags()).toBe(1);
});

describe("a stored answer", () => {
  test("is valid for 24 hours", async () => {
    const body = { name: "k" };
    const { json: first } = await post("/api-keys", body, "k-1");
    server.advance(24 * 3600 * 1000 - 1);
    token = await signIn();
    expect((await post("/api-keys", body, "k-1")).json.id).toBe(first.id);
    server.advance(1);
    token = await signIn();
    expect((await post("/api-keys", body, "k-1")).json.id).not.toBe(first.id);
  });

  test("survives a restart", async () => {
    const storage = { ...memoryStore(), close: async () => {} };
    await server.assay.close();
    server = await createTestServer({ storage });
    token = await signIn();
    const { json: first } = await post("/feature-flags/", { key: "f", name: "F" }, "k-1");
    await server.assay.close();
    server = await createTestServer({ storage });
    token = await signIn();
    const second = await post("/feature-flags/", { key: "f", name: "F" }, "k-1");
    expect([second.status, second.json.id]).toEqual([201, first.id]);
  });

  test("that another node is still creating is a 409", async () => {
    const storage = { ...memoryStore(), close: async () => {} };
    let release = () => {};
    const { batch } = storage;
    const held = new Promise<void>((resolve) => (release = resolve));
    let holds = false;
    const slow = {
      ...storage,
      batch: (async (operations) => {
        if (holds && operations.some((one) => "key" in one && one.key.startsWith("feature-flags"))) await held;
        return batch(operations);
      }) as typeof batch,
    };
    const other = await createTestServer({ storage: slow });
    await server.assay.close();
    server = await createTestServer({ storage });
    token = await signIn();
    holds = true;
    const init = {
      body: { key: "f", name: "F" },
      headers: { authorization: `Bearer ${await foreignToken(other)}`, "idempotency-key": "k-1" },
    };
    const first = other.send("POST", "/feature-flags/", init);
    await expect.poll(async () => (await storage.list("idempotency/")).length).toBe(1);
    const second = await post("/feature-flags/", init.body, "k-1");
    expect([second.status, second.headers.get("retry-after")]).toEqual([409, "1"]);
    release();
    expect((await first).status).toBe(201);
    await other.assay.close();
  });
});

test("two nodes that get a key at the same time perform the request once", async () => {
  const inner = { ...memoryStore(), close: async () => {} };
  const waiting: (() => void)[] = [];
  const get: typeof inner.get = async (key) => {
    const entry = await inner.get(key);
    if (key.startsWith("idempotency/") && entry === null) {
      // Neither node may write before both have read.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) for (const go of waiting) go();
      });
    }
    return entry;
  };
  const storage = { ...inner, get };
  const other = await createTestServer({ storage });
  await server.assay.close();
  server = await createTestServer({ storage });
  const requests = [server, other].map(async (node) => {
    const headers = { authorization: `Bearer ${await foreignToken(node)}`, "idempotency-key": "k-1" };
    return (await node.send("POST", "/api-keys", { body: { name: "once" }, headers })).status;
  });
  expect((await Promise.all(requests)).toSorted()).toEqual([201, 409]);
  await other.assay.close();
});

test.each([
  [401, 2],
  [429, 2],
  [500, 2],
  [400, 1],
  [404, 1],
  [201, 1],
])("a request that is answered %d and repeated is performed %d times", async (status, expected) => {
  const idempotency = createIdempotency(memoryStore(), createRuntime({ logger: silentLogger }));
  const caller = { type: "ANONYMOUS", actor: SYSTEM } as const;
  let count = 0;
  for (let index = 0; index < 2; index++) {
    const request = { key: "k-1", caller, method: "POST", path: "/", body: {}, once: undefined };
    await idempotency.answer(request, async () => {
      count++;
      return new Response("{}", { status });
    });
  }
  expect(count).toBe(expected);
});

test("answers are removed an hour after they expire, at the latest", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const storage = { ...memoryStore(), close: async () => {} };
  const sweeping = await createTestServer({ storage });
  const kept = async () => (await storage.list("idempotency/")).length;
  try {
    const headers = { authorization: `Bearer ${await foreignToken(sweeping)}`, "idempotency-key": "k-1" };
    await sweeping.send("POST", "/feature-flags/", { body: { key: "f", name: "F" }, headers });
    sweeping.advance(24 * HOUR - 1);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(await kept()).toBe(1);
    sweeping.advance(1);
    await vi.advanceTimersByTimeAsync(HOUR);
    await vi.waitFor(async () => expect(await kept()).toBe(0));
  } finally {
    vi.useRealTimers();
    await sweeping.assay.close();
  }
});

async function foreignToken(other: TestServer): Promise<string> {
  const body = { username: "admin", password: "correct horse battery" };
  return (await other.send("POST", "/auth/login", { body })).json.access_token;
}

test.each(["", "with space", "x".repeat(256)])("rejects the Idempotency-Key %j", async (key) => {
  const { status } = await post("/feature-flags/", { key: "f", name: "F" }, key);
  expect(status).toBe(400);
});

test("keeps only creations; an evaluation runs each time", async () => {
  const { key } = await server.withKey(["read"]);
  const evaluate = (userId: string) =>
    server.send("POST", "/openfeature/evaluate", {
      body: { flagKey: "f", userId },
      headers: { "x-api-key": key, "idempotency-key": "k-1" },
    });
  expect((await evaluate("a")).status).toBe(200);
  expect((await evaluate("b")).status).toBe(200);
});

test("of two nodes that receive a request at once, one performs it, and the other answers 409", async () => {
  const store = memoryStore();
  let readers = 0;
  let bothHaveRead = () => {};
  const both = new Promise<void>((resolve) => (bothHaveRead = resolve));
  // Each node looks before the other one claims the key.
  const racing: typeof store = {
    ...store,
    async get(key) {
      const found = await store.get(key);
      if (++readers === 2) bothHaveRead();
      await both;
      return found;
    },
  };
  const caller = { type: "ANONYMOUS", actor: { ...SYSTEM, ip: "192.0.2.1" } } as const;
  const request = { key: "k", caller, method: "POST", path: "/x", body: {}, once: undefined };
  const performed: number[] = [];
  const nodes = [1, 2].map((node) => ({
    node,
    idempotency: createIdempotency(racing, createRuntime({ logger: silentLogger })),
  }));
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const answers = nodes.map(({ node, idempotency }) =>
    idempotency
      .answer(request as never, async () => {
        performed.push(node);
        await finished;
        return new Response("made", { status: 201 });
      })
      .then(
        ({ status }) => status,
        ({ status }) => status,
      ),
  );
  expect(await Promise.race(answers)).toBe(409);
  finish();
  expect((await Promise.all(answers)).sort()).toEqual([201, 409]);
  expect(performed).toHaveLength(1);
  await store.close();
});
