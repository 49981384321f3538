import * as z from "zod";
import { Timestamp } from "../../fields.ts";
import { EXPERIMENT_STATUSES } from "../experiments/experiment.ts";
import { METRIC_KINDS } from "../experiments/metric.ts";
import { Adjustment } from "./adjustment.ts";
import { BayesianResults } from "./bayesian.ts";
import { CONCLUSIONS, Hypothesis, Interval } from "./fields.ts";

/** The smallest effect that a row's test finds with 80 % power, as the experiment stands. */
const MinimumDetectableEffect = z
  .object({
    alpha: z.number().meta({ description: "The row's share of alpha, by all PRIMARY or all GUARDRAIL rows" }),
    absolute: z.number().meta({ description: "By the standard error now, in the unit of difference" }),
    relative: z.number().nullable().meta({ description: "As a share of the control's value; null if that is 0" }),
    at_planned_size: z.number().nullable().meta({
      description: "absolute, once there are the planned users; null without a plan",
    }),
    relative_at_planned_size: z.number().nullable(),
  })
  .meta({ id: "MinimumDetectableEffect" });

/** Users of an experiment beside those that were planned. */
const ExperimentProgress = z
  .object({
    users: z.int().meta({ description: "In all arms" }),
    planned_users: z.int().nullable().meta({ description: "planned_sample_size at the start; null without a plan" }),
    users_per_day: z
      .number()
      .nullable()
      .meta({
        description:
          "New users a day, of the last 7 whole days, by day of receipt (UTC); null without a plan, before the second day, and " +
          "unless ACTIVE",
      }),
    days_left: z.int().nullable().meta({
      description: "Until the planned users at that rate, rounded up; 0 once they came, null where unknown",
    }),
  })
  .meta({ id: "ExperimentProgress" });

/** One metric of one treatment against control. Undefined numbers are `null`; `status` is the reason. */
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
      description: "Of a CONVERSION with fewer than 5 successes or failures in an arm, to compare with other tools",
    }),
    relative_difference: z.number().nullable(),
    relative_confidence_interval: Interval.nullable(),
    n: z.object({ control: z.int(), treatment: z.int() }).meta({ description: "Users" }),
    unit: z.enum(["CLUSTER"]).optional().meta({
      description: "CLUSTER: users were drawn together, by bucket_by, so errors are over clusters and not over users",
    }),
    clusters: z
      .object({ control: z.int(), treatment: z.int() })
      .optional()
      .meta({ description: "Clusters of the users, with unit CLUSTER" }),
    mean: z.object({ control: z.number().nullable(), treatment: z.number().nullable() }),
    standard_error: z.number().nullable(),
    power: z.number().nullable(),
    minimum_detectable_effect: MinimumDetectableEffect.nullable().optional().meta({
      description: "Of PRIMARY and GUARDRAIL metrics, and of the first one without a PRIMARY; null without an error",
    }),
    test: z.string().meta({ description: "The test that was run, for example WELCH_AND_POOLED_T" }),
    assumption: z
      .enum(["EQUAL_DISTRIBUTIONS"])
      .nullable()
      .meta({
        description:
          "EQUAL_DISTRIBUTIONS: the p-value holds if the arms have the same distribution without an effect; the smaller arm " +
          "has too few users for its skewness to compare means alone",
      }),
    adjustment: Adjustment.optional(),
    status: z.string().meta({ description: "OK, or why numbers are missing" }),
    ...Hypothesis,
    margin_p_value: z
      .number()
      .nullable()
      .meta({
        description:
          "One-sided, that the lift is within the margin; significant below alpha / 2. null for SUPERIORITY, and where the " +
          "control's value may be 0",
      }),
    conclusion: z.enum(CONCLUSIONS).meta({ description: "What this row alone shows at alpha" }),
  })
  .meta({ id: "MetricResult" });
export type MetricResult = z.infer<typeof MetricResult>;

export const SampleRatioMismatch = z
  .object({
    p_value: z.number().nullable().meta({ description: "Of one look (chi-square)" }),
    anytime_p_value: z.number().nullable().meta({ description: "Valid however often it is looked at" }),
    expected: z.record(z.string(), z.number()),
    observed: z
      .record(z.string(), z.int())
      .meta({ description: "Users by variant; clusters if users were drawn together, by bucket_by" }),
    warning: z
      .boolean()
      .meta({ description: "anytime_p_value < 0.001: the split is not the one configured; find out why first" }),
  })
  .meta({ id: "SampleRatioMismatch" });

/** A factor's level against the control's level, averaged over the other factors. */
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

export const RESULT_SOURCES = ["EMBEDDED", "WAREHOUSE"] as const;

export const Results = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    status: z.enum(EXPERIMENT_STATUSES),
    confidence_level: z.number().meta({ description: "Of each interval alone: 1 - alpha" }),
    metrics: z.array(MetricResult),
    main_effects: z.array(MainEffect).optional().meta({ description: "Of MULTIVARIATE experiments" }),
    bayesian_results: BayesianResults.optional().meta({ description: "With bayesian_enabled" }),
    sample_size: z.object({ control: z.int(), treatment: z.int() }),
    progress: ExperimentProgress,
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
        "BEFORE_PLANNED_SIZE: fewer users than planned_sample_size; p-values are for one look, at the end. " +
        "WINSORISED_TO_ONE_VALUE: winsorize_pct or cap of a metric clips more users than have a value, so all became equal. " +
        "CLUSTER_UNKNOWN: users whose exposures lack the attribute of bucket_by are left out. " +
        "FEW_CLUSTERS: an arm has fewer than 10 clusters, or as good as, because some are much larger than others. " +
        "PERIODS_MISALIGNED: of a switchback, more than 5 % of exposures are outside of the period of their cluster. " +
        "CARRY_OVER: of a switchback, outcomes depend on the arm of the same users' period before (p < 0.001). " +
        "UNITS_NOT_INDEPENDENT: users were drawn together by bucket_by but are compared as if each were drawn alone. " +
        "PLAN_CHANGED: planned_sample_size or group_sequential was changed after the start; decisions use those of the start. " +
        "MARGIN_CHANGED: the hypothesis or margin of a metric was changed after the start, so it may follow from the results. " +
        "EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. " +
        "EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum",
    }),
    computed_at: Timestamp.meta({ description: "From WAREHOUSE: when it was synced" }),
  })
  .meta({ id: "Results" });
export type Results = z.infer<typeof Results>;
