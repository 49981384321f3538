import { afterEach, beforeEach, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

const revenue = { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN" };

test.each([
  [{ cap: 0 }, "cap"],
  [{ cap: -1 }, "cap"],
  [{ cap: 2e15 }, "cap"],
  [{ kind: "CONVERSION", cap: 1 }, "cap"],
  [{ kind: "QUANTILE", quantile: 0.5, cap: 1 }, "cap"],
  [{ winsorize_of: "NON_ZERO" }, "winsorize_of"],
  [{ winsorize_pct: 0.1, winsorize_of: "SOME" }, "winsorize_of"],
])("a metric with %j is refused", async (own, field) => {
  const { status, issues } = await refusal(server.create({ metrics: [{ ...revenue, ...own }] }));
  expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["body", "metrics", 0, field]]);
});

test("a cap and the quantiles of non-zero values count in every answer, covariates included", async () => {
  const metrics = [
    { ...revenue, cap: 25 },
    { ...revenue, id: "buyers", name: "Buyers", winsorize_pct: 0.1, winsorize_of: "NON_ZERO" },
  ];
  const created = await server.create({ metrics });
  expect(created.metrics).toMatchObject(metrics);
  await server.report(server.users(200, { a: 0.2, b: 0.3 }));
  const results = await server.key.request("GET /results/{experiment_id}", { params: server.params });
  // User i of an arm's first 20 or 30 of each hundred buys for 20 + 2 (i % 7) + i % 3. In numpy: minimum(., 25), and clip
  // at quantile(., [0.1, 0.9]) of the 100 values of both arms that are not 0, which are 21 and 32; means of 200 users.
  const bought = (share: number) =>
    Array.from({ length: 200 }, (_, i) => (i % 100 < share ? 20 + 2 * (i % 7) + (i % 3) : 0));
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  const capped = (share: number) => mean(bought(share).map((value) => Math.min(25, value)));
  const clipped = (share: number) =>
    mean(bought(share).map((value) => (value === 0 ? 0 : Math.min(32, Math.max(21, value)))));
  expect(results.metrics[0]!.control_value).toBeCloseTo(capped(20), 9);
  expect(results.metrics[0]!.treatment_value).toBeCloseTo(capped(30), 9);
  expect(results.metrics[1]!.control_value).toBeCloseTo(clipped(20), 9);
  expect(results.metrics[1]!.treatment_value).toBeCloseTo(clipped(30), 9);

  const { metrics: adjusted } = await server.cuped();
  expect(adjusted.map(({ control_mean }) => control_mean)).toEqual([
    expect.closeTo(capped(20), 9),
    expect.closeTo(clipped(20), 9),
  ]);
  // All users spent 10 to 16 before, below the cap; a cap of 12 also limits the covariate.
  await server.admin.request("PUT /experiments/{experiment_id}", {
    params: server.params,
    body: { metrics: [{ ...revenue, cap: 12 }] } as never,
  });
  const { metrics: low } = await server.cuped({ winsorize: true });
  expect(low[0]!.control_mean).toBeCloseTo(0.2 * 12, 9);
  const { days } = await server.timeseries({ metric_id: "revenue" });
  expect(days.at(-1)!.cumulative_difference).toBeCloseTo(0.1 * 12, 9);
  const { segments } = await server.breakdown({ dimension: "plan", metric_id: "revenue" });
  for (const { control_value } of segments) expect(control_value).toBeLessThanOrEqual(0.25 * 12);
});
