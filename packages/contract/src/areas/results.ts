import * as z from "zod";
import { IdOrKey, Timestamp } from "../fields.ts";
import { defineArea } from "../route.ts";
import { EXPERIMENT_STATUSES, METRIC_KINDS } from "./experiments.ts";

const Interval = z.tuple([z.number(), z.number()]);

/** One metric of one treatment against control. Undefined numbers are `null`; `status` says why. */
export const MetricResult = z
  .object({
    name: z.string(),
    metric_id: z.string(),
    kind: z.enum(METRIC_KINDS),
    role: z.enum(["PRIMARY", "SECONDARY", "GUARDRAIL"]),
    variant: z.string(),
    control_value: z.number(),
    treatment_value: z.number(),
    difference: z.number(),
    p_value: z.number(),
    adjusted_p_value: z.number().nullable(),
    is_significant: z.boolean(),
    confidence_interval: Interval.nullable(),
    newcombe_interval: Interval.nullable().meta({
      description:
        "Of a CONVERSION with fewer than 5 successes or failures in an arm; `confidence_interval` is then the same",
    }),
    relative_difference: z.number().nullable(),
    relative_confidence_interval: Interval.nullable(),
    n: z.object({ control: z.int(), treatment: z.int() }),
    mean: z.object({ control: z.number().nullable(), treatment: z.number().nullable() }),
    standard_error: z.number().nullable(),
    power: z.number().nullable(),
    test: z.string().meta({ description: "The test that was run, for example WELCH_T" }),
    status: z.string().meta({ description: "OK, or why numbers are missing" }),
  })
  .meta({ id: "MetricResult" });
export type MetricResult = z.infer<typeof MetricResult>;

export const SampleRatioMismatch = z
  .object({
    p_value: z.number().nullable(),
    expected: z.record(z.string(), z.number()),
    observed: z.record(z.string(), z.int()),
    warning: z.boolean().meta({ description: "p < 0.001: the split is not the one configured; find out why first" }),
  })
  .meta({ id: "SampleRatioMismatch" });

/** A factor's level against the level the control has, averaged over the other factors. */
export const MainEffect = z
  .object({
    metric_id: z.string(),
    metric: z.string(),
    factor: z.string(),
    level: z.string(),
    baseline: z.string(),
    difference: z.number().nullable(),
    standard_error: z.number().nullable(),
    p_value: z.number().nullable(),
    confidence_interval: Interval.nullable(),
    is_significant: z.boolean(),
    status: z.string(),
  })
  .meta({ id: "MainEffect" });
export type MainEffect = z.infer<typeof MainEffect>;

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
    stopped_early: z.boolean().meta({ description: "Decided before the experiment's end_date" }),
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
    status: z.string().meta({ description: "OK, or why numbers are missing" }),
  })
  .meta({ id: "BayesianResults" });
export type BayesianResults = z.infer<typeof BayesianResults>;

export const Results = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    status: z.enum(EXPERIMENT_STATUSES),
    metrics: z.array(MetricResult),
    main_effects: z.array(MainEffect).optional().meta({ description: "Of MULTIVARIATE experiments" }),
    bayesian_results: BayesianResults.optional().meta({ description: "With bayesian_enabled" }),
    sample_size: z.object({ control: z.int(), treatment: z.int() }),
    variants: z.array(
      z.object({
        id: z.string(),
        key: z.string(),
        name: z.string(),
        is_control: z.boolean(),
        weight: z.number(),
        sample_size: z.int(),
      }),
    ),
    srm: SampleRatioMismatch,
    crossover: z.int().meta({ description: "Users seen in two arms, left out" }),
    forced: z.int().meta({ description: "Users whose arm was given, not drawn, left out" }),
    analysis_warnings: z.array(z.string()),
    computed_at: Timestamp,
  })
  .meta({ id: "Results" });
export type Results = z.infer<typeof Results>;

export const results = defineArea({
  "GET /results/{experiment_id}": {
    operationId: "results.get",
    summary: "Results of an experiment, current to the last acknowledged event",
    auth: { user: true, key: "read" },
    limit: "api",
    cache: "results",
    params: z.object({ experiment_id: IdOrKey }),
    response: Results,
  },
  "GET /experiments/{experiment_id}/results": {
    operationId: "experiments.results",
    summary: "The same, under the experiment",
    auth: { user: true, key: "read" },
    limit: "api",
    cache: "results",
    params: z.object({ experiment_id: IdOrKey }),
    response: Results,
  },
});
