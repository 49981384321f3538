import { memoryStore, type Store, StoreUnavailable } from "@assay/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestServer, refusal, type TestServer } from "./testing.fixture.ts";

const ROLES = ["api", "analysis", "jobs"];
const REASON = "The memory could not be written: No space left on device";
const WRITES = ["batch", "increment", "lease", "release", "publish"] as const;

/** Creates a store like a full disk: reads succeed, and while `failure` is set, the methods in `failing` fail. */
function unwritable() {
  const inner = memoryStore();
  const state: { failure: Error | null; failing: readonly string[] } = { failure: null, failing: WRITES };
  const store: Store = { ...inner, capabilities: { ...inner.capabilities, multiProcess: true } };
  for (const name of WRITES) {
    const write = inner[name] as (...parameters: unknown[]) => Promise<never>;
    store[name] = async (...parameters: unknown[]) => {
      if (state.failure && state.failing.includes(name)) throw state.failure;
      return write(...parameters);
    };
  }
  return { store, state };
}

const full = () => new StoreUnavailable(`${REASON}, /secret/path`, { reason: REASON });
let server: TestServer;
let disk: ReturnType<typeof unwritable>;
const logged: string[] = [];
const log = (message: string) => void logged.push(message);

beforeEach(async () => {
  logged.length = 0;
  disk = unwritable();
  server = await createTestServer({
    storage: disk.store,
    jobs: true,
    now: Date.now,
    logger: { info: log, warn: log, error: log },
    keepRawEvents: true,
  });
});
afterEach(() => server.assay.close());

async function readyz() {
  const response = await server.assay.fetch(new Request("http://assay.test/readyz"));
  return { status: response.status, retry: response.headers.get("retry-after"), body: await response.json() };
}

test("while writes fail, evaluation and reads work, writes answer 503, and /readyz reports the reason", async () => {
  await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  const client = await server.withKey(["read", "write"]);
  expect((await readyz()).body).toEqual({ status: "ready", store: "memory", roles: ROLES, quarantined: [] });

  disk.state.failure = full();
  const flag = { key: "g", name: "G" };
  expect(await refusal(server.admin.request("POST /feature-flags/", { body: flag }))).toMatchObject({ status: 503 });
  const evaluation = { params: { key: "f" }, body: { user_id: "u" } };
  expect((await client.request("POST /feature-flags/{key}/evaluate", evaluation)).value).toBe(true);
  expect(await server.admin.request("GET /feature-flags/")).toHaveLength(1);
  expect(await readyz()).toEqual({
    status: 503,
    retry: "5",
    body: { status: "unavailable", store: "memory", roles: ROLES, reason: REASON, quarantined: [] },
  });

  disk.state.failure = null;
  expect((await server.admin.request("POST /feature-flags/", { body: flag })).key).toBe("g");
});

test("/readyz recovers without traffic, and the log has the beginning and the end of the failure", async () => {
  disk.state.failure = full();
  await refusal(server.admin.request("POST /feature-flags/", { body: { key: "g", name: "G" } }));
  expect((await readyz()).status).toBe(503);
  disk.state.failure = new StoreUnavailable("again", { reason: "Another reason" });
  await expect.poll(async () => (await readyz()).body.reason).toBe("Another reason");
  disk.state.failure = null;
  await expect.poll(async () => (await readyz()).status).toBe(200);
  expect(logged.filter((message) => message === "Writes to the store fail")).toHaveLength(1);
  expect(logged.filter((message) => message === "Writes to the store work again")).toHaveLength(1);
});

test("does not show the message of a failure without a public reason", async () => {
  disk.state.failure = Object.assign(new Error("redis://user:secret@host is gone"), { name: "StoreUnavailable" });
  await refusal(server.admin.request("POST /feature-flags/", { body: { key: "g", name: "G" } }));
  expect((await readyz()).body.reason).toBe("The store does not answer");
});

test("background writers continue while writes fail, and write again afterwards", async () => {
  const { key } = await server.withKey(["read", "write"]);
  await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  disk.state.failure = full();
  // The server writes the use of keys and refused credentials off the request path.
  await server.send("POST", "/feature-flags/f/evaluate", { body: { user_id: "u" }, headers: { "x-api-key": key } });
  expect((await server.send("GET", "/users/me", { headers: { authorization: "Bearer no" } })).status).toBe(401);
  // Jobs tick every second, the audit trail is sealed after 200 ms and probes are written every second.
  await vi.waitFor(() => expect(logged).toContain("Audit entries could not be written"), { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const ask = () =>
    server.admin.request("POST /etl/jobs/{job_name}/run", { params: { job_name: "results-recompute" }, body: {} });
  // Refused runs do not count toward the limit of twenty waiting runs, even if the lease of the node was written.
  disk.state.failing = ["batch"];
  for (let again = 0; again < 22; again++) expect(await refusal(ask())).toMatchObject({ status: 503 });

  disk.state.failure = null;
  expect((await server.send("GET", "/users/me", { headers: { authorization: "Bearer no" } })).status).toBe(401);
  const { run_id } = await ask();
  const runOf = () => server.admin.request("GET /etl/jobs/{run_id}", { params: { run_id } });
  await expect.poll(async () => (await runOf()).status).toBe("SUCCEEDED");
  const { items } = await server.admin.request("GET /audit-logs", { query: { action: "token.refused" } });
  expect(items).toHaveLength(1);
  const { integrity } = await server.admin.request("GET /compliance/reports/soc2");
  expect(integrity).toMatchObject({ valid: true, unsealed: 0 });
});

test("a server with data starts while writes fail, and evaluates", async () => {
  const kept = { ...disk.store, close: async () => {} };
  const options = { storage: kept, jobs: true, now: Date.now };
  const first = await createTestServer(options);
  await first.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  await first.assay.close();
  disk.state.failure = full();
  const second = await createTestServer(options);
  expect(second.assay.engine.evaluate("f", { targetingKey: "u" }, false).value).toBe(true);
  expect(await refusal(second.admin.request("GET /users/me"))).toMatchObject({ status: 503 });
  disk.state.failure = null;
  expect((await second.admin.request("GET /users/me")).username).toBe("admin");
  await second.assay.close();
});
