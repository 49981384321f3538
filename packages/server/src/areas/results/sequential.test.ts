import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, DAY, isClean, METRICS } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

describe("sequential", () => {
  test.each([
    [{ method: "sprt" }, "method"],
    [{ alpha: 0 }, "alpha"],
    [{ alpha: 1 }, "alpha"],
    [{ alpha: "five" }, "alpha"],
    [{ spending_function: "linear" }, "spending_function"],
    [{ num_looks: 0 }, "num_looks"],
    [{ num_looks: 101 }, "num_looks"],
    [{ num_looks: 2.5 }, "num_looks"],
    [{ expected_lift: 0 }, "expected_lift"],
  ])("rejects %j", async (query, parameter) => {
    await server.create();
    const { status, issues } = await refusal(server.sequential(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("replays the days: p only falls, intervals only narrow, and later days do not change earlier ones", async () => {
    await server.create();
    await server.report(server.users(200, { a: 0.2, b: 0.3 }, "first"));
    const { metrics: before } = await server.sequential();
    server.advance(DAY);
    await server.report(server.users(300, { a: 0.2, b: 0.3 }, "second"));
    server.advance(2 * DAY);
    await server.report(server.users(300, { a: 0.2, b: 0.3 }, "third"));
    const answer = await server.sequential();
    expect(answer).toMatchObject({ method: "msprt", alpha: 0.05, analysis_warnings: [] });
    expect(answer.metrics.map(({ metric_id, variant }) => [metric_id, variant])).toEqual(
      METRICS.map(({ id }) => [id, "b"]),
    );
    const [bought] = answer.metrics;
    expect(bought!.looks.map(({ date, n }) => [date, n])).toEqual([
      ["2026-03-01", 400],
      ["2026-03-02", 1000],
      ["2026-03-04", 1600],
    ]);
    expect(bought!.looks[0]).toEqual(before[0]!.looks[0]);
    for (const [index, look] of bought!.looks.entries()) {
      const last = bought!.looks[index - 1];
      if (!last) continue;
      expect(look.p_value!).toBeLessThanOrEqual(last.p_value!);
      expect(look.confidence_interval![0]).toBeGreaterThanOrEqual(last.confidence_interval![0]);
    }
    expect(bought).toMatchObject({ is_significant: true, p_value: bought!.looks.at(-1)!.p_value });
    expect(answer.alpha_spending).toMatchObject({ spending_function: "obrien_fleming", num_looks: 5, current_look: 3 });
    expect(answer.recommendation).toMatchObject({ action: "STOP_FOR_EFFECT" });
    const planned = await server.sequential({ planned_users: 3200, num_looks: 4 });
    expect(planned.alpha_spending.current_look).toBe(2);
  });

  test("takes its progress from planned_sample_size, unless the request has another size", async () => {
    await server.create({ planned_sample_size: 800 });
    await server.report(server.users(300, { a: 0.2, b: 0.3 }));
    const { alpha_spending } = await server.sequential({ num_looks: 4 });
    expect(alpha_spending).toMatchObject({ current_look: 3, information_fraction: 0.75 });
    const asked = await server.sequential({ num_looks: 4, planned_users: 1200 });
    expect(asked.alpha_spending).toMatchObject({ current_look: 2, information_fraction: 0.5 });
    const results = () => server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect((await results()).analysis_warnings).toEqual(["BEFORE_PLANNED_SIZE"]);
    await server.report(server.users(200, { a: 0.2, b: 0.3 }, "more"));
    expect((await results()).analysis_warnings).toEqual([]);
    expect((await server.sequential()).alpha_spending).toMatchObject({ current_look: 5, information_fraction: 1 });
  });

  test("recommends to stop for harm, or for an effect if a decrease is better", async () => {
    await server.create({ metrics: METRICS.slice(0, 1) });
    await server.report(server.users(1000, { a: 0.4, b: 0.2 }));
    expect((await server.sequential()).recommendation.action).toBe("STOP_FOR_HARM");
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params: server.params,
      body: { metrics: [{ ...METRICS[0], direction: "DECREASE" }] } as never,
    });
    expect((await server.sequential()).recommendation.action).toBe("STOP_FOR_EFFECT");
  });

  test("recommends to stop if the interval rules the expected lift out, and to continue otherwise", async () => {
    await server.create({ metrics: METRICS.slice(0, 1) });
    await server.report(server.users(1000, { a: 0.3, b: 0.3 }));
    expect((await server.sequential({ expected_lift: 0.9 })).recommendation).toEqual({
      action: "STOP_FOR_FUTILITY",
      reason: "The experiment expects an improvement of 90 % in Bought, and one that large is ruled out: b",
    });
    expect((await server.sequential({ expected_lift: 0.01 })).recommendation.action).toBe("CONTINUE");
  });

  test("does not rule out a lift of 10 % by the control's value of the first look", async () => {
    await server.create({ metrics: METRICS.slice(0, 1) });
    await server.report(server.users(10, { a: 1, b: 1 }, "first"));
    await server.sequential();
    server.advance(DAY);
    await server.report(server.users(1000, { a: 0.1, b: 0.12 }, "second"));
    const { metrics, recommendation } = await server.sequential();
    // 10 % of the first value, 1, lies outside of the interval; 10 % of the current one, 0.11, inside.
    expect(metrics[0]!.confidence_interval![1]).toBeLessThan(0.1);
    expect(metrics[0]!.relative_confidence_interval![1]).toBeGreaterThan(0.1);
    expect(recommendation.action).toBe("CONTINUE");
  });

  test("says which lift the planned size was to find, and that it is ruled out", async () => {
    await server.create({ metrics: METRICS.slice(0, 1), planned_sample_size: 100 });
    await server.report(server.users(3000, { a: 0.3, b: 0.3 }));
    // 80 % power at 0.01, of 50 users an arm: (2.576 + 0.842) sqrt(2 x 0.3 x 0.7 / 50) / 0.3 is 104 % of the rate.
    const { recommendation } = await server.sequential({ alpha: 0.01 });
    expect(recommendation.reason).toMatch(
      /^The experiment was planned to find an improvement of 104 % in Bought, and one that large is ruled out: b$/,
    );
  });

  test("ignores days of fewer than ten users per arm", async () => {
    await server.create();
    await server.report(server.users(9, { a: 0.04, b: 0.05 }));
    expect((await server.sequential()).metrics[0]).toMatchObject({ p_value: null, status: "INSUFFICIENT_DATA" });
  });

  test("computes a schedule at any accepted level", async () => {
    await server.create();
    for (const alpha of [1e-12, 0.999]) isClean(await server.sequential({ alpha, num_looks: 100 }));
    const pocock = await server.sequential({ spending_function: "pocock", num_looks: 3, method: "always_valid" });
    expect(pocock.alpha_spending.schedule.at(-1)!.cumulative_alpha).toBeCloseTo(0.05, 12);
  });
});
