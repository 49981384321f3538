import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, DAY, isClean } from "./analyses.fixture.ts";

const METRICS = [
  { name: "Bought", id: "bought", event_type: "purchase", kind: "CONVERSION" },
  { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN", role: "PRIMARY" },
  { name: "Visits", id: "visits", event_type: "visit", kind: "COUNT" },
  { name: "Per visit", id: "per-visit", event_type: "purchase", kind: "RATIO", denominator_event_type: "visit" },
  { name: "Median", id: "median", event_type: "purchase", kind: "QUANTILE", quantile: 0.5 },
];
const REGRESSION = { method: "REGRESSION", covariates: ["visits"], attributes: ["plan"] };
const PLANS = ["free", "free", "pro", "team"];

// R: `lm` of revenue on the four covariates in each arm, and in the other two together; mean and squared error as below, at
// the mean of all users, with d the difference from the slopes of the others.
const POSTERIORS = [
  { mean: 124.70027297835, interval: [110.78645003459, 138.6140959221] },
  { mean: 157.42743139329, interval: [134.46510883928, 180.3897539473] },
  { mean: 146.10848671348, interval: [129.20024211773, 163.01673130922] },
];

// R: the regressions of `lm` in each of the two cells of a pair, at the mean of the pair; means over the two pairs, and
// Welch's t-test over the four adjusted cells, each with n - 4 users.
const MAIN_EFFECTS = [
  { factor: "colour", difference: -10.25633514919135, error: 8.86478865005085, p: 0.24812324197052 },
  { factor: "size", difference: 1.27713094632128, error: 8.87219644016363, p: 0.88563008719468 },
];

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

/**
 * Generates the events of an arm's users with integer arithmetic, as in R below: earlier behaviour, the exposure, and
 * later behaviour.
 */
function usersOf(variant_id: "a" | "b" | "c" | "d", n: number, seed: number, effect: number): object[] {
  const [before, exposed, after] = [server.at(-DAY), server.at(-2), server.at(-1)];
  return Array.from({ length: n }, (_, i) => {
    const user_id = `${variant_id}-${i}`;
    const x = i % 5 === 0 ? 0 : (i * 37 + seed) % 101;
    const visits = (count: number, timestamp: string) =>
      Array.from({ length: count }, () => ({ event_type: "visit", user_id, timestamp }));
    const plan = PLANS[(i * 7 + Math.floor(i / 10)) % 4];
    const isBuyer = (i * 3 + Math.floor(i / 7) + seed) % 4 !== 0;
    const value = effect + 3 * x + ((i * 71 + 3 * seed) % 31);
    return [
      ...(x > 0 ? [{ event_type: "purchase", user_id, value: x, timestamp: before }] : []),
      ...visits((i * 13 + seed) % 4, before),
      { event_type: "exposure", user_id, experiment_id: "x", variant_id, event_metadata: { plan }, timestamp: exposed },
      ...(isBuyer ? [{ event_type: "purchase", user_id, value, timestamp: after }] : []),
      ...visits(1 + ((i * 11 + seed) % 3), after),
    ];
  }).flat();
}

async function run(variance_reduction: object | null, body: object = {}) {
  await server.create({ metrics: METRICS, ...(variance_reduction && { variance_reduction }), ...body });
  await server.report([...usersOf("a", 120, 5, 20), ...usersOf("b", 100, 8, 90)]);
}

const resultsOf = () => server.key.request("GET /results/{experiment_id}", { params: server.params });
const rowOf = async (id: string) => (await resultsOf()).metrics.find(({ metric_id }) => metric_id === id)!;

describe("results with regression adjustment", () => {
  // R, for each metric: `lm` of the outcome on the covariates (earlier purchases, earlier visits, pro, team) in each
  // arm, C and T. `predict` at the mean of all users gives the adjusted means. Their squared errors are se.fit^2 plus n
  // / N^2 d' cov(x) d, where d is the difference of the slopes. The larger p-value is that of Welch's test with n - 4
  // users per arm. For the ratio, the outcome is r + (y - r v) / mean(v), where r is the arm's ratio of purchases y to
  // visits v.
  test.each([
    { id: "bought", means: [0.783071212022537, 0.710086797188835], error: 0.0601712282933839, p: 0.226625050584955 },
    { id: "revenue", means: [124.427963576005, 157.192632008052], error: 13.7320451469479, p: 0.018198703072514 },
    { id: "visits", means: [2, 2.0094660590873], error: 0.112770926803917, p: 0.933185746107353 },
    { id: "per-visit", means: [62.2287754752016, 78.1930194119671], error: 7.97792716833415, p: 0.0469998487803937 },
  ])("of $id equal R's of each arm's own regression", async ({ id, means, error, p }) => {
    await run(REGRESSION);
    const row = await rowOf(id);
    expect(row).toMatchObject({ test: "REGRESSION_ADJUSTED", status: "OK" });
    expect(row.difference).toBeCloseTo(means[1]! - means[0]!, 9);
    expect(row.standard_error).toBeCloseTo(error, 9);
    expect(row.p_value).toBeCloseTo(p, 9);
    expect(row.adjustment!.adjusted_control_mean).toBeCloseTo(means[0]!, 9);
    expect(row.adjustment!.adjusted_treatment_mean).toBeCloseTo(means[1]!, 9);
  });

  test("say what the difference would be without it, and how much it saved", async () => {
    await run(REGRESSION);
    const { adjustment, is_significant, mean, difference, confidence_interval } = await rowOf("revenue");
    expect(adjustment).toMatchObject({ method: "REGRESSION", covariates: ["revenue", "visits", "plan"], status: "OK" });
    expect(adjustment!.unadjusted_difference).toBeCloseTo(mean.treatment! - mean.control!, 10);
    // R: t.test of revenue gives p 0.0656200990307319 and this error, so the variance falls by 100 (1 - (13.01 / 15.9)^2).
    expect(adjustment!.unadjusted_standard_error).toBeCloseTo(16.4362085076889, 9);
    expect(adjustment!.variance_reduction_pct).toBeCloseTo(30.198113358474167, 6);
    expect(is_significant).toBe(true);
    expect(confidence_interval![0]).toBeGreaterThan(0);
    expect(confidence_interval![1]).toBeGreaterThan(difference);
    isClean(await resultsOf());
  });

  test("leave quantiles, and rates with few conversions, as they are", async () => {
    await run(REGRESSION);
    const median = await rowOf("median");
    expect(median).toMatchObject({ test: "QUANTILE_Z", adjustment: { covariates: [], status: "NOT_APPLICABLE" } });
    await server.report(server.users(1, { a: 0, b: 0 }, "other"));
    expect((await rowOf("bought")).adjustment!.status).toBe("OK");
  });

  test("decide rates with few expected conversions by the rates themselves", async () => {
    await server.create({ metrics: METRICS, variance_reduction: REGRESSION });
    await server.report([...usersOf("a", 60, 5, 20), ...usersOf("b", 60, 8, 90)]);
    const bought = await rowOf("bought");
    expect(bought).toMatchObject({
      test: "TWO_PROPORTION_SCORE",
      adjustment: { adjusted_control_mean: null, status: "TOO_FEW_CONVERSIONS", variance_reduction_pct: null },
    });
    expect(bought.adjustment!.unadjusted_difference).toBe(bought.difference);
    // 5 slopes and a mean need 100 users per arm.
    expect((await rowOf("revenue")).adjustment!.status).toBe("COMMON_SLOPES");
  });

  test("without earlier events are those of experiments that do not adjust", async () => {
    const plain = server.users(60, { a: 0.4, b: 0.6 }).filter((one) => !JSON.stringify(one).includes(server.at(-DAY)));
    await server.create({ metrics: METRICS, variance_reduction: { method: "CUPED" } });
    await server.report(plain);
    const { adjustment, ...row } = await rowOf("revenue");
    expect(adjustment).toMatchObject({ method: "CUPED", status: "NO_COVARIATE_VARIES", covariates: ["revenue"] });
    expect(row).toMatchObject({ test: "WELCH_AND_POOLED_T", difference: adjustment!.unadjusted_difference });
  });
});

describe("results with CUPED", () => {
  test("are those of the CUPED analysis", async () => {
    await run({ method: "CUPED", lookback_days: 14 });
    const row = await rowOf("revenue");
    const cuped = (await server.cuped()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(row).toMatchObject({
      test: "CUPED",
      adjustment: { method: "CUPED", covariates: ["revenue"], status: "OK" },
    });
    expect(row.difference).toBeCloseTo(cuped.adjusted_difference!, 10);
    expect(row.standard_error).toBeCloseTo(cuped.adjusted_standard_error!, 10);
    expect(row.p_value).toBeCloseTo(cuped.p_value!, 12);
    expect(row.confidence_interval![0]).toBeCloseTo(cuped.confidence_interval![0], 9);
  });

  test("look back as far as the experiment says", async () => {
    await server.create({ metrics: METRICS, variance_reduction: { method: "CUPED", lookback_days: 1 } });
    await server.report(server.users(60, { a: 0.4, b: 0.6 }));
    expect((await rowOf("revenue")).adjustment!.status).toBe("OK");
  });
});

describe("what follows from adjusted results", () => {
  test("the effects of daily cohorts, of novelty, are adjusted too", async () => {
    await run({ method: "CUPED" });
    await server.create({ key: "y", metrics: METRICS });
    const row = await rowOf("revenue");
    server.advance(3 * DAY);
    const params = { exp_a_id: "x", exp_b_id: "y" };
    const query = { metric_id: "revenue" };
    const { experiment_a } = await server.admin.request("GET /interactions/{exp_a_id}/{exp_b_id}/novelty", {
      params,
      query,
    });
    const [day] = experiment_a.daily;
    expect(day!.effect).toBeCloseTo(row.difference, 9);
    expect(day!.ci![0]).toBeCloseTo(row.confidence_interval![0], 9);
    expect(row.difference).not.toBeCloseTo(row.adjustment!.unadjusted_difference!, 1);
  });

  test("the main effects of factors adjust each pair of cells", async () => {
    const cells = ["a", "b", "c", "d"] as const;
    const levels = { a: ["red", "small"], b: ["red", "large"], c: ["blue", "small"], d: ["blue", "large"] };
    const variants = cells.map((key) => ({
      key,
      configuration: { colour: levels[key][0], size: levels[key][1] },
      is_control: key === "a",
    }));
    const factors = [
      { name: "colour", levels: ["red", "blue"] },
      { name: "size", levels: ["small", "large"] },
    ];
    const design = { experiment_type: "MULTIVARIATE", variants, factors, metrics: METRICS };
    await server.create({ ...design, variance_reduction: REGRESSION });
    const arms = { a: [120, 5, 20], b: [100, 8, 90], c: [110, 3, 50], d: [105, 1, 10] } satisfies Record<
      string,
      [number, number, number]
    >;
    await server.report(cells.flatMap((key) => usersOf(key, ...(arms[key] as [number, number, number]))));
    const { main_effects } = await resultsOf();
    const effects = main_effects!.filter(({ metric_id }) => metric_id === "revenue");
    expect(effects).toMatchObject(
      MAIN_EFFECTS.map(({ factor }) => ({ factor, adjustment_status: "OK", status: "OK" })),
    );
    for (const [index, { difference, error, p }] of MAIN_EFFECTS.entries()) {
      expect(effects[index]!.difference).toBeCloseTo(difference, 8);
      expect(effects[index]!.standard_error).toBeCloseTo(error, 8);
      expect(effects[index]!.p_value).toBeCloseTo(p, 9);
    }
    const median = main_effects!.find(({ metric_id }) => metric_id === "median")!;
    expect(median.adjustment_status).toBe("NOT_APPLICABLE");
  });

  test("the sequential test and the time series are adjusted too", async () => {
    await run(REGRESSION);
    const row = await rowOf("revenue");
    const sequential = (await server.sequential()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(sequential.adjustment).toEqual(row.adjustment);
    expect(sequential.difference).toBe(row.difference);
    const middle = (sequential.confidence_interval![0] + sequential.confidence_interval![1]) / 2;
    expect(middle).toBeCloseTo(row.difference, 9);
    const [day] = (await server.timeseries()).days;
    expect(day!.cumulative_difference).toBe(row.difference);
    expect(day!.difference).toBe(row.difference);
  });

  test.each([
    [REGRESSION, "SHIP"],
    [null, "KEEP_CONTROL"],
  ])("the recommendation at the planned size with %j is %s", async (variance_reduction, recommendation) => {
    await run(variance_reduction, { planned_sample_size: 200, metrics: METRICS.slice(1, 3) });
    const params = { experiment_id: "x" };
    const interpretation = await server.admin.request("POST /ai/interpret/{experiment_id}", { params });
    expect(interpretation).toMatchObject({ recommendation, variant: recommendation === "SHIP" ? "b" : null });
    const fact = variance_reduction ? "difference 32.76 by REGRESSION (interval" : "difference 30.43 (interval";
    expect(interpretation.reasons.join()).toContain(fact);
  });

  test("a margin is tested on adjusted means", async () => {
    const margin = { hypothesis: "NON_INFERIORITY", margin: 0.1 };
    const metrics = [{ ...METRICS[1], ...margin }, METRICS[2]];
    await run(REGRESSION, { metrics });
    const row = await rowOf("revenue");
    const [lower] = row.relative_confidence_interval!;
    expect(lower).toBeGreaterThan(-0.1);
    expect(row).toMatchObject({ test: "REGRESSION_ADJUSTED", conclusion: "SUPERIOR" });
    const { looks, ...sequential } = (await server.sequential()).metrics[0]!;
    expect(sequential.adjustment).toEqual(row.adjustment);
    expect(sequential.margin_p_value! > row.margin_p_value!).toBe(true);
    // R: treatment minus 0.9 times control, over the larger of two errors: by the variance of each arm, and by the
    // common variance. The means and errors of each arm are as above.
    expect(row.margin_p_value).toBeCloseTo(0.00046203438824171, 12);
  });

  test("Bayesian results compare the same adjusted means", async () => {
    await run(REGRESSION, { bayesian_enabled: true });
    const bayes = (await resultsOf()).bayesian_results!;
    expect(bayes).toMatchObject({ metric_id: "revenue", adjustment_status: "OK", variants: [{ n: 120 }, { n: 100 }] });
    // R: means and errors of each arm's regression as above; pnorm(difference / error), qnorm; ln of the normal mixture's Bayes
    // factor with the variance of effects (a tenth of the observed mean of control)^2.
    expect(bayes.probability_of_superiority).toBeCloseTo(0.99148363916, 9);
    expect(bayes.log_bayes_factor).toBeCloseTo(0.992339685132, 9);
    expect(bayes.difference!.mean).toBeCloseTo(157.192632008 - 124.427963576, 8);
    expect(bayes.difference!.credible_interval[0]).toBeCloseTo(5.85035450995, 8);
    expect(bayes.posterior_mean).toBeCloseTo(157.192632008, 8);
    expect(bayes.credible_interval![1]).toBeCloseTo(180.176416015, 8);
  });

  test("Bayesian results of several treatments are adjusted: comparisons with control, and each arm with the others", async () => {
    const variants = ["a", "b", "c"].map((key) => ({ key }));
    await server.create({ metrics: METRICS, variants, variance_reduction: REGRESSION, bayesian_enabled: true });
    await server.report([...usersOf("a", 120, 5, 20), ...usersOf("b", 100, 8, 90)]);
    const { metrics, bayesian_results: bayes } = await resultsOf();
    const row = metrics.find(({ metric_id, variant }) => metric_id === "revenue" && variant === "b")!;
    expect(bayes!.adjustment_status).toBe("OK");
    expect(bayes!.difference!.mean).toBeCloseTo(row.difference, 9);
    // An arm without users is left out.
    expect(bayes!.posterior_mean).toBeCloseTo(157.192632008, 8);
    await server.report(usersOf("c", 110, 3, 50));
    const { variants: arms } = (await resultsOf()).bayesian_results!;
    for (const [arm, { mean, interval }] of POSTERIORS.entries()) {
      expect(arms[arm]!.posterior_mean).toBeCloseTo(mean, 8);
      expect(arms[arm]!.credible_interval![0]).toBeCloseTo(interval[0]!, 8);
      expect(arms[arm]!.credible_interval![1]).toBeCloseTo(interval[1]!, 8);
    }
  });

  test("Bayesian results of a rate are not adjusted", async () => {
    await run(REGRESSION, { bayesian_enabled: true, metrics: METRICS.slice(0, 1).concat(METRICS.slice(2)) });
    const bayes = (await resultsOf()).bayesian_results!;
    expect(bayes).toMatchObject({ metric_id: "bought", adjustment_status: "NOT_APPLICABLE" });
    expect(bayes.posterior_alpha! + bayes.posterior_beta!).toBe(2 + 100);
  });

  // R, for each plan: z = y - cov(y, x) / var(x) x over both arms; the larger p-value of t.test and its var.equal one of z.
  test.each([
    { segment: "free", difference: 34.7743256204, error: 18.0666893406, p: 0.0576700574167 },
    { segment: "pro", difference: 47.4635931816, error: 28.1714021841, p: 0.0994238149419 },
    { segment: "team", difference: 17.2012278443, error: 28.4470658109, p: 0.548784909528 },
  ])("a breakdown adjusts $segment by its own slope", async ({ segment, difference, error, p }) => {
    await run({ method: "CUPED" });
    const { segments } = await server.breakdown({ dimension: "plan", metric_id: "revenue" });
    const row = segments.find((one) => one.segment === segment)!;
    expect(row).toMatchObject({ adjustment: { method: "CUPED", covariates: ["revenue"], status: "OK" } });
    expect(row.difference).toBeCloseTo(difference, 8);
    expect(row.standard_error).toBeCloseTo(error, 8);
    expect(row.p_value).toBeCloseTo(p, 9);
    expect(row.adjustment!.unadjusted_difference).toBeCloseTo(row.treatment_value! - row.control_value!, 9);
  });

  test("a breakdown of very many rows is not adjusted, and says so", async () => {
    const metrics = Array.from({ length: 100 }, (_, i) => ({ ...METRICS[1], id: `m${i}`, name: `M ${i}` }));
    await run({ method: "CUPED" }, { metrics });
    const segments = Array.from({ length: 60 }, (_, i) => ({
      event_type: "exposure",
      user_id: `one-${i}`,
      experiment_id: "x",
      variant_id: "a",
      event_metadata: { plan: `plan-${i}` },
    }));
    await server.report(segments);
    const all = await server.breakdown({ dimension: "plan" });
    expect(new Set(all.segments.map(({ adjustment }) => adjustment!.status))).toEqual(new Set(["NOT_AVAILABLE"]));
    const one = await server.breakdown({ dimension: "plan", metric_id: "m0" });
    expect(one.segments[0]!.adjustment!.status).toBe("OK");
  });

  test("the looks of several days estimate the slopes anew", async () => {
    await server.create({ metrics: METRICS, variance_reduction: REGRESSION });
    await server.report([...usersOf("a", 120, 5, 20).slice(0, 400), ...usersOf("b", 100, 8, 90).slice(0, 400)]);
    const first = await rowOf("revenue");
    server.advance(DAY);
    await server.report([...usersOf("a", 120, 5, 20).slice(400), ...usersOf("b", 100, 8, 90).slice(400)]);
    const last = await rowOf("revenue");
    const { looks } = (await server.sequential()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(looks.map(({ difference }) => difference)).toEqual([first.difference, last.difference]);
    expect(first.difference).not.toBe(last.difference);
  });
});

describe("variance_reduction of an experiment", () => {
  const create = (variance_reduction: object, body: object = {}) =>
    server.create({ metrics: METRICS, variance_reduction, ...body });

  test("is answered as set, with its defaults, and only where set", async () => {
    expect(await create(REGRESSION)).toMatchObject({ variance_reduction: { ...REGRESSION, lookback_days: 14 } });
    const other = await server.create({ key: "y", metrics: METRICS });
    expect(other).not.toHaveProperty("variance_reduction");
    expect((await rowsOf("y"))[0]).not.toHaveProperty("adjustment");
  });

  test.each([
    [{ method: "MAGIC" }, "method"],
    [{ method: "CUPED", lookback_days: 91 }, "lookback_days"],
    [{ method: "CUPED", covariates: ["visits"] }, "covariates"],
    [{ method: "CUPED", attributes: ["plan"] }, "attributes"],
    [{ method: "REGRESSION", covariates: ["unknown"] }, "covariates"],
    [{ method: "REGRESSION", covariates: ["median"] }, "covariates"],
    [{ method: "REGRESSION", attributes: ["a", "b", "c", "d"] }, "attributes"],
  ])("rejects %j", async (variance_reduction, field) => {
    const { status, issues } = await refusal(create(variance_reduction));
    expect([status, (issues as { loc: unknown[] }[])[0]!.loc.slice(0, 3)]).toEqual([
      422,
      ["body", "variance_reduction", field],
    ]);
  });

  test("needs fixed weights", async () => {
    const { status } = await refusal(create(REGRESSION, { allocation: "THOMPSON" }));
    expect(status).toBe(422);
  });

  test("can change only in DRAFT, as a choice after results would be a choice of results", async () => {
    await create(REGRESSION, { status: "DRAFT" });
    const change = (variance_reduction: object | null) =>
      server.admin.request("PATCH /experiments/{experiment_id}", {
        params: server.params,
        body: { variance_reduction } as never,
      });
    expect(await change(null)).not.toHaveProperty("variance_reduction");
    expect(await change({ method: "CUPED" })).toMatchObject({ variance_reduction: { method: "CUPED" } });
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: server.params });
    expect(await refusal(change({ method: "NONE" }))).toMatchObject({ status: 400 });
  });
});

async function rowsOf(experiment_id: string) {
  return (await server.key.request("GET /results/{experiment_id}", { params: { experiment_id } })).metrics;
}
