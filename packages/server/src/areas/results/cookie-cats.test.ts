import { describe, expect, it } from "vitest";
import { ANALYST } from "../tracking/tracking.fixture.ts";
import { playedCookieCats } from "./cookie-cats.fixture.ts";

describe("the Cookie Cats experiment", () => {
  it("gives the published results, before and after compaction", async () => {
    const app = await playedCookieCats();
    const results = await app.results.get("gate", ANALYST);
    expect(results.sample_size).toEqual({ control: 44_700, treatment: 45_489 });
    expect(results).toMatchObject({ crossover: 0, forced: 0, analysis_warnings: [], srm: { warning: false } });
    expect(results.srm.p_value).toBeCloseTo(0.0086, 4);
    const [day1, day7, rounds, trimmed] = results.metrics;
    expect(day1!.control_value).toBeCloseTo(0.448188, 6);
    expect(day1!.treatment_value).toBeCloseTo(0.442283, 6);
    // The score test with continuity correction, by mpmath with the constrained rates found by bisection. The pooled
    // z-test without it gives 0.0744 and 0.00155.
    expect(day1!.p_value).toBeCloseTo(0.075507142301, 11);
    expect(day1!.is_significant).toBe(false);
    expect(day7!.control_value).toBeCloseTo(0.190201, 6);
    expect(day7!.treatment_value).toBeCloseTo(0.182, 6);
    expect(day7!.p_value).toBeCloseTo(0.001601440582, 11);
    expect(day7!.is_significant).toBe(true);
    expect(rounds!.control_value).toBeCloseTo(52.456264, 6);
    expect(rounds!.treatment_value).toBeCloseTo(51.298776, 6);
    // One player with 49,854 rounds accounts for half of the standard error.
    expect(trimmed!.standard_error).toBeLessThan(0.8 * rounds!.standard_error!);

    await app.analysis.compact();
    await app.experiments.update("id-of-gate", (record) => ({ ...record, name: "Gate" }), {
      actor: ANALYST.actor,
      action: "test",
    });
    expect((await app.results.get("gate", ANALYST)).metrics).toEqual(results.metrics);
    await app.close();
  });

  // The covariate is artificial, so that a reader can reproduce it: half of the rounds, rounded down, plus the id's
  // last digit.
  const earlier = (line: string) => {
    const [user_id, , rounds] = line.split(",");
    const value = Math.floor(Number(rounds) / 2) + Number(user_id!.at(-1));
    return [{ event_type: "rounds", user_id, value, timestamp: "2026-01-08T12:00:00Z" }];
  };

  it("gives the results of numpy and scipy in every other analysis", async () => {
    const app = await playedCookieCats({}, { before: earlier });
    await app.analysis.compact();
    const { results } = app;

    // With T = (0.05 control mean)^2, z the score of a difference and V its variance, by mpmath:
    // ln L = 0.5 ln(V / (V + T)) + T z^2 / (2 (V + T)), p = min(1, 1 / L), interval where ln L < -ln 0.05.
    const query = { method: "msprt", alpha: 0.05, spending_function: "obrien_fleming", num_looks: 5 } as const;
    const sequential = await results.sequential("gate", { ...query, expected_lift: 0.05 }, ANALYST);
    const day7 = sequential.metrics.find(({ metric }) => metric === "retention_7")!;
    expect(day7).toMatchObject({ variant: "gate_40", is_significant: true, status: "OK" });
    expect(day7.looks).toMatchObject([{ date: "2026-01-09", n: 90_189 }]);
    expect(day7.difference).toBeCloseTo(-0.008201298315, 12);
    expect(day7.log_likelihood_ratio).toBeCloseTo(3.32414550763, 9);
    expect(day7.p_value).toBeCloseTo(0.036003270133, 10);
    expect(day7.confidence_interval![0]).toBeCloseTo(-0.016110153823, 10);
    expect(day7.confidence_interval![1]).toBeCloseTo(-0.000294285077, 10);
    // All four metrics are PRIMARY, so they share alpha.
    expect(day7.adjusted_p_value).toBeCloseTo(4 * day7.p_value!, 12);
    expect(sequential.recommendation.action).toBe("CONTINUE");
    expect(sequential.analysis_warnings).toEqual(["ONE_LOOK"]);
    // The table of O'Brien and Fleming's boundaries in R: gsDesign(k = 5, test.type = 2, alpha = 0.025, sfu = sfLDOF).
    const boundaries = sequential.alpha_spending.schedule.map(({ z_boundary }) => z_boundary!.toFixed(4));
    expect(boundaries).toEqual(["4.8769", "3.3570", "2.6803", "2.2898", "2.0310"]);

    // T = rho^2 n V with rho^2 = (-2 ln 0.05 + ln(-2 ln 0.05 + 1)) / 5000 and n = 90189.
    const anytime = await results.sequential(
      "gate",
      { ...query, method: "always_valid", expected_lift: 0.05, planned_users: 150_000 },
      ANALYST,
    );
    expect(anytime.metrics[1]!.p_value).toBeCloseTo(0.083248646256, 10);
    expect(anytime.metrics[1]!.confidence_interval![1]).toBeCloseTo(0.000410276389, 10);
    expect(anytime.alpha_spending.current_look).toBe(3);

    // theta = cov(y, x) / var(x) over all players; the larger p of
    // scipy.stats.ttest_ind, equal_var False and True, of y - theta (x - mean(x)).
    const plain = { winsorize: false, lower_pct: 0.01, upper_pct: 0.99, lookback_days: 14 };
    const cuped = (await results.cuped("gate", plain, ANALYST)).metrics.find(({ metric }) => metric === "rounds")!;
    expect(cuped.theta).toBeCloseTo(1.99831792018, 9);
    expect(cuped.correlation).toBeCloseTo(0.99956404758, 9);
    expect(cuped.adjusted_control_mean).toBeCloseTo(51.87688815, 7);
    expect(cuped.adjusted_difference).toBeCloseTo(-0.008785979, 8);
    expect(cuped.adjusted_standard_error).toBeCloseTo(0.0383537833, 8);
    expect(cuped.p_value).toBeCloseTo(0.8188093982, 7);
    expect(cuped.variance_reduction_pct).toBeCloseTo(99.9139206771, 6);
    expect(cuped.covered_users).toBe(90_189);
    // The same after numpy.clip at numpy.quantile(., [0.01, 0.99]) of y and of x.
    const clipped = await results.cuped("gate", { ...plain, winsorize: true }, ANALYST);
    const bounded = clipped.metrics.find(({ metric }) => metric === "rounds")!;
    expect(bounded.theta).toBeCloseTo(1.99337350018, 9);
    expect(bounded.difference).toBeCloseTo(-0.2819181981, 8);
    expect(bounded.adjusted_standard_error).toBeCloseTo(0.0381473722, 8);
    expect(bounded.p_value).toBeCloseTo(0.867870193, 7);

    // By the last digit of the id: ten score tests, p times ten, intervals at 1 - 0.05 / 10; Cochran's Q with the larger of
    // the unpooled and the pooled variance.
    const asked = { dimension: "digit", metric_id: "retention_7", base_alpha: 0.05 };
    const breakdown = await results.breakdown("gate", asked, ANALYST);
    expect(breakdown).toMatchObject({ comparisons: 10, corrected_alpha: 0.005 });
    expect(breakdown.heterogeneity[0]!.q).toBeCloseTo(7.2888337735, 8);
    expect(breakdown.heterogeneity[0]!.p_value).toBeCloseTo(0.6070753403, 8);
    const five = breakdown.segments.find(({ segment }) => segment === "5")!;
    expect(five).toMatchObject({ n_control: 4476, n_treatment: 4676, is_significant: false });
    expect(five.difference).toBeCloseTo(-0.018597810125, 10);
    expect(five.p_value).toBeCloseTo(0.023733899413, 10);
    expect(five.adjusted_p_value).toBeCloseTo(0.23733899413, 9);
    expect(five.confidence_interval![0]).toBeCloseTo(-0.041672396196, 8);

    const series = await results.timeseries("gate", { metric_id: "retention_7" }, ANALYST);
    expect(series).toMatchObject({ metric: "retention_7", variant: "gate_40", analysis_warnings: ["ONE_LOOK"] });
    expect(series.days).toHaveLength(1);
    expect(series.days[0]).toMatchObject({ date: "2026-01-09", n_control: 44_700, n_treatment: 45_489 });
    expect(series.days[0]!.difference).toBeCloseTo(-0.008201298315, 12);
    expect(series.days[0]!.always_valid_interval![0]).toBeCloseTo(-0.016815165368, 9);
    await app.close();
  });
});
