/**
 * Answers a reference case with the public functions of the statistics engine: field names are mapped here, and
 * nothing is computed.
 */
import * as stats from "../src/stats/index.ts";

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
};

function distribution({ dist, fn, x, p, df, a, b, d1, d2 }: DistributionInput): number {
  const parameters = [df, a, b, d1, d2].filter((value) => value !== undefined);
  const evaluate: (point: number, ...rest: number[]) => number = distributions[dist][fn];
  return evaluate((fn === "ppf" ? p : x) ?? Number.NaN, ...parameters);
}

/**
 * The engine's answer to one reference case, under the case's own field names; a number for a distribution.
 *
 * `input` is a case's `input` as the files of `stats/` define it.
 *
 * @throws RangeError for a method that no file defines.
 */
export function answer(input: Readonly<Record<string, unknown>>): unknown {
  // The files are the only source of inputs, and each names its shape in `dist` or `kind`.
  if ("dist" in input) return distribution(input as unknown as DistributionInput);
  const method = Object.entries(methods).find(([kind]) => kind === input.kind)?.[1];
  if (!method) throw new RangeError(`no method for ${String(input.kind)}`);
  return (method as (input: unknown) => unknown)(input);
}
