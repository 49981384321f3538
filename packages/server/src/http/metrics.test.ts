import { readFileSync } from "node:fs";
import { memoryStore, StoreUnavailable } from "@assay/store";
import { afterEach, expect, test } from "vitest";
import { createTestServer, ORIGIN, refusal, type TestServer } from "../testing.fixture.ts";

const PAGE = new URL("../../../../docs/operations.md", import.meta.url);

let server: TestServer | undefined;
afterEach(() => server?.assay.close());

/** Returns the value of a series, such as `assay_events_total{outcome="stored"}`; undefined if there is none. */
async function read({ assay }: TestServer, series: string): Promise<number | undefined> {
  const lines = (await (await assay.metrics()).text()).split("\n");
  const line = lines.find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

const countOf = (route: string, method: string, status: number) =>
  `assay_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

async function started(options: Parameters<typeof createTestServer>[0] = {}): Promise<TestServer> {
  server = await createTestServer({ metrics: true, ...options });
  return server;
}

test("requests are counted by the template of their route, with any prefix, and not by path", async () => {
  const running = await started({ basePath: "/assay" });
  const get = (path: string, method = "GET") => running.assay.fetch(new Request(ORIGIN + path, { method }));
  await get("/assay/api/v1/feature-flags/secret-launch");
  await get("/assay/api/v1/feature-flags/other-launch");
  await get("/assay/api/v1/feature-flags/other-launch", "HEAD");
  await get("/assay/healthz");
  await get("/assay/somewhere/else");
  await get("/assay/somewhere/else", "PURGE");
  const flag = "/assay/api/v1/feature-flags/:id";
  expect(await read(running, countOf(flag, "GET", 401))).toBe(2);
  expect(await read(running, countOf(flag, "HEAD", 401))).toBe(1);
  expect(await read(running, countOf("/assay/healthz", "GET", 200))).toBe(1);
  expect(await read(running, countOf("none", "GET", 404))).toBe(1);
  expect(await read(running, countOf("none", "_OTHER", 404))).toBe(1);
  expect(await (await running.assay.metrics()).text()).not.toContain("launch");
});

test("evaluations are counted by reason, over HTTP and in the process", async () => {
  const running = await started();
  await running.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  const app = await running.withKey(["read"]);
  const body = { user_id: "ada" };
  const { reason } = await app.request("POST /feature-flags/{key}/evaluate", { params: { key: "f" }, body });
  await app.request("GET /feature-flags/user/{user_id}", { params: { user_id: "ada" } });
  running.assay.engine.evaluate("f", { targetingKey: "ada" }, null);
  running.assay.engine.evaluateAll({ targetingKey: "ada" });
  expect(await read(running, `assay_evaluations_total{reason="${reason}"}`)).toBe(4);
});

test("events are counted as stored, duplicate or rejected", async () => {
  const running = await started();
  const app = await running.withKey(["write"]);
  const event = { user_id: "ada", event_type: "purchase", event_id: "one" };
  await app.request("POST /tracking/track", { body: event });
  await app.request("POST /tracking/track", { body: event });
  await refusal(app.request("POST /tracking/track", { body: { ...event, timestamp: "2031-01-01T00:00:00Z" } }));
  await app.request("POST /tracking/events", { body: [event, { ...event, event_id: "two" }, {}] as never });
  expect(await read(running, 'assay_events_total{outcome="stored"}')).toBe(2);
  expect(await read(running, 'assay_events_total{outcome="duplicate"}')).toBe(2);
  expect(await read(running, 'assay_events_total{outcome="rejected"}')).toBe(2);
});

test("calls to the store are counted, and failures show that it is not writable", async () => {
  const inner = memoryStore();
  let isBroken = false;
  const storage = {
    ...inner,
    batch: (...operations: Parameters<typeof inner.batch>) =>
      isBroken ? Promise.reject(new StoreUnavailable("broken")) : inner.batch(...operations),
  };
  const running = await started({ storage });
  const batches = 'assay_store_operation_duration_seconds_count{operation="batch"}';
  const failures = 'assay_store_operation_errors_total{operation="batch"}';
  const before = (await read(running, batches))!;
  expect(before).toBeGreaterThan(0);
  expect(await read(running, failures)).toBeUndefined();
  expect(await read(running, "assay_store_writable")).toBe(1);
  isBroken = true;
  await refusal(running.admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } }));
  isBroken = false;
  expect(await read(running, batches)).toBeGreaterThan(before);
  expect(await read(running, failures)).toBeGreaterThanOrEqual(1);
  expect(await read(running, "assay_store_writable")).toBe(0);
  expect(await read(running, "assay_store_damaged_records")).toBe(0);
});

test("jobs show their runs and last success", async () => {
  const running = await started();
  await running.runJob("rollout-advance");
  const job = '{job="rollout-advance"}';
  expect(await read(running, `assay_job_duration_seconds_count${job}`)).toBe(1);
  expect(await read(running, `assay_job_last_success_timestamp_seconds${job}`)).toBe(running.now() / 1000);
  expect(await read(running, `assay_job_failures_total${job}`)).toBeUndefined();
});

test("open streams are counted by kind until they end", async () => {
  const running = await started();
  const app = await running.withKey(["read"]);
  const streams = (kind: string) => read(running, `assay_streams_open{kind="${kind}"}`);
  const headers = { "x-api-key": app.key };
  const response = await running.assay.fetch(new Request(`${ORIGIN}/api/v1/openfeature/stream`, { headers }));
  expect(response.status).toBe(200);
  expect([await streams("definitions"), await streams("audit")]).toEqual([1, 0]);
  await response.body!.cancel();
  expect(await streams("definitions")).toBe(0);
});

test("without the option, a server has no metrics", async () => {
  const running = await started({ metrics: false });
  await expect(running.assay.metrics()).rejects.toThrow("create the server with the option `metrics: true`");
});

test("docs/operations.md lists every metric with its type, labels and meaning", async () => {
  const running = await started();
  const { text, type } = await running.assay
    .metrics()
    .then(async (response) => ({ text: await response.text(), type: response.headers.get("content-type") }));
  expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
  const help = [...text.matchAll(/^# HELP (assay_\w+) (.*)$/gm)].map(([, name, meaning]) => [name, meaning]);
  const types = new Map([...text.matchAll(/^# TYPE (assay_\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind]));
  const rows = readFileSync(PAGE, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `assay_"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const listed = rows.map(([, name = "", kind, , meaning]) => [name.replaceAll("`", ""), kind, meaning]);
  expect(listed).toEqual(help.map(([name, meaning]) => [name, types.get(name!), meaning]));
  expect(text).toContain("process_cpu_seconds_total");
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
});
