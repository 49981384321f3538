import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, DAY, isClean } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

const bought = { name: "Bought", id: "bought", event_type: "buy", role: "PRIMARY" };
const errors = { name: "Errors", id: "errors", event_type: "error", role: "GUARDRAIL", direction: "DECREASE" };
const notWorse = { hypothesis: "NON_INFERIORITY", margin: 0.2 };

/** Reports `n` users per arm. For each event type, the first of them, as many as `did` says, send the event. */
async function report(n: number, did: Record<"a" | "b", Record<string, number>>, tag = "u"): Promise<void> {
  const events = (["a", "b"] as const).flatMap((variant_id) => {
    const id = (index: number) => `${tag}-${variant_id}-${index}`;
    const exposures = Array.from({ length: n }, (_, index) => ({
      event_type: "exposure",
      user_id: id(index),
      experiment_id: "x",
      variant_id,
      timestamp: server.at(-2),
    }));
    const outcomes = Object.entries(did[variant_id]).flatMap(([event_type, count]) =>
      Array.from({ length: count }, (_, index) => ({
        event_type,
        user_id: id(index),
        value: 10 + (index % 5),
        timestamp: server.at(-1),
      })),
    );
    return [...exposures, ...outcomes];
  });
  await server.report(events);
}
const results = () => server.key.request("GET /results/{experiment_id}", { params: server.params });
const interpret = () => server.admin.request("POST /ai/interpret/{experiment_id}", { params: { experiment_id: "x" } });

describe("a metric's hypothesis", () => {
  test("is SUPERIORITY by default, and reads back as it was given", async () => {
    const { metrics } = await server.create({ metrics: [bought, { ...errors, ...notWorse }] });
    expect(metrics[0]).not.toHaveProperty("hypothesis");
    expect(metrics[1]).toMatchObject(notWorse);
    await report(1000, { a: { buy: 200, error: 100 }, b: { buy: 200, error: 100 } });
    expect((await results()).metrics[0]).toMatchObject({
      hypothesis: "SUPERIORITY",
      margin: null,
      margin_p_value: null,
      conclusion: "INCONCLUSIVE",
    });
  });

  test.each([
    [{ margin: 0.1 }, "margin"],
    [{ hypothesis: "SUPERIORITY", margin: 0.1 }, "margin"],
    [{ hypothesis: "NON_INFERIORITY" }, "margin"],
    [{ hypothesis: "EQUIVALENCE", margin: null }, "margin"],
    [{ hypothesis: "NON_INFERIORITY", margin: 0 }, "margin"],
    [{ hypothesis: "NON_INFERIORITY", margin: 1 }, "margin"],
    [{ hypothesis: "INFERIORITY", margin: 0.1 }, "hypothesis"],
  ])("is refused as %j", async (own, field) => {
    const { status, issues } = await refusal(server.create({ metrics: [{ ...bought, ...own }] }));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["body", "metrics", 0, field]]);
  });
});

describe("results", () => {
  // mpmath with 40 digits: one-sided p-values of the score at the ratios 0.8 and 1.2 (the larger one), and 1.3.
  test("test each metric against its margin, in its direction", async () => {
    await server.create({
      metrics: [
        { ...bought, hypothesis: "EQUIVALENCE", margin: 0.2 },
        { ...errors, hypothesis: "NON_INFERIORITY", margin: 0.3 },
      ],
    });
    await report(5000, { a: { buy: 1000, error: 275 }, b: { buy: 1005, error: 270 } });
    const { metrics } = await results();
    expect(metrics[0]).toMatchObject({ conclusion: "EQUIVALENT", hypothesis: "EQUIVALENCE", margin: 0.2 });
    expect(metrics[0]!.margin_p_value! / 5.2338337180912e-6).toBeCloseTo(1, 9);
    expect(metrics[1]).toMatchObject({ conclusion: "NON_INFERIOR", is_significant: false });
    expect(metrics[1]!.margin_p_value! / 0.00045439059266664).toBeCloseTo(1, 9);
    isClean(metrics);
  });

  test("test means, ratios and quantiles against a margin as well", async () => {
    const metrics = [
      { name: "Revenue", id: "revenue", event_type: "buy", kind: "MEAN", ...notWorse },
      { name: "Value", id: "value", event_type: "buy", kind: "RATIO", denominator_event_type: "buy", ...notWorse },
      { name: "Median", id: "median", event_type: "buy", kind: "QUANTILE", quantile: 0.5, ...notWorse },
    ];
    await server.create({ metrics });
    await report(2000, { a: { buy: 1500 }, b: { buy: 1500 } });
    const answer = await results();
    expect(answer.metrics.map(({ conclusion }) => conclusion)).toEqual([
      "NON_INFERIOR",
      "NON_INFERIOR",
      "NON_INFERIOR",
    ]);
    for (const { margin_p_value, relative_confidence_interval } of answer.metrics) {
      expect(margin_p_value).toBeLessThan(0.025);
      expect(relative_confidence_interval![0]).toBeGreaterThan(-0.2);
    }
    const sequential = await server.sequential({ method: "always_valid" });
    expect(sequential.metrics.map(({ conclusion }) => conclusion)).toEqual(answer.metrics.map(() => "NON_INFERIOR"));
  });

  test("have no margin's p-value where the control's value may be 0", async () => {
    await server.create({
      metrics: [
        { ...bought, ...notWorse },
        { ...bought, id: "m", name: "m", kind: "MEAN", ...notWorse },
      ],
    });
    await report(20, { a: {}, b: {} });
    expect((await results()).metrics).toMatchObject([
      { margin_p_value: null, conclusion: "INCONCLUSIVE" },
      { margin_p_value: null, conclusion: "INCONCLUSIVE" },
    ]);
  });
});

describe("a guardrail with a margin", () => {
  const metrics = [bought, { ...errors, ...notWorse }];

  test("keeps an effect from being shipped until it is shown to be within the margin", async () => {
    await server.create({ metrics });
    // 60 errors of 3,000 users in both arms: no significant harm, but 20 % more are not excluded either.
    await report(3000, { a: { buy: 500, error: 60 }, b: { buy: 700, error: 60 } });
    const before = await server.sequential();
    expect(before.metrics.map(({ conclusion }) => conclusion)).toEqual(["SUPERIOR", "INCONCLUSIVE"]);
    expect(before.recommendation).toEqual({
      action: "CONTINUE",
      reason: "Established, but not yet within the margin of Errors: b",
    });
    const read = await interpret();
    expect(read.recommendation).toBe("CONTINUE");
    expect(read.summary).toContain(
      "b is better than control on Bought, but is not shown to be within the margin of Errors (non-inferiority within 20 %)",
    );
    expect(read.caveats.map(({ code }) => code)).toContain("MARGIN_NOT_SHOWN");

    server.advance(DAY);
    await report(20_000, { a: { buy: 3500, error: 2000 }, b: { buy: 4500, error: 2000 } }, "later");
    const after = await server.sequential();
    expect(after.metrics[1]).toMatchObject({ conclusion: "NON_INFERIOR", hypothesis: "NON_INFERIORITY", margin: 0.2 });
    expect(after.metrics[1]!.adjusted_margin_p_value).toBe(after.metrics[1]!.margin_p_value);
    expect(after.recommendation.action).toBe("STOP_FOR_EFFECT");
    expect(await interpret()).toMatchObject({ recommendation: "SHIP", variant: "b" });
  }, 60_000);

  test("leads to INVESTIGATE when the experiment ends without it", async () => {
    await server.create({ metrics, planned_sample_size: 6000 });
    await report(3000, { a: { buy: 500, error: 60 }, b: { buy: 700, error: 60 } });
    expect(await interpret()).toMatchObject({ recommendation: "INVESTIGATE", variant: null });
  });

  test("stops for harm beyond the margin, and allows a significant one within it", async () => {
    await server.create({ metrics });
    await report(20_000, { a: { buy: 3500, error: 2000 }, b: { buy: 4500, error: 3200 } });
    expect((await server.sequential()).metrics[1]!.conclusion).toBe("INFERIOR");
    expect((await server.sequential()).recommendation.action).toBe("STOP_FOR_HARM");
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params: server.params,
      body: { metrics: [bought, { ...errors, hypothesis: "NON_INFERIORITY", margin: 0.9 }] } as never,
    });
    const allowed = await server.sequential();
    expect(allowed.metrics[1]).toMatchObject({ is_significant: true, conclusion: "NON_INFERIOR" });
    expect(allowed.recommendation.action).toBe("STOP_FOR_EFFECT");
    // The margin changed when results were already visible.
    expect((await results()).analysis_warnings).toContain("MARGIN_CHANGED");
    expect((await interpret()).caveats.map(({ code }) => code)).toContain("MARGIN_CHANGED");
  });
});

test("a margin that was changed before the start, or back again, is as it was planned", async () => {
  const put = (margin: number) =>
    server.admin.request("PUT /experiments/{experiment_id}", {
      params: server.params,
      body: { metrics: [{ ...bought, ...notWorse, margin }] } as never,
    });
  const warned = async () => (await results()).analysis_warnings.includes("MARGIN_CHANGED");
  await server.create({ status: "DRAFT", metrics: [bought] });
  await put(0.1);
  await server.admin.request("POST /experiments/{experiment_id}/start", { params: server.params });
  expect(await warned()).toBe(false);
  await put(0.3);
  expect(await warned()).toBe(true);
  await put(0.1);
  expect(await warned()).toBe(false);
});

describe("a primary metric with a margin", () => {
  test.each([
    ["NON_INFERIORITY", "NON_INFERIOR", "is not inferior to control on Bought (non-inferiority within 20 %)"],
    ["EQUIVALENCE", "EQUIVALENT", "is equivalent to control on Bought (equivalence within 20 %)"],
  ])("is achieved when %s is established", async (hypothesis, conclusion, words) => {
    await server.create({ metrics: [{ ...bought, hypothesis, margin: 0.2 }] });
    await report(10_000, { a: { buy: 3000 }, b: { buy: 3005 } });
    const answer = await server.sequential();
    expect(answer.metrics[0]).toMatchObject({ conclusion, is_significant: false });
    expect(answer.recommendation.action).toBe("STOP_FOR_EFFECT");
    const read = await interpret();
    expect(read).toMatchObject({ recommendation: "SHIP", variant: "b" });
    expect(read.summary).toContain(`b ${words}, by a test that may be read at any time.`);
  });

  test("is futile once the whole interval is beyond the margin", async () => {
    await server.create({ metrics: [{ ...bought, hypothesis: "EQUIVALENCE", margin: 0.02 }] });
    await report(10_000, { a: { buy: 3000 }, b: { buy: 4000 } });
    const answer = await server.sequential();
    expect(answer.metrics[0]!.conclusion).toBe("SUPERIOR");
    expect(answer.recommendation).toMatchObject({
      action: "STOP_FOR_FUTILITY",
      reason: "The intervals exclude the hypotheses of the PRIMARY metrics: b",
    });
  });

  test("decides at the planned size by a part of alpha", async () => {
    await server.create({ metrics: [{ ...bought, ...notWorse }], planned_sample_size: 6000 });
    // One look has p = 0.004, which is below 0.8 x 0.025; the tests at any time find more than their 0.2 x 0.025.
    await report(3000, { a: { buy: 300 }, b: { buy: 296 } });
    expect((await server.sequential({ alpha: 0.01 })).metrics[0]!.conclusion).toBe("INCONCLUSIVE");
    const read = await interpret();
    expect(read).toMatchObject({ recommendation: "SHIP", variant: "b" });
    expect(read.summary).toContain("by the test at the planned size");
  });
});
