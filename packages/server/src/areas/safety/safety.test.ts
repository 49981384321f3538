import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EVENTS_JOURNAL } from "../../events/journal.ts";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { createCrowd, HOUR, someone } from "../rollout-schedules/rollout.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  await server.admin.request("POST /feature-flags/", {
    body: {
      key: "checkout",
      name: "Checkout",
      status: "ACTIVE",
      rollout_percentage: 50,
      rules: [
        {
          id: "staff",
          when: { attribute: "staff", operator: "EQUALS", value: true },
          serve: { rollout_percentage: 100 },
        },
      ],
      targeting_rules: { included_users: ["boss"] },
    },
  });
});
afterEach(() => server.assay.close());

const errors = { event_type: "error", critical_threshold: 0.05 };
const settings = (body: object) => server.admin.request("PUT /safety/settings", { body });
const params = { id: "checkout" };
const safety = () => server.admin.request("GET /safety/feature-flags/{id}", { params });
const flag = () => server.admin.request("GET /feature-flags/{id}", { params });
const rollBack = (body: object = {}, client: Pick<TestServer["admin"], "request"> = server.admin) =>
  client.request("POST /safety/rollback/{flag_id}", { params: { flag_id: "checkout" }, body });
const history = () => server.admin.request("GET /safety/rollback-history");
const isOn = (targetingKey: string, attributes: object = {}) =>
  server.assay.engine.evaluate("checkout", { targetingKey, ...attributes }, false).value;
const crowd = (habits: (hasFlag: boolean) => Record<string, number>) =>
  createCrowd(server, { flag: "checkout", users: 3000, seed: 3, habits });

describe("the settings", () => {
  test("are off and empty by default, and change field by field", async () => {
    expect(await server.admin.request("GET /safety/settings")).toEqual({
      automatic_rollback: false,
      metrics: {},
      window_minutes: 60,
      updated_at: null,
    });
    await settings({ metrics: { errors } });
    expect(await settings({ window_minutes: 30 })).toMatchObject({
      automatic_rollback: false,
      window_minutes: 30,
      metrics: {
        errors: {
          event_type: "error",
          aggregation: "RATE",
          comparison: "GREATER_THAN",
          warning_threshold: null,
          critical_threshold: 0.05,
          min_users: 100,
        },
      },
    });
    expect((await settings({ metrics: {} })).metrics).toEqual({});
  });

  test("are merged with a flag's own, by name", async () => {
    await settings({ automatic_rollback: true, metrics: { errors, slow: { event_type: "slow" } } });
    const body = { automatic_rollback: false, metrics: { slow: null, crashes: { event_type: "crash" } } };
    const own = await server.admin.request("PUT /safety/feature-flags/{id}", { params, body });
    expect(own).toMatchObject({ automatic_rollback: false, window_minutes: 60, overrides: { window_minutes: null } });
    expect(Object.keys(own.metrics).sort()).toEqual(["crashes", "errors"]);
    const set = (body: object) => server.admin.request("PUT /safety/feature-flags/{id}", { params, body });
    expect(await set({ window_minutes: 15 })).toMatchObject({ window_minutes: 15, automatic_rollback: false });
    expect(await set({ metrics: own.metrics })).toMatchObject({ window_minutes: 15, automatic_rollback: false });
    expect((await set({ window_minutes: null })).window_minutes).toBe(60);
    const back = { automatic_rollback: null, metrics: null };
    const common = await server.admin.request("PUT /safety/feature-flags/{id}", { params, body: back });
    expect(common.automatic_rollback).toBe(true);
    expect(Object.keys(common.metrics).sort()).toEqual(["errors", "slow"]);
  });

  test.each([
    { window_minutes: 0 },
    { metrics: { errors: { event_type: "" } } },
    { metrics: { errors: { event_type: "error", comparison: "ABOUT" } } },
    { metrics: { errors: { event_type: "error", min_users: 1 } } },
    { metrics: { errors: { event_type: "error", treshold: 1 } } },
  ])("reject %j", async (body) => {
    const { status } = await server.send("PUT", "/safety/settings", { body, headers: await bearer() });
    expect(status).toBe(422);
  });

  test.each([
    ["GREATER_THAN", 0.9, 0.05],
    ["GREATER_THAN_OR_EQUAL", 0.9, 0.05],
    ["LESS_THAN", 0.05, 0.9],
    ["LESS_THAN_OR_EQUAL", 0.05, 0.9],
  ] as const)(
    "reject a warning that is %s and lies beyond the critical threshold",
    async (comparison, warning, critical) => {
      const thresholds = { warning_threshold: warning, critical_threshold: critical };
      const metrics = { errors: { event_type: "error", comparison, ...thresholds } };
      const issue = {
        loc: ["body", "metrics", "errors", "warning_threshold"],
        msg: `The warning_threshold of ${warning} lies beyond the critical_threshold of ${critical}`,
      };
      expect(await refusal(settings({ metrics }))).toMatchObject({ status: 422, issues: [issue] });
      const own = server.admin.request("PUT /safety/feature-flags/{id}", { params, body: { metrics } });
      expect(await refusal(own)).toMatchObject({ status: 422, issues: [issue] });
      const turned = { ...metrics.errors, warning_threshold: critical, critical_threshold: warning };
      const equal = { ...metrics.errors, warning_threshold: critical };
      expect((await settings({ metrics: { turned, equal } })).metrics).toMatchObject({ turned, equal });
    },
  );

  const bearer = async () => {
    const { json } = await server.send("POST", "/auth/login", {
      body: { username: "admin", password: "correct horse battery" },
    });
    return { authorization: `Bearer ${json.access_token}` };
  };
});

describe("a flag's health", () => {
  test("is UNKNOWN without a metric or users", async () => {
    expect(await safety()).toMatchObject({ health: "UNKNOWN", values: [] });
    await settings({ metrics: { errors } });
    expect(await safety()).toMatchObject({ health: "UNKNOWN", values: [{ live_users: 0, live_value: null }] });
  });

  test("uses live values of the users in the rollout, over the window", async () => {
    await settings({ metrics: { errors: { ...errors, warning_threshold: 0.02 } } });
    await crowd(() => ({ error: 0.4 })).visit(3000);
    const bad = await safety();
    expect(bad).toMatchObject({ health: "CRITICAL", watched_since: expect.any(String), warnings: [] });
    // Both sides see errors, so the flag is not the cause.
    expect(bad.values[0]).toMatchObject({ worse: false, health: "CRITICAL" });
    server.advance(2 * HOUR);
    await crowd(() => ({})).visit(3000);
    expect((await safety()).health).toBe("HEALTHY");
  });

  test("is UNKNOWN below min_users, WARNING beyond the warning threshold and CRITICAL beyond the critical one", async () => {
    await crowd(() => ({ error: 0.4 })).visit(3000);
    const healthWith = async (body: object) => {
      await settings({ metrics: { errors: { event_type: "error", ...body } } });
      return (await safety()).health;
    };
    expect(await healthWith({ critical_threshold: 0.05, min_users: 5000 })).toBe("UNKNOWN");
    expect(await healthWith({ critical_threshold: 0.05 })).toBe("CRITICAL");
    expect(await healthWith({ warning_threshold: 0.05, critical_threshold: 0.9 })).toBe("WARNING");
    expect(await healthWith({ warning_threshold: 0.9 })).toBe("HEALTHY");
  });

  test.each([
    ["GREATER_THAN", "HEALTHY"],
    ["GREATER_THAN_OR_EQUAL", "CRITICAL"],
    ["LESS_THAN", "HEALTHY"],
    ["LESS_THAN_OR_EQUAL", "CRITICAL"],
  ])("with a value equal to the threshold of %s is %s", async (comparison, health) => {
    const slow = { event_type: "load", aggregation: "MEAN", comparison, critical_threshold: 500 };
    await settings({ metrics: { slow } });
    const { key } = await server.withKey(["write"]);
    const events = Array.from({ length: 400 }, (_, n) => ({ event_type: "load", user_id: `user-${n}`, value: 500 }));
    await server.send("POST", "/tracking/events", { body: { events }, headers: { "x-api-key": key } });
    expect((await safety()).values[0]).toMatchObject({ live_value: 500, health });
  });

  test("uses only live values since the percentage changed", async () => {
    await settings({ metrics: { errors } });
    await crowd(() => ({ error: 0.4 })).visit(3000);
    server.advance(60_000);
    await server.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage: 60 } });
    expect(await safety()).toMatchObject({ health: "UNKNOWN", values: [{ live_users: 0 }] });
  });

  test("shares its probability of error among the metrics that can cause a rollback", async () => {
    const width = async (metrics: object) => {
      await settings({ metrics });
      const [lower, upper] = (await safety()).values[0]!.confidence_interval!;
      return upper - lower;
    };
    await crowd(() => ({ error: 0.2 })).visit(3000);
    const alone = await width({ errors });
    const slow = { event_type: "slow" };
    expect(await width({ errors, slow })).toBe(alone);
    expect(await width({ errors, slow: { ...slow, critical_threshold: 0.5 } })).toBeGreaterThan(alone);
  });

  test("compares counts and values", async () => {
    const metrics = {
      often: { event_type: "error", aggregation: "COUNT", critical_threshold: 5 },
      slow: { event_type: "load", aggregation: "MEAN", critical_threshold: 500 },
    };
    await settings({ metrics });
    const { key } = await server.withKey(["write"]);
    const events = Array.from({ length: 1000 }, (_, number) => `user-${number}`).flatMap((user_id) => {
      const slow = isOn(user_id) ? 900 : 300;
      return [
        { event_type: "load", user_id, value: slow - 50 },
        { event_type: "load", user_id, value: slow + 50 },
        { event_type: "error", user_id },
      ];
    });
    await server.send("POST", "/tracking/events", { body: { events }, headers: { "x-api-key": key } });
    const [often, slow] = (await safety()).values;
    expect(often).toMatchObject({ health: "HEALTHY", live_value: 1, worse: false, difference: 0 });
    expect(slow).toMatchObject({ health: "CRITICAL", live_value: 900 });
    expect([slow!.value_in, slow!.value_out, slow!.difference].map((value) => value?.toFixed(6))).toEqual([
      "900.000000",
      "300.000000",
      "600.000000",
    ]);
  });

  test("excludes users that the targeting names or that got the flag by a rule", async () => {
    await settings({ metrics: { errors: { ...errors, min_users: 10 } } });
    await server.admin.request("PUT /feature-flags/{id}", {
      params,
      body: { targeting_rules: { included_users: Array.from({ length: 300 }, (_, n) => `named-${n}`) } },
    });
    const { key } = await server.withKey(["write"]);
    const send = (events: object[]) =>
      server.send("POST", "/tracking/events", { body: { events }, headers: { "x-api-key": key } });
    await send(Array.from({ length: 300 }, (_, n) => ({ event_type: "error", user_id: `named-${n}` })));
    const forced = { feature_flag_key: "checkout", variant_id: "on", event_metadata: { forced: true } };
    await send(
      Array.from({ length: 300 }, (_, n) => n).flatMap((n) => [
        { event_type: "exposure", user_id: `staff-${n}`, ...forced },
        { event_type: "error", user_id: `staff-${n}` },
      ]),
    );
    await crowd(() => ({})).visit(300);
    const [value] = (await safety()).values;
    expect(value).toMatchObject({ live_value: 0, value_in: 0, value_out: 0 });
    expect(value!.users_in + value!.users_out).toBeLessThanOrEqual(300);
  });

  test("is unavailable if an attribute decides the bucket", async () => {
    await settings({ metrics: { errors } });
    await server.admin.request("PUT /feature-flags/{id}", { params, body: { bucket_by: "company" } });
    expect(await safety()).toMatchObject({ health: "UNKNOWN", values: [], warnings: ["BUCKETED_BY_ATTRIBUTE"] });
  });
});

describe("a rollback", () => {
  test("to 0 takes the flag from all users at once, with or without rules, and is recorded", async () => {
    const user = someone("checkout", 0, 0.5);
    expect([isOn(user), isOn("x", { staff: true }), isOn("boss")]).toEqual([true, true, true]);
    const answer = await rollBack({ reason: "Payments fail" });
    expect(answer).toMatchObject({
      success: true,
      previous_percentage: 50,
      new_percentage: 0,
      previous_status: "ACTIVE",
      new_status: "ACTIVE",
      paused_schedules: [],
    });
    expect([isOn(user), isOn("x", { staff: true }), isOn("boss")]).toEqual([false, false, false]);
    expect(await flag()).toMatchObject({ rollout_percentage: 0, rules_enabled: false });
    expect((await history()).items).toMatchObject([
      { id: answer.rollback_id, automatic: false, reason: "Payments fail", metric: null, previous_percentage: 50 },
    ]);
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "safety.rollback" } });
    expect(items.map(({ resource_type, reason }) => [resource_type, reason])).toEqual([
      ["safety_rollback", "Payments fail"],
      ["feature_flag", "Payments fail"],
    ]);
  });

  test("to a part keeps the rules; one that would raise the percentage is a 422", async () => {
    expect(await rollBack({ percentage: 5 })).toMatchObject({ new_percentage: 5 });
    expect(await flag()).toMatchObject({ rollout_percentage: 5, rules_enabled: true });
    expect(await refusal(rollBack({ percentage: 6 }))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "percentage"], msg: expect.stringContaining("the flag is at 5 %") }],
    });
    expect((await history()).total).toBe(1);
  });

  test("is the only change that an ACTIVE experiment allows", async () => {
    const variants = [{ key: "off" }, { key: "on" }];
    await server.admin.request("POST /experiments/", {
      body: { name: "E", key: "e", status: "ACTIVE", feature_flag_key: "checkout", variants },
    });
    const put = server.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage: 0 } });
    expect(await refusal(put)).toMatchObject({ status: 409 });
    expect((await rollBack()).new_percentage).toBe(0);
  });

  test("to 0 takes the arm of an ACTIVE experiment from all users, also from earlier ones", async () => {
    const variants = [{ key: "off" }, { key: "on" }];
    await server.admin.request("POST /experiments/", {
      body: { name: "E", key: "e", status: "ACTIVE", feature_flag_key: "checkout", variants },
    });
    const app = await server.withKey(["write"]);
    const assign = (user_id: string) =>
      app.request("POST /tracking/assign", { body: { experiment_key: "e", user_id } });
    const enrolled = someone("checkout", 0, 0.5);
    expect(await assign(enrolled)).toMatchObject({ variant_key: "on", assigned: true });
    await rollBack();
    const refused = { variant_key: "off", assigned: false, reason: "TARGETING", assignment_date: null };
    expect(await assign(enrolled)).toMatchObject(refused);
    expect(await assign("newcomer")).toMatchObject(refused);
    // After a manual undo, users get their earlier arms again, and new users are assigned.
    await server.admin.request("POST /experiments/{experiment_id}/pause", { params: { experiment_id: "e" } });
    const body = { rollout_percentage: 50, rules_enabled: true };
    await server.admin.request("PUT /feature-flags/{id}", { params, body });
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: "e" } });
    expect(await assign(enrolled)).toMatchObject({ variant_key: "on", assigned: true });
    expect(await assign("newcomer")).toMatchObject({ assigned: true });
  });

  test("pauses the schedule until it is activated again", async () => {
    const stages = [
      { target_percentage: 60, trigger: "TIME" as const, trigger_config: { after_minutes: 0 } },
      { target_percentage: 100, trigger: "TIME" as const, trigger_config: { after_minutes: 60 } },
    ];
    const body = { name: "Plan", feature_flag_id: "checkout", stages };
    const { id } = await server.admin.request("POST /rollout-schedules", { body });
    await server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
    expect((await rollBack({ reason: "Payments fail" })).paused_schedules).toEqual([id]);
    server.advance(48 * HOUR);
    await server.runJob("rollout-advance");
    expect((await flag()).rollout_percentage).toBe(0);
    const paused = await server.admin.request("GET /rollout-schedules/{id}", { params: { id } });
    expect(paused).toMatchObject({ status: "PAUSED", pause_reason: "Safety rollback to 0 %: Payments fail" });
    await server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
    expect((await flag()).rollout_percentage).toBe(60);
  });

  test("pauses the schedule of another owner as well", async () => {
    const stages = [{ target_percentage: 60, trigger: "TIME" as const, trigger_config: { after_minutes: 60 } }];
    const body = { name: "Plan", feature_flag_id: "checkout", stages };
    const { id } = await server.admin.request("POST /rollout-schedules", { body });
    await server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
    const developer = await server.as("DEVELOPER");
    const pause = developer.request("POST /rollout-schedules/{id}/pause", { params: { id } });
    expect(await refusal(pause)).toMatchObject({ status: 403 });
    expect((await rollBack({}, developer)).paused_schedules).toEqual([id]);
    const { status } = await developer.request("GET /rollout-schedules/{id}", { params: { id } });
    expect(status).toBe("PAUSED");
  });

  test("requires DEVELOPER; settings ADMIN, a flag's own settings its owner, and the history ANALYST", async () => {
    const [viewer, analyst, developer] = [
      await server.as("VIEWER"),
      await server.as("ANALYST"),
      await server.as("DEVELOPER"),
    ];
    expect(await refusal(rollBack({}, analyst))).toMatchObject({ status: 403 });
    expect((await rollBack({}, developer)).success).toBe(true);
    const put = developer.request("PUT /safety/feature-flags/{id}", { params, body: { window_minutes: 5 } });
    expect(await refusal(put)).toMatchObject({ status: 403, detail: expect.stringContaining("owner or ADMIN") });
    expect(await refusal(developer.request("GET /safety/settings"))).toMatchObject({ status: 403 });
    expect((await viewer.request("GET /safety/feature-flags/{id}", { params })).health).toBe("UNKNOWN");
    expect(await refusal(viewer.request("GET /safety/rollback-history"))).toMatchObject({ status: 403 });
    expect((await analyst.request("GET /safety/rollback-history")).total).toBe(1);
  });

  test("is in the history of its flag, the latest first", async () => {
    const other = { key: "search", name: "Search", status: "ACTIVE", rollout_percentage: 80 } as const;
    const search = await server.admin.request("POST /feature-flags/", { body: other });
    await rollBack({ percentage: 20 });
    await server.admin.request("POST /safety/rollback/{flag_id}", { params: { flag_id: "search" } });
    await rollBack({ percentage: 10 });
    const rolledBackTo = async (query: { feature_flag_id?: string }) => {
      const { items } = await server.admin.request("GET /safety/rollback-history", { query });
      return items.map(({ new_percentage }) => new_percentage);
    };
    expect(await rolledBackTo({})).toEqual([10, 0, 20]);
    expect(await rolledBackTo({ feature_flag_id: "checkout" })).toEqual([10, 20]);
    expect(await rolledBackTo({ feature_flag_id: "search" })).toEqual([0]);
    expect(await rolledBackTo({ feature_flag_id: search.id })).toEqual([0]);
    expect(await rolledBackTo({ feature_flag_id: "nothing" })).toEqual([]);
  });

  test("of an unknown flag is a 404", async () => {
    const missing = server.admin.request("POST /safety/rollback/{flag_id}", { params: { flag_id: "nothing" } });
    expect(await refusal(missing)).toMatchObject({ status: 404 });
  });
});

describe("the automatic rollback", () => {
  const harmful = (hasFlag: boolean) => ({ error: hasFlag ? 0.3 : 0.02 });

  test("leaves a flag that changed while it was judged, and judges it again", async () => {
    const inner = memoryStore();
    let isArmed = false;
    const changeOnce = async (journal: string) => {
      if (!isArmed || journal !== EVENTS_JOURNAL) return;
      isArmed = false;
      await server.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage: 40 } });
    };
    const head: Store["head"] = (journal) => changeOnce(journal).then(() => inner.head(journal));
    await server.assay.close();
    server = await createTestServer({ storage: { ...inner, head } });
    const body = { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 50 } as const;
    await server.admin.request("POST /feature-flags/", { body });
    await settings({ automatic_rollback: true, metrics: { errors } });
    await crowd(harmful).visit(3000);
    isArmed = true;
    await server.runJob("safety-check");
    expect(isArmed).toBe(false);
    expect([(await flag()).rollout_percentage, (await history()).total]).toEqual([40, 0]);
    await server.runJob("safety-check");
    expect((await history()).total).toBe(1);
  });

  test("rolls a flag back once if harm is critical and significant", async () => {
    await settings({ automatic_rollback: true, metrics: { errors } });
    await crowd(harmful).visit(3000);
    await server.runJob("safety-check");
    expect(await flag()).toMatchObject({ rollout_percentage: 0, rules_enabled: false });
    await server.runJob("safety-check");
    const { items } = await history();
    expect(items).toMatchObject([{ automatic: true, metric: "errors", evidence: { worse: true, name: "errors" } }]);
    expect(items[0]!.reason).toMatch(
      /^"errors" is 0\.\d{4} in the rollout and 0\.\d{4} out of it \(difference between 0\.\d{4} and 0\.\d{4}\)$/,
    );
  });

  test.each<[string, object, (hasFlag: boolean) => Record<string, number>]>([
    ["is off", { automatic_rollback: false, metrics: { errors } }, harmful],
    ["all users see errors", { automatic_rollback: true, metrics: { errors } }, () => ({ error: 0.3 })],
    [
      "the difference is real but not critical",
      { automatic_rollback: true, metrics: { errors: { ...errors, critical_threshold: 0.9 } } },
      harmful,
    ],
    [
      "too few users were observed",
      { automatic_rollback: true, metrics: { errors: { ...errors, min_users: 100_000 } } },
      harmful,
    ],
    [
      "fewer errors would be bad",
      { automatic_rollback: true, metrics: { errors: { ...errors, comparison: "LESS_THAN" } } },
      harmful,
    ],
  ])("does not change a flag if %s", async (_, body, habits) => {
    await settings(body);
    await crowd(habits).visit(3000);
    await server.runJob("safety-check");
    expect((await flag()).rollout_percentage).toBe(50);
  });

  test("reports live values and health if all users have the flag", async () => {
    await settings({ automatic_rollback: true, metrics: { errors } });
    await server.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage: 100 } });
    await crowd(() => ({ error: 0.9 })).visit(500);
    expect(await safety()).toMatchObject({ health: "CRITICAL", warnings: ["NOBODY_TO_COMPARE"] });
  });

  test.each<[string, object, object, string]>([
    ["it is off", {}, { automatic_rollback: false }, "automatic_rollback is off"],
    ["nothing is critical", {}, { metrics: { slow: { event_type: "slow" } } }, "No metric has a critical_threshold"],
    ["the flag is off", { status: "INACTIVE" }, {}, "The flag is INACTIVE"],
    [
      "an attribute decides the bucket",
      { bucket_by: "company" },
      {},
      'The flag buckets by "company", which events do not contain, so the server cannot determine who is in the rollout',
    ],
    [
      "all users have the flag",
      { rollout_percentage: 100 },
      {},
      "All users have the flag, so there are no users to compare",
    ],
    [
      "no user has the flag by its percentage",
      { rollout_percentage: 0 },
      {},
      "No user has the flag by its percentage, so there are no users to compare",
    ],
  ])("is impossible if %s, and the status reports it", async (_, change, body, reason) => {
    await settings({ automatic_rollback: true, metrics: { errors } });
    expect((await safety()).unguarded_reason).toBeNull();
    await server.admin.request("PUT /feature-flags/{id}", { params, body: change });
    await settings(body);
    expect((await safety()).unguarded_reason).toBe(reason);
    await crowd(() => ({ error: 0.9 })).visit(500);
    await server.runJob("safety-check");
    expect((await history()).total).toBe(0);
  });

  test("does not raise or judge a new rollout by old events, only by new ones", async () => {
    await settings({ automatic_rollback: true, metrics: { errors } });
    await crowd(harmful).visit(3000);
    await server.runJob("safety-check");
    server.advance(HOUR);
    await server.admin.request("PUT /feature-flags/{id}", {
      params,
      body: { rollout_percentage: 50, rules_enabled: true },
    });
    await server.runJob("safety-check");
    expect((await flag()).rollout_percentage).toBe(50);
    await crowd(() => ({ error: 0.01 })).visit(3000);
    await server.runJob("safety-check");
    expect((await flag()).rollout_percentage).toBe(50);
    expect((await history()).total).toBe(1);
  });

  test("happens once if two servers check, and both serve the result", async () => {
    const storage = sharedStore();
    const first = await createTestServer({ storage });
    await first.admin.request("POST /feature-flags/", {
      body: { key: "checkout", name: "C", status: "ACTIVE", rollout_percentage: 50 },
    });
    await first.admin.request("PUT /safety/settings", { body: { automatic_rollback: true, metrics: { errors } } });
    await createCrowd(first, { flag: "checkout", users: 3000, seed: 3, habits: harmful }).visit(3000);
    await first.assay.close();
    const now = () => first.now() + HOUR;
    const servers = [
      await createTestServer({ storage, now, jobs: true }),
      await createTestServer({ storage, now, jobs: true }),
    ];
    for (const one of servers) {
      await vi.waitFor(
        async () => {
          expect((await one.admin.request("GET /feature-flags/{id}", { params })).rollout_percentage).toBe(0);
          expect((await one.admin.request("GET /safety/rollback-history")).total).toBe(1);
        },
        { timeout: 20_000, interval: 20 },
      );
    }
    const query = { action: "safety.rollback", resource_type: "feature_flag" };
    expect((await servers[0]!.admin.request("GET /audit-logs", { query })).total).toBe(1);
    await Promise.all(servers.map((one) => one.assay.close()));
  });
});
