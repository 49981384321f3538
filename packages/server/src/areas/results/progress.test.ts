import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AnalysisServer, createAnalysisServer, DAY } from "./analyses.fixture.ts";

const MARGINS = {
  lower: { now: 0.674978784524, planned: 0.253336833039 },
  upper: { now: null, planned: 0.33929199169 },
  both: { now: null, planned: 0.405051949738 },
};

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

const resultsOf = () => server.key.request("GET /results/{experiment_id}", { params: server.params });
let batch = 0;
/**
 * Reports this many users, half of them in each arm. A fifth of the users in one arm buy, and two fifths in the other.
 */
const come = (users: number) => server.report(server.users(users / 2, { a: 0.2, b: 0.4 }, `batch-${batch++}`));

/** Reports this many users on each of some days, the last of which is today. */
async function comeDaily(...days: number[]) {
  for (const [index, users] of days.entries()) {
    if (index > 0) server.advance(DAY);
    await come(users);
  }
}

describe("the minimum detectable effect", () => {
  test("of a row is 2.8016 standard errors, and shrinks with the root of the users", async () => {
    await server.create({ planned_sample_size: 2000 });
    await come(200);
    const [row, ...others] = (await resultsOf()).metrics;
    // By hand: 20 and 40 of 100 users; the error sqrt(0.3 x 0.7 x 2 / 100) = 0.0648074, times 1.9599640 + 0.8416212.
    expect(row!.minimum_detectable_effect).toEqual({
      alpha: 0.05,
      absolute: expect.closeTo(0.1815635, 6),
      relative: expect.closeTo(0.9078176, 6),
      // A tenth of the planned users: times sqrt(0.1).
      at_planned_size: expect.closeTo(0.0574154, 6),
      relative_at_planned_size: expect.closeTo(0.2870772, 6),
    });
    expect(others.map((one) => one.minimum_detectable_effect)).toEqual([undefined, undefined, undefined]);
  });

  test("of several treatments and PRIMARY metrics takes their share of alpha, and guardrails take their own", async () => {
    const metric = { event_type: "purchase", kind: "CONVERSION" };
    const metrics = [
      { ...metric, name: "One", id: "one", role: "PRIMARY" },
      { ...metric, name: "Two", id: "two", role: "PRIMARY" },
      { ...metric, name: "Watched", id: "watched", role: "GUARDRAIL" },
    ];
    await server.create({ metrics });
    await come(200);
    const rows = (await resultsOf()).metrics;
    expect(rows.map((row) => row.minimum_detectable_effect?.alpha)).toEqual([0.025, 0.025, 0.05]);
    // R: (qnorm(1 - 0.0125) + qnorm(0.8)) * sqrt(0.3 * 0.7 * 2 / 100), without a planned size.
    expect(rows[0]!.minimum_detectable_effect).toMatchObject({
      absolute: expect.closeTo(0.1998029, 6),
      at_planned_size: null,
      relative_at_planned_size: null,
    });
  });

  test("of adjusted and ratio rows is by their own standard error", async () => {
    const metrics = [
      { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN", role: "PRIMARY" },
      {
        name: "Basket",
        id: "basket",
        event_type: "purchase",
        kind: "RATIO",
        denominator_event_type: "item",
        role: "GUARDRAIL",
      },
    ];
    await server.create({ metrics, variance_reduction: { method: "CUPED" } });
    await server.report(server.users(100, { a: 0.5, b: 0.5 }));
    await server.report(server.users(100, { a: 0.3, b: 0.8 }, "more"));
    const [revenue, basket] = (await resultsOf()).metrics;
    expect([revenue!.test, revenue!.adjustment?.status, basket!.kind]).toEqual(["CUPED", "OK", "RATIO"]);
    expect(revenue!.standard_error).toBeLessThan(revenue!.adjustment!.unadjusted_standard_error!);
    for (const row of [revenue, basket]) {
      // R: qnorm(0.975) + qnorm(0.8).
      expect(row!.minimum_detectable_effect!.absolute / row!.standard_error!).toBeCloseTo(2.80158521811297, 9);
    }
  });

  // R, with e = sqrt(0.3 * 0.7 * 2 / 100) and c = 0.2: uniroot of m c - z e sqrt((1 + R^2) / 2) in m, R = 1 - m or 1 + m, and
  // z = qnorm(0.975) + qnorm(0.8), for equivalence qnorm(0.975) + qnorm(0.9); e is sqrt(0.1) times that with 2,000 users.
  test.each([
    ["NON_INFERIORITY", "INCREASE", MARGINS.lower],
    ["NON_INFERIORITY", "DECREASE", MARGINS.upper],
    ["EQUIVALENCE", "INCREASE", MARGINS.both],
  ])(
    "of a metric with a margin (%s, %s) is the smallest margin that the row shows",
    async (hypothesis, direction, m) => {
      const metric = { name: "Bought", id: "bought", event_type: "purchase", kind: "CONVERSION", role: "PRIMARY" };
      const metrics = [{ ...metric, hypothesis, direction, margin: 0.3 }];
      await server.create({ planned_sample_size: 2000, metrics });
      await come(200);
      const [row] = (await resultsOf()).metrics;
      expect(row!.minimum_detectable_effect).toMatchObject({
        absolute: expect.closeTo(0.1815635, 6),
        margin: m.now && expect.closeTo(m.now, 7),
        margin_at_planned_size: expect.closeTo(m.planned, 7),
      });
    },
  );

  test("is null without a standard error", async () => {
    await server.create();
    await come(2);
    expect((await resultsOf()).metrics[0]).toMatchObject({ standard_error: null, minimum_detectable_effect: null });
  });
});

describe("the progress", () => {
  test("is the days left at the rate of the whole days so far", async () => {
    await server.create({ planned_sample_size: 2000 });
    await comeDaily(100, 300, 200);
    // By hand: 400 users in two whole days; 1,400 are missing.
    const { progress } = await resultsOf();
    expect(progress).toEqual({ users: 600, planned_users: 2000, users_per_day: 200, days_left: 7 });
  });

  test("takes the last seven whole days, also those on which no user came", async () => {
    await server.create({ planned_sample_size: 2000 });
    await comeDaily(800, 400, 100, 100, 100);
    server.advance(3 * DAY);
    await comeDaily(100, 50);
    // By hand: 400 + 4 x 100 users in the seven days before the last one; 350 are missing, for 114.3 a day.
    const { progress } = await resultsOf();
    expect(progress).toEqual({
      users: 1650,
      planned_users: 2000,
      users_per_day: expect.closeTo(800 / 7, 9),
      days_left: 4,
    });
  });

  test("is unknown on the first day, without a plan and while PAUSED, and over at the planned size", async () => {
    await server.create({ planned_sample_size: 300 });
    await come(100);
    expect((await resultsOf()).progress).toMatchObject({ users_per_day: null, days_left: null });
    server.advance(DAY);
    await come(100);
    expect((await resultsOf()).progress).toMatchObject({ users_per_day: 100, days_left: 1 });
    server.advance(1);
    await server.admin.request("POST /experiments/{experiment_id}/pause", { params: server.params });
    expect((await resultsOf()).progress).toMatchObject({ users: 200, users_per_day: null, days_left: null });
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: server.params });
    server.advance(DAY);
    await come(200);
    expect((await resultsOf()).progress).toMatchObject({ users: 400, planned_users: 300, days_left: 0 });
  });

  test("without a plan has only the users", async () => {
    await server.create();
    await comeDaily(100, 100);
    const { progress } = await resultsOf();
    expect(progress).toEqual({ users: 200, planned_users: null, users_per_day: null, days_left: null });
  });
});
