import * as z from "zod";
import { ADJUSTMENT_STATUSES } from "./adjustment.ts";
import { Interval } from "./fields.ts";

const BayesianDecision = z.enum(["ACCEPT_NULL", "ACCEPT_ALTERNATIVE", "INCONCLUSIVE", "ROPE_ACCEPT"]);
const PosteriorFields = {
  posterior_alpha: z.number().nullable().meta({ description: "Of a rate; null for a normal posterior" }),
  posterior_beta: z.number().nullable(),
  posterior_mean: z.number().nullable(),
  credible_interval: Interval.nullable().meta({ description: "Equal-tailed" }),
  bayes_factor: z.number().nullable().meta({ description: "Of a difference against none, clamped to e^-700..e^700" }),
  log_bayes_factor: z.number().nullable(),
  probability_of_superiority: z.number().nullable().meta({ description: "P(better than control), by direction" }),
};

/** Posteriors of the first PRIMARY metric; the fields at the top are the first treatment's. */
export const BayesianResults = z
  .object({
    ...PosteriorFields,
    metric_id: z.string().nullable(),
    expected_loss: z.object({ control: z.number(), treatment: z.number() }).nullable(),
    decision: BayesianDecision,
    stopped_early: z
      .boolean()
      .meta({ description: "Decided before the experiment's end_date or its planned_sample_size" }),
    difference: z
      .object({
        mean: z.number(),
        credible_interval: Interval,
        rope_probability: z.number().nullable().meta({ description: "null without a ROPE" }),
      })
      .nullable(),
    variants: z.array(
      z.object({
        ...PosteriorFields,
        variant: z.string(),
        n: z.int(),
        highest_density_interval: Interval.nullable(),
        probability_best: z.number().nullable(),
        expected_loss: z.number().nullable().meta({ description: "Against the best arm, in the metric's units" }),
        decision: BayesianDecision.nullable().meta({ description: "null for control" }),
      }),
    ),
    adjustment_status: z
      .enum(ADJUSTMENT_STATUSES)
      .optional()
      .meta({
        description:
          "With variance_reduction: OK and COMMON_SLOPES: comparisons with control are of adjusted means, as are the posteriors " +
          "where there is one treatment. NOT_APPLICABLE: a rate or a quantile. Otherwise as in rows; of the first treatment",
      }),
    status: z.string().meta({ description: "OK, or why numbers are missing" }),
  })
  .meta({ id: "BayesianResults" });
export type BayesianResults = z.infer<typeof BayesianResults>;
