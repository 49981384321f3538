import * as z from "zod";
import { Timestamp } from "../../shared/fields.ts";
import { EXPERIMENT_STATUSES } from "../experiments/experiment.ts";
import { METRIC_KINDS } from "../experiments/metric.ts";
import { ADJUSTMENT_STATUSES, Adjustment } from "./adjustment.ts";
import { BayesianResults } from "./bayesian.ts";
import { CONCLUSIONS, Hypothesis, Interval } from "./fields.ts";
import { WinnersCurse } from "./winners-curse.ts";

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
    margin: z
      .number()
      .nullable()
      .optional()
      .meta({
        description:
          "Of a metric with a margin: the smallest margin, as a share of the control's value, that the row shows with 80 % " +
          "power if the treatment is like the control; null if that is 1 or more, or the control's value is 0",
      }),
    margin_at_planned_size: z.number().nullable().optional().meta({
      description: "margin, once there are the planned users; null without a plan",
    }),
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

/** One metric of one treatment compared with the control. Undefined numbers are `null`; `status` is the reason. */
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
        "Newcombe's interval, for comparison with other tools. Given for a CONVERSION with fewer than 5 " +
        "successes or failures in an arm",
    }),
    relative_difference: z.number().nullable(),
    relative_confidence_interval: Interval.nullable(),
    n: z.object({ control: z.int(), treatment: z.int() }).meta({ description: "Number of users in each arm" }),
    unit: z.enum(["CLUSTER"]).optional().meta({
      description: "CLUSTER: bucket_by assigned users together, so standard errors are of clusters instead of users",
    }),
    clusters: z
      .object({ control: z.int(), treatment: z.int() })
      .optional()
      .meta({ description: "Number of clusters in each arm, with unit CLUSTER" }),
    mean: z.object({ control: z.number().nullable(), treatment: z.number().nullable() }),
    standard_error: z.number().nullable(),
    power: z.number().nullable(),
    minimum_detectable_effect: MinimumDetectableEffect.nullable().optional().meta({
      description: "Of PRIMARY and GUARDRAIL metrics, and of the first one without a PRIMARY; null without an error",
    }),
    test: z.string().meta({ description: "Name of the test, such as WELCH_AND_POOLED_T" }),
    assumption: z
      .enum(["EQUAL_DISTRIBUTIONS"])
      .nullable()
      .meta({
        description:
          "EQUAL_DISTRIBUTIONS: the p-value assumes that without an effect both arms have the same " +
          "distribution, because the smaller arm has too few users for its skewness to compare means alone",
      }),
    adjustment: Adjustment.optional(),
    status: z.string().meta({ description: "OK, or the reason why numbers are missing" }),
    ...Hypothesis,
    margin_p_value: z
      .number()
      .nullable()
      .meta({
        description:
          "One-sided p-value of the claim that the lift is within the margin; significant below alpha / 2. " +
          "Null for SUPERIORITY, and if the control's value may be 0",
      }),
    conclusion: z.enum(CONCLUSIONS).meta({ description: "What this row alone shows at alpha" }),
    winners_curse: WinnersCurse.optional().meta({
      description: "Of a completed experiment, where a metric that decides is significantly better: what to expect",
    }),
  })
  .meta({ id: "MetricResult" });
export type MetricResult = z.infer<typeof MetricResult>;

export const SampleRatioMismatch = z
  .object({
    p_value: z.number().nullable().meta({ description: "p-value of a chi-square test at one look" }),
    anytime_p_value: z.number().nullable().meta({ description: "p-value that stays valid under repeated looks" }),
    expected: z.record(z.string(), z.number()),
    observed: z
      .record(z.string(), z.int())
      .meta({ description: "Number of users by variant; number of clusters if bucket_by assigned users together" }),
    warning: z.boolean().meta({
      description:
        "Whether anytime_p_value is below 0.001: the split differs from the configured weights, so find out " +
        "why before you trust the results",
    }),
  })
  .meta({ id: "SampleRatioMismatch" });

/** The effect of a factor's level compared with the control level, averaged over the other factors. */
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
    adjustment_status: z
      .enum(ADJUSTMENT_STATUSES)
      .optional()
      .meta({
        description:
          "With variance_reduction. OK and COMMON_SLOPES: each pair of arms that differ only in this factor is adjusted. The " +
          "other values mean what they mean in rows: a pair could not be adjusted, so none is",
      }),
  })
  .meta({ id: "MainEffect" });
export type MainEffect = z.infer<typeof MainEffect>;

export const RESULT_SOURCES = ["EMBEDDED", "WAREHOUSE"] as const;

export const Results = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    status: z.enum(EXPERIMENT_STATUSES),
    confidence_level: z.number().meta({ description: "Confidence level of each interval: 1 - alpha" }),
    metrics: z.array(MetricResult),
    main_effects: z
      .array(MainEffect)
      .optional()
      .meta({ description: "Effects of the factors, for MULTIVARIATE experiments" }),
    bayesian_results: BayesianResults.optional().meta({ description: "Given if bayesian_enabled is true" }),
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
    crossover: z.int().meta({ description: "Number of users seen in two arms, who are excluded" }),
    forced: z.int().meta({ description: "Number of users whose arm was forced, who are excluded" }),
    source: z.enum(RESULT_SOURCES).meta({ description: "Source of the events" }),
    analysis_warnings: z.array(z.string()).meta({
      description:
        "EXPOSURES_INFERRED: there are no exposure events; exposures are inferred from outcomes. " +
        "WEIGHTED_BY_PERIOD: the weights of a bandit have changed; each period counts by its share of all " +
        "users. BEFORE_PLANNED_SIZE: there are fewer users than planned_sample_size; the p-values are valid " +
        "for one look, at the end. WINSORISED_TO_ONE_VALUE: winsorize_pct or cap of a metric clips more " +
        "users than have a value, so all values became equal. CLUSTER_UNKNOWN: users whose exposures lack " +
        "the attribute of bucket_by are excluded. FEW_CLUSTERS: an arm has fewer than 10 clusters, or " +
        "effectively so, because some clusters are much larger than others. PERIODS_MISALIGNED: in a switchback, " +
        "more than 5 % of exposures are outside of the period of their cluster. CARRY_OVER: in a switchback, " +
        "outcomes depend on the arm of the same users' previous period (p < 0.001). UNITS_NOT_INDEPENDENT: bucket_by " +
        "assigned users together, but they are compared as if assigned individually. PLAN_CHANGED: " +
        "planned_sample_size or group_sequential changed after the start; decisions use the values at the " +
        "start. MARGIN_CHANGED: the hypothesis or margin of a metric changed after the start, so its choice " +
        "may depend on the results. EVENTS_REMOVED: events received since the start of the experiment were " +
        "removed because of their age. EVENTS_DAMAGED: events received during the experiment may be lost " +
        "because their record failed its checksum. EVENTS_DELAYED: the event engine does not have the latest events yet",
    }),
    complete_until: Timestamp.nullable()
      .optional()
      .meta({
        description:
          "Given if the event engine does not have every acknowledged event yet: those received until this time are counted; " +
          "null if none are",
      }),
    computed_at: Timestamp.meta({ description: "For WAREHOUSE: time of the sync" }),
  })
  .meta({ id: "Results" });
export type Results = z.infer<typeof Results>;
