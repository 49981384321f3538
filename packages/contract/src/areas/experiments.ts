import * as z from "zod";
import {
  IdOrKey,
  Json,
  Name,
  page,
  paging,
  QueryJsonObject,
  strict,
  Text,
  Timestamp,
  TimestampInput,
  UserId,
  Uuid,
  upper,
} from "../fields.ts";
import { defineArea } from "../route.ts";
import { MOST_PLANNED_USERS } from "../sample-size.ts";
import { Rule, TargetingRules } from "../targeting.ts";

export const EXPERIMENT_TYPES = ["AB_TEST", "MULTIVARIATE", "FEATURE_FLAG", "SPLIT_URL"] as const;
export const EXPERIMENT_STATUSES = ["DRAFT", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"] as const;
export const METRIC_KINDS = ["CONVERSION", "MEAN", "COUNT", "RATIO", "QUANTILE"] as const;
export const ALLOCATIONS = ["FIXED", "THOMPSON", "EPSILON_GREEDY", "UCB1"] as const;
export const CORRECTIONS = ["NONE", "BONFERRONI", "HOLM", "BENJAMINI_HOCHBERG"] as const;

/** Flag and experiment keys. */
export const Key = z
  .string()
  .regex(
    /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/,
    "Letters, digits, . _ - only, not starting with . or -, at most 255",
  )
  .meta({ examples: ["checkout-button"] });

export const BayesianConfig = z
  .object({
    prior_alpha: z.number().positive().optional(),
    prior_beta: z.number().positive().optional(),
    rope_low: z.number().nullish(),
    rope_high: z.number().nullish(),
    minimum_bayes_factor: z.number().min(1).optional(),
    credible_interval_width: z.number().gt(0).lt(1).optional(),
  })
  .refine((config) => config.rope_low == null || config.rope_high == null || config.rope_low < config.rope_high, {
    message: "rope_low must be below rope_high",
    path: ["rope_high"],
  })
  .meta({ id: "BayesianConfig" });

const SplitUrl = z.string().refine(isRedirectTarget, "Expected an absolute http(s) URL or a path starting with /");

/** An absolute http(s) URL, or a path that stays on its host however a browser reads it. */
function isRedirectTarget(text: string): boolean {
  if (/^https?:\/\//i.test(text)) return URL.canParse(text);
  const host = "https://host.invalid";
  // Parsers drop tabs and resolve dots, so "/\t/evil.example" and "/..//evil.example" are read as another host.
  return text.startsWith("/") && URL.canParse(text, host) && staysOn(host, new URL(text, host));
}

function staysOn(host: string, url: URL): boolean {
  return url.origin === host && !url.pathname.startsWith("//");
}

export const SplitUrlConfig = z
  .object({
    variants: z
      .array(strict({ key: Key.optional(), name: Name.optional(), url: SplitUrl, weight: z.int().min(0).max(100) }))
      .min(1)
      .max(10),
  })
  .refine((config) => config.variants.reduce((sum, variant) => sum + variant.weight, 0) === 100, {
    message: "Weights must sum to exactly 100",
    path: ["variants"],
  })
  .meta({ id: "SplitUrlConfig" });

export const VariantInput = strict({
  key: Key.optional(),
  id: Key.optional(),
  name: Name.optional(),
  description: Text.optional(),
  weight: z.number().min(0).max(100).optional(),
  is_control: z.boolean().optional(),
  configuration: Json.optional(),
})
  .refine((variant) => variant.key !== undefined || variant.id !== undefined, {
    message: "A variant needs a key (or id)",
    path: ["key"],
  })
  .meta({ id: "VariantInput" });

export const Variant = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    description: z.string().optional(),
    weight: z.number(),
    is_control: z.boolean(),
    configuration: Json.optional(),
    url: z.string().optional(),
  })
  .meta({ id: "Variant" });
export type Variant = z.infer<typeof Variant>;

export const MetricInput = strict({
  id: Key.optional(),
  name: Name,
  event_type: z.string().min(1).max(255),
  kind: upper(METRIC_KINDS).default("CONVERSION"),
  aggregation: upper(["SUM", "MEAN", "MIN", "MAX"]).optional(),
  denominator_event_type: z.string().min(1).max(255).optional(),
  quantile: z.number().gt(0).lt(1).optional(),
  direction: upper(["INCREASE", "DECREASE"]).default("INCREASE"),
  role: upper(["PRIMARY", "SECONDARY", "GUARDRAIL"]).default("SECONDARY"),
  winsorize_pct: z.number().gt(0).lt(0.5).nullish(),
  conversion_window_hours: z.number().positive().max(2160).nullish(),
})
  .refine((metric) => metric.kind !== "RATIO" || metric.denominator_event_type !== undefined, {
    message: "A RATIO metric needs denominator_event_type",
    path: ["denominator_event_type"],
  })
  .refine((metric) => metric.kind !== "QUANTILE" || metric.quantile !== undefined, {
    message: "A QUANTILE metric needs quantile",
    path: ["quantile"],
  })
  .meta({ id: "MetricInput" });

export const Metric = z
  .object({
    id: z.string(),
    name: z.string(),
    event_type: z.string(),
    kind: z.enum(METRIC_KINDS),
    aggregation: z.enum(["SUM", "MEAN", "MIN", "MAX"]).optional(),
    denominator_event_type: z.string().optional(),
    quantile: z.number().optional(),
    direction: z.enum(["INCREASE", "DECREASE"]),
    role: z.enum(["PRIMARY", "SECONDARY", "GUARDRAIL"]),
    winsorize_pct: z.number().nullish(),
    conversion_window_hours: z.number().nullish(),
  })
  .meta({ id: "Metric" });
export type Metric = z.infer<typeof Metric>;

export const Factor = z.object({ name: Name, levels: z.array(Name).min(1).max(20) }).meta({ id: "Factor" });

export const Override = z
  .object({ user_id: UserId.optional(), user_segment: z.string().optional(), value: Json })
  .refine((override) => (override.user_id === undefined) !== (override.user_segment === undefined), {
    message: "An override needs either user_id or user_segment",
    path: ["user_id"],
  })
  .meta({ id: "Override" });

/** What a third party calls its side of an experiment. */
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
  rules: z.array(Rule).max(50).nullish(),
  variants: z.array(VariantInput).max(50).nullish(),
  metrics: z.array(MetricInput).max(100).nullish(),
  factors: z.array(Factor).max(6).nullish(),
  design: upper(["FULL_FACTORIAL"]).nullish(),
  default_value: Json.optional(),
  overrides: z.array(Override).max(1000).nullish(),
  bayesian_enabled: z.boolean().optional(),
  bayesian_config: BayesianConfig.nullish(),
  split_url_config: SplitUrlConfig.nullish(),
  feature_flag_key: Key.nullish(),
  bucket_by: z.string().min(1).max(255).nullish(),
  alpha: z.number().gt(0).lt(1).optional(),
  correction: upper(CORRECTIONS).optional(),
  allocation: upper(ALLOCATIONS).optional(),
  mutual_exclusion_group_id: Uuid.nullish().meta({ description: "Joins the group with a slot of the default size" }),
  planned_sample_size: z
    .int()
    .min(2)
    .max(MOST_PLANNED_USERS)
    .nullish()
    .meta({ description: "Users in all arms together" }),
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

export const ExperimentSummary = z.object(summaryFields).meta({ id: "ExperimentSummary" });

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
    alpha: z.number(),
    correction: z.enum(CORRECTIONS),
    allocation: z.enum(ALLOCATIONS).default("FIXED"),
    current_weights: z.record(z.string(), z.number()).optional().meta({
      description: "Of a bandit that has changed its weights, by variant key; `variants` keep the configured ones",
    }),
    mutual_exclusion_group_id: z.string().nullable().default(null),
    planned_sample_size: z.int().nullable().default(null),
    tracker_issue_key: z.string().nullable().default(null),
    crm_campaign_id: z.string().nullable().default(null),
    code_pull_request: z.string().nullable().default(null),
    schedule_error: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: "Why it did not start or complete at its date; setting a new date clears it" }),
    winner: z.string().nullable(),
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    version: z.int(),
  })
  .meta({ id: "Experiment" });
export type Experiment = z.infer<typeof Experiment>;

export const SplitUrlPreview = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    user_id: z.string(),
    eligible: z.boolean(),
    variant: z.string(),
    url: z.string(),
    cookie_name: z.string(),
    cookie_value: z.string(),
    cookie_max_age: z.int().meta({ description: "Seconds" }),
  })
  .meta({ id: "SplitUrlPreview" });

const byExperimentId = z.object({ experiment_id: IdOrKey });
const reads = { auth: { user: true, key: "read" }, limit: "api" } as const;
const changes = { auth: { user: "DEVELOPER", own: true, key: "admin" }, limit: "api", params: byExperimentId } as const;
const moves = {
  auth: { user: "DEVELOPER", own: true },
  limit: "api",
  params: byExperimentId,
  response: Experiment,
} as const;

export const experiments = defineArea({
  "GET /experiments/": {
    ...reads,
    operationId: "experiments.list",
    summary: "Experiments, filtered, searched and sorted",
    cache: "definitions",
    query: z.object({
      status_filter: upper(EXPERIMENT_STATUSES).optional(),
      ...paging(500, 100),
      search: z.string().max(255).optional(),
      sort_by: z
        .enum(["created_at", "updated_at", "name", "key", "status", "start_date", "end_date"])
        .default("created_at"),
      sort_order: z.enum(["asc", "desc"]).default("desc"),
    }),
    response: page(ExperimentSummary),
  },
  "POST /experiments/": {
    operationId: "experiments.create",
    summary: "Create an experiment",
    auth: { user: "DEVELOPER", key: "admin" },
    limit: "api",
    body: ExperimentCreate,
    status: 201,
    response: Experiment,
  },
  "GET /experiments/{experiment_id}": {
    ...reads,
    operationId: "experiments.get",
    summary: "An experiment, by id or key",
    cache: "definitions",
    params: byExperimentId,
    response: Experiment,
  },
  "PUT /experiments/{experiment_id}": {
    ...changes,
    operationId: "experiments.update",
    summary: "Change an experiment: absent fields keep their value, null clears",
    body: ExperimentUpdate,
    response: Experiment,
  },
  "PATCH /experiments/{experiment_id}": {
    ...changes,
    operationId: "experiments.patch",
    summary: "The same as PUT",
    body: ExperimentUpdate,
    response: Experiment,
  },
  "DELETE /experiments/{experiment_id}": {
    ...changes,
    operationId: "experiments.delete",
    summary: "Delete a DRAFT experiment",
    status: 204,
  },
  "POST /experiments/{experiment_id}/start": {
    ...moves,
    operationId: "experiments.start",
    summary: "DRAFT or PAUSED to ACTIVE",
  },
  "POST /experiments/{experiment_id}/pause": {
    ...moves,
    operationId: "experiments.pause",
    summary: "ACTIVE to PAUSED",
  },
  "POST /experiments/{experiment_id}/complete": {
    ...moves,
    operationId: "experiments.complete",
    summary: "ACTIVE or PAUSED to COMPLETED; a winner is served to everyone by the bound flag",
    body: z.object({ winner: z.string().optional() }).optional(),
  },
  "POST /experiments/{experiment_id}/archive": {
    ...moves,
    operationId: "experiments.archive",
    summary: "Any status but ARCHIVED to ARCHIVED",
  },
  "POST /experiments/{experiment_id}/clone": {
    operationId: "experiments.clone",
    summary: "A new DRAFT with the same design",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: byExperimentId,
    body: z.object({ name: Name.optional(), key: Key.optional() }).optional(),
    status: 201,
    response: Experiment,
  },
  "GET /experiments/{experiment_id}/split-url/preview": {
    ...reads,
    operationId: "experiments.previewSplitUrl",
    summary: "Which URL a user would be sent to",
    params: byExperimentId,
    query: z.object({ user_id: UserId, attributes: QueryJsonObject.optional() }),
    response: SplitUrlPreview,
  },
});
