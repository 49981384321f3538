import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, DAY, isClean, METRICS } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

describe("cuped", () => {
  test.each([
    [{ lower_pct: 0.9, upper_pct: 0.1 }, "upper_pct"],
    [{ lower_pct: 0.5, upper_pct: 0.5 }, "upper_pct"],
    [{ lower_pct: -0.1 }, "lower_pct"],
    [{ upper_pct: 1.1 }, "upper_pct"],
    [{ winsorize: "maybe" }, "winsorize"],
  ])("rejects %j", async (query, parameter) => {
    await server.create();
    const { status, issues } = await refusal(server.cuped(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("adjusts by events before the user's exposure, within the look-back", async () => {
    await server.create();
    await server.report(server.users(100, { a: 1, b: 1 }));
    const answer = await server.cuped();
    expect(answer).toMatchObject({ winsorize: false, lower_pct: 0.01, upper_pct: 0.99 });
    const revenue = answer.metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(revenue.theta).toBeCloseTo(2, 1);
    expect(revenue.variance_reduction_pct).toBeGreaterThan(90);
    expect(revenue).toMatchObject({ covered_users: 200, status: "OK" });
    expect(answer.metrics.map(({ status }) => status)).toEqual([
      "ZERO_VARIANCE",
      "OK",
      expect.any(String),
      "NOT_APPLICABLE",
    ]);
    isClean(answer);
    server.advance(20 * DAY);
    await server.report([{ event_type: "exposure", user_id: "u-late", experiment_id: "x", variant_id: "a" }]);
    expect((await server.cuped({ winsorize: true, lower_pct: 0.1, upper_pct: 0.9 })).winsorize).toBe(true);
  });

  test("uses events from before the start of the experiment", async () => {
    const { id } = await server.create({ status: "DRAFT" });
    await server.report([{ event_type: "purchase", user_id: "early", value: 5 }]);
    server.advance(DAY);
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: id } });
    await server.report([
      ...server.users(5, { a: 1, b: 1 }),
      { event_type: "exposure", user_id: "early", experiment_id: "x", variant_id: "a" },
    ]);
    const revenue = (await server.cuped()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(revenue.covered_users).toBe(11);
  });

  test("reports that no user has earlier events", async () => {
    await server.create({ metrics: METRICS.slice(0, 1) });
    await server.report(
      server
        .users(100, { a: 0.2, b: 0.3 })
        .filter((one) => !("value" in one) || !JSON.stringify(one).includes(server.at(-DAY))),
    );
    const [bought] = (await server.cuped()).metrics;
    expect(bought).toMatchObject({ theta: 0, status: "ZERO_COVARIATE_VARIANCE", covered_users: 0 });
    expect(bought!.adjusted_difference).toBeCloseTo(bought!.difference!, 12);
  });
});
