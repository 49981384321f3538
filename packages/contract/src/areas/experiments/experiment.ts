import * as z from "zod";
import { DECISIONS, SplitState } from "../../shared/decision.ts";
import {
  Alpha,
  Json,
  MAX_METRIC_VALUE,
  Name,
  Text,
  Timestamp,
  TimestampInput,
  Uuid,
  upper,
} from "../../shared/fields.ts";
import { MAX_PLANNED_USERS } from "../../shared/sample-size.ts";
import { Rule, Rules, TargetingRules } from "../../shared/targeting.ts";
import { GroupSequential } from "./group-sequential.ts";
import { Key } from "./key.ts";
import { Metric, MetricInput } from "./metric.ts";
import { SplitUrlConfig } from "./split-url.ts";
import { Switchback, SwitchbackInput } from "./switchback.ts";
import { VarianceReduction, VarianceReductionInput } from "./variance-reduction.ts";
import { Factor, Override, Variant, VariantInput } from "./variant.ts";

export const EXPERIMENT_TYPES = ["AB_TEST", "MULTIVARIATE", "FEATURE_FLAG", "SPLIT_URL"] as const;
export const EXPERIMENT_STATUSES = ["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"] as const;

/** The bounds of a prior's expected lift, and of its standard deviation. */
export const EFFECT_PRIOR_BOUNDS = { mean: 10, leastDeviation: 1e-6, mostDeviation: 1000 } as const;
const effectMean = {
  description: "The lift that is expected of a treatment, a share of the control's value: 0.01 is 1 %; 0 where absent",
};
const effectDeviation = {
  description:
    "How much lifts vary, as a standard deviation, a share of the control's value. It gives the difference of a metric other " +
    "than CONVERSION a normal prior; without it the prior is flat",
};

export const ALLOCATIONS = ["FIXED", "THOMPSON", "EPSILON_GREEDY", "UCB1"] as const;
export const CORRECTIONS = ["NONE", "BONFERRONI", "HOLM", "BENJAMINI_HOCHBERG"] as const;

/** The stored settings, which may lie outside of today's bounds. */
export const BayesianConfig = z
  .object({
    prior_alpha: z.number().optional(),
    prior_beta: z.number().optional(),
    rope_low: z.number().nullish(),
    rope_high: z.number().nullish(),
    minimum_bayes_factor: z.number().optional(),
    credible_interval_width: z.number().optional(),
    effect_mean: z.number().optional().meta(effectMean),
    effect_sd: z.number().optional().meta(effectDeviation),
  })
  .meta({ id: "BayesianConfig" });

/** The bounds of a prior's parameters. Beyond them, its quantiles leave the range of doubles. */
export const PRIOR_BOUNDS = { least: 1e-6, most: 1e9 } as const;
/** The bounds of the level of a credible interval. */
export const CREDIBLE_BOUNDS = { least: 1e-6, most: 1 - 1e-9 } as const;
const Shape = z.number().min(PRIOR_BOUNDS.least).max(PRIOR_BOUNDS.most);
const RopeEnd = z.number().min(-MAX_METRIC_VALUE).max(MAX_METRIC_VALUE);

const BayesianConfigInput = z
  .object({
    prior_alpha: Shape.optional(),
    prior_beta: Shape.optional(),
    rope_low: RopeEnd.nullish(),
    rope_high: RopeEnd.nullish(),
    minimum_bayes_factor: z.number().min(1).max(1e300).optional(),
    credible_interval_width: z.number().min(CREDIBLE_BOUNDS.least).max(CREDIBLE_BOUNDS.most).optional(),
    effect_mean: z.number().min(-EFFECT_PRIOR_BOUNDS.mean).max(EFFECT_PRIOR_BOUNDS.mean).optional().meta(effectMean),
    effect_sd: z
      .number()
      .min(EFFECT_PRIOR_BOUNDS.leastDeviation)
      .max(EFFECT_PRIOR_BOUNDS.mostDeviation)
      .optional()
      .meta(effectDeviation),
  })
  .refine((config) => config.effect_mean === undefined || config.effect_sd !== undefined, {
    message: "effect_mean needs effect_sd",
    path: ["effect_sd"],
  })
  .refine((config) => config.rope_low == null || config.rope_high == null || config.rope_low < config.rope_high, {
    message: "rope_low must be below rope_high",
    path: ["rope_high"],
  })
  .meta({ id: "BayesianConfigInput" });

/** The name of an arm in another system. */
const LinkedName = z.string().trim().min(1).max(255);

const inputFields = {
  key: Key.optional(),
  name: Name,
  description: Text.nullish(),
  hypothesis: Text.nullish(),
  experiment_type: upper(EXPERIMENT_TYPES).optional(),
  status: upper(EXPERIMENT_STATUSES).optional(),
  start_date: TimestampInput.nullish(),
  end_date: TimestampInput.nullish(),
  targeting_rules: TargetingRules.nullish(),
  rules: Rules.nullish(),
  variants: z.array(VariantInput).max(50).nullish(),
  metrics: z.array(MetricInput).max(100).nullish(),
  factors: z.array(Factor).max(6).nullish(),
  design: upper(["FULL_FACTORIAL"]).nullish(),
  default_value: Json.optional(),
  overrides: z.array(Override).max(1000).nullish(),
  bayesian_enabled: z.boolean().optional(),
  bayesian_config: BayesianConfigInput.nullish(),
  split_url_config: SplitUrlConfig.nullish(),
  feature_flag_key: Key.nullish(),
  bucket_by: z
    .string()
    .min(1)
    .max(255)
    .nullish()
    .meta({
      description:
        "Attribute that is hashed instead of the user id, such as company_id. Users with the same value get " +
        "the same arm, and results are computed by cluster",
    }),
  switchback: SwitchbackInput.nullish().meta({
    description:
      "One user is in several clusters over time, so results are by user and cluster; needs bucket_by and " +
      "sticky_assignment: false, and can change only in DRAFT",
  }),
  alpha: Alpha.optional(),
  correction: upper(CORRECTIONS).optional(),
  allocation: upper(ALLOCATIONS).optional(),
  mutual_exclusion_group_id: Uuid.nullish().meta({
    description: "Id of a mutual exclusion group; the experiment gets a slot of the default size",
  }),
  planned_sample_size: z
    .int()
    .min(2)
    .max(MAX_PLANNED_USERS)
    .nullish()
    .meta({ description: "Planned number of users in all arms together" }),
  group_sequential: GroupSequential.nullish().meta({
    description:
      "Tests the metrics at several planned looks instead of one. Requires planned_sample_size to start, " +
      "and cannot change after the start",
  }),
  variance_reduction: VarianceReductionInput.nullish().meta({
    description: "How metrics are adjusted before the decision; can change only in DRAFT",
  }),
  tracker_issue_key: LinkedName.nullish(),
  crm_campaign_id: LinkedName.nullish(),
  code_pull_request: LinkedName.nullish().meta({ examples: ["acme/shop#42"] }),
};

/** The body of POST; `status` may be DRAFT or ACTIVE. */
export const ExperimentCreate = z.object(inputFields).meta({ id: "ExperimentCreate" });
export type ExperimentCreate = z.infer<typeof ExperimentCreate>;

/** The body of PUT and PATCH: an absent field keeps its value, `null` clears it. */
export const ExperimentUpdate = z.object(inputFields).partial().meta({ id: "ExperimentUpdate" });
export type ExperimentUpdate = z.infer<typeof ExperimentUpdate>;

const summaryFields = {
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  experiment_type: z.enum(EXPERIMENT_TYPES),
  status: z.enum(EXPERIMENT_STATUSES),
  start_date: Timestamp.nullable(),
  end_date: Timestamp.nullable(),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** The effect of a treatment on the first PRIMARY metric, by the test that decides. */
export const PrimaryEffect = z
  .object({
    metric: z.string(),
    variant: z.string(),
    lift: z.number().nullable().meta({ description: "Difference as a share of the control's value" }),
    interval: z.tuple([z.number(), z.number()]).nullable().meta({ description: "Confidence interval of the lift" }),
    decision: z.enum(DECISIONS),
  })
  .meta({ id: "PrimaryEffect" });
export type PrimaryEffect = z.infer<typeof PrimaryEffect>;

export const ExperimentSummary = z
  .object({
    ...summaryFields,
    feature_flag_key: z.string().nullable(),
    users: z
      .int()
      .nullable()
      .meta({
        description:
          "Users in all arms. `users`, `srm` and `primary_effect` are those of the last results or overview that this " +
          "server computed; null before. A list computes none",
      }),
    srm: SplitState,
    primary_effect: PrimaryEffect.nullable(),
  })
  .meta({ id: "ExperimentSummary" });
export type ExperimentSummary = z.infer<typeof ExperimentSummary>;

/** The orders of a list of experiments; `-` in front of one reverses it. */
export const EXPERIMENT_ORDERS = [
  "created_at",
  "updated_at",
  "name",
  "key",
  "status",
  "start_date",
  "end_date",
] as const;

export const Experiment = z
  .object({
    ...summaryFields,
    hypothesis: z.string(),
    targeting_rules: TargetingRules.nullable(),
    rules: z.array(Rule),
    variants: z.array(Variant),
    metrics: z.array(Metric),
    factors: z.array(Factor).optional(),
    design: z.enum(["FULL_FACTORIAL"]).optional(),
    default_value: Json.optional(),
    overrides: z.array(Override).optional(),
    bayesian_enabled: z.boolean(),
    bayesian_config: BayesianConfig.nullable(),
    split_url_config: SplitUrlConfig.optional(),
    feature_flag_key: z.string().nullable(),
    bucket_by: z.string().nullable(),
    switchback: Switchback.optional(),
    alpha: z.number(),
    correction: z.enum(CORRECTIONS),
    allocation: z.enum(ALLOCATIONS).default("FIXED"),
    current_weights: z
      .record(z.string(), z.number())
      .optional()
      .meta({
        description:
          "Current weights of a bandit by variant key, once they have changed; `variants` keep the configured " +
          "weights",
      }),
    mutual_exclusion_group_id: z.string().nullable().default(null),
    planned_sample_size: z.int().nullable().default(null),
    group_sequential: GroupSequential.nullable().default(null),
    variance_reduction: VarianceReduction.optional(),
    tracker_issue_key: z.string().nullable().default(null),
    crm_campaign_id: z.string().nullable().default(null),
    code_pull_request: z.string().nullable().default(null),
    schedule_error: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: "Why the experiment did not start or complete on its date; setting a new date clears it" }),
    winner: z.string().nullable(),
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    version: z.int(),
  })
  .meta({ id: "Experiment" });
export type Experiment = z.infer<typeof Experiment>;
