import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, DAY } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

describe("timeseries", () => {
  test.each([
    [{ metric_id: "none" }, "metric_id"],
    [{ variant: "a" }, "variant"],
    [{ variant: "none" }, "variant"],
  ])("rejects %j", async (query, parameter) => {
    await server.create();
    const { status, issues } = await refusal(server.timeseries(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("contains the new users of each day, and all users so far", async () => {
    await server.create();
    await server.report(server.users(50, { a: 0.2, b: 0.4 }, "first"));
    server.advance(DAY);
    await server.report(server.users(100, { a: 0.3, b: 0.3 }, "second"));
    const { days, ...rest } = await server.timeseries();
    expect(rest).toMatchObject({ metric: "Bought", metric_id: "bought", variant: "b", analysis_warnings: [] });
    expect(days.map(({ date, n_control, n_treatment }) => [date, n_control, n_treatment])).toEqual([
      ["2026-03-01", 50, 50],
      ["2026-03-02", 100, 100],
    ]);
    const differences = days.flatMap((day) => [day.difference!, day.cumulative_difference!]);
    // The first fifty have users 0 to 19 and 0 to 39 of a hundred: twenty and forty buy.
    const expected = [0.4, 0.4, 0, 20 / 150];
    for (const [index, value] of expected.entries()) expect(differences[index]).toBeCloseTo(value, 12);
    const { metrics } = await server.key.request("GET /results/{experiment_id}", { params: server.params });
    expect(days.at(-1)!.cumulative_difference).toBeCloseTo(metrics[0]!.difference, 12);
    expect(days[0]!.always_valid_interval![0]).toBeLessThan(days[0]!.cumulative_confidence_interval![0]);
  });
});
