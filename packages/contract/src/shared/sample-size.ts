import * as z from "zod";
import { QueryBoolean, queryInteger, queryNumber, upper } from "./fields.ts";
import { MAX_PLANNED_LOOKS, SPENDING_FUNCTIONS } from "./planned-looks.ts";

const Share = z.number().gt(0).lt(1);
const Deviation = z.number().positive();
const Effect = z.number().min(-1_000_000).max(1_000_000);
/** The maximum number of users of a planned experiment. */
export const MAX_PLANNED_USERS = 1_000_000_000;
/** New users of an experiment per day. */
export const DailyUsers = z.int().min(1).max(1_000_000_000);

const ABOUT = {
  baseline_rate: { description: "Conversion rate of the control, 0 to 1" },
  mean: { description: "Mean of the control; required for a relative mde" },
  standard_deviation: { description: "Standard deviation of the metric, in its unit" },
  mde: { description: "Minimum detectable effect: a share of the baseline, or absolute; negative for a decrease" },
  effect: {
    description:
      "Minimum detectable effect: a share of the baseline, or absolute; negative for a decrease. With a " +
      "margin: the true effect of the treatment, usually 0",
  },
  hypothesis: { description: "What the experiment should show; default SUPERIORITY" },
  margin: { description: "For NON_INFERIORITY and EQUIVALENCE: margin as a share of the baseline" },
  direction: { description: "For NON_INFERIORITY: the direction that is better" },
  relative: { description: "Whether mde is a share of the baseline" },
  daily_users: { description: "Number of users who enter the experiment per day, in all arms together" },
  variants: { description: "Number of arms, including the control; default 2, or one for each of the weights" },
  weights: { description: "Of control and of each treatment, with commas: `90,10`; equal arms where absent" },
  metrics: { description: "Metrics that decide, so that they share alpha" },
  cuped_correlation: {
    description: "Correlation of the metric with what variance_reduction adjusts by: the variance times 1 - its square",
  },
  cluster_size: { description: "Mean users of a cluster, where bucket_by draws users together; needs icc" },
  cluster_size_cv: { description: "Standard deviation of the users of a cluster / cluster_size; 0 where absent" },
  icc: { description: "Intraclass correlation: the share of the variance that lies between clusters" },
  denominator_mean: {
    description:
      "Of a ratio of sums: mean and standard_deviation are then those of the numerator, all of them per user",
  },
  denominator_standard_deviation: { description: "Of a ratio: of the denominator per user" },
  denominator_correlation: { description: "Of a ratio: of numerator and denominator of a user" },
  quantile: { description: "Of a quantile: which one, in place of standard_deviation; mean is then its value" },
  looks: { description: "Planned looks, as in group_sequential: the users are those of the last look" },
  spending_function: { description: "Of the looks; default obrien_fleming" },
  any_time: {
    description: "For an experiment without a plan, which any day may decide: `total` is then at most needed",
  },
  quantile_density: { description: "Of a quantile: the share of values per unit of the metric around it" },
};

const Correlation = z.number().gt(-1).lt(1);
const ClusterSize = z.number().min(1).max(1_000_000);
const ClusterSizeVariation = z.number().min(0).max(1000);
const Intraclass = z.number().min(0).max(1);

/** What makes the variance of a sample size, in a body. */
export const varianceFields = {
  cuped_correlation: Correlation.optional().meta(ABOUT.cuped_correlation),
  cluster_size: ClusterSize.optional().meta(ABOUT.cluster_size),
  cluster_size_cv: ClusterSizeVariation.optional().meta(ABOUT.cluster_size_cv),
  icc: Intraclass.optional().meta(ABOUT.icc),
};

/** The most arms of a sample size. */
export const MAX_ARMS = 50;
const WEIGHT = String.raw`\d{1,9}(\.\d{1,9})?`;

/** Weights in a query string, which become numbers. */
const QueryWeights = z
  .string()
  .regex(new RegExp(`^${WEIGHT}(,${WEIGHT}){1,${MAX_ARMS - 1}}$`), `Expected 2 to ${MAX_ARMS} weights with commas`)
  .transform((text) => text.split(",").map(Number));

/** The inputs of a sample size: a conversion rate, or a mean with its standard deviation. */
export const SampleSizeInput = z
  .object({
    baseline_rate: Share.optional().meta(ABOUT.baseline_rate),
    mean: z.number().optional().meta(ABOUT.mean),
    standard_deviation: Deviation.optional().meta(ABOUT.standard_deviation),
    mde: Effect.meta(ABOUT.mde),
    relative: z.boolean().default(true).meta(ABOUT.relative),
    power: Share.default(0.8),
    ...varianceFields,
    daily_users: DailyUsers.optional().meta(ABOUT.daily_users),
  })
  .meta({ id: "SampleSizeInput" });
export type SampleSizeInput = z.infer<typeof SampleSizeInput>;

/** The inputs of a sample size in a query string, with the significance level and the number of arms. */
export const SampleSizeQuery = z
  .object({
    baseline_rate: queryNumber(Share).optional().meta(ABOUT.baseline_rate),
    mean: queryNumber(z.number()).optional().meta(ABOUT.mean),
    standard_deviation: queryNumber(Deviation).optional().meta(ABOUT.standard_deviation),
    mde: queryNumber(Effect).meta(ABOUT.effect),
    relative: QueryBoolean.default(true).meta(ABOUT.relative),
    alpha: queryNumber(Share)
      .default(0.05)
      .meta({ description: "Two-sided significance level of all comparisons together" }),
    power: queryNumber(Share).default(0.8),
    variants: queryInteger(2, MAX_ARMS).optional().meta(ABOUT.variants),
    weights: QueryWeights.optional().meta(ABOUT.weights),
    metrics: queryInteger(1, 100).optional().meta(ABOUT.metrics),
    daily_users: queryInteger(1, 1_000_000_000).optional().meta(ABOUT.daily_users),
    hypothesis: upper(["SUPERIORITY", "NON_INFERIORITY", "EQUIVALENCE"]).optional().meta(ABOUT.hypothesis),
    margin: queryNumber(Share).optional().meta(ABOUT.margin),
    direction: upper(["INCREASE", "DECREASE"]).optional().meta(ABOUT.direction),
    looks: queryInteger(2, MAX_PLANNED_LOOKS).optional().meta(ABOUT.looks),
    spending_function: z.enum(SPENDING_FUNCTIONS).optional().meta(ABOUT.spending_function),
    any_time: QueryBoolean.optional().meta(ABOUT.any_time),
    cuped_correlation: queryNumber(Correlation).optional().meta(ABOUT.cuped_correlation),
    cluster_size: queryNumber(ClusterSize).optional().meta(ABOUT.cluster_size),
    cluster_size_cv: queryNumber(ClusterSizeVariation).optional().meta(ABOUT.cluster_size_cv),
    icc: queryNumber(Intraclass).optional().meta(ABOUT.icc),
    denominator_mean: queryNumber(z.number()).optional().meta(ABOUT.denominator_mean),
    denominator_standard_deviation: queryNumber(Deviation).optional().meta(ABOUT.denominator_standard_deviation),
    denominator_correlation: queryNumber(Correlation).optional().meta(ABOUT.denominator_correlation),
    quantile: queryNumber(Share).optional().meta(ABOUT.quantile),
    quantile_density: queryNumber(z.number().positive()).optional().meta(ABOUT.quantile_density),
  })
  .meta({ id: "SampleSizeQuery" });

export const SampleSize = z
  .object({
    metric_kind: z.enum(["CONVERSION", "MEAN", "RATIO", "QUANTILE"]),
    baseline: z.number().nullable().meta({ description: "Rate, mean, ratio or quantile of control" }),
    target: z.number().nullable().meta({ description: "Rate or mean of the treatment with the effect" }),
    absolute_effect: z.number(),
    relative_effect: z.number().nullable(),
    alpha: z.number(),
    alpha_per_comparison: z
      .number()
      .meta({ description: "Significance level per comparison with the control, of each metric (Bonferroni)" }),
    power: z.number(),
    variants: z.int(),
    per_variant: z.int().meta({ description: "Users of the smallest arm" }),
    arms: z.array(z.int()).meta({ description: "Users of control and of each treatment" }),
    total: z.int().meta({ description: "Users of all arms; of a quantile, those with a value" }),
    clusters: z.int().nullable().meta({ description: "Of all arms, each rounded up; null without cluster_size" }),
    variance_factor: z.number().meta({
      description: "How many times as many users as without cuped_correlation and clusters",
    }),
    looks: z
      .array(z.object({ users: z.int(), day: z.int().nullable() }))
      .nullable()
      .meta({ description: "Users of all arms at each planned look, and its day; null without looks" }),
    mean_users: z.int().nullable().meta({
      description: "With looks: users of all arms until the test stops on average, if the effect is mde",
    }),
    daily_users: z.int().nullable(),
    days: z.int().nullable().meta({ description: "Duration in days, rounded up; null without daily_users" }),
  })
  .meta({ id: "SampleSize" });
export type SampleSize = z.infer<typeof SampleSize>;
