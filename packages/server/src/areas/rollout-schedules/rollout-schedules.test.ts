import type { RolloutStageInput } from "@assay/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { createCrowd, DAY, HOUR, someone } from "./rollout.fixture.ts";

let server: TestServer;
async function open(): Promise<void> {
  server = await createTestServer();
  await server.admin.request("POST /feature-flags/", {
    body: { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 0 },
  });
}

beforeEach(open);
afterEach(() => server.assay.close());

type Stage = RolloutStageInput;
const manual = (target_percentage: number): Stage => ({ target_percentage, trigger: "MANUAL" });
const after = (target_percentage: number, after_minutes: number): Stage => ({
  target_percentage,
  trigger: "TIME",
  trigger_config: { after_minutes },
});
const metric = (target_percentage: number, config: object = {}): Stage => ({
  target_percentage,
  trigger: "METRIC",
  trigger_config: { event_type: "error", comparison: "LESS_THAN", threshold: 0.1, ...config },
});

const create = (stages: Stage[], client: Pick<TestServer["admin"], "request"> = server.admin) =>
  client.request("POST /rollout-schedules", { body: { name: "Plan", feature_flag_id: "checkout", stages } });
const get = (id: string) => server.admin.request("GET /rollout-schedules/{id}", { params: { id } });
const move = (
  id: string,
  how: "activate" | "pause" | "cancel",
  client: Pick<TestServer["admin"], "request"> = server.admin,
) => client.request(`POST /rollout-schedules/{id}/${how}`, { params: { id } });
const advance = (stage_id: string) =>
  server.admin.request("POST /rollout-schedules/stages/{stage_id}/advance", { params: { stage_id } });
const setFlag = (body: object) => server.admin.request("PUT /feature-flags/{id}", { params: { id: "checkout" }, body });
const percentage = async () =>
  (await server.admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } })).rollout_percentage;

describe("a plan", () => {
  test("is a DRAFT with numbered stages that have not started", async () => {
    const schedule = await create([after(10, 60), metric(50, { comparison: "less_than" }), manual(100)]);
    expect(schedule).toMatchObject({ status: "DRAFT", feature_flag_key: "checkout", activated_at: null });
    expect(schedule.stages.map(({ order, trigger, status }) => [order, trigger, status])).toEqual([
      [1, "TIME", "PENDING"],
      [2, "METRIC", "PENDING"],
      [3, "MANUAL", "PENDING"],
    ]);
    expect(schedule.stages[1]!.trigger_config).toEqual({
      event_type: "error",
      comparison: "LESS_THAN",
      threshold: 0.1,
      min_users: 100,
      duration_minutes: 0,
    });
    expect(await percentage()).toBe(0);
  });

  test.each<[string, Stage[], (string | number)[]]>([
    ["percentages that fall", [manual(50), manual(25)], ["body", "stages", 1, "target_percentage"]],
    ["0 %", [manual(0)], ["body", "stages", 0, "target_percentage"]],
    [
      "a TIME stage without a time",
      [{ target_percentage: 5, trigger: "TIME" }],
      ["body", "stages", 0, "trigger_config"],
    ],
    [
      "a METRIC stage without an event",
      [{ target_percentage: 5, trigger: "METRIC", trigger_config: { comparison: "LESS_THAN", threshold: 0 } }],
      ["body", "stages", 0, "trigger_config", "event_type"],
    ],
    [
      "a MANUAL stage with a trigger",
      [{ ...manual(5), trigger_config: { after_minutes: 5 } }],
      ["body", "stages", 0, "trigger_config"],
    ],
    ["a METRIC stage after a stage for all users", [manual(100), metric(100)], ["body", "stages", 1, "trigger"]],
  ])("with %s is a 422", async (_, stages, loc) => {
    const { status, issues } = await refusal(create(stages));
    expect(status).toBe(422);
    expect(issues).toMatchObject([{ loc }]);
  });

  test.each([
    ["TIME", {}, "trigger_config", "A TIME stage needs either `at` or `after_minutes`"],
    ["TIME", { after_minute: 5 }, "trigger_config", "A TIME stage needs either `at` or `after_minutes`"],
    ["TIME", { at: "2027-01-01", after_minutes: 5 }, "trigger_config", "A TIME stage needs either `at` or"],
    ["TIME", { at: "tomorrow" }, "trigger_config.at", "Expected an ISO 8601 date or date-time"],
    ["TIME", { after_minutes: -5 }, "trigger_config.after_minutes", "Too small"],
    ["METRIC", { event_type: "buy", comparison: "LESS_THAN" }, "trigger_config.threshold", "Field required"],
    ["METRIC", { event_type: "buy", threshold: 0 }, "trigger_config.comparison", "Field required"],
    [
      "METRIC",
      { event_type: "buy", threshold: 0, comparison: "LESS_THAN", treshold: 0 },
      "trigger_config.treshold",
      'Unknown key "treshold"; did you mean "threshold"?',
    ],
  ] as const)("rejects a %s stage with %j and reports the reason", async (trigger, trigger_config, place, words) => {
    const { status, issues } = await refusal(create([{ target_percentage: 5, trigger, trigger_config }]));
    expect(status).toBe(422);
    const loc = ["body", "stages", 0, ...place.split(".")];
    expect(issues).toMatchObject([{ loc, msg: expect.stringContaining(words) }]);
  });

  test("for an unknown flag is a 422", async () => {
    const body = { name: "Plan", feature_flag_id: "nothing" };
    expect(await refusal(server.admin.request("POST /rollout-schedules", { body }))).toMatchObject({ status: 422 });
  });

  test("changes stage by stage, and as a whole while it is a DRAFT", async () => {
    const { id, stages } = await create([manual(10), manual(20)]);
    const stage_id = stages[0]!.id;
    const put = (body: object) =>
      server.admin.request("PUT /rollout-schedules/stages/{stage_id}", { params: { stage_id }, body });
    expect((await put({ target_percentage: 15 })).stages[0]).toMatchObject({
      target_percentage: 15,
      trigger: "MANUAL",
    });
    expect(await refusal(put({ target_percentage: 30 }))).toMatchObject({ status: 422 });
    expect(await refusal(put({ trigger: "TIME" }))).toMatchObject({ status: 422 });
    const added = await server.admin.request("POST /rollout-schedules/{id}/stages", {
      params: { id },
      body: manual(100),
    });
    expect(added.stages.map(({ target_percentage }) => target_percentage)).toEqual([15, 20, 100]);
    await server.admin.request("DELETE /rollout-schedules/stages/{stage_id}", { params: { stage_id } });
    expect((await get(id)).stages.map(({ order, target_percentage }) => [order, target_percentage])).toEqual([
      [1, 20],
      [2, 100],
    ]);
    const body = { name: "Another plan", stages: [manual(1)] };
    const planned = await server.admin.request("PUT /rollout-schedules/{id}", { params: { id }, body });
    expect(planned).toMatchObject({ name: "Another plan", stages: [{ target_percentage: 1 }] });
    await move(id, "activate");
    const put2 = server.admin.request("PUT /rollout-schedules/{id}", { params: { id }, body });
    expect(await refusal(put2)).toMatchObject({ status: 400 });
    const add = server.admin.request("POST /rollout-schedules/{id}/stages", { params: { id }, body: manual(100) });
    expect((await refusal(add)).detail).toContain("this one is ACTIVE");
  });

  test("keeps a stage as it is once the stage has started", async () => {
    const { id, stages } = await create([manual(10), manual(20)]);
    const params = { stage_id: stages[0]!.id };
    await move(id, "activate");
    await advance(params.stage_id);
    const detail = "Stage 1 is IN_PROGRESS; only a PENDING one can change";
    const put = server.admin.request("PUT /rollout-schedules/stages/{stage_id}", {
      params,
      body: { target_percentage: 15 },
    });
    expect(await refusal(put)).toMatchObject({ status: 400, detail });
    const remove = server.admin.request("DELETE /rollout-schedules/stages/{stage_id}", { params });
    expect(await refusal(remove)).toMatchObject({ status: 400, detail });
  });

  test("keeps stages that are written back, also once it is ACTIVE", async () => {
    const { id, stages } = await create([manual(10), manual(50), manual(100)]);
    const update = (body: object) =>
      server.admin.request("PUT /rollout-schedules/{id}", { params: { id }, body: body as never });
    const [first, , last] = stages;
    const changed = await update({ stages: [first, manual(60), last] });
    expect(changed.stages.map((stage) => stage.target_percentage)).toEqual([10, 60, 100]);
    expect([changed.stages[0]!.id, changed.stages[2]!.id]).toEqual([first!.id, last!.id]);
    await setFlag({ status: "ACTIVE" });
    await move(id, "activate");
    await advance(first!.id);
    const running = await get(id);
    expect(running.stages[0]!.status).toBe("IN_PROGRESS");
    expect(await update(running)).toMatchObject({ status: "ACTIVE", stages: running.stages });
    const { status } = await refusal(update({ stages: running.stages.slice(0, 2) }));
    expect(status).toBe(400);
  });

  test("is listed by flag and status, and can be deleted unless it is in progress", async () => {
    const { id } = await create([manual(10)]);
    const list = (query: object) => server.admin.request("GET /rollout-schedules", { query });
    expect((await list({ feature_flag_id: "checkout", status: "draft" })).items).toMatchObject([{ id }]);
    expect((await list({ status: "ACTIVE" })).total).toBe(0);
    expect((await list({ feature_flag_id: "nothing" })).total).toBe(0);
    await move(id, "activate");
    const remove = () => server.admin.request("DELETE /rollout-schedules/{id}", { params: { id } });
    expect(await refusal(remove())).toMatchObject({ status: 400 });
    await move(id, "cancel");
    await remove();
    expect((await list({})).total).toBe(0);
  });
});

describe("the status", () => {
  test.each([
    ["pause", "DRAFT", [], "PAUSED"],
    ["activate", "ACTIVE", ["activate"], "ACTIVE"],
    ["pause", "PAUSED", ["activate", "pause"], "PAUSED"],
    ["activate", "CANCELLED", ["cancel"], "ACTIVE"],
    ["cancel", "CANCELLED", ["activate", "cancel"], "CANCELLED"],
  ] as const)("cannot %s if it is %s", async (how, from, before, to) => {
    const { id } = await create([manual(10), manual(20)]);
    for (const step of before) await move(id, step);
    expect(await refusal(move(id, how))).toMatchObject({
      status: 400,
      detail: `A rollout schedule cannot go from ${from} to ${to}`,
    });
  });

  test("is ACTIVE for one schedule per flag", async () => {
    const [one, two] = [await create([manual(10)]), await create([manual(20)])];
    await move(one.id, "activate");
    expect(await refusal(move(two.id, "activate"))).toMatchObject({
      status: 409,
      detail: 'Another rollout schedule is ACTIVE on flag "checkout"',
    });
    await move(one.id, "pause");
    expect((await move(two.id, "activate")).status).toBe("ACTIVE");
  });

  test.each<[string, object, Stage[], number]>([
    ["has no stages", {}, [], 400],
    ["is for a flag that is not ACTIVE", { status: "INACTIVE" }, [manual(10)], 409],
    ["would lower the rollout", { rollout_percentage: 50 }, [manual(10)], 409],
    ["starts with a METRIC stage at 0 %", {}, [metric(10)], 409],
    ["starts with a METRIC stage at 100 %", { rollout_percentage: 100 }, [metric(100)], 409],
    [
      "has a METRIC stage on a flag that does not bucket by user",
      { bucket_by: "company" },
      [manual(1), metric(10)],
      409,
    ],
  ])("does not become ACTIVE if the plan %s", async (_, flag, stages, status) => {
    await setFlag(flag);
    const { id } = await create(stages);
    expect(await refusal(move(id, "activate"))).toMatchObject({ status });
    expect((await get(id)).status).toBe("DRAFT");
  });
});

test.each([1, 99])("a plan that starts with a METRIC stage becomes ACTIVE at %i %%", async (rollout_percentage) => {
  await setFlag({ rollout_percentage });
  const { id } = await create([metric(100)]);
  expect((await move(id, "activate")).status).toBe("ACTIVE");
});

test("a plan becomes ACTIVE for the version in If-Match, and for no other", async () => {
  const { id, version } = await create([manual(10)]);
  const activate = (match: number) =>
    server.admin.request("POST /rollout-schedules/{id}/activate", {
      params: { id },
      headers: { "If-Match": `"v${match}"` },
    });
  expect((await refusal(activate(version + 1))).status).toBe(412);
  expect((await activate(version)).status).toBe("ACTIVE");
});

describe("a stage", () => {
  test("with a MANUAL trigger starts on request, in order, for all users at once", async () => {
    const { id, stages } = await create([manual(10), manual(100)]);
    const [first, second] = stages.map((stage) => stage.id) as [string, string];
    expect((await refusal(advance(first))).detail).toContain("this one is DRAFT");
    await move(id, "activate");
    expect(await refusal(advance(second))).toMatchObject({
      status: 400,
      detail: "Stage 2 cannot start before stage 1",
    });
    const user = someone("checkout", 0.05, 0.1);
    const isOn = () => server.assay.engine.evaluate("checkout", { targetingKey: user }, false).value;
    expect(isOn()).toBe(false);
    const begun = await advance(first);
    expect(isOn()).toBe(true);
    expect(begun.stages[0]).toMatchObject({ status: "IN_PROGRESS", started_at: new Date(server.now()).toISOString() });
    expect((await refusal(advance(first))).detail).toBe("Stage 1 cannot go from IN_PROGRESS to IN_PROGRESS");
    const done = await advance(second);
    expect(done).toMatchObject({ status: "COMPLETED", stages: [{ status: "COMPLETED" }, { status: "COMPLETED" }] });
    expect(await percentage()).toBe(100);
  });

  test("with a TIME trigger starts with the activation, minutes after the previous one, or at an instant", async () => {
    const at = new Date(server.now() + DAY).toISOString();
    const { id } = await create([
      after(10, 0),
      after(20, 60),
      { target_percentage: 30, trigger: "TIME", trigger_config: { at } },
    ]);
    await move(id, "activate");
    expect(await percentage()).toBe(10);
    server.advance(HOUR - 1);
    await server.runJob("rollout-advance");
    expect(await percentage()).toBe(10);
    server.advance(1);
    await server.runJob("rollout-advance");
    expect(await percentage()).toBe(20);
    server.advance(DAY - HOUR);
    await server.runJob("rollout-advance");
    expect([await percentage(), (await get(id)).status]).toEqual([30, "COMPLETED"]);
  });

  test("with a METRIC trigger waits for its time and its users, and reports its evidence", async () => {
    const { id } = await create([manual(20), metric(100, { min_users: 1000, duration_minutes: 60 })]);
    await move(id, "activate");
    await advance((await get(id)).stages[0]!.id);
    const crowd = createCrowd(server, { flag: "checkout", users: 2000, seed: 1, habits: () => ({ error: 0.01 }) });
    await crowd.visit(3000);
    await server.runJob("rollout-advance");
    const { stages } = await get(id);
    expect(stages[1]!.evidence).toMatchObject({ verdict: "OPEN", sample_ratio_mismatch: false });
    expect(stages[1]!.evidence!.users_in).toBeGreaterThan(200);
    server.advance(HOUR);
    await server.runJob("rollout-advance");
    expect(await percentage()).toBe(20);
    const stage_id = stages[1]!.id;
    await move(id, "pause");
    const trigger_config = { ...metric(1).trigger_config, min_users: 100, duration_minutes: 0 };
    const params = { stage_id };
    await server.admin.request("PUT /rollout-schedules/stages/{stage_id}", { params, body: { trigger_config } });
    await move(id, "activate");
    // Evidence from before the pause does not count.
    expect((await get(id)).stages[1]!.evidence).toMatchObject({ users_in: expect.any(Number), verdict: "OPEN" });
    server.advance(HOUR);
    await crowd.visit(3000);
    await server.runJob("rollout-advance");
    expect(await percentage()).toBe(100);
    expect((await get(id)).stages[1]!.evidence).toMatchObject({ verdict: "HOLDS" });
  });

  test("with a METRIC trigger waits for duration_minutes, although its claim holds", async () => {
    const { id } = await create([manual(20), metric(100, { duration_minutes: 60 })]);
    await move(id, "activate");
    await advance((await get(id)).stages[0]!.id);
    await createCrowd(server, { flag: "checkout", users: 2000, seed: 1, habits: () => ({ error: 0.01 }) }).visit(3000);
    server.advance(HOUR - 1);
    await server.runJob("rollout-advance");
    expect((await get(id)).stages[1]!).toMatchObject({ status: "PENDING" });
    expect(await percentage()).toBe(20);
    server.advance(1);
    await server.runJob("rollout-advance");
    expect((await get(id)).stages[1]!.evidence).toMatchObject({ verdict: "HOLDS" });
    expect(await percentage()).toBe(100);
  });

  test("with a METRIC trigger shares its probability of error among the different claims of the schedule", async () => {
    const widthWith = async (last: Stage) => {
      const { id } = await create([manual(20), metric(40, { min_users: 100_000 }), last]);
      await move(id, "activate");
      await advance((await get(id)).stages[0]!.id);
      await createCrowd(server, { flag: "checkout", users: 2000, seed: 1, habits: () => ({ error: 0.05 }) }).visit(
        3000,
      );
      await server.runJob("rollout-advance");
      const [lower, upper] = (await get(id)).stages[1]!.evidence!.confidence_interval!;
      return upper - lower;
    };
    const sameClaim = await widthWith(metric(80));
    await server.assay.close();
    await open();
    expect(await widthWith(metric(80, { event_type: "crash" }))).toBeGreaterThan(sameClaim);
  });

  test("with a METRIC trigger does not start while the rollout differs from the percentage", async () => {
    const { id } = await create([manual(50), metric(100)]);
    await move(id, "activate");
    await advance((await get(id)).stages[0]!.id);
    const crowd = createCrowd(server, { flag: "checkout", users: 3000, seed: 1, habits: () => ({ error: 0.01 }) });
    await crowd.visit(3000);
    // These users appear only because they have the flag: something other than the bucket selects them.
    const key = (await server.withKey(["write"])).key;
    const lost = Array.from({ length: 20_000 }, (_, number) => `extra-${number}`).filter(
      (targetingKey) => server.assay.engine.evaluate("checkout", { targetingKey }, false).enabled,
    );
    const events = lost.slice(0, 1500).map((user_id) => ({ event_type: "visit", user_id }));
    await server.send("POST", "/tracking/events", { body: { events }, headers: { "x-api-key": key } });
    await server.runJob("rollout-advance");
    expect((await get(id)).stages[1]!.evidence).toMatchObject({ verdict: "HOLDS", sample_ratio_mismatch: true });
    expect(await percentage()).toBe(50);
  });

  test("never lowers a flag that was rolled out further", async () => {
    const { id } = await create([after(10, 60), after(100, 60)]);
    await move(id, "activate");
    await setFlag({ rollout_percentage: 30 });
    server.advance(HOUR);
    await server.runJob("rollout-advance");
    expect(await percentage()).toBe(30);
    expect((await get(id)).stages[0]!.status).toBe("IN_PROGRESS");
  });
});

describe("a schedule pauses itself, with the reason,", () => {
  const begun = async () => {
    const { id } = await create([after(10, 0), after(50, 60), manual(100)]);
    await move(id, "activate");
    server.advance(HOUR);
    return id;
  };

  test("if the flag was rolled back manually, and continues from there when it is activated", async () => {
    const id = await begun();
    await setFlag({ rollout_percentage: 2 });
    await server.runJob("rollout-advance");
    expect(await get(id)).toMatchObject({ status: "PAUSED", pause_reason: "The flag was rolled back to 2 %" });
    expect(await percentage()).toBe(2);
    expect(await move(id, "activate")).toMatchObject({ status: "ACTIVE", pause_reason: null });
    expect(await percentage()).toBe(10);
  });

  test("if the flag is deactivated or deleted", async () => {
    const id = await begun();
    await setFlag({ status: "INACTIVE" });
    await server.runJob("rollout-advance");
    expect(await get(id)).toMatchObject({ status: "PAUSED", pause_reason: "The flag is INACTIVE" });
    await setFlag({ status: "ACTIVE" });
    await move(id, "activate");
    await server.admin.request("DELETE /feature-flags/{id}", { params: { id: "checkout" } });
    await server.runJob("rollout-advance");
    expect(await get(id)).toMatchObject({ status: "PAUSED", pause_reason: "The flag was deleted" });
  });

  test("if an experiment locks the flag", async () => {
    const id = await begun();
    const variants = [{ key: "off" }, { key: "on" }];
    await server.admin.request("POST /experiments/", {
      body: { name: "E", key: "e", status: "ACTIVE", feature_flag_key: "checkout", variants },
    });
    await server.runJob("rollout-advance");
    const paused = await get(id);
    expect(paused.status).toBe("PAUSED");
    expect(paused.pause_reason).toContain('while experiment "e" is ACTIVE on it');
    expect(await refusal(move(id, "activate"))).toMatchObject({
      status: 409,
      detail: 'Experiment "e" is ACTIVE on this flag',
    });
  });
});

describe("rights", () => {
  test("of a DEVELOPER cover their own schedules and those of their own flags", async () => {
    const [owner, other] = [await server.as("DEVELOPER"), await server.as("DEVELOPER")];
    await owner.request("POST /feature-flags/", { body: { key: "mine", name: "M", status: "ACTIVE" } });
    const body = { name: "Plan", feature_flag_id: "mine", stages: [manual(100)] };
    expect(await refusal(other.request("POST /rollout-schedules", { body }))).toMatchObject({ status: 403 });
    const byAdmin = await server.admin.request("POST /rollout-schedules", { body });
    expect(await refusal(move(byAdmin.id, "activate", other))).toMatchObject({ status: 403 });
    expect((await move(byAdmin.id, "activate", owner)).status).toBe("ACTIVE");
    const viewer = await server.as("VIEWER");
    expect((await viewer.request("GET /rollout-schedules")).total).toBe(1);
    const params = { stage_id: byAdmin.stages[0]!.id };
    const step = other.request("POST /rollout-schedules/stages/{stage_id}/advance", { params });
    expect(await refusal(step)).toMatchObject({ status: 403 });
  });
});

test("two servers on one store start a stage once, and a restart keeps everything", async () => {
  const storage = sharedStore();
  const first = await createTestServer({ storage });
  await first.admin.request("POST /feature-flags/", {
    body: { key: "checkout", name: "C", status: "ACTIVE", rollout_percentage: 0 },
  });
  const { id } = await create([after(10, 60), after(20, 60)], first.admin);
  await move(id, "activate", first.admin);
  await first.assay.close();
  const now = () => first.now() + HOUR;
  const servers = [
    await createTestServer({ storage, now, jobs: true }),
    await createTestServer({ storage, now, jobs: true }),
  ];
  for (const one of servers) {
    await vi.waitFor(async () => {
      const schedule = await one.admin.request("GET /rollout-schedules/{id}", { params: { id } });
      expect(schedule.stages.map(({ status }) => status)).toEqual(["IN_PROGRESS", "PENDING"]);
    });
  }
  const { items } = await servers[0]!.admin.request("GET /audit-logs", {
    query: { resource_type: "rollout_schedule" },
  });
  expect(items.filter(({ action }) => action === "rollout_schedule.advance")).toHaveLength(1);
  await Promise.all(servers.map((one) => one.assay.close()));
});

test("a stage that starts on a node that has not received a rollback does not undo it", async () => {
  const storage = sharedStore();
  const first = await createTestServer({ storage });
  // This node loses notices, so it sees changes a second later.
  const late = await createTestServer({ storage: { ...storage, subscribe: async () => async () => {} } });
  await first.admin.request("POST /feature-flags/", {
    body: { key: "checkout", name: "C", status: "ACTIVE", rollout_percentage: 5 },
  });
  const { id, stages } = await create([manual(5), manual(50)], first.admin);
  await move(id, "activate", first.admin);
  const begin = (stage: number, { admin }: TestServer) =>
    admin.request("POST /rollout-schedules/stages/{stage_id}/advance", { params: { stage_id: stages[stage]!.id } });
  await begin(0, first);
  await vi.waitFor(async () => {
    const seen = await late.admin.request("GET /rollout-schedules/{id}", { params: { id } });
    expect(seen.stages[0]?.status).toBe("IN_PROGRESS");
  });
  await first.admin.request("POST /safety/rollback/{flag_id}", { params: { flag_id: "checkout" } });
  // 400 if the node has already seen the change.
  expect([400, 409]).toContain((await refusal(begin(1, late))).status);
  const flag = await first.admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
  expect(flag).toMatchObject({ rollout_percentage: 0, rules_enabled: false });
  expect(await first.admin.request("GET /rollout-schedules/{id}", { params: { id } })).toMatchObject({
    status: "PAUSED",
    stages: [{ status: "IN_PROGRESS" }, { status: "PENDING" }],
  });
  await first.assay.close();
  await late.assay.close();
});
