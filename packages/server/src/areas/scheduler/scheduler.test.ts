import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

const HOUR = 3_600_000;
let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const at = (milliseconds: number) => new Date(milliseconds).toISOString();
const variants = [
  { key: "control", name: "Control" },
  { key: "treatment", name: "Treatment" },
];
const create = (body: object) =>
  server.admin.request("POST /experiments/", { body: { name: "Checkout", key: "checkout", variants, ...body } });
const status = async (one = server) =>
  (await one.admin.request("GET /experiments/{experiment_id}", { params: { experiment_id: "checkout" } })).status;

describe("jobs", () => {
  test("are listed with their description and next run", async () => {
    const { items, total } = await server.admin.request("GET /scheduler/jobs");
    expect(total).toBe(items.length);
    expect(items.find(({ name }) => name === "experiment-schedule")).toEqual({
      name: "experiment-schedule",
      description: expect.any(String),
      schedule: "* * * * *",
      enabled: false,
      last_run_at: null,
      last_status: null,
      last_error: null,
      last_duration_ms: null,
      next_run_at: at(server.now() + 60_000),
      running: false,
    });
  });

  test("run when they are triggered, with an entry in the trail", async () => {
    const params = { job_name: "experiment-schedule" };
    const begun = await server.admin.request("POST /scheduler/jobs/{job_name}/trigger", { params });
    expect(begun).toMatchObject({ name: "experiment-schedule", running: true });
    const ended = await vi.waitFor(async () => {
      const job = await server.admin.request("GET /scheduler/jobs/{job_name}", { params });
      expect(job.running).toBe(false);
      return job;
    });
    expect(ended).toMatchObject({ last_run_at: at(server.now()), last_status: "SUCCEEDED", last_duration_ms: 0 });
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "job.trigger" } });
    expect(items[0]).toMatchObject({ actor_type: "USER", resource_type: "job", resource_id: "experiment-schedule" });
  });

  test("are a 404 if they are unknown", async () => {
    const params = { job_name: "make-coffee" };
    expect(await refusal(server.admin.request("GET /scheduler/jobs/{job_name}", { params }))).toMatchObject({
      status: 404,
      detail: "Resource not found",
    });
    expect(await refusal(server.admin.request("POST /scheduler/jobs/{job_name}/trigger", { params }))).toMatchObject({
      status: 404,
    });
  });

  test("are visible to all users; only an ADMIN triggers them", async () => {
    const viewer = await server.as("VIEWER");
    expect((await viewer.request("GET /scheduler/jobs")).total).toBeGreaterThan(0);
    expect((await viewer.request("GET /scheduler/health")).status).toBe("STOPPED");
    const developer = await server.as("DEVELOPER");
    const params = { job_name: "experiment-schedule" };
    expect(await refusal(developer.request("POST /scheduler/jobs/{job_name}/trigger", { params }))).toMatchObject({
      status: 403,
    });
  });
});

describe("the health", () => {
  test("reports whether a node ticks, what failed and what is overdue", async () => {
    const ticking = await createTestServer({ jobs: true });
    const healthy = await ticking.admin.request("GET /scheduler/health");
    expect(healthy).toEqual({
      status: "HEALTHY",
      last_tick_at: at(ticking.now()),
      running: [],
      failed: [],
      overdue: [],
    });
    await ticking.assay.close();
    server.advance(HOUR);
    const stopped = await server.admin.request("GET /scheduler/health");
    expect(stopped.status).toBe("STOPPED");
    expect(stopped.overdue).toContain("experiment-schedule");
  });
});

describe("an experiment with future dates", () => {
  test("starts at its start date and completes at its end date", async () => {
    await create({ start_date: at(server.now() + HOUR), end_date: at(server.now() + 2 * HOUR) });
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("DRAFT");
    server.advance(HOUR);
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("ACTIVE");
    await server.runJob("experiment-schedule");
    server.advance(HOUR);
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("COMPLETED");
    const { items } = await server.admin.request("GET /audit-logs", { query: { resource_type: "experiment" } });
    expect(items.map(({ action, actor_type }) => `${actor_type} ${action}`)).toEqual([
      "SYSTEM experiment.complete",
      "SYSTEM experiment.start",
      "USER experiment.create",
    ]);
  });

  test("starts by the clock, without a request", async () => {
    const ticking = await createTestServer({ jobs: true });
    await ticking.admin.request("POST /experiments/", {
      body: { name: "Checkout", key: "checkout", variants, start_date: at(ticking.now() + HOUR) },
    });
    ticking.advance(HOUR);
    await vi.waitFor(async () => expect(await status(ticking)).toBe("ACTIVE"));
    await ticking.assay.close();
  });

  test("does not change if its dates were past when they were set", async () => {
    await create({ start_date: at(server.now() - 2 * HOUR), end_date: at(server.now() - HOUR) });
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("DRAFT");
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: "checkout" } });
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("ACTIVE");
  });

  test("reports once why it could not start, until a new date is set", async () => {
    await create({ variants: [], start_date: at(server.now() + HOUR) });
    server.advance(HOUR);
    const reason = "An experiment needs at least 2 variants with weight to start";
    expect(await server.runJob("experiment-schedule")).toMatchObject({
      last_status: "FAILED",
      last_error: `Experiment "checkout": ${reason}`,
    });
    const params = { experiment_id: "checkout" };
    const failed = await server.admin.request("GET /experiments/{experiment_id}", { params });
    expect(failed).toMatchObject({ status: "DRAFT", schedule_error: reason });
    expect((await server.admin.request("GET /scheduler/health")).failed).toEqual(["experiment-schedule"]);
    expect(await server.runJob("experiment-schedule")).toMatchObject({ last_status: "SUCCEEDED" });
    const body = { variants, start_date: at(server.now() + HOUR) };
    const mended = await server.admin.request("PUT /experiments/{experiment_id}", { params, body });
    expect(mended.schedule_error).toBeNull();
    server.advance(HOUR);
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("ACTIVE");
  });

  test("completes at its end date while it is paused, and does not start again", async () => {
    await create({ status: "ACTIVE", end_date: at(server.now() + HOUR) });
    await server.admin.request("POST /experiments/{experiment_id}/pause", { params: { experiment_id: "checkout" } });
    server.advance(HOUR);
    await server.runJob("experiment-schedule");
    expect(await status()).toBe("COMPLETED");
  });

  test("does not copy its dates to a clone", async () => {
    await create({ start_date: at(server.now() + HOUR) });
    const copy = await server.admin.request("POST /experiments/{experiment_id}/clone", {
      params: { experiment_id: "checkout" },
      body: {},
    });
    expect([copy.start_date, copy.end_date]).toEqual([null, null]);
  });
});

test("two servers on one store start an experiment once, at a date that passed while both were down", async () => {
  const storage = sharedStore();
  const first = await createTestServer({ storage });
  await first.admin.request("POST /experiments/", {
    body: { name: "Checkout", key: "checkout", variants, start_date: at(first.now() + HOUR) },
  });
  await first.assay.close();
  const now = () => first.now() + 48 * HOUR;
  const servers = [
    await createTestServer({ storage, now, jobs: true }),
    await createTestServer({ storage, now, jobs: true }),
  ];
  await vi.waitFor(async () => expect(await status(servers[0])).toBe("ACTIVE"));
  await vi.waitFor(async () => expect(await status(servers[1])).toBe("ACTIVE"));
  const { items } = await servers[0]!.admin.request("GET /audit-logs", { query: { action: "experiment.start" } });
  expect(items).toHaveLength(1);
  const jobs = await Promise.all(servers.map((one) => one.admin.request("GET /scheduler/jobs")));
  expect(jobs[0]).toEqual(jobs[1]);
  await Promise.all(servers.map((one) => one.assay.close()));
});
