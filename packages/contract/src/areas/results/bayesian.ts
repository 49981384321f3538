import * as z from "zod";
import { ADJUSTMENT_STATUSES } from "./adjustment.ts";
import { Interval } from "./fields.ts";

const BayesianDecision = z.enum(["ACCEPT_NULL", "ACCEPT_ALTERNATIVE", "INCONCLUSIVE", "ROPE_ACCEPT"]);
const PosteriorFields = {
  posterior_alpha: z
    .number()
    .nullable()
    .meta({ description: "Alpha of the Beta posterior of a rate; null for a normal posterior" }),
  posterior_beta: z.number().nullable(),
  posterior_mean: z.number().nullable(),
  credible_interval: Interval.nullable().meta({ description: "Equal-tailed credible interval" }),
  bayes_factor: z
    .number()
    .nullable()
    .meta({ description: "Bayes factor of a difference against no difference, clamped to e^-700..e^700" }),
  log_bayes_factor: z.number().nullable(),
  probability_of_superiority: z
    .number()
    .nullable()
    .meta({ description: "Probability that the variant is better than the control, in the metric's direction" }),
};

/** Posteriors of the first PRIMARY metric. The top-level fields are those of the first treatment. */
export const BayesianResults = z
  .object({
    ...PosteriorFields,
    metric_id: z.string().nullable(),
    expected_loss: z.object({ control: z.number(), treatment: z.number() }).nullable(),
    decision: BayesianDecision,
    stopped_early: z
      .boolean()
      .meta({ description: "Whether the decision came before end_date or planned_sample_size" }),
    difference: z
      .object({
        mean: z.number(),
        credible_interval: Interval,
        rope_probability: z
          .number()
          .nullable()
          .meta({
            description:
              "Probability that the difference is in the region of practical equivalence (ROPE); null without a " +
              "ROPE",
          }),
      })
      .nullable(),
    effect_prior: z.object({ mean: z.number(), sd: z.number() }).optional().meta({
      description: "The normal prior on the difference, in the metric's units, if bayesian_config has effect_sd",
    }),
    variants: z.array(
      z.object({
        ...PosteriorFields,
        variant: z.string(),
        n: z.int(),
        highest_density_interval: Interval.nullable(),
        probability_best: z
          .number()
          .nullable()
          .meta({ description: "Null with an effect_prior and more than one treatment, as is expected_loss" }),
        expected_loss: z
          .number()
          .nullable()
          .meta({ description: "Expected loss compared with the best arm, in the unit of the metric" }),
        decision: BayesianDecision.nullable().meta({ description: "Null for the control" }),
      }),
    ),
    adjustment_status: z
      .enum(ADJUSTMENT_STATUSES)
      .optional()
      .meta({
        description:
          "With variance_reduction. OK and COMMON_SLOPES: comparisons with the control use adjusted means, and so do the " +
          "posteriors if every arm with users can be adjusted. NOT_APPLICABLE: the metric is a rate or a quantile. The other values " +
          "mean what they mean in rows. Given for the first treatment",
      }),
    status: z.string().meta({ description: "OK, or the reason why numbers are missing" }),
  })
  .meta({ id: "BayesianResults" });
export type BayesianResults = z.infer<typeof BayesianResults>;
