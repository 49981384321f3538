import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import { createCrowd, DAY, type Habits } from "./rollout.fixture.ts";

/** Whole rollouts with an injected clock: users visit and jobs run, without manual steps. */
vi.setConfig({ testTimeout: 60_000 });

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  await server.admin.request("POST /feature-flags/", {
    body: { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 0 },
  });
});
afterEach(() => server.assay.close());

const flag = () => server.admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
const noWorse = (event_type: string, comparison: "GREATER_THAN" | "LESS_THAN", threshold: number) => ({
  trigger: "METRIC" as const,
  trigger_config: { event_type, comparison, threshold, min_users: 100, duration_minutes: 2 * 24 * 60 },
});

async function plan() {
  const { id } = await server.admin.request("POST /rollout-schedules", {
    body: {
      name: "New checkout",
      feature_flag_id: "checkout",
      stages: [
        { target_percentage: 10, trigger: "TIME", trigger_config: { after_minutes: 24 * 60 } },
        { target_percentage: 25, ...noWorse("purchase", "GREATER_THAN", -0.1) },
        { target_percentage: 50, ...noWorse("error", "LESS_THAN", 0.08) },
        { target_percentage: 100, trigger: "TIME", trigger_config: { after_minutes: 7 * 24 * 60 } },
      ],
    },
  });
  return server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
}

/** Lets days pass. Returns the percentage at the end of each. */
async function live(days: number, habits: Habits): Promise<number[]> {
  const crowd = createCrowd(server, { flag: "checkout", users: 4000, seed: 7, habits });
  const percentages: number[] = [];
  for (let day = 0; day < days; day++) {
    await crowd.visit(1500);
    server.advance(DAY);
    for (const job of ["rollout-advance", "safety-check"]) {
      expect(await server.runJob(job)).toMatchObject({ last_status: "SUCCEEDED" });
    }
    percentages.push((await flag()).rollout_percentage);
  }
  return percentages;
}

const guarded = { error: { event_type: "error", comparison: "GREATER_THAN", critical_threshold: 0.05 } } as const;
const guard = () =>
  server.admin.request("PUT /safety/settings", { body: { automatic_rollback: true, metrics: guarded } });

test("a good feature reaches all users in thirty days, stage by stage, without a rollback", async () => {
  await guard();
  const { id } = await plan();
  const percentages = await live(30, () => ({ purchase: 0.05, error: 0.01 }));
  expect([...new Set(percentages)]).toEqual([10, 25, 50, 100]);
  const done = await server.admin.request("GET /rollout-schedules/{id}", { params: { id } });
  expect(done).toMatchObject({ status: "COMPLETED", pause_reason: null });
  expect(done.stages.map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED"]);
  for (const stage of done.stages.slice(1, 3)) {
    expect(stage.evidence).toMatchObject({ verdict: "HOLDS", sample_ratio_mismatch: false });
    expect(stage.evidence!.users_in).toBeGreaterThan(100);
  }
  expect((await server.admin.request("GET /safety/rollback-history")).total).toBe(0);
  const { items } = await server.admin.request("GET /audit-logs", { query: { action: "feature_flag.rollout" } });
  expect(items.map(({ actor_type, new_value }) => [actor_type, new_value?.rollout_percentage])).toEqual([
    ["SYSTEM", 100],
    ["SYSTEM", 50],
    ["SYSTEM", 25],
    ["SYSTEM", 10],
  ]);
});

test("a feature with more errors is rolled back for all users, and stays rolled back", async () => {
  await guard();
  const { id } = await plan();
  const percentages = await live(30, (hasFlag) => ({ purchase: 0.05, error: hasFlag ? 0.15 : 0.01 }));
  expect([...new Set(percentages)].at(-1)).toBe(0);
  expect(Math.max(...percentages)).toBeLessThan(100);
  const schedule = await server.admin.request("GET /rollout-schedules/{id}", { params: { id } });
  expect(schedule).toMatchObject({ status: "PAUSED" });
  expect(schedule.pause_reason).toMatch(/^Safety rollback to 0 %: "error" is/);
  const { items } = await server.admin.request("GET /safety/rollback-history");
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ automatic: true, metric: "error", new_percentage: 0, created_by: null });
  expect(items[0]!.evidence).toMatchObject({ worse: true });
  expect(items[0]!.evidence!.confidence_interval![0]).toBeGreaterThan(0);
});

test("without a guard, the METRIC stage fails and the schedule waits", async () => {
  const { id } = await plan();
  const percentages = await live(30, (hasFlag) => ({ purchase: 0.05, error: hasFlag ? 0.2 : 0.01 }));
  expect([...new Set(percentages)]).toEqual([10, 25]);
  const schedule = await server.admin.request("GET /rollout-schedules/{id}", { params: { id } });
  expect(schedule).toMatchObject({ status: "PAUSED" });
  expect(schedule.pause_reason).toMatch(/^Stage 3 failed: the difference in "error" is 0\./);
  expect(schedule.stages[2]).toMatchObject({ status: "FAILED", evidence: { verdict: "REFUTED" } });
});
