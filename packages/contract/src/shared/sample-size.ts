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
  baseline_rate: { description: "Conversion rate of control, 0 to 1" },
  mean: { description: "Mean of control; needed for a relative mde" },
  standard_deviation: { description: "Of the metric, in its own unit" },
  mde: { description: "Minimum detectable effect: a share of the baseline, or absolute; below 0 for a fall" },
  effect: {
    description:
      "Minimum detectable effect: a share of the baseline, or absolute; below 0 for a fall. With a margin the effect that the " +
      "treatment has, usually 0",
  },
  hypothesis: { description: "What is to be shown; SUPERIORITY where absent" },
  margin: { description: "Of NON_INFERIORITY and EQUIVALENCE: a share of the baseline" },
  direction: { description: "Of NON_INFERIORITY: which direction is better" },
  relative: { description: "Whether mde is a share of the baseline" },
  daily_users: { description: "Users who enter the experiment a day, in all arms together" },
};

/** The inputs of a sample size: a rate, or a mean with its standard deviation. */
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

/** The same in a query string, with the level and the arms. */
export const SampleSizeQuery = z
  .object({
    baseline_rate: queryNumber(Share).optional().meta(ABOUT.baseline_rate),
    mean: queryNumber(z.number()).optional().meta(ABOUT.mean),
    standard_deviation: queryNumber(Deviation).optional().meta(ABOUT.standard_deviation),
    mde: queryNumber(Effect).meta(ABOUT.effect),
    relative: QueryBoolean.default(true).meta(ABOUT.relative),
    alpha: queryNumber(Share).default(0.05).meta({ description: "Two-sided, of all comparisons together" }),
    power: queryNumber(Share).default(0.8),
    variants: queryInteger(2, 50).default(2).meta({ description: "Arms, control included" }),
    daily_users: queryInteger(1, 1_000_000_000).optional().meta(ABOUT.daily_users),
    hypothesis: upper(["SUPERIORITY", "NON_INFERIORITY", "EQUIVALENCE"]).optional().meta(ABOUT.hypothesis),
    margin: queryNumber(Share).optional().meta(ABOUT.margin),
    direction: upper(["INCREASE", "DECREASE"]).optional().meta(ABOUT.direction),
  })
  .meta({ id: "SampleSizeQuery" });

export const SampleSize = z
  .object({
    metric_kind: z.enum(["CONVERSION", "MEAN"]),
    baseline: z.number().nullable().meta({ description: "Rate or mean of control" }),
    target: z.number().nullable().meta({ description: "What it becomes with the effect" }),
    absolute_effect: z.number(),
    relative_effect: z.number().nullable(),
    alpha: z.number(),
    alpha_per_comparison: z.number().meta({ description: "Bonferroni over the comparisons with control" }),
    power: z.number(),
    variants: z.int(),
    per_variant: z.int(),
    total: z.int(),
    daily_users: z.int().nullable(),
    days: z.int().nullable().meta({ description: "Rounded up; null without daily_users" }),
  })
  .meta({ id: "SampleSize" });
export type SampleSize = z.infer<typeof SampleSize>;
