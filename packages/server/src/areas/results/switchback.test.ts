import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, isClean } from "./analyses.fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const METRICS = [
  { name: "Bought", id: "bought", event_type: "purchase", kind: "CONVERSION" },
  { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN", role: "PRIMARY" },
];
const DESIGN = {
  metrics: METRICS,
  bucket_by: "region_hour",
  targeting_rules: { sticky_assignment: false },
  switchback: { period_minutes: 60 },
};

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

/** Returns the start of the first hour of these days, of which the last one ends a day ago. */
const startOf = (days = 1) => HOUR * Math.floor(server.now() / HOUR - 24 * (days + 1));
const armOf = (region: number, hour: number) => (hour * 7 + region * 5 + ((hour * hour) % 5)) % 2;

/** Generates the hours of two regions with 12 users each, with integer arithmetic, as in R below. */
function hours({ carried = 0, days = 1 } = {}): object[] {
  const start = startOf(days);
  const length = 24 * days;
  const cells = [0, 1].flatMap((region) =>
    Array.from({ length: 12 * length }, (_, index) => ({
      region,
      user: Math.floor(index / length),
      hour: index % length,
    })),
  );
  let before = 0;
  return cells.flatMap(({ region, user, hour }) => {
    if ((hour * 5 + user * 3 + region) % 4 === 0) return [];
    const user_id = `${region}-${user}`;
    const arm = armOf(region, hour);
    const time = start + hour * HOUR + ((user * 7 + hour * 11) % 60) * MINUTE;
    const bonus = carried * before;
    before = arm;
    return [
      {
        event_type: "exposure",
        user_id,
        experiment_id: "x",
        variant_id: "ab"[arm],
        event_metadata: { region_hour: `${region}-${start / HOUR + hour}`, region },
        timestamp: new Date(time).toISOString(),
      },
      ...Array.from({ length: (user + hour) % 3 }, (_, index) => ({
        event_type: "purchase",
        user_id,
        value: 10 + ((hour * 3) % 11) + 4 * ((user + index + 1) % 3) + 3 * arm + bonus,
        timestamp: new Date(time + (index + 1) * 15 * MINUTE).toISOString(),
      })),
    ];
  });
}

async function run(body: object = {}, events: object[] = hours()) {
  await server.create({ ...DESIGN, ...body });
  await server.report(events);
  return server.key.request("GET /results/{experiment_id}", { params: server.params });
}

describe("results of a switchback", () => {
  // R: each purchase goes to the user's latest row of `rows` at or before it (`max(which(...))`). Rows in the first
  // `washout_minutes` of their hour are dropped with their purchases. Then, per arm: S and n by `rowsum` over region
  // and hour, r = sum(S) / sum(n), e = S - r n, G = sum(n)^2 / sum(n^2), squared error sum(e^2) / sum(n)^2 G / (G - 1).
  // The p-value is the larger one of Welch's and the pooled t-test with G units per arm. If users counted as
  // independent, t.test would give 0.1137 and 0.1238.
  test.each([
    { id: "bought", washout: 0, n: 216, means: [0.62037037037, 0.62037037037], error: 0.036530350554, p: 1 },
    {
      id: "revenue",
      washout: 0,
      n: 216,
      means: [18.7361111111, 21.6805555556],
      error: 1.59332911385,
      p: 0.0710602508011,
    },
    {
      id: "bought",
      washout: 10,
      n: 179,
      means: [0.569832402235, 0.575418994413],
      error: 0.034500414005,
      p: 0.872090359697,
    },
    {
      id: "revenue",
      washout: 10,
      n: 179,
      means: [16.0558659218, 18.9608938547],
      error: 1.27855117475,
      p: 0.0280322290293,
    },
  ])("compare hours of regions by $id with a washout of $washout minutes, as R does", async (expected) => {
    const { id, washout, n, means, error, p } = expected;
    const answer = await run({ switchback: { period_minutes: 60, washout_minutes: washout } });
    const row = answer.metrics.find(({ metric_id }) => metric_id === id)!;
    expect(row).toMatchObject({ test: "CLUSTER_ROBUST_T", unit: "CLUSTER", clusters: { control: 24, treatment: 24 } });
    expect(row).toMatchObject({ n: { control: n, treatment: n }, status: "OK" });
    expect(row.mean.control).toBeCloseTo(means[0]!, 10);
    expect(row.mean.treatment).toBeCloseTo(means[1]!, 10);
    expect(row.standard_error).toBeCloseTo(error, 10);
    expect(row.p_value).toBeCloseTo(p, 10);
    expect(answer).toMatchObject({ crossover: 0, analysis_warnings: [], srm: { observed: { a: 24, b: 24 } } });
    isClean(answer);
  });

  test("leave out users of both arms where the experiment is no switchback", async () => {
    const { switchback: _, ...design } = DESIGN;
    await server.create(design);
    await server.report(hours());
    const answer = await server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect(answer).toMatchObject({ crossover: 24, sample_size: { control: 0, treatment: 0 } });
  });

  test("are by hours of regions in the sequential test, the time series and breakdowns too", async () => {
    await run();
    const [sequential] = (await server.sequential()).metrics.filter(({ metric_id }) => metric_id === "revenue");
    const [last] = (await server.timeseries()).days.slice(-1);
    const { segments } = await server.breakdown({ dimension: "region", metric_id: "revenue" });
    expect(sequential!.standard_error).toBeCloseTo(1.59332911385, 10);
    expect(last).toMatchObject({ n_control: 216, n_treatment: 216 });
    expect(segments.map(({ n_control, n_treatment }) => n_control + n_treatment)).toEqual([216, 216]);
  });

  test("warn where the periods of the attribute are not those of the experiment", async () => {
    const { analysis_warnings } = await run({ switchback: { period_minutes: 7 } });
    expect(analysis_warnings).toEqual(["PERIODS_MISALIGNED"]);
  });

  test("warn where an arm still has an effect in the next period", async () => {
    expect((await run({}, hours({ carried: 100 }))).analysis_warnings).toEqual(["CARRY_OVER"]);
  });

  test("name variance_reduction where somebody asks for CUPED alone", async () => {
    await run();
    await expect(server.cuped()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("variance_reduction"),
    });
  });
});

/** Generates what users bought in the day before the experiment; the third ones of it are beyond a look-back of a day. */
function earlier(days = 1): object[] {
  const users = [0, 1].flatMap((region) => Array.from({ length: 12 }, (_, user) => ({ region, user })));
  return users.flatMap(({ region, user }) => {
    const purchase = (before: number, value: number) => ({
      event_type: "purchase",
      user_id: `${region}-${user}`,
      value,
      timestamp: new Date(startOf(days) - before * HOUR).toISOString(),
    });
    const value = 5 + ((user * 7 + region * 3) % 13);
    return (user + region) % 4 === 0 ? [] : [purchase(2, value - 1), purchase(1, 1), purchase(26, 1000)];
  });
}

describe("adjusted results of a switchback", () => {
  // R, on the stays above with each user's x = 5 + (7 user + 3 region) %% 13, or 0: a cell contributes r + (S - r n) /
  // mean(n) to the outcome and to x, `lm` over the cells of both arms gives the slope, and the variance of y - b x in
  // each arm, times (1 - 1 / k) / (1 - 1 / G), decides by the t-tests with G cells per arm.
  test("are by what users bought before their first exposure, as in R", async () => {
    const adjusts = { variance_reduction: { method: "CUPED", lookback_days: 1 } };
    const { metrics } = await run(adjusts, [...earlier(), ...hours()]);
    const row = metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(row).toMatchObject({
      test: "CUPED",
      unit: "CLUSTER",
      clusters: { control: 24, treatment: 24 },
      status: "OK",
    });
    expect(row.adjustment).toMatchObject({
      status: "OK",
      unadjusted_standard_error: expect.closeTo(1.59332911385, 10),
    });
    expect(row.adjustment!.adjusted_control_mean).toBeCloseTo(18.74069099252761, 9);
    expect(row.adjustment!.adjusted_treatment_mean).toBeCloseTo(21.67597567413905, 9);
    expect(row.standard_error).toBeCloseTo(1.59363471715255, 9);
    expect(row.p_value).toBeCloseTo(0.07196601204831, 9);
  });

  // R, as above with x and an indicator of the region: `lm` over the cells of each arm on x - X, where X is the mean of both
  // arms together. An arm's mean is the intercept, and its squared error that of the intercept and k / N^2 d' cov(x) d, where
  // d is the difference between the slopes. The t-tests have G - 2 cells per arm. Common slopes give 0.9185 and 0.00223.
  test("have slopes per arm by REGRESSION, where each arm has twenty effective cells per coefficient, as in R", async () => {
    const reduction = { method: "REGRESSION", attributes: ["region"], lookback_days: 1 };
    const { metrics } = await run({ variance_reduction: reduction }, [...earlier(3), ...hours({ days: 3 })]);
    const row = metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(row).toMatchObject({ test: "REGRESSION_ADJUSTED", clusters: { control: 72, treatment: 72 }, status: "OK" });
    expect(row.adjustment).toMatchObject({ status: "OK", covariates: ["revenue", "region"] });
    expect(row.adjustment!.adjusted_control_mean).toBeCloseTo(18.9455403393436, 9);
    expect(row.adjustment!.adjusted_treatment_mean).toBeCloseTo(21.8136736150901, 9);
    expect(row.adjustment!.unadjusted_standard_error).toBeCloseTo(0.916533939691017, 9);
    expect(row.standard_error).toBeCloseTo(0.930287186288722, 9);
    expect(row.p_value).toBeCloseTo(0.00247488074285272, 9);
  });

  test("are not by what users bought in earlier periods of the experiment", async () => {
    const { metrics } = await run({ variance_reduction: { method: "CUPED" } });
    for (const { adjustment, test: name } of metrics) {
      expect(adjustment).toMatchObject({ status: "NO_COVARIATE_VARIES", variance_reduction_pct: null });
      expect(name).toBe("CLUSTER_ROBUST_T");
    }
  });

  test("need twenty effective cells per coefficient, in the sequential test as well", async () => {
    const reduction = { method: "REGRESSION", attributes: ["region"] };
    const { metrics } = await run({ variance_reduction: reduction }, [...earlier(), ...hours()]);
    const row = metrics.find(({ metric_id }) => metric_id === "revenue")!;
    const other = (await server.sequential()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(row.adjustment!.status).toBe("INSUFFICIENT_DATA");
    expect(other.adjustment).toEqual(row.adjustment);
  });
});

describe("a switchback", () => {
  test("is stored, and can be taken back in DRAFT alone", async () => {
    const created = await server.create({ ...DESIGN, status: "DRAFT" });
    expect(created).toMatchObject({ switchback: { period_minutes: 60, washout_minutes: 0 } });
    const change = (body: object) =>
      server.admin.request("PATCH /experiments/{experiment_id}", { params: server.params, body: body as never });
    expect(await change({ switchback: null })).not.toHaveProperty("switchback");
    await change({ switchback: { period_minutes: 30, washout_minutes: 5 }, status: "ACTIVE" });
    await expect(change({ switchback: null })).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    [{ bucket_by: null }, "bucket_by"],
    [{ bucket_by: "user_id" }, "bucket_by"],
    [{ targeting_rules: null }, "sticky_assignment"],
    [{ allocation: "THOMPSON" }, "weights"],
  ])("is refused with %j", async (body, word) => {
    const { status, issues } = await refusal(server.create({ ...DESIGN, ...body }));
    expect(status).toBe(422);
    expect(issues).toMatchObject([{ loc: ["body", "switchback"], msg: expect.stringContaining(word) }]);
  });

  test.each([{ period_minutes: 0 }, { period_minutes: 60, washout_minutes: 60 }, { period_minutes: 10_081 }])(
    "is refused as %j",
    async (switchback) => {
      expect((await refusal(server.create({ ...DESIGN, switchback }))).status).toBe(422);
    },
  );

  test("needs the attribute on its flag, where it is on one", async () => {
    const variants = ["a", "b"].map((key) => ({ key, weight: 50, value: key }));
    const flag = { name: "F", value_type: "STRING", default_value: "a", status: "ACTIVE", variants };
    for (const [key, bucket_by] of Object.entries({ users: null, hours: "region_hour" })) {
      await server.admin.request("POST /feature-flags/", { body: { ...flag, key, bucket_by } as never });
    }
    const create = (feature_flag_key: string) => server.create({ ...DESIGN, variants: undefined, feature_flag_key });
    expect((await refusal(create("users"))).status).toBe(422);
    expect(await create("hours")).toMatchObject({ feature_flag_key: "hours", switchback: { period_minutes: 60 } });
  });

  test("on a flag has the arms that the flag gives each region and hour, which a page may report", async () => {
    const variants = ["a", "b"].map((key) => ({ key, weight: 50, value: key }));
    const flag = { key: "f", name: "F", value_type: "STRING", default_value: "a", status: "ACTIVE", variants };
    const body = { ...flag, bucket_by: "region_hour", client_side: true, rollout_percentage: 100 };
    await server.admin.request("POST /feature-flags/", { body: body as never });
    await server.create({ ...DESIGN, variants: undefined, feature_flag_key: "f" });
    const page = await server.withKey(["read", "write"], { kind: "CLIENT" });
    const events = Array.from({ length: 24 }, (_, hour) =>
      ["north", "south"].flatMap((region) => {
        const region_hour = `${region}-${startOf() / HOUR + hour}`;
        const { variant } = server.assay.engine.evaluate("f", { targetingKey: "u", region_hour }, "a");
        const timestamp = new Date(startOf() + hour * HOUR + MINUTE).toISOString();
        const event = { event_type: "exposure", variant_id: variant, feature_flag_key: "f", timestamp };
        return { ...event, user_id: `of-${region}`, event_metadata: { region_hour } };
      }),
    ).flat();
    server.advance(HOUR);
    const answer = await page.request("POST /tracking/events", { body: { events } as never });
    expect(answer).toMatchObject({ accepted: 48, rejected: 0 });
    const { sample_size, crossover, srm, analysis_warnings } = await server.key.request(
      "GET /results/{experiment_id}",
      { params: server.params },
    );
    expect(sample_size.control + sample_size.treatment).toBe(48);
    expect(srm.observed).toEqual({ a: sample_size.control, b: sample_size.treatment });
    expect({ crossover, analysis_warnings }).toEqual({ crossover: 0, analysis_warnings: [] });
  });

  test("records an exposure in each period, in the arm of the period", async () => {
    await server.create(DESIGN);
    const assign = (region_hour: string) => {
      server.advance(HOUR);
      return server.key.request("POST /tracking/assign", {
        body: { experiment_key: "x", user_id: "u", attributes: { region_hour } },
      });
    };
    const arms = new Map<string, string>();
    for (let hour = 0; hour < 24; hour++) arms.set(`north-${hour}`, (await assign(`north-${hour}`)).variant_key);
    const counts = ["a", "b"].map((arm) => [...arms.values()].filter((one) => one === arm).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    for (const [hour, arm] of arms) expect((await assign(hour)).variant_key).toBe(arm);
    const answer = await server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect(answer.sample_size).toEqual({ control: counts[0], treatment: counts[1] });
    expect(answer.crossover).toBe(0);
  });
});
