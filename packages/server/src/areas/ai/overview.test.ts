import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { createAnalysisServer, DAY } from "../results/analyses.fixture.ts";

let server: Awaited<ReturnType<typeof createAnalysisServer>>;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

const overview = (client: Pick<typeof server.admin, "request"> = server.admin) =>
  client.request("GET /results/{experiment_id}/overview", { params: server.params });
const results = () => server.admin.request("GET /results/{experiment_id}", { params: server.params });
const sequential = (query: object) =>
  server.admin.request("GET /results/{experiment_id}/sequential", { params: server.params, query });
const summary = async () => (await server.admin.request("GET /experiments/")).items[0]!;

/** Reports users on three days. */
async function run(share: { a: number; b: number }, perDay = 400) {
  for (const day of [1, 2, 3]) {
    await server.report(server.users(perDay, share, `day-${day}`));
    server.advance(DAY);
  }
}

describe("an overview", () => {
  test("equals the interpretation, the results and the test that may be read on every day", async () => {
    await server.create();
    await run({ a: 0.2, b: 0.4 });
    const [answer, own, tests] = [await overview(), await results(), await sequential({ alpha: 0.05 })];
    const read = await server.admin.request("POST /ai/interpret/{experiment_id}", { params: server.params });
    expect(answer.decision).toEqual({
      action: read.recommendation,
      variant: read.variant,
      sentence: read.reasons[0],
      reasons: read.reasons.slice(1),
    });
    expect(answer.decision.action).toBe("SHIP");
    expect(answer.warnings).toEqual(read.caveats);
    expect([answer.users, answer.planned_users]).toEqual([2400, null]);
    expect(answer.variants.map(({ key, users }) => [key, users])).toEqual(
      own.variants.map(({ key, sample_size }) => [key, sample_size]),
    );
    expect(answer.srm).toEqual({ ...own.srm, state: "even" });
    expect(answer.metrics.map(({ metric_id }) => metric_id)).toEqual(own.metrics.map(({ metric_id }) => metric_id));
    for (const [index, metric] of answer.metrics.entries()) {
      const [row, test] = [own.metrics[index]!, tests.metrics[index]!];
      expect(metric).toMatchObject({
        name: row.name,
        role: row.role,
        variant: row.variant,
        n: row.n,
        lift: row.relative_difference,
        method: "ANYTIME",
        level: 0.95,
        difference: test.difference,
        interval: test.confidence_interval,
        lift_interval: test.relative_confidence_interval,
        conclusion: test.conclusion,
      });
    }
    expect(answer.metrics[0]).toMatchObject({ metric_id: "bought", role: "PRIMARY", reading: "better" });
    const { looks } = tests.metrics[0]!;
    expect(looks).toHaveLength(3);
    expect(answer.timeseries).toEqual({
      metric_id: "bought",
      metric: "Bought",
      variant: "b",
      method: "ANYTIME",
      level: 0.95,
      days: looks.map(({ date, n, difference, confidence_interval: interval }) => ({ date, n, difference, interval })),
    });
    expect(answer.posterior).toBeNull();
  });

  test("takes the numbers of the planned look that decides", async () => {
    await server.create({ planned_sample_size: 1600 });
    await run({ a: 0.2, b: 0.3 });
    const answer = await overview();
    const query = { method: "group_sequential", alpha: 0.8 * 0.05, num_looks: 1, planned_users: 1600 };
    const [test] = (await sequential(query)).metrics;
    expect(test!.stopped).not.toBeNull();
    expect(answer.planned_users).toBe(1600);
    expect(answer.metrics[0]).toMatchObject({
      method: "PLANNED_LOOK",
      level: 1 - 0.8 * 0.05,
      difference: test!.stopped!.estimate,
      interval: test!.stopped!.confidence_interval,
      reading: "better",
    });
    expect(answer.timeseries).toMatchObject({ method: "ANYTIME", level: expect.closeTo(0.99) });
  });

  test.each([
    ["worse", { a: 0.4, b: 0.2 }],
    ["inconclusive", { a: 0.3, b: 0.3 }],
  ])("reads an effect as %s", async (reading, share) => {
    await server.create();
    await run(share);
    expect((await overview()).metrics[0]).toMatchObject({ reading });
  });

  test("shows an uneven split", async () => {
    await server.create();
    await run({ a: 0.3, b: 0.3 });
    const more = server
      .users(1000, { a: 0.3, b: 0.3 }, "more")
      .filter((event) => JSON.stringify(event).includes("-a-"));
    await server.report(more);
    expect(await overview()).toMatchObject({ srm: { state: "uneven" }, decision: { action: "INVESTIGATE" } });
  });

  test("of an experiment without data has no effects, no series and no split", async () => {
    await server.create({ bayesian_enabled: true });
    expect(await overview()).toMatchObject({
      decision: { action: "CONTINUE", sentence: "There is no data yet." },
      users: 0,
      metrics: [{ reading: "inconclusive", interval: null, status: "INSUFFICIENT_DATA" }, {}, {}, {}],
      srm: { state: null },
      timeseries: null,
      posterior: null,
    });
  });

  test("is open to readers, and hides a DRAFT from VIEWER", async () => {
    await server.create({ status: "DRAFT" });
    expect(await overview(server.key)).toMatchObject({ experiment_key: "x" });
    expect(await refusal(overview(await server.as("VIEWER")))).toMatchObject({ status: 404 });
    expect(await overview(await server.as("ANALYST"))).toMatchObject({ status: "DRAFT" });
    expect(await refusal(overview(server.anonymous))).toMatchObject({ status: 401 });
  });
});

describe("the posterior density", () => {
  /** Integrates points by the trapezoidal rule. */
  const integral = (points: [number, number][], of: (x: number) => number = () => 1) =>
    points.slice(1).reduce((sum, [x, y], index) => {
      const [before, density] = points[index]!;
      return sum + ((x - before) * (of(x) * y + of(before) * density)) / 2;
    }, 0);

  test.each([
    ["a rate", "CONVERSION"],
    ["a mean", "MEAN"],
  ])("of %s has the mass, mean and interval of the Bayesian results", async (_, kind) => {
    const metrics = [{ name: "Bought", id: "bought", event_type: "purchase", kind, role: "PRIMARY" }];
    await server.create({ bayesian_enabled: true, metrics });
    await run({ a: 0.2, b: 0.3 }, 100);
    const { posterior } = await overview();
    const { difference, metric_id } = (await results()).bayesian_results!;
    expect(posterior).toMatchObject({
      metric_id,
      variant: "b",
      level: 0.95,
      mean: difference!.mean,
      interval: difference!.credible_interval,
    });
    const { points, mean, interval } = posterior!;
    expect(points).toHaveLength(101);
    expect(integral(points)).toBeCloseTo(1, 3);
    expect(integral(points, (x) => x)).toBeCloseTo(mean, 3);
    const inside = points.filter(([x]) => x >= interval[0] && x <= interval[1]);
    expect(Math.abs(integral(inside) - 0.95)).toBeLessThan(0.03);
  });
});

describe("a list of experiments", () => {
  test("shows users, split and effect once results were computed, and computes none itself", async () => {
    await server.create();
    await run({ a: 0.2, b: 0.4 });
    expect(await summary()).toMatchObject({ users: null, srm: null, primary_effect: null });
    await results();
    expect(await summary()).toMatchObject({ users: 2400, srm: "even", primary_effect: null });
    const { metrics } = await overview();
    expect(await summary()).toMatchObject({
      users: 2400,
      srm: "even",
      primary_effect: {
        metric: "Bought",
        variant: "b",
        lift: metrics[0]!.lift,
        interval: metrics[0]!.lift_interval,
        decision: "SHIP",
      },
    });
    await server.report(server.users(100, { a: 0.2, b: 0.4 }, "later"));
    expect(await summary()).toMatchObject({ users: 2400 });
  });
});
