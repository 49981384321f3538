import { bucket } from "@assay/core";
import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type BanditServer, buying, createBanditServer, weightsOf } from "./bandit.fixture.ts";

let server: BanditServer;
beforeEach(async () => {
  server = await createBanditServer();
});
afterEach(() => server.assay.close());

describe("manually set weights", () => {
  test("must sum to 1 and name every variant, by id or key", async () => {
    await server.create();
    const refused = async (weights: Record<string, number>) => {
      const { status, issues } = await refusal(server.setWeights(weights));
      const [{ loc, msg }] = issues as [{ loc: unknown; msg: string }];
      return [status, loc, msg];
    };
    const at = ["body", "weights"];
    expect(await refused({ a: 0.5, b: 0.4 })).toEqual([422, at, "Weights must sum to 1, not to 0.9"]);
    expect(await refused({ a: 1 })).toEqual([422, at, "Weights are missing for b"]);
    expect(await refused({ a: 0.5, c: 0.5 })).toEqual([422, [...at, "c"], 'The experiment has no variant "c"']);
    expect((await refused({ a: -0.5, b: 1.5 }))[0]).toBe(422);
    expect(weightsOf(await server.setWeights({ a: 1 / 3, b: 2 / 3 }))).toEqual({ a: 1 / 3, b: 2 / 3 });
  });

  test("require a running bandit", async () => {
    await server.create({ allocation: "FIXED" });
    expect(await refusal(server.setWeights({ a: 0.5, b: 0.5 }))).toMatchObject({
      status: 400,
      detail: "The weights of an experiment with FIXED allocation cannot change",
    });
    await server.create({ key: "y", status: "DRAFT" });
    const draft = { params: { experiment_id: "y" }, body: { weights: { a: 0.5, b: 0.5 } } };
    expect(await refusal(server.admin.request("PUT /bandit/{experiment_id}/weights", draft))).toMatchObject({
      status: 400,
      detail: "Weights can change only while an experiment is ACTIVE or PAUSED; this one is DRAFT",
    });
  });

  test("disable an arm with 0 until they enable it again; updates skip it", async () => {
    await server.create({ variants: [{ key: "a" }, { key: "b" }, { key: "c" }] });
    await server.visit(900, buying({ a: 0.1, b: 0.4, c: 0.5 }));
    await server.setWeights({ a: 0.5, b: 0.5, c: 0 });
    expect((await server.visit(300, buying({ a: 0.1, b: 0.4 }))).c).toBeUndefined();
    const answer = await server.update();
    expect(answer.weights[2]).toMatchObject({ variant_key: "c", weight: 0 });
    expect(answer.weights[1]!.weight).toBeGreaterThan(0.9);
    expect(answer.probability_best!.c).toBe(0);
    expect(answer.weights[2]!.trials).toBeGreaterThan(250);
  });

  test("are announced to definition streams, and survive a restart", async () => {
    const store = memoryStore();
    const kept = { ...store, close: async () => {} };
    const before = await createBanditServer({ storage: kept });
    await before.create();
    const announced: string[][] = [];
    before.assay.engine.onChange(({ experiments }) => announced.push(experiments));
    await before.setWeights({ a: 0.1, b: 0.9 });
    expect(announced).toEqual([["x"]]);
    await before.assay.close();
    const after = await createBanditServer({ storage: kept });
    expect(weightsOf(await after.get())).toEqual({ a: 0.1, b: 0.9 });
    const { a } = await after.visit(1000, () => 0);
    expect(a).toBeGreaterThan(50);
    expect(a).toBeLessThan(150);
    expect((await after.results()).srm).toMatchObject({ expected: { a: 100, b: 900 }, warning: false });
    await after.assay.close();
    await store.close();
  });

  test("are not copied to a clone, like results", async () => {
    await server.create();
    await server.setWeights({ a: 0.2, b: 0.8 });
    const source = await server.admin.request("GET /experiments/{experiment_id}", { params: server.params });
    expect(source).toMatchObject({ current_weights: { a: 0.2, b: 0.8 }, variants: [{ weight: 0.5 }, { weight: 0.5 }] });
    const clone = await server.admin.request("POST /experiments/{experiment_id}/clone", { params: server.params });
    expect(clone.current_weights).toBeUndefined();
    // A body that is read and written back changes nothing, weights that moved or not.
    const { status: _, ...body } = source;
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params: server.params,
      body: { variants: body.variants.map(({ key, name, weight, is_control }) => ({ key, name, weight, is_control })) },
    });
    expect(weightsOf(await server.get())).toEqual({ a: 0.2, b: 0.8 });
  });
});

describe("results of a bandit", () => {
  test("compare users of the same period, so a seasonal change is not an effect", async () => {
    await server.create({ bayesian_enabled: true });
    const one = await server.visit(1000, buying({ a: 0.2, b: 0.2 }));
    await server.setWeights({ a: 0.1, b: 0.9 });
    const two = await server.visit(3000, buying({ a: 0.6, b: 0.6 }));
    const { metrics, srm, analysis_warnings, variants, bayesian_results } = await server.results();
    const [row] = metrics;
    const users = { a: one.a! + two.a!, b: one.b! + two.b! };
    expect(analysis_warnings).toEqual(["WEIGHTED_BY_PERIOD"]);
    expect(row!.n).toEqual({ control: users.a, treatment: users.b });
    // Pooled, the arm that grew with the season would lead by some 15 points.
    expect(Math.abs(row!.difference)).toBeLessThan(0.05);
    expect(row!.is_significant).toBe(false);
    expect(row!.treatment_value - row!.control_value).toBeCloseTo(row!.difference, 12);
    expect(bayesian_results!.variants.map(({ n }) => n)).toEqual([users.a, users.b]);
    expect(bayesian_results!.decision).not.toBe("ACCEPT_ALTERNATIVE");
    expect(variants.map(({ weight }) => weight)).toEqual([0.1, 0.9]);
    expect(srm.observed).toEqual(users);
    expect(srm.expected.a).toBeCloseTo(0.5 * 1000 + 0.1 * 3000, 9);
    expect(srm.warning).toBe(false);
  });

  test("mark other analyses as not separating the periods", async () => {
    await server.create();
    await server.visit(50, buying({ a: 0.2, b: 0.2 }));
    const warnings = async () => {
      const { params } = server;
      const answers = [
        await server.key.request("GET /results/{experiment_id}/sequential", { params }),
        await server.key.request("GET /results/{experiment_id}/cuped", { params }),
        await server.key.request("GET /results/{experiment_id}/timeseries", { params }),
        await server.key.request("GET /results/{experiment_id}/breakdown", { params, query: { dimension: "plan" } }),
      ];
      return answers.map(({ analysis_warnings }) => analysis_warnings.includes("PERIODS_POOLED"));
    };
    expect(await warnings()).toEqual([false, false, false, false]);
    await server.setWeights({ a: 0.1, b: 0.9 });
    expect(await warnings()).toEqual([true, true, true, true]);
  });

  test("include factors", async () => {
    const factors = ["colour", "size"].map((name) => ({ name, levels: ["one", "two"] }));
    await server.create({ experiment_type: "MULTIVARIATE", variants: null, factors });
    await server.visit(400, (_, userId) => (bucket(userId, "buys") < 0.3 ? 1 : 0));
    await server.setWeights({ one_one: 0.1, one_two: 0.2, two_one: 0.3, two_two: 0.4 });
    await server.visit(400, (_, userId) => (bucket(userId, "buys") < 0.7 ? 1 : 0));
    const { main_effects, metrics } = await server.results();
    expect(metrics.map(({ status }) => status)).toEqual(["OK", "OK", "OK"]);
    expect(main_effects!.map(({ status, is_significant }) => [status, is_significant])).toEqual([
      ["OK", false],
      ["OK", false],
    ]);
  });
});
