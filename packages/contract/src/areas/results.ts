import * as z from "zod";
import { IdOrKey, QueryBoolean, queryInteger, queryNumber, Timestamp, upper } from "../fields.ts";
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
    status: z.string().meta({ description: "OK, or why numbers are missing" }),
  })
  .meta({ id: "BayesianResults" });
export type BayesianResults = z.infer<typeof BayesianResults>;

export const RESULT_SOURCES = ["EMBEDDED", "WAREHOUSE"] as const;

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
    source: z.enum(RESULT_SOURCES).meta({ description: "Where the events are that were summed up" }),
    analysis_warnings: z.array(z.string()).meta({
      description:
        "EXPOSURES_INFERRED: exposures are known from outcomes alone. " +
        "WEIGHTED_BY_PERIOD: a bandit's weights have changed; each period counts by its share of all users. " +
        "BEFORE_PLANNED_SIZE: fewer users than planned_sample_size; p-values are for one look, at the end",
    }),
    computed_at: Timestamp.meta({ description: "From WAREHOUSE: when it was synced" }),
  })
  .meta({ id: "Results" });
export type Results = z.infer<typeof Results>;

/** Which metric of which treatment a row is about. */
const Which = { metric: z.string(), metric_id: z.string(), variant: z.string() };
const Status = z.string().meta({ description: "OK, or why numbers are missing" });
const AnalysisWarnings = z.array(z.string()).meta({
  description:
    "ONE_LOOK: everything was received on one day, an import for example. " +
    "PERIODS_POOLED: a bandit's weights have changed, and this analysis does not tell the periods apart",
});
const Day = z.string().meta({ format: "date", description: "Day of receipt, UTC" });

export const SEQUENTIAL_METHODS = ["msprt", "always_valid"] as const;
export const SPENDING_FUNCTIONS = ["obrien_fleming", "pocock", "power", "hsd"] as const;

/** A sequential test of every metric and treatment, replayed day by day. */
export const SequentialResults = z
  .object({
    experiment_id: z.string(),
    method: z.enum(SEQUENTIAL_METHODS),
    alpha: z.number(),
    metrics: z.array(
      z.object({
        ...Which,
        difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        log_likelihood_ratio: z.number().nullable().meta({ description: "Of the last look alone" }),
        p_value: z.number().nullable().meta({ description: "Valid at any time: the least so far" }),
        confidence_interval: Interval.nullable().meta({ description: "Valid at any time: what all so far share" }),
        is_significant: z.boolean(),
        looks: z.array(
          z.object({
            date: Day,
            n: z.int(),
            difference: z.number().nullable(),
            p_value: z.number().nullable(),
            confidence_interval: Interval.nullable(),
          }),
        ),
        status: Status,
      }),
    ),
    alpha_spending: z.object({
      spending_function: z.enum(SPENDING_FUNCTIONS),
      num_looks: z.int(),
      current_look: z.int(),
      information_fraction: z
        .number()
        .nullable()
        .meta({ description: "Users so far as a share of those planned, at most 1; null where nobody planned" }),
      schedule: z.array(
        z.object({
          look: z.int(),
          information_fraction: z.number(),
          cumulative_alpha: z.number(),
          incremental_alpha: z.number(),
          z_boundary: z
            .number()
            .nullable()
            .meta({ description: "null where too little alpha is spent to stop at all" }),
          nominal_p_value: z.number(),
        }),
      ),
    }),
    recommendation: z.object({
      action: z.enum(["STOP_FOR_EFFECT", "STOP_FOR_HARM", "STOP_FOR_FUTILITY", "CONTINUE"]),
      reason: z.string(),
    }),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "SequentialResults" });
export type SequentialResults = z.infer<typeof SequentialResults>;

/** Effects adjusted by what the same users did before their first exposure. */
export const CupedResults = z
  .object({
    experiment_id: z.string(),
    winsorize: z.boolean(),
    lower_pct: z.number(),
    upper_pct: z.number(),
    metrics: z.array(
      z.object({
        ...Which,
        theta: z.number().nullable(),
        correlation: z.number().nullable(),
        control_mean: z.number().nullable(),
        treatment_mean: z.number().nullable(),
        adjusted_control_mean: z.number().nullable(),
        adjusted_treatment_mean: z.number().nullable(),
        difference: z.number().nullable(),
        adjusted_difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        adjusted_standard_error: z.number().nullable(),
        p_value: z.number().nullable().meta({ description: "Of the adjusted difference, as is the interval" }),
        confidence_interval: Interval.nullable(),
        variance_reduction_pct: z.number().nullable().meta({ description: "Negative where the covariate does harm" }),
        covered_users: z.int().meta({ description: "Users of both arms who had an event before" }),
        status: Status,
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "CupedResults" });
export type CupedResults = z.infer<typeof CupedResults>;

/** Effects by the segments of an attribute, each tested at `corrected_alpha`. */
export const BreakdownResults = z
  .object({
    experiment_id: z.string(),
    dimension: z.string(),
    base_alpha: z.number(),
    corrected_alpha: z.number().meta({ description: "base_alpha / comparisons" }),
    comparisons: z.int().meta({ description: "Comparisons that could be tested" }),
    heterogeneity: z.array(
      z.object({ ...Which, q: z.number().nullable(), df: z.int(), p_value: z.number().nullable() }),
    ),
    segments: z.array(
      z.object({
        segment: z.string(),
        ...Which,
        n_control: z.int(),
        n_treatment: z.int(),
        control_value: z.number().nullable(),
        treatment_value: z.number().nullable(),
        difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        p_value: z.number().nullable(),
        adjusted_p_value: z.number().nullable(),
        confidence_interval: Interval.nullable(),
        is_significant: z.boolean(),
        status: Status,
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "BreakdownResults" });
export type BreakdownResults = z.infer<typeof BreakdownResults>;

/** One metric of one treatment, day by day. */
export const TimeseriesResults = z
  .object({
    experiment_id: z.string(),
    metric: z.string().nullable(),
    metric_id: z.string().nullable(),
    variant: z.string().nullable(),
    days: z.array(
      z.object({
        date: Day,
        n_control: z.int().meta({ description: "Users whose exposure was received that day" }),
        n_treatment: z.int(),
        difference: z.number().nullable().meta({ description: "Of that day's users, with all they did until now" }),
        confidence_interval: Interval.nullable(),
        cumulative_difference: z.number().nullable().meta({ description: "Of all users, as it stood that evening" }),
        cumulative_confidence_interval: Interval.nullable(),
        always_valid_interval: Interval.nullable(),
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "TimeseriesResults" });
export type TimeseriesResults = z.infer<typeof TimeseriesResults>;

const Level = queryNumber(z.number().gt(0).lt(1));
const Share = queryNumber(z.number().min(0).max(1));
const MetricId = z.string().min(1).max(255).meta({ description: "Id or name of a metric" });

export const SequentialQuery = z.object({
  method: z.enum(SEQUENTIAL_METHODS).default("msprt"),
  alpha: Level.default(0.05),
  spending_function: z.enum(SPENDING_FUNCTIONS).default("obrien_fleming"),
  num_looks: queryInteger(1, 100).default(5),
  expected_lift: queryNumber(z.number().gt(0).max(100))
    .default(0.1)
    .meta({ description: "Share of the control's value; fixes the mixing variance of msprt" }),
  planned_users: queryInteger(1, 1_000_000_000).optional().meta({
    description: "Users of all arms that were planned; planned_sample_size where absent, else looks are counted",
  }),
});

export const CupedQuery = z
  .object({
    winsorize: QueryBoolean.default(false),
    lower_pct: Share.default(0.01),
    upper_pct: Share.default(0.99),
    lookback_days: queryInteger(1, 90).default(14),
  })
  .refine((query) => query.lower_pct < query.upper_pct, {
    message: "upper_pct must be above lower_pct",
    path: ["upper_pct"],
  });

export const BreakdownQuery = z.object({
  dimension: z.string().min(1).max(255).meta({ description: "Name of an attribute of exposures or assignments" }),
  metric_id: MetricId.optional(),
  base_alpha: Level.default(0.05),
});

export const TimeseriesQuery = z.object({
  metric_id: MetricId.optional().meta({ description: "The first PRIMARY metric where absent" }),
  variant: z.string().min(1).max(255).optional().meta({ description: "The first treatment where absent" }),
});

const SourceQuery = z.object({
  source: upper(RESULT_SOURCES)
    .optional()
    .meta({ description: "WAREHOUSE where the experiment was synced from one, else EMBEDDED: the events sent here" }),
});

const reads = {
  auth: { user: true, key: "read" },
  limit: "api",
  cache: "results",
  params: z.object({ experiment_id: IdOrKey }),
} as const;

export const results = defineArea({
  "GET /results/{experiment_id}": {
    ...reads,
    operationId: "results.get",
    summary: "Results of an experiment, current to the last acknowledged event",
    query: SourceQuery,
    response: Results,
  },
  "GET /experiments/{experiment_id}/results": {
    ...reads,
    operationId: "experiments.results",
    summary: "The same, under the experiment",
    query: SourceQuery,
    response: Results,
  },
  "GET /results/{experiment_id}/sequential": {
    ...reads,
    operationId: "results.sequential",
    summary: "Tests that may be looked at any day, an alpha-spending schedule and whether to stop",
    query: SequentialQuery,
    response: SequentialResults,
  },
  "GET /results/{experiment_id}/cuped": {
    ...reads,
    operationId: "results.cuped",
    summary: "Effects adjusted by what the same users did before",
    query: CupedQuery,
    response: CupedResults,
  },
  "GET /results/{experiment_id}/breakdown": {
    ...reads,
    operationId: "results.breakdown",
    summary: "Effects by the segments of an attribute, with Bonferroni-corrected thresholds",
    query: BreakdownQuery,
    response: BreakdownResults,
  },
  "GET /results/{experiment_id}/timeseries": {
    ...reads,
    operationId: "results.timeseries",
    summary: "The effect day by day, for plots",
    query: TimeseriesQuery,
    response: TimeseriesResults,
  },
});
