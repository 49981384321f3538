import { bucket } from "@assay/core";
import { armProbabilities, betaPosterior } from "@assay/core/stats/bayes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type BanditServer, buying, createBanditServer, MINUTE, weightsOf } from "./bandit.fixture.ts";

let server: BanditServer;
beforeEach(async () => {
  server = await createBanditServer();
});
afterEach(() => server.assay.close());

describe("what a bandit says", () => {
  test("before the first users: the configured weights, and why they stay", async () => {
    const { id } = await server.create({
      variants: [
        { key: "a", weight: 30 },
        { key: "b", weight: 70 },
      ],
    });
    expect(await server.get()).toEqual({
      experiment_id: id,
      algorithm: "THOMPSON",
      applied: true,
      metric: "Bought",
      metric_id: "bought",
      weights: [
        { variant_id: "a", variant_key: "a", weight: 0.3, next_weight: null, successes: 0, trials: 0, mean: null },
        { variant_id: "b", variant_key: "b", weight: 0.7, next_weight: null, successes: 0, trials: 0, mean: null },
      ],
      probability_best: null,
      total_trials: 0,
      expected_regret: null,
      min_weight: 0.05,
      last_updated: null,
      status: "INSUFFICIENT_DATA",
    });
  });

  test("with users: posteriors by quadrature, the expected regret, and the weights of the next update", async () => {
    await server.create();
    const arms = await server.visit(600, buying({ a: 0.2, b: 0.3 }));
    const answer = await server.get();
    expect(answer).toMatchObject({ status: "READY", total_trials: 600, last_updated: null });
    const [a, b] = answer.weights;
    expect([a!.trials, b!.trials]).toEqual([arms.a, arms.b]);
    const posteriors = [a!, b!].map(({ successes, trials }) => betaPosterior(1 + successes!, 1 + trials - successes!));
    const { best, expectedLoss } = armProbabilities(posteriors);
    expect(answer.probability_best!.b).toBeCloseTo(best[1]!, 12);
    expect(answer.expected_regret).toBeCloseTo((expectedLoss[0]! + expectedLoss[1]!) / 2, 12);
    expect(b!.next_weight).toBeCloseTo(0.05 + 0.9 * best[1]!, 6);
    expect(a!.next_weight! + b!.next_weight!).toBeCloseTo(1, 12);
    expect(b!.mean).toBeCloseTo(b!.successes! / b!.trials, 12);
    expect(weightsOf(answer)).toEqual({ a: 0.5, b: 0.5 });
  });

  test("of a metric that should decrease: the arm with the lower rate is better", async () => {
    await server.create({
      metrics: [{ name: "Left", event_type: "purchase", role: "PRIMARY", direction: "DECREASE" }],
    });
    await server.visit(600, buying({ a: 0.2, b: 0.4 }));
    const { probability_best, weights } = await server.get();
    expect(probability_best!.a).toBeGreaterThan(0.99);
    expect(weights[0]!.next_weight).toBeGreaterThan(weights[1]!.next_weight!);
  });

  test("with FIXED weights: the weights of Thompson sampling, without applying them", async () => {
    await server.create({ allocation: "FIXED" });
    await server.visit(600, buying({ a: 0.2, b: 0.4 }));
    const answer = await server.get();
    expect(answer).toMatchObject({ algorithm: "FIXED", applied: false, status: "FIXED", last_updated: null });
    expect(answer.weights[1]!.weight).toBeGreaterThan(0.9);
    expect(await server.update()).toEqual(answer);
    const { variants } = await server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect(variants.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
  });

  test("reports a missing metric, a single arm, and an experiment that does not run", async () => {
    await server.create({ metrics: [] });
    await server.visit(600, buying({ a: 0.2, b: 0.4 }));
    expect(await server.update()).toMatchObject({ status: "NO_METRIC", metric: null, total_trials: 600 });
    const others = { name: "Y", metrics: [{ name: "Bought", event_type: "purchase" }] };
    await server.create({ ...others, key: "y", variants: [{ key: "a" }, { key: "b" }], status: "DRAFT" });
    const url = { variants: [{ url: "/only", weight: 100 }] };
    const single = { ...others, variants: null, experiment_type: "SPLIT_URL", split_url_config: url };
    await server.create({ ...single, key: "z" });
    await server.create({ ...single, key: "draft", status: "DRAFT" });
    const statusOf = async (experiment_id: string) =>
      (await server.admin.request("GET /bandit/{experiment_id}", { params: { experiment_id } })).status;
    const statuses = [await statusOf("y"), await statusOf("z"), await statusOf("draft")];
    expect(statuses).toEqual(["NOT_RUNNING", "ONE_ARM", "ONE_ARM"]);
  });

  test("every user reads it, drafts from ANALYST up; DEVELOPERs update, ADMINs set weights", async () => {
    await server.create();
    await server.create({ key: "y", status: "DRAFT" });
    const [viewer, analyst, developer] = [
      await server.as("VIEWER"),
      await server.as("ANALYST"),
      await server.as("DEVELOPER"),
    ];
    const draft = { params: { experiment_id: "y" } };
    await server.get(viewer);
    expect((await refusal(viewer.request("GET /bandit/{experiment_id}", draft))).status).toBe(404);
    await analyst.request("GET /bandit/{experiment_id}", draft);
    expect((await refusal(server.update(analyst))).status).toBe(403);
    await server.update(developer);
    expect((await refusal(server.setWeights({ a: 0.5, b: 0.5 }, developer))).status).toBe(403);
    const nobody = { params: { experiment_id: "none" } };
    expect((await refusal(server.admin.request("GET /bandit/{experiment_id}", nobody))).status).toBe(404);
    expect((await refusal(server.admin.request("POST /bandit/{experiment_id}/update", nobody))).status).toBe(404);
  });
});

describe("an update", () => {
  test("waits for 100 users in every arm, also since the last change", async () => {
    await server.create({
      variants: [
        { key: "a", weight: 0.1 },
        { key: "b", weight: 0.9 },
      ],
    });
    const first = await server.visit(500, buying({ a: 0.1, b: 0.5 }));
    expect(first.a).toBeLessThan(100);
    expect(await server.update()).toMatchObject({ status: "INSUFFICIENT_DATA", last_updated: null });
    const second = await server.visit(900, buying({ a: 0.1, b: 0.5 }));
    expect(first.a! + second.a!).toBeGreaterThanOrEqual(100);
    const updated = await server.update();
    expect(updated.last_updated).not.toBeNull();
    expect(updated.weights[0]).toMatchObject({ variant_key: "a", weight: 0.05, next_weight: null });
    expect(updated.status).toBe("INSUFFICIENT_DATA");
    await server.visit(500, buying({ a: 0.5, b: 0.1 }));
    expect((await server.update()).last_updated).toBe(updated.last_updated);
  });

  test("applies to new users at once, in all definitions, and moves no existing user", async () => {
    await server.create();
    await server.visit(600, buying({ a: 0.1, b: 0.4 }));
    const before = await server.key.request("GET /tracking/assignments/{user_id}", { params: { user_id: "user-1" } });
    const weights = weightsOf(await server.update());
    expect(weights).toEqual({ a: 0.05, b: 0.95 });
    const { experiments } = await server.key.request("GET /openfeature/flags");
    expect(experiments[0]!.variants.map(({ key, weight }) => [key, weight])).toEqual([
      ["a", 0.05],
      ["b", 0.95],
    ]);
    const arms = await server.visit(400, buying({ a: 0.1, b: 0.4 }));
    expect(arms.a).toBeLessThan(50);
    for (let user = 0; user < 100; user++) {
      const user_id = `user-${user}`;
      const [stored] = await server.key.request("GET /tracking/assignments/{user_id}", { params: { user_id } });
      const { variant_key } = await server.key.request("POST /tracking/assign", {
        body: { experiment_key: "x", user_id },
      });
      expect(variant_key).toBe(stored!.variant_key);
      // Drawn at even weights, and still so.
      expect(variant_key).toBe(bucket(user_id, "x") < 0.5 ? "a" : "b");
    }
    expect(await server.key.request("GET /tracking/assignments/{user_id}", { params: { user_id: "user-1" } })).toEqual(
      before,
    );
  });

  test("draws again at the current weights without sticky_assignment, and results use the first arm", async () => {
    await server.create({ targeting_rules: { sticky_assignment: false } });
    await server.visit(600, buying({ a: 0.1, b: 0.4 }));
    await server.update();
    const user_id = Array.from({ length: 600 }, (_, index) => `user-${index}`).find((one) => {
      const hash = bucket(one, "x");
      return hash >= 0.05 && hash < 0.5;
    })!;
    const again = await server.key.request("POST /tracking/assign", { body: { experiment_key: "x", user_id } });
    expect(again.variant_key).toBe("b");
    const { crossover, sample_size, variants } = await server.results();
    expect(crossover).toBe(1);
    expect(sample_size.control + sample_size.treatment).toBe(600);
    expect(variants[0]!.sample_size).toBe((await server.get()).weights[0]!.trials);
  });

  test("runs automatically, as the system", async () => {
    await server.create();
    await server.visit(600, buying({ a: 0.1, b: 0.4 }));
    await server.runJob("bandit-update");
    expect(weightsOf(await server.get())).toEqual({ a: 0.05, b: 0.95 });
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "bandit.update" } });
    expect(items.map(({ actor_type }) => actor_type)).toEqual(["SYSTEM"]);
  });

  test("is one audit entry with the weights before and after", async () => {
    await server.create();
    await server.visit(600, buying({ a: 0.1, b: 0.4 }));
    await server.update();
    await server.setWeights({ a: 0.4, b: 0.6 });
    const { items } = await server.admin.request("GET /audit-logs", { query: { resource_type: "experiment" } });
    expect(
      items
        .filter(({ action }) => action.startsWith("bandit."))
        .map((one) => [one.action, one.old_value, one.new_value]),
    ).toEqual([
      ["bandit.weights", { current_weights: { a: 0.05, b: 0.95 } }, { current_weights: { a: 0.4, b: 0.6 } }],
      ["bandit.update", {}, { current_weights: { a: 0.05, b: 0.95 } }],
    ]);
  });

  test("keeps weights that would change by less than a point", async () => {
    await server.create({
      variants: [
        { key: "a", weight: 0.05 },
        { key: "b", weight: 0.95 },
      ],
    });
    await server.visit(3000, buying({ a: 0.1, b: 0.4 }));
    expect(await server.update()).toMatchObject({ status: "UNCHANGED", last_updated: null });
  });

  test.each([
    ["EPSILON_GREEDY", { a: 0.095, b: 0.905 }],
    ["UCB1", { a: 0.05, b: 0.95 }],
  ])("by %s", async (allocation, expected) => {
    await server.create({ allocation });
    await server.visit(1200, buying({ a: 0.05, b: 0.9 }));
    const weights = weightsOf(await server.update());
    expect(weights.a).toBeCloseTo(expected.a, 6);
    expect(weights.b).toBeCloseTo(expected.b, 6);
  });

  test.each(["THOMPSON", "EPSILON_GREEDY", "UCB1"])(
    "by %s of a mean that should decrease, prefers the arm with less",
    async (allocation) => {
      const metrics = [
        { name: "Clicks", event_type: "click", kind: "COUNT" },
        { name: "Cost", event_type: "purchase", kind: "MEAN", role: "PRIMARY", direction: "DECREASE" },
      ];
      await server.create({ allocation, metrics });
      await server.visit(600, (arm, userId) => (arm === "a" ? 5 : 1) + bucket(userId, "cost"));
      const answer = await server.update();
      expect(answer).toMatchObject({ metric_id: "cost" });
      expect(answer.probability_best!.b).toBeGreaterThan(0.99);
      const [a, b] = answer.weights;
      expect(a).toMatchObject({ successes: null, mean: expect.closeTo(5.5, 1) });
      expect(b!.weight).toBeGreaterThan(0.6);
      expect(answer.expected_regret).toBeCloseTo(a!.weight * (a!.mean! - b!.mean!), 1);
    },
  );
});

test("a run of Thompson sampling loses less than a fixed split of the same users", { timeout: 60_000 }, async () => {
  const rates = { a: 0.1, b: 0.12, c: 0.25 };
  const variants = Object.keys(rates).map((key) => ({ key }));
  /** Purchases that the best arm would have made and these arms were not expected to. */
  const lost = (arms: Record<string, number>) =>
    Object.entries(arms).reduce((sum, [arm, users]) => sum + users * (rates.c - rates[arm as keyof typeof rates]), 0);
  const regret: Record<string, number> = {};
  for (const allocation of ["FIXED", "THOMPSON"]) {
    await server.create({ key: allocation.toLowerCase(), name: allocation, allocation, variants });
    const params = { experiment_id: allocation.toLowerCase() };
    regret[allocation] = 0;
    for (let batch = 0; batch < 6; batch++) {
      regret[allocation] += lost(await server.visit(500, buying(rates), params.experiment_id));
      await server.admin.request("POST /bandit/{experiment_id}/update", { params });
      server.advance(MINUTE);
    }
  }
  expect(regret.FIXED).toBeGreaterThan(200);
  expect(regret.THOMPSON).toBeLessThan(0.7 * regret.FIXED!);
  const best = await server.admin.request("GET /bandit/{experiment_id}", { params: { experiment_id: "thompson" } });
  expect(best.weights[2]!.weight).toBeGreaterThan(0.8);
});
