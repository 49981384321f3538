import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AnalysisServer, createAnalysisServer, DAY, isClean } from "./analyses.fixture.ts";

const METRICS = [
  { name: "Bought", id: "bought", event_type: "purchase", kind: "CONVERSION", role: "PRIMARY" },
  { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN" },
  { name: "Visits", id: "visits", event_type: "visit", kind: "COUNT" },
  { name: "Per visit", id: "per-visit", event_type: "purchase", kind: "RATIO", denominator_event_type: "visit" },
  { name: "Median", id: "median", event_type: "purchase", kind: "QUANTILE", quantile: 0.5 },
];
const COMPANIES = 40;

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

/**
 * Generates the events of a company's users with integer arithmetic, as in R below. Nearly all users of a company buy,
 * or nearly none.
 */
function usersOf(company: number, event_metadata: object | undefined = { company: `c${company}` }): object[] {
  const variant_id = company % 2 === 0 ? "a" : "b";
  const buys = (company * 11) % 20 < 7 + 5 * (company % 2);
  return Array.from({ length: 3 + ((company * 7) % 9) }, (_, i) => {
    const user_id = `${company}-${i}`;
    const timestamp = server.at(-1);
    const value = 20 + ((company * 13) % 17) + (i % 5);
    const earlier = { event_type: "purchase", user_id, value: 1 + ((company * 13) % 17), timestamp: server.at(-DAY) };
    return [
      ...(i % 2 === 0 ? [earlier] : []),
      { event_type: "exposure", user_id, experiment_id: "x", variant_id, event_metadata, timestamp: server.at(-2) },
      ...(buys && i % 4 !== 3 ? [{ event_type: "purchase", user_id, value, timestamp }] : []),
      ...Array.from({ length: 1 + ((company + i * i) % 4) }, () => ({ event_type: "visit", user_id, timestamp })),
    ];
  }).flat();
}

const everyone = () => Array.from({ length: COMPANIES }, (_, company) => usersOf(company)).flat();
const resultsOf = () => server.key.request("GET /results/{experiment_id}", { params: server.params });

async function run(body: object = {}, events: object[] = everyone()) {
  await server.create({ metrics: METRICS, bucket_by: "company", ...body });
  await server.report(events);
}

describe("results of users who were drawn by company", () => {
  // R, with one row per user, per arm: S and n by `rowsum`, r = sum(S) / sum(n), e = S - r n, G = sum(n)^2 / sum(n^2),
  // squared error sum(e^2) / sum(n)^2 G / (G - 1). The p-value is the larger one of Welch's and the pooled t-test with
  // G users per arm.
  test.each([
    { id: "bought", means: [0.284671532847, 0.478873239437], error: 0.130968961408, p: 0.147563058469 },
    { id: "revenue", means: [8.28467153285, 14.2394366197], error: 3.92840414312, p: 0.139034614612 },
    { id: "visits", means: [2.49635036496, 2.53521126761], error: 0.248374864672, p: 0.877536491323 },
    { id: "per-visit", means: [3.31871345029, 5.61666666667], error: 1.60760762165, p: 0.163021479068 },
  ])("take the error of $id over companies, as R does", async ({ id, means, error, p }) => {
    await run();
    const row = (await resultsOf()).metrics.find(({ metric_id }) => metric_id === id)!;
    expect(row).toMatchObject({ test: "CLUSTER_ROBUST_T", unit: "CLUSTER", clusters: { control: 20, treatment: 20 } });
    expect(row).toMatchObject({ n: { control: 137, treatment: 142 }, is_significant: false, status: "OK" });
    expect(row.mean.control).toBeCloseTo(means[0]!, 10);
    expect(row.mean.treatment).toBeCloseTo(means[1]!, 10);
    expect(row.standard_error).toBeCloseTo(error, 10);
    expect(row.p_value).toBeCloseTo(p, 10);
  });

  test("find, at least, what the t-distribution of as many companies says", async () => {
    await run();
    const [row] = (await resultsOf()).metrics;
    // R: 0.130968961408 times the root of the power by pt(..., 38, ncp) - 0.8; 0.3669 by the normal distribution.
    expect(row!.minimum_detectable_effect?.absolute).toBeCloseTo(0.376525080944, 9);
  });

  test("have an interval of the lift by the t-distribution", async () => {
    await run();
    const row = (await resultsOf()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    // R: uniroot of |t - R c| / sqrt(R^2 e_c^2 + e_t^2) - qt(0.975, df at R) on both sides of t / c, and Fieller's set
    // by the common variance with qnorm(0.975). The lower end is that of the latter, the upper end that of the former,
    // where qnorm gives 4.18.
    expect(row.relative_confidence_interval![0]).toBeCloseTo(-0.178715120797, 9);
    expect(row.relative_confidence_interval![1]).toBeCloseTo(4.52518719967, 9);
  });

  test("do not find what users taken for independent would", async () => {
    await run({ bucket_by: null });
    const alone = await resultsOf();
    // R: prop.test(c(39, 68), c(137, 142), correct = FALSE) has p 0.00085; the score test adds a correction to that.
    expect(alone.metrics[0]!.p_value).toBeLessThan(0.002);
    expect(alone.metrics[0]!.p_value).toBeGreaterThan(0.00085);
    expect(alone.metrics[0]).not.toHaveProperty("unit");
    expect(alone.analysis_warnings).toEqual([]);
  });

  test("count users as the sample, and clusters in the check of the split", async () => {
    await run({ bayesian_enabled: true });
    const answer = await resultsOf();
    expect(answer.sample_size).toEqual({ control: 137, treatment: 142 });
    expect(answer.srm.observed).toEqual({ a: 20, b: 20 });
    expect(answer.bayesian_results!.variants.map(({ n }) => n)).toEqual([137, 142]);
    expect(answer.bayesian_results!.probability_of_superiority).toBeGreaterThan(0.9);
    expect(answer.bayesian_results!.probability_of_superiority).toBeLessThan(0.96);
    expect(answer.analysis_warnings).toEqual([]);
    isClean(answer);
  });

  test("leave out users whose company is unknown, and say so", async () => {
    await run({}, [...everyone(), ...usersOf(COMPANIES, {}), ...usersOf(COMPANIES + 1, { company: "" })]);
    const answer = await resultsOf();
    expect(answer.analysis_warnings).toEqual(["CLUSTER_UNKNOWN"]);
    expect(answer.sample_size).toEqual({ control: 137, treatment: 142 });
  });

  test("warn of few companies, also if one has most of the users", async () => {
    await run({}, everyone().slice(0, 300));
    expect((await resultsOf()).analysis_warnings).toEqual(["FEW_CLUSTERS"]);
    await server.create({ key: "y", metrics: METRICS, bucket_by: "company" });
    const crowd = Array.from({ length: 300 }, (_, i) => ({ user_id: `crowd-${i}`, event_metadata: { company: "c0" } }));
    const exposed = [...crowd, ...everyone().filter((one) => "variant_id" in one)];
    await server.report(
      exposed.map((one) => ({ variant_id: "a", ...one, event_type: "exposure", experiment_id: "y" })),
    );
    const answer = await server.key.request("GET /results/{experiment_id}", { params: { experiment_id: "y" } });
    expect(answer.analysis_warnings).toEqual(["FEW_CLUSTERS"]);
    expect(answer.sample_size.control).toBe(437);
  });
});

describe("other analyses of users who were drawn by company", () => {
  test("CUPED adjusts companies", async () => {
    await run();
    const row = (await server.cuped()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    // R: the slope between the linearised sums of all companies, and the errors of their residuals as above.
    expect(row.theta).toBeCloseTo(0.445630517602, 10);
    expect(row.adjusted_difference).toBeCloseTo(5.80005199363, 10);
    expect(row.adjusted_standard_error).toBeCloseTo(3.91822576056, 10);
    expect(row.p_value).toBeCloseTo(0.148234019291, 10);
  });

  test("the sequential test, the time series and a breakdown are by company", async () => {
    await run();
    const sequential = (await server.sequential()).metrics[0]!;
    const [day] = (await server.timeseries()).days;
    const { segments } = await server.breakdown({ dimension: "nothing", metric_id: "bought" });
    expect(sequential.standard_error).toBeCloseTo(0.130968961408, 10);
    expect(sequential.looks[0]!.n).toBe(279);
    expect(day).toMatchObject({ n_control: 137, n_treatment: 142 });
    expect(segments).toMatchObject([{ segment: "(unknown)", n_control: 137, n_treatment: 142, is_significant: false }]);
    expect(segments[0]!.p_value).toBeCloseTo(0.147563058469, 10);
  });

  test("the recommendation does not ship what only users taken for independent show", async () => {
    await run({ planned_sample_size: 200, metrics: METRICS.slice(0, 1) });
    const read = () => server.admin.request("POST /ai/interpret/{experiment_id}", { params: server.params });
    expect((await read()).recommendation).not.toBe("SHIP");
  });
});

describe("an experiment on a flag that buckets by company", () => {
  const variants = ["a", "b"].map((key) => ({ key, weight: 50, value: key }));

  async function runOnFlag(bucket_by: string | null, events: object[]) {
    const flag = {
      key: "f",
      name: "F",
      value_type: "STRING",
      default_value: "a",
      status: "ACTIVE",
      variants,
      bucket_by,
    };
    await server.admin.request("POST /feature-flags/", { body: { ...flag, rollout_percentage: 100 } as never });
    await server.create({ metrics: METRICS, variants: undefined, feature_flag_key: "f" });
    await server.report(events);
    return resultsOf();
  }

  test("is compared by company", async () => {
    const answer = await runOnFlag("company", everyone());
    expect(answer.metrics[0]).toMatchObject({ unit: "CLUSTER", clusters: { control: 20, treatment: 20 } });
    expect(answer.metrics[0]!.p_value).toBeCloseTo(0.147563058469, 10);
    expect(answer.analysis_warnings).toEqual([]);
  });

  test("warns where no exposure says the company", async () => {
    const events = Array.from({ length: COMPANIES }, (_, company) => usersOf(company, {})).flat();
    const answer = await runOnFlag("company", events);
    expect(answer.analysis_warnings).toEqual(["UNITS_NOT_INDEPENDENT"]);
    expect((await server.sequential()).analysis_warnings).toContain("UNITS_NOT_INDEPENDENT");
  });

  test("compares users where the flag draws each alone", async () => {
    const answer = await runOnFlag(null, everyone());
    expect(answer.metrics[0]).not.toHaveProperty("unit");
    expect(answer.analysis_warnings).toEqual([]);
  });
});

const REGIONS = ["north", "east", "west", "north", "north"];
const companies = (count: number) =>
  Array.from({ length: count }, (_, company) =>
    usersOf(company, { company: `c${company}`, region: REGIONS[company % 5] }),
  ).flat();
const CUPED = { method: "CUPED" };
const REGRESSION = { method: "REGRESSION", attributes: ["region"] };

describe("adjusted results of users who were drawn by company", () => {
  // R: a company contributes r + (S - r n) / mean(n) to the outcome, and to each covariate likewise; `lm` of the outcome on
  // the covariates over all companies gives the slopes b. The variance of y - b x in each arm, times (N - 2) / (N - 1 - k)
  // and (1 - 1 / k) / (1 - 1 / G), decides by the t-tests with G users per arm.
  test.each([
    [CUPED, "revenue", [9.966428536027, 14.9605745423613], 2.313264905371, 0.0331662991996],
    [REGRESSION, "revenue", [9.9709344250743, 14.956068653314], 2.2356609390299, 0.0279215405889],
    [CUPED, "per-visit", [3.992510062105, 5.896874204404], 0.953305965092, 0.048601139531],
  ])("by %j compare contributions of companies to %s, as R does", async (reduction, id, means, error, p) => {
    await run({ variance_reduction: reduction }, companies(120));
    const row = (await resultsOf()).metrics.find(({ metric_id }) => metric_id === id)!;
    expect(row).toMatchObject({ unit: "CLUSTER", clusters: { control: 60, treatment: 60 }, status: "OK" });
    expect(row.test).toBe(reduction === CUPED ? "CUPED" : "REGRESSION_ADJUSTED");
    expect(row.adjustment!.status).toBe(reduction === CUPED ? "OK" : "COMMON_SLOPES");
    expect(row.adjustment!.adjusted_control_mean).toBeCloseTo(means[0]!, 9);
    expect(row.adjustment!.adjusted_treatment_mean).toBeCloseTo(means[1]!, 9);
    expect(row.standard_error).toBeCloseTo(error, 9);
    expect(row.p_value).toBeCloseTo(p, 9);
    expect(row.adjustment!.unadjusted_standard_error).toBeGreaterThan(error);
  });

  test("are those of the sequential test, and of quantiles not adjusted", async () => {
    await run({ variance_reduction: CUPED }, companies(120));
    const { metrics } = await resultsOf();
    const of = (id: string) => metrics.find(({ metric_id }) => metric_id === id)!;
    const sequential = (await server.sequential()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(sequential.adjustment).toEqual(of("revenue").adjustment);
    expect(of("median")).toMatchObject({ test: "CLUSTER_ROBUST_T", adjustment: { status: "NOT_APPLICABLE" } });
  });

  test("need twenty effective companies per coefficient, of both arms together", async () => {
    await run({ variance_reduction: CUPED }, companies(40));
    const row = (await resultsOf()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(row).toMatchObject({
      test: "CLUSTER_ROBUST_T",
      adjustment: { status: "INSUFFICIENT_DATA", variance_reduction_pct: null },
    });
    expect(row.difference).toBe(row.adjustment!.unadjusted_difference);
  });
});
