import * as z from "zod";
import { QueryBoolean, queryInteger, queryNumber, upper } from "./fields.ts";

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
};

/** The inputs of a sample size: a conversion rate, or a mean with its standard deviation. */
export const SampleSizeInput = z
  .object({
    baseline_rate: Share.optional().meta(ABOUT.baseline_rate),
    mean: z.number().optional().meta(ABOUT.mean),
    standard_deviation: Deviation.optional().meta(ABOUT.standard_deviation),
    mde: Effect.meta(ABOUT.mde),
    relative: z.boolean().default(true).meta(ABOUT.relative),
    power: Share.default(0.8),
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
    variants: queryInteger(2, 50).default(2).meta({ description: "Number of arms, including the control" }),
    daily_users: queryInteger(1, 1_000_000_000).optional().meta(ABOUT.daily_users),
    hypothesis: upper(["SUPERIORITY", "NON_INFERIORITY", "EQUIVALENCE"]).optional().meta(ABOUT.hypothesis),
    margin: queryNumber(Share).optional().meta(ABOUT.margin),
    direction: upper(["INCREASE", "DECREASE"]).optional().meta(ABOUT.direction),
  })
  .meta({ id: "SampleSizeQuery" });

export const SampleSize = z
  .object({
    metric_kind: z.enum(["CONVERSION", "MEAN"]),
    baseline: z.number().nullable().meta({ description: "Rate or mean of the control" }),
    target: z.number().nullable().meta({ description: "Rate or mean of the control" }),
    absolute_effect: z.number(),
    relative_effect: z.number().nullable(),
    alpha: z.number(),
    alpha_per_comparison: z
      .number()
      .meta({ description: "Significance level per comparison with the control (Bonferroni)" }),
    power: z.number(),
    variants: z.int(),
    per_variant: z.int(),
    total: z.int(),
    daily_users: z.int().nullable(),
    days: z.int().nullable().meta({ description: "Duration in days, rounded up; null without daily_users" }),
  })
  .meta({ id: "SampleSize" });
export type SampleSize = z.infer<typeof SampleSize>;
