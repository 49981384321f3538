import { spendingSchedule } from "@assay/core/stats/planning";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, DAY, isClean, METRICS } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

const PLAN = { planned_sample_size: 4000, group_sequential: { looks: 4 }, metrics: METRICS.slice(0, 1) };

/** Reports users of one more day; `b` is the share of the treatment that buys. */
async function day(name: string, users: number, b: number): Promise<void> {
  await server.report(server.users(users, { a: 0.2, b }, name));
  server.advance(DAY);
}
const planned = (query: object = {}) => server.sequential({ method: "group_sequential", ...query });
const interpretation = () => server.admin.request("POST /ai/interpret/{experiment_id}", { params: server.params });

describe("planned looks", () => {
  test("fall on the first day with their share of the planned users; a day that reaches two shares is one look", async () => {
    await server.create(PLAN);
    await day("first", 300, 0.2);
    expect((await planned()).alpha_spending.looks).toEqual([]);
    await day("second", 600, 0.2);
    await day("third", 650, 0.2);
    await day("fourth", 650, 0.2);
    const answer = await planned();
    const { looks } = answer.alpha_spending;
    expect(looks.map(({ n, information_fraction }) => [n, information_fraction])).toEqual([
      [1800, 0.45],
      [3100, 0.775],
      [4400, 1],
    ]);
    const boundaries = spendingSchedule("obrien_fleming", [0.45, 0.775, 1], { information: [0.45, 0.775, 1.1] });
    expect(looks.map(({ z_boundary }) => z_boundary)).toEqual(boundaries.map(({ zBoundary }) => zBoundary));
    expect(looks.at(-1)?.cumulative_alpha).toBeCloseTo(0.05, 12);
    expect(answer.alpha_spending).toMatchObject({ num_looks: 4, spending_function: "obrien_fleming", current_look: 4 });
    const before = answer.metrics;
    await day("after the plan", 900, 0.4);
    const after = await planned();
    expect(after.metrics).toEqual(before);
    expect(after.recommendation.action).not.toBe("STOP_FOR_EFFECT");
    isClean(after);
  });

  test("stop for an effect beyond the boundary", async () => {
    await server.create(PLAN);
    await day("first", 600, 0.35);
    const answer = await planned();
    const [bought] = answer.metrics;
    expect(bought).toMatchObject({ is_significant: true, conclusion: "SUPERIOR", status: "OK" });
    expect(bought!.stopped).toMatchObject({ look: 1, date: "2026-03-01" });
    expect(answer.recommendation).toEqual({
      action: "STOP_FOR_EFFECT",
      reason: "Significantly better at 0.05 at a planned look: b",
    });
    // The first look has no earlier ones: the estimate is the difference.
    expect(bought!.stopped!.estimate).toBeCloseTo(0.15, 12);
    expect(bought!.stopped!.confidence_interval[0]).toBeGreaterThan(0);
    const read = await interpretation();
    expect(read).toMatchObject({ recommendation: "SHIP", variant: "b" });
    expect(read.summary).toContain("by a planned look, on 2026-03-01");
  });

  test("conclude by the look that stopped, also if later users reverse the difference", async () => {
    await server.create(PLAN);
    await day("first", 600, 0.35);
    await day("second", 600, 0);
    const answer = await planned();
    expect(answer.metrics[0]!.difference).toBeLessThan(0);
    expect(answer.metrics[0]).toMatchObject({ conclusion: "SUPERIOR", stopped: { look: 1 } });
    expect(answer.recommendation.action).toBe("STOP_FOR_EFFECT");
    expect(await interpretation()).toMatchObject({ recommendation: "SHIP", variant: "b" });
  });

  test("correct the estimate of a later stop", async () => {
    await server.create(PLAN);
    await day("first", 500, 0.2);
    await day("second", 600, 0.3);
    const [bought] = (await planned()).metrics;
    const { look, estimate, confidence_interval } = bought!.stopped!;
    expect(look).toBe(2);
    expect(estimate).toBeLessThan(bought!.difference!);
    expect(estimate).toBeGreaterThan(confidence_interval[0]);
  });

  test("decide nothing by a p-value below alpha that is within the boundary, where one look would", async () => {
    await server.create(PLAN);
    await day("first", 600, 0.26);
    const answer = await planned();
    const { metrics } = await server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect(metrics[0]!.p_value).toBeLessThan(0.02);
    expect(answer.metrics[0]).toMatchObject({ is_significant: false, conclusion: "INCONCLUSIVE", stopped: null });
    expect(answer.metrics[0]!.confidence_interval![0]).toBeLessThan(0);
    expect(answer.recommendation.action).toBe("CONTINUE");
    expect((await interpretation()).recommendation).toBe("CONTINUE");
    const pocock = await planned({ spending_function: "pocock", num_looks: 2, planned_users: 1200 });
    expect(pocock.metrics[0]!.is_significant).toBe(true);
  });

  test("share alpha over treatments and primary metrics by Holm", async () => {
    await server.create({ ...PLAN, variants: [{ key: "a" }, { key: "b" }, { key: "c" }] });
    await day("first", 600, 0.3);
    const { metrics } = await planned();
    const [b, c] = metrics;
    expect(b!.adjusted_p_value).toBeCloseTo(2 * b!.p_value!, 12);
    expect(c).toMatchObject({ p_value: null, adjusted_p_value: 1, status: "INSUFFICIENT_DATA" });
  });

  test("keep the number that the experiment started with", async () => {
    await server.create(PLAN);
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params: server.params,
      body: { group_sequential: { looks: 20, spending_function: "pocock" } } as never,
    });
    await day("first", 600, 0.26);
    const results = await server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect(results.analysis_warnings).toContain("PLAN_CHANGED");
    expect((await planned()).alpha_spending).toMatchObject({ num_looks: 4, spending_function: "obrien_fleming" });
    expect((await interpretation()).recommendation).toBe("CONTINUE");
  });

  test("end with the planned size: without an effect the control stays", async () => {
    await server.create(PLAN);
    await day("first", 1000, 0.2);
    expect((await interpretation()).recommendation).toBe("CONTINUE");
    await day("second", 1000, 0.2);
    expect((await interpretation()).recommendation).toBe("KEEP_CONTROL");
  });

  test("count an arm with fewer than ten users as no look of it", async () => {
    await server.create({ ...PLAN, planned_sample_size: 72 });
    await day("few", 9, 0.05);
    expect((await planned()).metrics[0]).toMatchObject({ p_value: null, status: "INSUFFICIENT_DATA", stopped: null });
    await day("enough", 9, 0.05);
    expect((await planned()).metrics[0]!.p_value).not.toBeNull();
  });
});

describe("refusals", () => {
  test("an experiment without planned_sample_size does not start with group_sequential", async () => {
    const { status, detail } = await refusal(server.create({ ...PLAN, planned_sample_size: null }));
    expect(status).toBe(400);
    expect(detail).toMatch(/needs planned_sample_size to start/);
  });

  test.each([
    { looks: 1 },
    { looks: 21 },
    { looks: 2.5 },
    { looks: 4, spending_function: "linear" },
    { looks: 4, loks: 5 },
    {},
  ])("group_sequential %j is a 422", async (group_sequential) => {
    const { status, issues } = await refusal(server.create({ ...PLAN, group_sequential }));
    expect([status, (issues as { loc: string[] }[])[0]!.loc.slice(0, 2)]).toEqual([422, ["body", "group_sequential"]]);
  });

  test("the method needs a planned size, and takes at most twenty looks", async () => {
    await server.create({ metrics: METRICS.slice(0, 1) });
    const without = await refusal(planned());
    expect([without.status, (without.issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", "planned_users"]]);
    const many = await refusal(planned({ planned_users: 100, num_looks: 21 }));
    expect([many.status, (many.issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", "num_looks"]]);
    expect((await planned({ planned_users: 100, num_looks: 20 })).method).toBe("group_sequential");
  });
});
