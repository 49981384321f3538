import type { Results } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { ANALYST, createTracking } from "../tracking/tracking.fixture.ts";
import { playedCookieCats } from "./cookie-cats.fixture.ts";

const metric = { event_type: "purchase", direction: "INCREASE", role: "PRIMARY" } as const;
const RATE = { ...metric, id: "bought", name: "Bought", kind: "CONVERSION" } as const;
const MEAN = { ...metric, id: "revenue", name: "Revenue", kind: "MEAN" } as const;

/**
 * Returns the events of `n` users per arm. The first users of each arm, as many as `bought` says, buy for 10, 11 ...
 */
function eventsOf(n: number, bought: Record<string, number>): object[] {
  return Object.entries(bought).flatMap(([arm, count]) =>
    Array.from({ length: n }, (_, index) => [
      { event_type: "exposure", user_id: `${arm}-${index}`, experiment_id: "checkout", variant_id: arm },
      ...(index < count ? [{ event_type: "purchase", user_id: `${arm}-${index}`, value: 10 + index }] : []),
    ]).flat(),
  );
}

async function resultsOf(changes: object, events: object[]): Promise<Results> {
  const app = await createTracking();
  await app.addExperiment({ bayesian_enabled: true, ...changes });
  if (events.length > 0) await app.tracking.events(events);
  return app.results.get("checkout", ANALYST);
}

const bayesOf = async (changes: object, events: object[]) => (await resultsOf(changes, events)).bayesian_results!;

describe("bayesian results", () => {
  it("are present only if the experiment enables them", async () => {
    expect(await resultsOf({ bayesian_enabled: false }, [])).not.toHaveProperty("bayesian_results");
  });

  it("equal the prior without events", async () => {
    expect(await bayesOf({ bayesian_config: { prior_alpha: 2, prior_beta: 6 } }, [])).toMatchObject({
      metric_id: null,
      posterior_alpha: 2,
      posterior_beta: 6,
      posterior_mean: 0.25,
      bayes_factor: 1,
      probability_of_superiority: expect.closeTo(0.5, 9),
      decision: "INCONCLUSIVE",
      stopped_early: false,
    });
  });

  it.each([
    [5e-324, 1e-6],
    [1e-6, 1e-6],
    [1e9, 1e9],
    [1.7e308, 1e9],
  ])("of a prior of %d, stored before there were bounds, use the nearest allowed one", async (shape, used) => {
    const bayesian_config = { prior_alpha: shape, prior_beta: shape, credible_interval_width: 1 - 2 ** -53 };
    const bayes = await bayesOf({ bayesian_config, metrics: [RATE] }, eventsOf(4, { control: 1, treatment: 3 }));
    expect(bayes).toMatchObject({
      posterior_alpha: expect.closeTo(used + 3, 6),
      posterior_beta: expect.closeTo(used + 1, 6),
    });
    for (const end of bayes.difference!.credible_interval) expect(Math.abs(end)).toBeLessThanOrEqual(1);
  });

  it("contain every arm, the first treatment on top, and losses against the best arm", async () => {
    const arms = ["control", "a", "b"].map((key) => ({ id: key, key, name: key, weight: 1 / 3, is_control: false }));
    const bayes = await bayesOf({ variants: arms, metrics: [RATE] }, eventsOf(200, { control: 20, a: 24, b: 60 }));
    expect(bayes).toMatchObject({ posterior_alpha: 25, posterior_beta: 177, posterior_mean: 25 / 202 });
    expect(bayes.variants.map(({ variant, decision }) => [variant, decision])).toEqual([
      ["control", null],
      ["a", "ACCEPT_NULL"],
      ["b", "ACCEPT_ALTERNATIVE"],
    ]);
    expect(bayes.variants.reduce((sum, arm) => sum + arm.probability_best!, 0)).toBeCloseTo(1, 9);
    expect(bayes.variants[2]!.expected_loss).toBeLessThan(1e-6);
    for (const { credible_interval, posterior_mean } of bayes.variants) {
      expect(credible_interval![0]).toBeLessThan(posterior_mean!);
      expect(credible_interval![1]).toBeGreaterThan(posterior_mean!);
    }
  });

  it("accept equivalence if the difference lies in the region", async () => {
    const config = { rope_low: -0.2, rope_high: 0.2 };
    const bayes = await bayesOf(
      { metrics: [RATE], bayesian_config: config, end_date: "2027-01-01T00:00:00.000Z" },
      eventsOf(400, { control: 100, treatment: 104 }),
    );
    expect(bayes).toMatchObject({ decision: "ROPE_ACCEPT", stopped_early: true });
    for (const [planned_sample_size, stopped_early] of [
      [801, true],
      [800, false],
    ]) {
      const planned = { metrics: [RATE], bayesian_config: config, planned_sample_size } as const;
      const answer = await bayesOf(planned as never, eventsOf(400, { control: 100, treatment: 104 }));
      expect(answer).toMatchObject({ decision: "ROPE_ACCEPT", stopped_early });
    }
    expect(bayes.difference!.rope_probability).toBeGreaterThan(0.99);
  });

  it("reverse if a decrease is better", async () => {
    const events = eventsOf(200, { control: 20, treatment: 40 });
    const more = await bayesOf({ metrics: [RATE] }, events);
    const less = await bayesOf({ metrics: [{ ...RATE, direction: "DECREASE" }] }, events);
    expect(less.probability_of_superiority).toBeCloseTo(1 - more.probability_of_superiority!, 12);
    expect(less.variants[0]!.probability_best).toBeCloseTo(more.variants[1]!.probability_best!, 9);
    expect(less.expected_loss!.treatment).toBeCloseTo(more.expected_loss!.control, 9);
    expect(less.expected_loss!.control).toBeCloseTo(more.expected_loss!.treatment, 9);
  });

  it("of a mean have a normal posterior, and report a missing variance", async () => {
    const bayes = await bayesOf({ metrics: [MEAN] }, eventsOf(100, { control: 30, treatment: 40 }));
    expect(bayes).toMatchObject({ metric_id: "revenue", posterior_alpha: null, status: "OK" });
    expect(bayes.posterior_mean).toBeCloseTo((40 * 10 + (39 * 40) / 2) / 100, 9);
    const none = await bayesOf({ metrics: [MEAN] }, eventsOf(100, { control: 0, treatment: 0 }));
    expect(none).toMatchObject({ bayes_factor: null, decision: "INCONCLUSIVE", status: "INSUFFICIENT_DATA" });
    expect(JSON.stringify(none)).not.toMatch(/NaN|Infinity/);
  });

  it("of a mean use the experiment's prior on its difference", async () => {
    const events = eventsOf(100, { control: 30, treatment: 40 });
    const bayesian_config = { effect_mean: 0.02, effect_sd: 0.1 };
    const bayes = await bayesOf({ metrics: [MEAN], bayesian_config }, events);
    // scipy.stats.norm; control = [10..39] and 70 zeros, treatment = [10..49] and 60 zeros; d = mean(t) - mean(c),
    // V = var(t, ddof=1) / 100 + var(c, ddof=1) / 100, prior N(0.02 mean(c), (0.1 mean(c))^2).
    expect(bayes).toMatchObject({
      effect_prior: { mean: expect.closeTo(0.147, 12), sd: expect.closeTo(0.735, 12) },
      difference: {
        mean: expect.closeTo(0.6427975329716374, 10),
        credible_interval: [expect.closeTo(-0.7122444269022307, 9), expect.closeTo(1.9978394928455057, 9)],
      },
      probability_of_superiority: expect.closeTo(0.8237515935978954, 10),
      expected_loss: {
        control: expect.closeTo(0.7085257274984638, 10),
        treatment: expect.closeTo(0.06572819452682625, 10),
      },
      log_bayes_factor: expect.closeTo(0.35101532485422027, 10),
    });
    expect(bayes.variants.map((arm) => [arm.probability_best, arm.expected_loss])).toEqual([
      [expect.closeTo(1 - bayes.probability_of_superiority!, 12), bayes.expected_loss!.control],
      [expect.closeTo(bayes.probability_of_superiority!, 12), bayes.expected_loss!.treatment],
    ]);
    const less = await bayesOf({ metrics: [{ ...MEAN, direction: "DECREASE" }], bayesian_config }, events);
    expect(less.probability_of_superiority).toBeCloseTo(1 - bayes.probability_of_superiority!, 12);
    expect(less.expected_loss!.treatment).toBeCloseTo(bayes.expected_loss!.control, 12);
    // A rate has its beta prior. If control's mean is 0, a lift has no unit.
    expect(await bayesOf({ metrics: [RATE], bayesian_config }, events)).not.toHaveProperty("effect_prior");
    const none = await bayesOf({ metrics: [MEAN], bayesian_config }, eventsOf(100, { control: 0, treatment: 40 }));
    expect(none).not.toHaveProperty("effect_prior");
  });

  it("of the real experiment equal scipy.special.betaln and scipy.stats.beta on the same file", async () => {
    // x = retention_7: Beta(1 + sum(x), 1 + n - sum(x)); P(T > C) by scipy.integrate.quad of pdf_t * cdf_c.
    const app = await playedCookieCats({ bayesian_enabled: true });
    await app.experiments.update(
      "id-of-gate",
      (record) => ({ ...record, metrics: record.metrics.filter(({ id }) => id === "retention_7") }),
      { actor: ANALYST.actor, action: "test" },
    );
    const { bayesian_results: bayes } = await app.results.get("gate", ANALYST);
    expect(bayes).toMatchObject({ posterior_alpha: 8280, posterior_beta: 37_211, decision: "INCONCLUSIVE" });
    expect(bayes!.posterior_mean).toBeCloseTo(0.1820140247521488, 12);
    expect(bayes!.log_bayes_factor).toBeCloseTo(-0.0301782254, 8);
    expect(bayes!.probability_of_superiority).toBeCloseTo(0.000777338664576, 10);
    await app.close();
  });
});

describe("main effects", () => {
  it("compare levels with the control's level, averaged over the other factor", async () => {
    const cells = [
      ["red", "small", 10],
      ["red", "large", 30],
      ["blue", "small", 20],
      ["blue", "large", 60],
    ] as const;
    const variants = cells.map(([colour, size], index) => {
      const key = `${colour}_${size}`;
      return { id: key, key, name: key, weight: 0.25, is_control: index === 0, configuration: { colour, size } };
    });
    const design = {
      experiment_type: "MULTIVARIATE",
      variants,
      metrics: [RATE],
      factors: [
        { name: "colour", levels: ["blue", "red"] },
        { name: "size", levels: ["small", "large"] },
      ],
    };
    const bought = Object.fromEntries(cells.map(([colour, size, count]) => [`${colour}_${size}`, count]));
    const { main_effects: effects } = await resultsOf(design, eventsOf(100, bought));
    expect(effects).toMatchObject([
      { metric_id: "bought", factor: "colour", level: "blue", baseline: "red", status: "OK" },
      { metric_id: "bought", factor: "size", level: "large", baseline: "small", status: "OK" },
    ]);
    expect(effects![0]!.difference).toBeCloseTo((0.2 + 0.6 - 0.1 - 0.3) / 2, 12);
    expect(effects![1]!.difference).toBeCloseTo((0.3 + 0.6 - 0.1 - 0.2) / 2, 12);
    const variance = [0.1, 0.3, 0.2, 0.6].reduce((sum, p) => sum + (p * (1 - p)) / 100, 0) / 4;
    expect(effects![0]!.standard_error).toBeCloseTo(Math.sqrt(variance), 12);
    expect((await resultsOf({ ...design, factors: undefined }, [])).main_effects).toEqual([]);
  });
});
