import type { Results } from "@assay/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { BOUGHT, createPastExperiments, SMALL } from "./past-experiments.fixture.ts";
import { createWinnersCurse } from "./winners-curse.ts";

let server: Awaited<ReturnType<typeof createPastExperiments>>;
beforeAll(async () => {
  server = await createPastExperiments();
});
afterAll(() => server.assay.close());

type Client = Pick<(typeof server)["admin"], "request">;
const rowOf = async (name: string, client: Client = server.admin) =>
  (await client.request("GET /results/{experiment_id}", { params: { experiment_id: name } })).metrics[0]!;
const interpret = (name: string) =>
  server.admin.request("POST /ai/interpret/{experiment_id}", { params: { experiment_id: name } });

// Numbers by scipy from the counts alone: intervals of the lift by the score test as docs/statistics/two-proportions.md has it,
// the standard error half their width over 1.96; the conditional likelihood maximised by scipy.optimize, its interval by
// brentq, the mean size of significant estimates by integrate.quad; empirical Bayes by
// Simpson's rule on 40,001 spreads.

test("a winner without past experiments is corrected for being significant", async () => {
  await server.play("winner", { control: 100, treatment: 140 });
  expect(await rowOf("winner")).not.toHaveProperty("winners_curse");
  await server.complete("winner", "treatment");
  expect((await rowOf("winner")).winners_curse).toEqual({
    method: "CONDITIONAL",
    experiments: 0,
    observed_lift: expect.closeTo(0.4, 12),
    corrected_lift: expect.closeTo(0.14075312470952575, 6),
    corrected_interval: [expect.closeTo(-0.08605876765700436, 8), expect.closeTo(0.6955483348256196, 8)],
    false_sign_probability: null,
    exaggeration: expect.closeTo(2.948599130683511, 4),
    summary: "Winners are overestimated: expect about +14.1 % (-8.61 % to +69.6 %), not +40 %.",
  });
});

test("twenty past experiments shrink a winner, losers among them", async () => {
  await server.playSmall(SMALL.slice(0, 19));
  expect((await rowOf("winner")).winners_curse).toMatchObject({ method: "CONDITIONAL", experiments: 19 });
  await server.playSmall(SMALL.slice(19), "last");
  const expected = {
    method: "EMPIRICAL_BAYES",
    experiments: 20,
    observed_lift: expect.closeTo(0.4, 12),
    corrected_lift: expect.closeTo(0.12858853410306478, 7),
    corrected_interval: [expect.closeTo(-0.0718009117949, 7), expect.closeTo(0.4118716694008, 7)],
    false_sign_probability: expect.closeTo(0.10318653639377472, 7),
    exaggeration: expect.closeTo(3.2090229573115625, 6),
    summary: "Winners are overestimated: expect about +12.9 % (-7.18 % to +41.2 %), not +40 %.",
  };
  expect((await rowOf("winner")).winners_curse).toEqual(expected);
  // Every caller who may read results sees completed experiments.
  expect((await rowOf("winner", await server.as("VIEWER"))).winners_curse).toEqual(expected);
  expect((await rowOf("winner", server.key)).winners_curse).toEqual(expected);
});

test("a metric of another kind has its own past experiments", async () => {
  const metrics = [{ ...BOUGHT, id: "spent", name: "Spent", kind: "MEAN" }];
  await server.play("spending", { control: 100, treatment: 160, body: { metrics } });
  await server.complete("spending", "treatment");
  expect((await rowOf("spending")).winners_curse).toMatchObject({ method: "CONDITIONAL", experiments: 0 });
});

test("an interpretation that says SHIP says what to expect", async () => {
  await server.play("running", { control: 100, treatment: 200 });
  const read = await interpret("running");
  expect(read).toMatchObject({ recommendation: "SHIP", variant: "treatment" });
  expect(read.winners_curse).toMatchObject([{ method: "EMPIRICAL_BAYES", metric_id: "bought", experiments: 21 }]);
  const [curse] = read.winners_curse!;
  expect(curse!.corrected_lift).toBeLessThan(curse!.observed_lift);
  expect(read.reasons.at(-1)).toBe(`Bought, treatment: ${curse!.summary}`);
  await server.play("nothing", { control: 100, treatment: 104 });
  expect(await interpret("nothing")).not.toHaveProperty("winners_curse");
});

test("only what is significantly better has a correction", async () => {
  for (const name of ["small-1", "small-2"]) expect(await rowOf(name)).not.toHaveProperty("winners_curse");
  await server.play("loser", { control: 140, treatment: 100 });
  await server.complete("loser");
  const row = await rowOf("loser");
  expect(row.is_significant).toBe(true);
  expect(row).not.toHaveProperty("winners_curse");
});

test("a metric that is to fall keeps its sign", async () => {
  const other = await createPastExperiments();
  const metrics = [{ ...BOUGHT, kind: "CONVERSION", direction: "DECREASE" }];
  await other.play("fewer", { control: 140, treatment: 100, body: { metrics } });
  await other.complete("fewer", "treatment");
  expect((await rowOf("fewer", other.admin)).winners_curse).toMatchObject({
    observed_lift: expect.closeTo(-2 / 7, 12),
    corrected_lift: expect.closeTo(-0.26484790336719566, 6),
    corrected_interval: [expect.closeTo(-0.4532699782335474, 8), expect.closeTo(-0.03474763675793256, 8)],
  });
  await other.assay.close();
});

test.each([
  ["of a skewed metric that rose", 0.3, [0.02, 0.9], undefined, [0, 0.3]],
  ["of a skewed metric that was to fall", -0.3, [-0.9, -0.02], "DECREASE", [-0.3, 0]],
] as const)(
  "a lift %s is corrected where only the side towards zero is significant",
  async (_, lift, interval, direction, between) => {
    const row = {
      metric_id: "spent",
      name: "Spent",
      kind: "MEAN",
      role: "PRIMARY",
      variant: "b",
      is_significant: true,
    };
    const results = {
      confidence_level: 0.95,
      metrics: [{ ...row, relative_difference: lift, relative_confidence_interval: interval }],
    } as unknown as Results;
    const record = { id: "x", metrics: [{ id: "spent", direction }] } as unknown as ExperimentRecord;
    const [found] = await createWinnersCurse(async () => []).of(record, results, "b", {} as never);
    expect(found?.curse).toMatchObject({ method: "CONDITIONAL", observed_lift: lift });
    expect(found!.curse.corrected_lift).toBeGreaterThan(between[0]);
    expect(found!.curse.corrected_lift).toBeLessThan(between[1]);
  },
);

test("a lift whose interval holds zero has no correction", async () => {
  const row = { metric_id: "spent", name: "Spent", kind: "MEAN", role: "PRIMARY", variant: "b", is_significant: false };
  const results = {
    confidence_level: 0.95,
    metrics: [{ ...row, relative_difference: 0.3, relative_confidence_interval: [-0.01, 0.9] }],
  } as unknown as Results;
  const record = { id: "x", metrics: [{ id: "spent" }] } as unknown as ExperimentRecord;
  expect(await createWinnersCurse(async () => []).of(record, results, "b", {} as never)).toEqual([]);
});
