import { bucket } from "@assay/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

const DAY = 86_400_000;
let server: TestServer;
let key: Awaited<ReturnType<TestServer["withKey"]>>;
beforeEach(async () => {
  server = await createTestServer();
  key = await server.withKey(["read", "write"]);
});
afterEach(() => server.assay.close());

const BOUGHT = { name: "Bought", event_type: "purchase", role: "PRIMARY" };
const create = (name: string, body: object = {}) =>
  server.admin.request("POST /experiments/", {
    body: {
      key: name,
      name,
      status: "ACTIVE",
      variants: [{ key: "off" }, { key: "on" }],
      metrics: [BOUGHT],
      ...body,
    } as never,
  });

async function send(events: object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 5000) {
    await key.request("POST /tracking/events", { body: { events: events.slice(from, from + 5000) } as never });
  }
}

/** Exposes users to all of some experiments, and lets them buy with a rate that depends on their arms. */
async function visit(
  count: number,
  experiments: string[],
  rate: (arms: boolean[]) => number,
  prefix = "user",
): Promise<void> {
  await send(
    Array.from({ length: count }, (_, index) => {
      const user_id = `${prefix}-${index}`;
      const arms = experiments.map((one) => bucket(user_id, one) >= 0.5);
      const exposures = experiments.map((experiment_id, at) => ({
        event_type: "exposure",
        user_id,
        experiment_id,
        variant_id: arms[at] ? "on" : "off",
      }));
      const buys = bucket(user_id, "buys") < rate(arms);
      return buys ? [...exposures, { event_type: "purchase", user_id }] : exposures;
    }).flat(),
  );
}

const pair = (exp_a_id: string, exp_b_id: string, query: object = {}, client = server.admin) =>
  client.request("GET /interactions/{exp_a_id}/{exp_b_id}", { params: { exp_a_id, exp_b_id }, query: query as never });
const scan = (query: object = {}, client = server.admin) =>
  client.request("GET /interactions/scan", { query: query as never });
const novelty = (exp_a_id: string, exp_b_id: string, query: object = {}, client = server.admin) =>
  client.request("GET /interactions/{exp_a_id}/{exp_b_id}/novelty", {
    params: { exp_a_id, exp_b_id },
    query: query as never,
  });

describe("a pair of experiments", () => {
  test("reports the cells of the users in both, and the effect beyond the two single effects", async () => {
    const [a, b] = [await create("a"), await create("b")];
    await visit(4000, ["a", "b"], ([x, y]) => 0.2 + (x ? 0.1 : 0) + (y ? 0.1 : 0) + (x && y ? 0.3 : 0));
    await visit(500, ["a"], () => 1, "only-a");
    const answer = await pair("a", b.id);
    expect(answer).toMatchObject({
      experiment_a_id: a.id,
      experiment_b_id: b.id,
      metric: "Bought",
      metric_id: "bought",
      shared_users: 4000,
      significant: true,
      warning: null,
      alpha: 0.05,
    });
    const values = answer.cells.map((row) => row.map(({ value }) => value!));
    expect(values.flat().map((value) => Math.round(value * 10) / 10)).toEqual([0.2, 0.3, 0.3, 0.7]);
    const effect = values[1]![1]! - values[0]![1]! - (values[1]![0]! - values[0]![0]!);
    expect(answer.interaction_effect).toBeCloseTo(effect, 12);
    const squares = answer.cells.flat().map(({ users, value }) => (value! * (1 - value!)) / users);
    expect(answer.standard_error).toBeCloseTo(Math.sqrt(squares.reduce((sum, one) => sum + one)), 12);
    expect(await pair(b.id, a.id)).toMatchObject({ interaction_effect: expect.closeTo(effect, 12) });
    expect((await pair("a", "b", { alpha: 1e-12 })).alpha).toBe(1e-12);
  });

  test("is not significant if neither changes the other", async () => {
    await create("a");
    await create("b");
    await visit(4000, ["a", "b"], ([x, y]) => 0.2 + (x ? 0.1 : 0) + (y ? 0.1 : 0));
    const { p_value, significant, assignment_p_value } = await pair("a", "b");
    expect([p_value! > 0.05, significant, assignment_p_value! > 0.001]).toEqual([true, false, true]);
  });

  test("reports too few users in a cell", async () => {
    await create("a");
    await create("b");
    expect(await pair("a", "b")).toMatchObject({ shared_users: 0, warning: "NO_SHARED_USERS", p_value: null });
    await visit(300, ["a", "b"], () => 0.5);
    expect(await pair("a", "b")).toMatchObject({ shared_users: 300, warning: "TOO_FEW_USERS", p_value: null });
  });

  test("uses the requested metric, of the first or else of the second experiment", async () => {
    await create("a", { metrics: [BOUGHT, { name: "Cart size", event_type: "cart", kind: "COUNT" }] });
    await create("b", { metrics: [{ name: "Visits", event_type: "visit", kind: "COUNT" }] });
    await visit(500, ["a", "b"], () => 0.5);
    const metricOf = async (metric_id: string) => (await pair("a", "b", { metric_id })).metric_id;
    expect([await metricOf("Cart size"), await metricOf("visits")]).toEqual(["cart-size", "visits"]);
    const unknown = await refusal(pair("a", "b", { metric_id: "none" }));
    expect(unknown).toMatchObject({ status: 422, issues: [{ loc: ["query", "metric_id"], type: "unknown_metric" }] });
  });

  test("may use metrics that no experiment names", async () => {
    await create("a", { metrics: [] });
    await create("b", { metrics: [] });
    await visit(500, ["a", "b"], () => 0.5);
    expect(await pair("a", "b")).toMatchObject({ metric_id: "purchase", warning: null });
    expect((await refusal(pair("a", "b", { metric_id: "none" }))).status).toBe(422);
  });

  test("requires two different existing experiments, and DEVELOPER", async () => {
    const { id } = await create("a");
    await create("b", { status: "DRAFT" });
    expect(await refusal(pair("a", id))).toMatchObject({
      status: 422,
      issues: [{ loc: ["path", "exp_b_id"], msg: "Expected two different experiments" }],
    });
    expect((await refusal(pair("a", "none"))).status).toBe(404);
    expect((await refusal(pair("none", "a"))).status).toBe(404);
    const [viewer, analyst, developer] = [
      await server.as("VIEWER"),
      await server.as("ANALYST"),
      await server.as("DEVELOPER"),
    ];
    for (const client of [viewer, analyst]) {
      expect((await refusal(pair("a", "b", {}, client))).status).toBe(403);
      expect((await refusal(scan({}, client))).status).toBe(403);
      expect((await refusal(novelty("a", "b", {}, client))).status).toBe(403);
    }
    expect((await pair("a", "b", {}, developer)).warning).toBe("NO_SHARED_USERS");
    expect((await refusal(pair("a", "b", { alpha: 0 }))).status).toBe(422);
  });
});

describe("a scan", () => {
  test("tests every pair of running experiments, corrected for their number", async () => {
    for (const name of ["a", "b", "c"]) await create(name);
    await create("draft", { status: "DRAFT" });
    await visit(6000, ["a", "b", "c"], ([x, _, z]) => 0.3 + (x && z ? 0.3 : 0));
    const answer = await scan();
    expect(answer).toMatchObject({
      experiments: 3,
      experiments_left_out: 0,
      pairs_analyzed: 3,
      pairs_tested: 3,
      significant_pairs: 1,
      alpha_adjusted: 0.05 / 3,
    });
    const [found] = answer.pairs;
    expect([found!.experiment_a_key, found!.experiment_b_key, found!.significant]).toEqual(["a", "c", true]);
    const alone = await pair("a", "c");
    expect(found!.p_value).toBe(alone.p_value);
    expect(found!.interaction_effect).toBe(alone.interaction_effect);
    expect(answer.pairs.map(({ significant }) => significant)).toEqual([true, false, false]);
  });

  test("is empty for zero or one experiment, and counts no pair that it cannot test", async () => {
    expect(await scan()).toMatchObject({ experiments: 0, pairs_analyzed: 0, alpha_adjusted: 0.05, pairs: [] });
    await create("a");
    expect(await scan()).toMatchObject({ experiments: 1, pairs: [] });
    await create("b");
    expect(await scan()).toMatchObject({
      pairs_analyzed: 1,
      pairs_tested: 0,
      pairs: [{ warning: "NO_SHARED_USERS", adjusted_p_value: null, significant: false }],
    });
  });

  test("uses the twenty experiments that started last", async () => {
    for (let index = 0; index < 22; index++) {
      await create(`e${index}`);
      server.advance(1000);
    }
    const { experiments, experiments_left_out, pairs } = await scan();
    expect([experiments, experiments_left_out, pairs.length]).toEqual([20, 2, 190]);
    const named = new Set(pairs.flatMap((one) => [one.experiment_a_key, one.experiment_b_key]));
    expect([named.has("e1"), named.has("e2")]).toEqual([false, true]);
  });
});

describe("novelty", () => {
  test("is detected for each of the two if an effect wears off from day to day", async () => {
    await create("a");
    await create("b");
    for (let day = 0; day < 8; day++) {
      const fading = 0.4 / (day + 1);
      await visit(1000, ["a", "b"], ([x]) => 0.2 + (x ? fading : 0), `day-${day}`);
      server.advance(DAY);
    }
    server.advance(DAY);
    const { experiment_a, experiment_b } = await novelty("a", "b");
    expect(experiment_a).toMatchObject({
      experiment_key: "a",
      metric_id: "bought",
      variant: "on",
      has_novelty: true,
      has_primacy: false,
      warning: null,
    });
    expect(experiment_a.daily.map(({ date }) => date)).toEqual(
      Array.from({ length: 8 }, (_, index) => `2026-03-0${index + 1}`),
    );
    expect(experiment_a.daily[0]!.n_control + experiment_a.daily[0]!.n_treatment).toBe(1000);
    expect(experiment_a.daily[0]!.effect).toBeCloseTo(0.4, 1);
    expect(experiment_a.early_effect!).toBeGreaterThan(experiment_a.late_effect! + 0.05);
    expect(experiment_a.p_value!).toBeLessThan(0.001);
    expect(experiment_a.slope!).toBeLessThan(0);
    expect(experiment_b).toMatchObject({ experiment_key: "b", has_novelty: false, has_primacy: false });
  });

  test("gives the users of every day the same time to act", async () => {
    await create("a");
    await create("b");
    for (let day = 0; day < 4; day++) {
      const arms = (index: number) => bucket(`day-${day}-${index}`, "a") >= 0.5;
      await visit(400, ["a", "b"], () => 0.2, `day-${day}`);
      server.advance(2 * DAY);
      // Days later those of the treatment buy, which says nothing of their first day.
      await send(
        Array.from({ length: 400 }, (_, index) => index)
          .filter(arms)
          .map((index) => ({ event_type: "purchase", user_id: `day-${day}-${index}` })),
      );
    }
    const { experiment_a } = await novelty("a", "b");
    // The first day, and every other one: a day without users counts as a day.
    expect(experiment_a.daily.map(({ date, effect }) => [date.slice(8), effect === null])).toEqual([
      ["01", false],
      ["02", true],
      ["03", false],
      ["04", true],
      ["05", false],
      ["06", true],
      ["07", false],
    ]);
    for (const { effect } of experiment_a.daily) if (effect !== null) expect(Math.abs(effect)).toBeLessThan(0.15);
    expect(experiment_a).toMatchObject({ has_novelty: false, has_primacy: false });
  });

  test("omits days whose users are still observed, and reports too few days", async () => {
    await create("a");
    await create("b");
    await visit(400, ["a", "b"], () => 0.5);
    server.advance(DAY);
    const early = await novelty("a", "b");
    expect(early.experiment_a).toMatchObject({ daily: [], warning: "TOO_FEW_DAYS", p_value: null, has_novelty: false });
    server.advance(DAY);
    expect((await novelty("a", "b")).experiment_a.daily).toHaveLength(1);
  });

  test("uses the requested metric if an experiment has it", async () => {
    await create("a", { metrics: [BOUGHT, { name: "Visits", event_type: "visit", kind: "COUNT" }] });
    await create("b");
    await visit(200, ["a", "b"], () => 0.5);
    const { experiment_a, experiment_b } = await novelty("a", "b", { metric_id: "visits" });
    expect([experiment_a.metric, experiment_b.metric, experiment_b.warning]).toEqual(["Visits", null, "NO_METRIC"]);
    expect((await refusal(novelty("a", "b", { metric_id: "none" }))).status).toBe(422);
    expect((await refusal(novelty("a", "a"))).status).toBe(422);
    expect((await refusal(novelty("a", "none"))).status).toBe(404);
  });
});
