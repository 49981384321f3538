/**
 * Answers a reference case with the public functions of the statistics engine. It maps the names of fields and computes
 * nothing.
 */
import * as bayes from "../src/stats/bayes/index.ts";
import * as stats from "../src/stats/index.ts";
import * as planning from "../src/stats/planning/index.ts";

interface Sums {
  n: number;
  sum: number;
  sum_squares: number;
}

interface Converted {
  n: number;
  conversions: number;
}

interface Arms<Arm> {
  control: Arm;
  treatment: Arm;
  alpha: number;
}

interface Inputs {
  welch: Arms<Sums>;
  welch_degenerate: Arms<Sums>;
  two_proportion: Arms<Converted>;
  srm: { counts: number[]; weights: number[]; threshold: number };
  multiple: { p_values: number[]; alpha: number };
  ratio: Arms<RatioSums>;
  cuped: Arms<BeforeAfter>;
  cuped_winsor: Arms<BeforeAfter> & { lower_pct: number; upper_pct: number };
  proportion: PlanInput & { baseline_rate: number };
  mean: PlanInput & { sd: number };
  msprt_single: { difference: number; se: number; tau_squared: number; alpha: number };
  msprt_stream_proportions: { alpha: number; tau_squared: number; looks: Omit<Arms<Converted>, "alpha">[] };
  always_valid: { difference: number; se: number; total_n: number; alpha: number; tuning_parameter: number };
  spending: { spending_function: string; alpha: number; information_fractions: number[]; parameter?: number };
  beta_binomial: Omit<Arms<Converted>, "alpha"> & {
    prior_alpha: number;
    prior_beta: number;
    rope_low: number;
    rope_high: number;
    credible_interval_width: number;
    minimum_bayes_factor: number;
  };
  bandit_beta: {
    prior_alpha: number;
    prior_beta: number;
    arms: { n: number; successes: number }[];
    min_weight: number;
  };
  bandit_normal: { posteriors: { mean: number; sd: number }[]; min_weight: number };
  interaction: { alpha: number; cells: Record<"a0b0" | "a0b1" | "a1b0" | "a1b1", Sums> };
  novelty: { daily_effects: number[]; daily_se: number[] };
}

interface RatioSums {
  n: number;
  sum_num: number;
  sum_num2: number;
  sum_den: number;
  sum_den2: number;
  sum_num_den: number;
}

interface BeforeAfter {
  x: number[];
  y: number[];
}

interface PlanInput {
  mde: number;
  mde_type: "absolute" | "relative";
  alpha: number;
  power: number;
  variants: number;
  allocation_ratio: number;
}

interface DistributionInput {
  dist: "normal" | "t" | "chi2" | "beta" | "f";
  fn: "cdf" | "sf" | "ppf";
  x?: number;
  p?: number;
  df?: number;
  a?: number;
  b?: number;
  d1?: number;
  d2?: number;
}

const distributions = {
  normal: { cdf: stats.normalCdf, sf: stats.normalSf, ppf: stats.normalQuantile },
  t: { cdf: stats.tCdf, sf: stats.tSf, ppf: stats.tQuantile },
  chi2: { cdf: stats.chiSquareCdf, sf: stats.chiSquareSf, ppf: stats.chiSquareQuantile },
  beta: { cdf: stats.betaCdf, sf: stats.betaSf, ppf: stats.betaQuantile },
  f: { cdf: stats.fCdf, sf: stats.fSf, ppf: stats.fQuantile },
};

function moments({ n, sum, sum_squares }: Sums): stats.Moments {
  return stats.momentsFromSums(n, sum, sum_squares);
}

function proportion({ n, conversions }: Converted): stats.Proportion {
  return { n, successes: conversions };
}

const spendingFunctions: Readonly<Record<string, planning.SpendingFunction>> = {
  obrien_fleming: "obrien_fleming",
  obrien_fleming_total: "obrien_fleming_total",
  pocock: "pocock",
  power: "power",
  hwang_shih_decani: "hsd",
};

function ratioMoments(sums: RatioSums): stats.JointMoments {
  const products = [[sums.sum_num2], [sums.sum_num_den, sums.sum_den2]];
  return stats.jointMomentsFromSums(sums.n, [sums.sum_num, sums.sum_den], products);
}

function planOptions({ alpha, power, variants, allocation_ratio }: PlanInput): planning.SampleSizeOptions {
  return { alpha, power, variants, allocationRatio: allocation_ratio };
}

function cuped(control: stats.JointMoments, treatment: stats.JointMoments, alpha: number) {
  const users = stats.cupedTest(control, treatment, { alpha });
  const withinArms = stats.cupedTest(control, treatment, { alpha, pooling: "within_arms" });
  const comparison = (
    { difference, standardError, df, pValue, confidenceInterval }: stats.Comparison,
    control_mean: number | null,
    treatment_mean: number | null,
  ) => ({
    control_mean,
    treatment_mean,
    difference,
    se: standardError,
    df,
    p_value: pValue,
    ci_lower: confidenceInterval?.[0] ?? null,
    ci_upper: confidenceInterval?.[1] ?? null,
  });
  const adjusted = (test: stats.CupedComparison) => ({
    ...comparison(test.adjusted, test.adjustedControlMean, test.adjustedTreatmentMean),
    variance_reduction_pct: test.varianceReductionPct,
  });
  return {
    unadjusted: comparison(users.unadjusted, users.controlMean, users.treatmentMean),
    theta: users.theta,
    adjusted: adjusted(users),
    variance_reduction_pct: users.varianceReductionPct,
    theta_within_arms: withinArms.theta,
    adjusted_within_arms: adjusted(withinArms),
    corr_pooled: users.correlation,
  };
}

function sequential(test: stats.SequentialTest) {
  return {
    log_lambda: test.logLikelihoodRatio,
    p_value: test.pValue,
    half_width: test.halfWidth,
    ci_lower: test.confidenceInterval?.[0] ?? null,
    ci_upper: test.confidenceInterval?.[1] ?? null,
  };
}

function ratePosterior(posterior: bayes.RatePosterior) {
  return {
    posterior_alpha: posterior.alpha,
    posterior_beta: posterior.beta,
    posterior_mean: posterior.mean,
    posterior_sd: posterior.standardDeviation,
    credible_interval: posterior.credibleInterval,
    hdi: posterior.highestDensityInterval,
  };
}

function bandit(posteriors: bayes.Posterior[], minWeight: number) {
  const probabilities = bayes.armProbabilities(posteriors);
  return {
    best_arm_probabilities: probabilities.best,
    second_best_probabilities: probabilities.secondBest,
    thompson_weights: bayes.thompsonWeights(probabilities, { minWeight }),
    top_two_weights: bayes.topTwoWeights(probabilities, { minWeight }),
  };
}

function adjustment(adjusted: (number | null)[], alpha: number) {
  return { adjusted, reject: stats.rejections(adjusted, alpha) };
}

const methods: { [Kind in keyof Inputs]: (input: Inputs[Kind]) => unknown } = {
  welch({ control, treatment, alpha }) {
    const [c, t] = [moments(control), moments(treatment)];
    const welch = stats.welchTest(c, t, { alpha });
    const z = stats.welchTest(c, t, { alpha, referenceDistribution: "normal" });
    return {
      control_mean: c.mean,
      treatment_mean: t.mean,
      control_variance: stats.varianceOf(c),
      treatment_variance: stats.varianceOf(t),
      difference: welch.difference,
      se: welch.standardError,
      t: welch.statistic,
      df: welch.df,
      p_value: welch.pValue,
      ci_lower: welch.confidenceInterval?.[0] ?? null,
      ci_upper: welch.confidenceInterval?.[1] ?? null,
      is_significant: welch.significant,
      status: welch.status.toLowerCase(),
      z_p_value: z.pValue,
      z_ci_lower: z.confidenceInterval?.[0] ?? null,
      z_ci_upper: z.confidenceInterval?.[1] ?? null,
      relative_difference: welch.relativeDifference,
      relative_se: welch.relativeStandardError,
      relative_p_value_t: welch.relativePValue,
      relative_ci_lower: welch.relativeConfidenceInterval?.[0] ?? null,
      relative_ci_upper: welch.relativeConfidenceInterval?.[1] ?? null,
    };
  },
  welch_degenerate: (input) => methods.welch(input),
  two_proportion({ control, treatment, alpha }) {
    const [c, t] = [proportion(control), proportion(treatment)];
    const unpooled = stats.twoProportionTest(c, t, { alpha, variance: "unpooled" });
    const pooled = stats.twoProportionTest(c, t, { alpha, variance: "pooled" });
    const welch = stats.twoProportionTest(c, t, { alpha, referenceDistribution: "t" });
    const newcombe = stats.newcombeInterval(c, t, { alpha });
    return {
      control_rate: stats.rateEstimate(c).value,
      treatment_rate: stats.rateEstimate(t).value,
      difference: unpooled.difference,
      se_unpooled: unpooled.standardError,
      z_unpooled: unpooled.statistic,
      p_value_unpooled: unpooled.pValue,
      ci_lower: unpooled.confidenceInterval?.[0] ?? null,
      ci_upper: unpooled.confidenceInterval?.[1] ?? null,
      se_pooled: pooled.standardError,
      z_pooled: pooled.statistic,
      p_value_pooled: pooled.pValue,
      newcombe_lower: newcombe?.[0] ?? null,
      newcombe_upper: newcombe?.[1] ?? null,
      wilson_control: stats.wilsonInterval(c, { alpha }),
      wilson_treatment: stats.wilsonInterval(t, { alpha }),
      welch_t_df: welch.df,
      welch_t_p_value: welch.pValue,
      relative_difference: unpooled.relativeDifference,
      relative_se: unpooled.relativeStandardError,
      relative_ci_lower_z: unpooled.relativeConfidenceInterval?.[0] ?? null,
      relative_ci_upper_z: unpooled.relativeConfidenceInterval?.[1] ?? null,
    };
  },
  srm({ counts, weights, threshold }) {
    const test = stats.sampleRatioTest(counts, weights, { threshold });
    return {
      chi_square: test.chiSquare,
      df: test.df,
      p_value: test.pValue,
      log10_p_value: test.log10PValue,
      srm_detected: test.warning,
    };
  },
  multiple({ p_values, alpha }) {
    return {
      bonferroni_threshold: stats.bonferroniAlpha(alpha, p_values.length),
      bonferroni: adjustment(stats.bonferroni(p_values), alpha),
      holm: adjustment(stats.holm(p_values), alpha),
      benjamini_hochberg: adjustment(stats.benjaminiHochberg(p_values), alpha),
      benjamini_yekutieli: adjustment(stats.benjaminiYekutieli(p_values), alpha),
    };
  },
  ratio({ control, treatment, alpha }) {
    const [c, t] = [ratioMoments(control), ratioMoments(treatment)];
    const z = stats.ratioTest(c, t, { alpha, referenceDistribution: "normal" });
    const welch = stats.ratioTest(c, t, { alpha });
    return {
      control_value: stats.ratioEstimate(c).value,
      treatment_value: stats.ratioEstimate(t).value,
      control_variance: stats.ratioEstimate(c).variance,
      treatment_variance: stats.ratioEstimate(t).variance,
      difference: z.difference,
      se: z.standardError,
      z: z.statistic,
      p_value_z: z.pValue,
      ci_z: z.confidenceInterval,
      df: welch.df,
      p_value_t: welch.pValue,
      ci_t: welch.confidenceInterval,
      relative_difference: z.relativeDifference,
      relative_se: z.relativeStandardError,
      relative_ci_z: z.relativeConfidenceInterval,
    };
  },
  cuped({ control, treatment, alpha }) {
    return cuped(stats.jointMomentsOf(control.y, control.x), stats.jointMomentsOf(treatment.y, treatment.x), alpha);
  },
  cuped_winsor({ control, treatment, alpha, lower_pct, upper_pct }) {
    const y = stats.winsorBounds([control.y, treatment.y], lower_pct, upper_pct);
    const x = stats.winsorBounds([control.x, treatment.x], lower_pct, upper_pct);
    if (y === null || x === null) return { winsor_bounds_y: y, winsor_bounds_x: x };
    const moments = (arm: BeforeAfter) => stats.jointMomentsOf(stats.winsorise(arm.y, y), stats.winsorise(arm.x, x));
    return { winsor_bounds_y: y, winsor_bounds_x: x, ...cuped(moments(control), moments(treatment), alpha) };
  },
  proportion(input) {
    const { baseline_rate, mde } = input;
    const rate = planning.treatmentRate(baseline_rate, mde, input.mde_type);
    const plan = (variance: "unpooled" | "pooled" | "arcsine") =>
      planning.proportionSampleSize(baseline_rate, rate, { ...planOptions(input), variance });
    const [unpooled, pooled] = [plan("unpooled"), plan("pooled")];
    return {
      treatment_rate: rate,
      alpha_per_comparison: unpooled.alphaPerComparison,
      n_control_unpooled_raw: unpooled.controlExact,
      n_control_pooled_raw: pooled.controlExact,
      n_control_arcsine_raw: plan("arcsine").controlExact,
      n_control_unpooled: unpooled.control,
      n_treatment_unpooled: unpooled.treatment,
      total_unpooled: unpooled.total,
      n_control_pooled: pooled.control,
      n_treatment_pooled: pooled.treatment,
      total_pooled: pooled.total,
    };
  },
  mean(input) {
    const normal = planning.meanSampleSize(input.mde, input.sd, planOptions(input));
    const exact = planning.meanSampleSize(input.mde, input.sd, { ...planOptions(input), distribution: "t" });
    return {
      alpha_per_comparison: normal.alphaPerComparison,
      n_control_z_raw: normal.controlExact,
      n_control_z: normal.control,
      n_treatment_z: normal.treatment,
      total_z: normal.total,
      n_control_t_raw: exact.controlExact,
    };
  },
  msprt_single({ difference, se, tau_squared, alpha }) {
    return sequential(stats.mixtureTest(difference, se, tau_squared, { alpha }));
  },
  msprt_stream_proportions({ alpha, tau_squared, looks }) {
    const comparisons = looks.map(({ control, treatment }) =>
      stats.twoProportionTest(proportion(control), proportion(treatment), { alpha, variance: "unpooled" }),
    );
    const tests = comparisons.map(({ difference, standardError }) =>
      stats.mixtureTest(difference, standardError, tau_squared, { alpha }),
    );
    const replay = stats.replayLooks(tests, { alpha });
    return {
      looks: replay.looks.map((known, i) => ({
        look: i + 1,
        difference: comparisons[i]?.difference,
        se: comparisons[i]?.standardError,
        log_lambda: tests[i]?.logLikelihoodRatio,
        p_value_instant: tests[i]?.pValue,
        p_value: known.pValue,
        ci_lower_instant: tests[i]?.confidenceInterval?.[0],
        ci_upper_instant: tests[i]?.confidenceInterval?.[1],
        ci_lower: known.confidenceInterval?.[0] ?? null,
        ci_upper: known.confidenceInterval?.[1] ?? null,
        reject: known.significant,
      })),
      ci_empty: replay.looks.some(({ empty }) => empty),
      first_rejection_look: replay.firstRejection,
    };
  },
  always_valid({ difference, se, total_n, alpha, tuning_parameter }) {
    const options = { alpha, tuningParameter: tuning_parameter };
    return {
      rho: stats.alwaysValidRho(options),
      ...sequential(stats.alwaysValidTest(difference, se, total_n, options)),
    };
  },
  spending({ spending_function, alpha, information_fractions, parameter }) {
    const spending = spendingFunctions[spending_function];
    if (!spending) throw new RangeError(`no spending function ${spending_function}`);
    const looks = planning.spendingSchedule(spending, information_fractions, { alpha, parameter });
    return {
      cumulative_alpha: looks.map((look) => look.cumulativeAlpha),
      incremental_alpha: looks.map((look) => look.incrementalAlpha),
      z_boundaries: looks.map((look) => look.zBoundary),
      nominal_p_two_sided: looks.map((look) => look.nominalPValue),
    };
  },
  beta_binomial(input) {
    const test = bayes.betaBinomialTest(proportion(input.control), proportion(input.treatment), {
      priorAlpha: input.prior_alpha,
      priorBeta: input.prior_beta,
      ropeLow: input.rope_low,
      ropeHigh: input.rope_high,
      credibleLevel: input.credible_interval_width,
      minimumBayesFactor: input.minimum_bayes_factor,
    });
    return {
      control: ratePosterior(test.control),
      treatment: ratePosterior(test.treatment),
      difference_mean: test.difference.mean,
      difference_credible_interval: test.difference.credibleInterval,
      probability_of_superiority: test.probabilityOfSuperiority,
      log_bayes_factor_10: test.logBayesFactor,
      // The files write a Bayes factor as a word if its logarithm is above 700; the engine clamps it there.
      bayes_factor_10: test.logBayesFactor > 700 ? "Infinity" : test.bayesFactor,
      rope_probability: test.difference.ropeProbability,
      decision: test.decision,
      decision_unambiguous: test.decision !== "ROPE_ACCEPT" || test.bayesFactor < input.minimum_bayes_factor,
    };
  },
  bandit_beta({ prior_alpha, prior_beta, arms, min_weight }) {
    const prior = { priorAlpha: prior_alpha, priorBeta: prior_beta };
    const posteriors = arms.map((arm) => bayes.ratePosterior(arm, prior));
    return bandit(
      posteriors.map(({ alpha, beta }) => bayes.betaPosterior(alpha, beta)),
      min_weight,
    );
  },
  bandit_normal({ posteriors, min_weight }) {
    return bandit(
      posteriors.map(({ mean, sd }) => bayes.normalPosterior(mean, sd)),
      min_weight,
    );
  },
  interaction({ alpha, cells }) {
    const table = [
      [moments(cells.a0b0), moments(cells.a0b1)],
      [moments(cells.a1b0), moments(cells.a1b1)],
    ];
    const t = stats.interactionTest(table, { alpha, minimumUsers: 2 });
    const z = stats.interactionTest(table, { alpha, minimumUsers: 2, referenceDistribution: "normal" });
    return {
      interaction: t.difference,
      se: t.standardError,
      z: t.statistic,
      p_value_z: z.pValue,
      ci_z: z.confidenceInterval,
      df: t.df,
      p_value_t: t.pValue,
      ci_t: t.confidenceInterval,
      effect_a_given_b0: t.effectWithoutB,
      effect_a_given_b1: t.effectWithB,
      is_significant: t.significant,
    };
  },
  novelty({ daily_effects, daily_se }) {
    const days = daily_effects.map((difference, i) => ({ difference, standardError: daily_se[i] ?? null }));
    const test = stats.noveltyTest(days);
    return {
      slope_log_day: test.slope,
      slope_se_known_variance: test.slopeStandardError,
      slope_z: test.slopeStatistic,
      slope_p_value: test.slopePValue,
      early_effect: test.early.difference,
      late_effect: test.late.difference,
      late_minus_early: test.lateMinusEarly.difference,
      late_minus_early_se: test.lateMinusEarly.standardError,
      late_minus_early_p_value: test.lateMinusEarly.pValue,
      heterogeneity_q: test.heterogeneity.q,
      heterogeneity_df: test.heterogeneity.df,
      heterogeneity_p_value: test.heterogeneity.pValue,
    };
  },
};

function distribution({ dist, fn, x, p, df, a, b, d1, d2 }: DistributionInput): number {
  const parameters = [df, a, b, d1, d2].filter((value) => value !== undefined);
  const evaluate: (point: number, ...rest: number[]) => number = distributions[dist][fn];
  return evaluate((fn === "ppf" ? p : x) ?? Number.NaN, ...parameters);
}

/**
 * Returns the engine's answer to one reference case, with the field names of the case; a number for a distribution.
 *
 * `input` is the `input` of a case, as the files of `stats/` define it.
 *
 * @throws RangeError if no file defines the method.
 */
export function answer(input: Readonly<Record<string, unknown>>): unknown {
  // The files are the only source of inputs, and each names its shape in `dist` or `kind`.
  if ("dist" in input) return distribution(input as unknown as DistributionInput);
  const method = Object.entries(methods).find(([kind]) => kind === input.kind)?.[1];
  if (!method) throw new RangeError(`no method for ${String(input.kind)}`);
  return (method as (input: unknown) => unknown)(input);
}
