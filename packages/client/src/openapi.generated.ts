// Generated from the contract by `pnpm generate`; do not edit.

export interface Adjustment {
  method: "CUPED" | "REGRESSION";
  /** Ids of the metrics whose value before the exposure counts, and names of attributes */
  covariates: string[];
  adjusted_control_mean: number | null;
  adjusted_treatment_mean: number | null;
  unadjusted_difference: number | null;
  unadjusted_standard_error: number | null;
  /** 100 (1 - (adjusted / unadjusted standard error)^2); null if the row is not adjusted */
  variance_reduction_pct: number | null;
  /**
   * OK, and COMMON_SLOPES: the row is adjusted, with one slope for both arms where an arm has fewer than 20 users for each slope and its mean, or who do not have 0 of a covariate. Otherwise the row is not adjusted. NO_COVARIATE_VARIES: no covariate differs between users. TOO_FEW_CONVERSIONS: the smaller arm can expect too few conversions or non-conversions for means to be compared. INSUFFICIENT_DATA: too few users. NOT_APPLICABLE: quantiles. NOT_AVAILABLE: the data came from a warehouse, users were drawn in clusters, or a breakdown has more than 10,000 segments x metrics x arms
   * @enum {string}
   */
  status: "OK" | "COMMON_SLOPES" | "NO_COVARIATE_VARIES" | "TOO_FEW_CONVERSIONS" | "INSUFFICIENT_DATA" | "NOT_APPLICABLE" | "NOT_AVAILABLE";
}
export interface ApiKey {
  id: string;
  name: string;
  kind: "SERVER" | "CLIENT";
  scopes: ("read" | "write" | "admin")[];
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  created_by: string;
  last_used_at: string | null;
  expires_at: string | null;
  rate_limit_per_minute: number | null;
  allowed_origins: string[];
  is_active: boolean;
  /** Unused for 30 days: revoke it */
  stale: boolean;
  /**
   * Format: date-time
   * 90 days after creation
   * @example 2026-01-31T09:30:00.000Z
   */
  rotate_by: string;
}
export interface AssignAnswer {
  experiment_id: string;
  experiment_key: string;
  user_id: string;
  variant_id: string;
  variant_key: string;
  configuration: unknown;
  assigned: boolean;
  reason: string;
  assignment_date: string | null;
}
export interface Assignment {
  experiment_id: string;
  experiment_key: string;
  variant_id: string;
  variant_key: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  assignment_date: string;
  status: string;
}
export interface AuditLogEntry {
  id: string;
  /** Position in the trail, from 1 */
  sequence: number;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  timestamp: string;
  actor_id: string | null;
  actor_type: "USER" | "API_KEY" | "SYSTEM" | "WEBHOOK";
  action: string;
  resource_type: string;
  resource_id: string | null;
  resource_name: string | null;
  old_value: {
    [key: string]: unknown;
  } | null;
  new_value: {
    [key: string]: unknown;
  } | null;
  reason: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  /** Parts that were blanked */
  redacted?: ("actor" | "resource" | "values")[];
}
export interface AuditStats {
  total: number;
  by_action: {
    [key: string]: number;
  };
  by_resource_type: {
    [key: string]: number;
  };
  /** Entries by actor_id, or by actor_type where the id is null; the 1,000 most active */
  by_actor: {
    [key: string]: number;
  };
  by_day: {
    [key: string]: number;
  };
}
export interface AuthProfile {
  username: string;
  email: string;
  given_name: string;
  family_name: string;
}
export interface Bandit {
  experiment_id: string;
  algorithm: "FIXED" | "THOMPSON" | "EPSILON_GREEDY" | "UCB1";
  /** false with FIXED: `weight` is then what Thompson sampling would make of it */
  applied: boolean;
  metric: string | null;
  /** The first PRIMARY metric, else the first */
  metric_id: string | null;
  weights: {
    variant_id: string;
    variant_key: string;
    /** Share of the users who come now */
    weight: number;
    /** What an update would make of it; null with too little data */
    next_weight: number | null;
    /** Users who converted; null unless the metric is a CONVERSION */
    successes: number | null;
    /** Users */
    trials: number;
    /** Of the metric; weighted by period once weights have changed */
    mean: number | null;
  }[];
  /** By variant key, by the metric's direction; null with too little data */
  probability_best: {
    [key: string]: number;
  } | null;
  total_trials: number;
  /** Per user at these weights against always showing the best arm, in the metric's units */
  expected_regret: number | null;
  /** Share that every arm keeps */
  min_weight: number;
  /** When weights last changed; null where they never did */
  last_updated: string | null;
  /**
   * READY: an update changes the weights. UNCHANGED: by less than a point in every arm, so they stay. INSUFFICIENT_DATA: an arm has fewer than 100 users since the last change, or all of them fewer than 2 % of the users before it, or the metric does not vary. FIXED, NOT_RUNNING, NO_METRIC, ONE_ARM: as they say
   * @enum {string}
   */
  status: "READY" | "UNCHANGED" | "INSUFFICIENT_DATA" | "FIXED" | "NOT_RUNNING" | "NO_METRIC" | "ONE_ARM";
}
export interface BanditWeights {
  /** By variant id or key; every variant, summing to 1. 0 takes an arm out until it is set again */
  weights: {
    [key: string]: number;
  };
}
export interface BayesianConfig {
  prior_alpha?: number;
  prior_beta?: number;
  rope_low?: number | null;
  rope_high?: number | null;
  minimum_bayes_factor?: number;
  credible_interval_width?: number;
}
export interface BayesianConfigInput {
  prior_alpha?: number;
  prior_beta?: number;
  rope_low?: number | null;
  rope_high?: number | null;
  minimum_bayes_factor?: number;
  credible_interval_width?: number;
}
export interface BayesianResults {
  /** Of a rate; null for a normal posterior */
  posterior_alpha: number | null;
  posterior_beta: number | null;
  posterior_mean: number | null;
  /** Equal-tailed */
  credible_interval: [
    number,
    number
  ] | null;
  /** Of a difference against none, clamped to e^-700..e^700 */
  bayes_factor: number | null;
  log_bayes_factor: number | null;
  /** P(better than control), by direction */
  probability_of_superiority: number | null;
  metric_id: string | null;
  expected_loss: {
    control: number;
    treatment: number;
  } | null;
  decision: "ACCEPT_NULL" | "ACCEPT_ALTERNATIVE" | "INCONCLUSIVE" | "ROPE_ACCEPT";
  /** Decided before the experiment's end_date or its planned_sample_size */
  stopped_early: boolean;
  difference: {
    mean: number;
    credible_interval: [
      number,
      number
    ];
    /** null without a ROPE */
    rope_probability: number | null;
  } | null;
  variants: {
    /** Of a rate; null for a normal posterior */
    posterior_alpha: number | null;
    posterior_beta: number | null;
    posterior_mean: number | null;
    /** Equal-tailed */
    credible_interval: [
      number,
      number
    ] | null;
    /** Of a difference against none, clamped to e^-700..e^700 */
    bayes_factor: number | null;
    log_bayes_factor: number | null;
    /** P(better than control), by direction */
    probability_of_superiority: number | null;
    variant: string;
    n: number;
    highest_density_interval: [
      number,
      number
    ] | null;
    probability_best: number | null;
    /** Against the best arm, in the metric's units */
    expected_loss: number | null;
    /** null for control */
    decision: ("ACCEPT_NULL" | "ACCEPT_ALTERNATIVE" | "INCONCLUSIVE" | "ROPE_ACCEPT") | null;
  }[];
  /**
   * With variance_reduction: OK and COMMON_SLOPES: comparisons with control are of adjusted means, as are the posteriors where there is one treatment. NOT_APPLICABLE: a rate or a quantile. Otherwise as in rows; of the first treatment
   * @enum {string}
   */
  adjustment_status?: "OK" | "COMMON_SLOPES" | "NO_COVARIATE_VARIES" | "TOO_FEW_CONVERSIONS" | "INSUFFICIENT_DATA" | "NOT_APPLICABLE" | "NOT_AVAILABLE";
  /** OK, or why numbers are missing */
  status: string;
}
export interface BreakdownResults {
  experiment_id: string;
  dimension: string;
  base_alpha: number;
  /** base_alpha / comparisons */
  corrected_alpha: number;
  /** Comparisons that could be tested */
  comparisons: number;
  heterogeneity: {
    metric: string;
    metric_id: string;
    variant: string;
    q: number | null;
    df: number;
    p_value: number | null;
  }[];
  segments: {
    segment: string;
    metric: string;
    metric_id: string;
    variant: string;
    n_control: number;
    n_treatment: number;
    control_value: number | null;
    treatment_value: number | null;
    difference: number | null;
    standard_error: number | null;
    p_value: number | null;
    adjusted_p_value: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    is_significant: boolean;
    /** With variance_reduction: how the row is adjusted, by the segment's own slopes */
    adjustment?: Adjustment;
    /** OK, or why numbers are missing */
    status: string;
  }[];
  /** ONE_LOOK: everything was received on one day, an import for example. PERIODS_POOLED: a bandit's weights have changed, and this analysis does not tell the periods apart. EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum */
  analysis_warnings: string[];
}
export interface BulkToggle {
  /** Ids or keys; a flag named twice counts once */
  flag_ids: string[];
  action: "ENABLE" | "DISABLE" | "ARCHIVE";
  reason?: string;
}
export interface BulkToggleResult {
  total: number;
  succeeded: number;
  failed: number;
  results: {
    /** As requested if the flag does not exist */
    flag_id: string;
    flag_key: string | null;
    success: boolean;
    error: string | null;
    old_status: ("ACTIVE" | "INACTIVE" | "ARCHIVED") | null;
    new_status: ("ACTIVE" | "INACTIVE" | "ARCHIVED") | null;
  }[];
}
export interface CodehostConfig {
  token: string;
  webhook_secret: string;
  /** Of the API; default https://api.github.com */
  base_url?: string | null;
}
export type CodehostEvent = {
  action?: string;
  number?: number;
  pull_request?: {
    title?: string | null;
    html_url?: string | null;
    merged?: boolean | null;
  } & {
    [key: string]: unknown;
  };
  repository?: {
    full_name: string;
  } & {
    [key: string]: unknown;
  };
} & {
  [key: string]: unknown;
};
export interface ComplianceEvent {
  id: string;
  /** Position in the trail, from 1 */
  sequence: number;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  timestamp: string;
  actor_id: string | null;
  actor_type: "USER" | "API_KEY" | "SYSTEM" | "WEBHOOK";
  action: string;
  resource_type: string;
  resource_id: string | null;
  resource_name: string | null;
  old_value: {
    [key: string]: unknown;
  } | null;
  new_value: {
    [key: string]: unknown;
  } | null;
  reason: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  /** Parts that were blanked */
  redacted?: ("actor" | "resource" | "values")[];
  outcome: "SUCCESS" | "FAILURE";
  previous_hash: string | null;
  /** Null for the moment until the entry is sealed */
  hash: string | null;
  /** HMAC-SHA256 of hash */
  signature: string | null;
  /** Of redacted parts, whose content is gone */
  part_hashes?: {
    [key: string]: string;
  };
}
export interface ComplianceReport {
  framework: "SOC2" | "ISO27001";
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  generated_at: string;
  period: {
    /**
     * Format: date-time
     * @example 2026-01-31T09:30:00.000Z
     */
    start: string;
    /**
     * Format: date-time
     * @example 2026-01-31T09:30:00.000Z
     */
    end: string;
    days: number;
  };
  controls: {
    id: string;
    name: string;
    evidence_count: number;
    /** Entries of the period by action */
    evidence: {
      [key: string]: number;
    };
    status: "EVIDENCED" | "NO_EVIDENCE";
  }[];
  total_events: number;
  integrity: Integrity;
}
export type Condition = {
  all: Condition[];
} | {
  any: Condition[];
} | {
  not: Condition | Condition[];
} | {
  attribute?: string;
  operator: "EQUALS" | "NOT_EQUALS" | "IN" | "NOT_IN" | "CONTAINS" | "STARTS_WITH" | "ENDS_WITH" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL" | "MATCHES" | "EXISTS" | "SEMVER_EQUALS" | "SEMVER_NOT_EQUALS" | "SEMVER_GREATER_THAN" | "SEMVER_GREATER_THAN_OR_EQUAL" | "SEMVER_LESS_THAN" | "SEMVER_LESS_THAN_OR_EQUAL" | "BEFORE" | "AFTER" | "IN_SEGMENT";
  value?: unknown;
};
export interface CounterIncrement {
  /** Id or key of a variant */
  variant_id: string;
  counter: "assignments" | "events" | "conversions";
  /** @default 1 */
  amount?: number;
}
export interface Counters {
  experiment_id: string;
  totals: {
    assignments: number;
    events: number;
    conversions: number;
  };
  variants: {
    variant_id: string;
    variant_key: string;
    assignments: number;
    events: number;
    conversions: number;
  }[];
  /** Of the last increment; null where nothing was counted */
  updated_at: string | null;
}
export interface CreatedApiKey {
  id: string;
  name: string;
  kind: "SERVER" | "CLIENT";
  scopes: ("read" | "write" | "admin")[];
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  created_by: string;
  last_used_at: string | null;
  expires_at: string | null;
  rate_limit_per_minute: number | null;
  allowed_origins: string[];
  is_active: boolean;
  /** Unused for 30 days: revoke it */
  stale: boolean;
  /**
   * Format: date-time
   * 90 days after creation
   * @example 2026-01-31T09:30:00.000Z
   */
  rotate_by: string;
  description: string;
  /** The secret, shown once; absent where the request is repeated */
  key?: string;
}
export interface CrmConfig {
  /** Format: uri */
  instance_url: string;
  client_id: string;
  client_secret: string;
  /** Used until the server refuses it; then a new one is requested */
  access_token?: string | null;
  /** Default: `/services/oauth2/token` of the instance */
  token_url?: string | null;
  api_version?: string | null;
  /** Campaign field that takes a summary of the results */
  results_field?: string | null;
  /** Key of `X-Hub-Signature-256` over the body */
  webhook_secret?: string | null;
  /** Expected in `X-Assay-Webhook-Token`, or as `?token=` */
  webhook_token?: string | null;
  /** Lets webhooks change experiments where neither secret is set */
  allow_unsigned?: boolean | null;
  transitions?: {
    [key: string]: "START" | "PAUSE" | "COMPLETE" | "ARCHIVE";
  } | null;
}
export type CrmEvent = {
  event_type?: string;
  campaign_id?: string;
  campaign_name?: string | null;
  status?: string;
  experiment_key?: string;
} & {
  [key: string]: unknown;
};
export interface CupedResults {
  experiment_id: string;
  winsorize: boolean;
  lower_pct: number;
  upper_pct: number;
  metrics: {
    metric: string;
    metric_id: string;
    variant: string;
    theta: number | null;
    correlation: number | null;
    control_mean: number | null;
    treatment_mean: number | null;
    adjusted_control_mean: number | null;
    adjusted_treatment_mean: number | null;
    difference: number | null;
    adjusted_difference: number | null;
    standard_error: number | null;
    adjusted_standard_error: number | null;
    /** Of the adjusted difference, as is the interval */
    p_value: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    /** Negative where the covariate does harm */
    variance_reduction_pct: number | null;
    /** Users of both arms who had an event before */
    covered_users: number;
    /** OK, or why numbers are missing */
    status: string;
  }[];
  /** ONE_LOOK: everything was received on one day, an import for example. PERIODS_POOLED: a bandit's weights have changed, and this analysis does not tell the periods apart. EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum */
  analysis_warnings: string[];
}
export interface CurrentUser {
  id: string;
  username: string;
  email: string;
  role: "viewer" | "analyst" | "developer" | "admin";
  is_active: boolean;
}
export interface Definitions {
  schema_version: number;
  /** The environment; providers show it as `flagSetId` */
  flag_set_id?: string;
  flags: FlagDefinition[];
  segments: {
    id: string;
    name: string;
    user_ids?: string[];
    user_ids_hashed?: {
      salt: string;
      hashes: string[];
    };
    when?: Condition | null;
  }[];
  groups: {
    id: string;
    slots: {
      experiment_key: string;
      slot_start: number;
      slot_end: number;
    }[];
  }[];
  holdout: {
    id: string;
    percentage: number;
  } | null;
  experiments: {
    id: string;
    key: string;
    status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
    experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
    variants: {
      key: string;
      weight: number;
      is_control?: boolean;
      configuration?: unknown;
      url?: string;
    }[];
    targeting_rules?: ServedTargetingRules | null;
    rules?: Rule[];
    overrides?: {
      user_id?: string;
      user_segment?: string;
      value: unknown;
    }[];
    feature_flag_key?: string | null;
    mutual_exclusion_group_id?: string | null;
    bucket_by?: string | null;
  }[];
}
export interface DefinitionsEvent {
  version: string;
  flags: string[];
  experiments: string[];
}
export interface DesignAssumption {
  field: string;
  value: number | string;
  reason: string;
}
export interface DesignQuestion {
  field: string;
  question: string;
}
export interface DesignReading {
  field: string;
  value: number | string;
  text: string;
}
export interface DesignRequest {
  description: string;
  baseline_rate?: number;
  /** Mean of control, in place of baseline_rate */
  mean?: number;
  /** Of the metric; of a RATIO or QUANTILE, the standard error of control times the root of its users */
  standard_deviation?: number;
  /** Size of the effect, a share of the baseline: 0.1 is 10 % */
  mde?: number;
  /** false if mde is absolute; true by default */
  relative?: boolean;
  direction?: "INCREASE" | "DECREASE";
  alpha?: number;
  power?: number;
  /** Correlation of the metric with what variance_reduction adjusts by: the variance times 1 - its square */
  cuped_correlation?: number;
  /** Mean users of a cluster, where bucket_by draws users together; needs icc */
  cluster_size?: number;
  /** Standard deviation of the users of a cluster / cluster_size; 0 where absent */
  cluster_size_cv?: number;
  /** Intraclass correlation: the share of the variance that lies between clusters */
  icc?: number;
  daily_users?: number;
}
export interface EffectivePermission {
  /** An area, `feature-flags`, or `*` */
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  /** Only on what the user created */
  own_actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
}
export interface ErrorBody {
  detail: string | ValidationIssue[];
}
export interface EtlJob {
  name: string;
  description: string;
  /** JSON Schema of what a run takes */
  parameters: {
    [key: string]: unknown;
  };
  /** Newest first, at most 5 */
  latest_runs: EtlRun[];
}
export interface EtlLogs {
  items: {
    /**
     * Format: date-time
     * @example 2026-01-31T09:30:00.000Z
     */
    timestamp: string;
    level: "INFO" | "WARN" | "ERROR";
    message: string;
  }[];
}
export interface EtlRun {
  /** Format: uuid */
  run_id: string;
  job_name: string;
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  progress: number;
  /** Events, or experiments, by the job */
  processed: number;
  parameters: {
    [key: string]: unknown;
  };
  /** Written to the server's exports directory */
  files: {
    name: string;
    rows: number;
    bytes: number;
  }[];
  /** null for the server itself */
  created_by: string | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
}
export interface Evaluation {
  key: string;
  enabled: boolean;
  value: unknown;
  variant: string | null;
  reason: "TARGETING_MATCH" | "SPLIT" | "STATIC" | "DEFAULT" | "DISABLED" | "PREREQUISITE_FAILED" | "HOLDOUT" | "ERROR";
  rule_id: string | null;
  bucket: number | null;
  error_code?: string;
  error_message?: string;
  trace?: {
    step: string;
    subject: string;
    matched: boolean;
    detail: string;
  }[];
}
export interface EventsAnswer {
  accepted: number;
  duplicates: number;
  rejected: number;
  errors: {
    /** Starts with "body", "query" or "path" */
    loc: (string | number)[];
    msg: string;
    type: string;
    index: number;
  }[];
  warnings?: {
    index: number;
    code: string;
    msg: string;
  }[];
}
export interface Experiment {
  id: string;
  key: string;
  name: string;
  description: string;
  experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  start_date: string | null;
  end_date: string | null;
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  hypothesis: string;
  targeting_rules: TargetingRules | null;
  rules: Rule[];
  variants: Variant[];
  metrics: Metric[];
  factors?: Factor[];
  design?: "FULL_FACTORIAL";
  default_value?: unknown;
  overrides?: Override[];
  bayesian_enabled: boolean;
  bayesian_config: BayesianConfig | null;
  split_url_config?: SplitUrlConfig;
  feature_flag_key: string | null;
  bucket_by: string | null;
  switchback?: Switchback;
  alpha: number;
  correction: "NONE" | "BONFERRONI" | "HOLM" | "BENJAMINI_HOCHBERG";
  /**
   * @default FIXED
   * @enum {string}
   */
  allocation: "FIXED" | "THOMPSON" | "EPSILON_GREEDY" | "UCB1";
  /** Of a bandit that has changed its weights, by variant key; `variants` keep the configured ones */
  current_weights?: {
    [key: string]: number;
  };
  /** @default null */
  mutual_exclusion_group_id: string | null;
  /** @default null */
  planned_sample_size: number | null;
  /** @default null */
  group_sequential: GroupSequential | null;
  variance_reduction?: VarianceReduction;
  /** @default null */
  tracker_issue_key: string | null;
  /** @default null */
  crm_campaign_id: string | null;
  /** @default null */
  code_pull_request: string | null;
  /**
   * Why it did not start or complete at its date; setting a new date clears it
   * @default null
   */
  schedule_error: string | null;
  winner: string | null;
  started_at: string | null;
  ended_at: string | null;
  version: number;
}
export interface ExperimentCreate {
  /** @example checkout-button */
  key?: string;
  name: string;
  description?: string | null;
  hypothesis?: string | null;
  experiment_type?: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  status?: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  start_date?: string | null;
  end_date?: string | null;
  targeting_rules?: TargetingRulesInput | null;
  rules?: RuleInput[] | null;
  variants?: VariantInput[] | null;
  metrics?: MetricInput[] | null;
  factors?: Factor[] | null;
  design?: "FULL_FACTORIAL" | null;
  default_value?: unknown;
  overrides?: Override[] | null;
  bayesian_enabled?: boolean;
  bayesian_config?: BayesianConfigInput | null;
  split_url_config?: SplitUrlConfig | null;
  feature_flag_key?: string | null;
  /** The attribute that is hashed instead of the user id, such as company_id: its users get the same arm together, and results are by cluster */
  bucket_by?: string | null;
  /** One user is in several clusters over time, so results are by user and cluster; needs bucket_by and sticky_assignment: false, and can change only in DRAFT */
  switchback?: SwitchbackInput | null;
  alpha?: number;
  correction?: "NONE" | "BONFERRONI" | "HOLM" | "BENJAMINI_HOCHBERG";
  allocation?: "FIXED" | "THOMPSON" | "EPSILON_GREEDY" | "UCB1";
  /** Joins the group with a slot of the default size */
  mutual_exclusion_group_id?: string | null;
  /** Users in all arms together */
  planned_sample_size?: number | null;
  /** Decide at several looks instead of one; needs planned_sample_size to start, and is fixed by the start */
  group_sequential?: GroupSequentialInput | null;
  /** How metrics are adjusted before they decide; can change only in DRAFT */
  variance_reduction?: VarianceReductionInput | null;
  tracker_issue_key?: string | null;
  crm_campaign_id?: string | null;
  /** @example acme/shop#42 */
  code_pull_request?: string | null;
}
export interface ExperimentDesign {
  name: string;
  description: string;
  hypothesis: string;
  experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  variants?: {
    key: string;
    name: string;
    description?: string;
    weight: number;
    is_control: boolean;
    configuration?: unknown;
  }[];
  metrics: {
    id: string;
    name: string;
    event_type: string;
    kind: "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
    denominator_event_type?: string;
    quantile?: number;
    direction: "INCREASE" | "DECREASE";
    role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  }[];
  split_url_config?: {
    variants: {
      key: string;
      name: string;
      url: string;
      weight: number;
    }[];
  };
  factors?: {
    name: string;
    levels: string[];
  }[];
  targeting_rules?: TargetingRules;
  alpha: number;
  planned_sample_size: number | null;
  /** Why each part is as it is, and what was assumed */
  rationale: string[];
  /** What the description says */
  reading: DesignReading[];
  /** Every default in the design and its sample size */
  assumptions: DesignAssumption[];
  /** What the description does not say, or not clearly */
  questions: DesignQuestion[];
  /** null while a question has to be answered first */
  sample_size: SampleSize | null;
  template_id: string | null;
  source: "BUILT_IN" | "LANGUAGE_MODEL";
}
export interface ExperimentProgram {
  /** Also the key that is hashed */
  key: string;
  /** The attribute that is hashed instead of the user id */
  bucket_by?: string;
  /** Changes if a result can change, through the definition itself or through one that it refers to */
  revision: string;
  id: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  variants: {
    key: string;
    url?: string;
  }[];
  /** Empty if the experiment uses the control of the flag */
  control: string;
  feature_flag_key?: string;
  /**
   * False if every request computes the arm again
   * @constant
   */
  sticky_assignment?: false;
  decision: ExperimentProgramDecision;
}
export interface ExperimentProgramDecision {
  /** In order: the first step whose predicate is true decides */
  steps: [
    ProgramPredicate,
    ExperimentProgramDraw | ExperimentProgramOutcome
  ][];
  otherwise: ExperimentProgramDraw | ExperimentProgramOutcome;
}
export interface ExperimentProgramDraw {
  /** Upper ends of the intervals of the variants, in [0, 1] */
  ends: number[];
  /** Where the part of each interval that is inside the rollout ends, in [0, 1] */
  fills: number[];
  /** One for each interval, and one for outside of the rollout */
  outcomes: ExperimentProgramOutcome[];
}
export interface ExperimentProgramOutcome {
  /** Key of the variant; absent if no variant applies */
  variant?: string;
  reason: "ASSIGNED" | "OVERRIDE" | "TARGETING" | "HOLDOUT" | "EXCLUDED" | "NOT_RUNNING" | "ERROR" | "FLAG";
  rule_id?: string;
  /**
   * True if the variant was chosen by name, not by hash
   * @constant
   */
  forced?: true;
}
export interface ExperimentProgress {
  /** In all arms */
  users: number;
  /** planned_sample_size at the start; null without a plan */
  planned_users: number | null;
  /** New users a day, of the last 7 whole days, by day of receipt (UTC); null without a plan, before the second day, and unless ACTIVE */
  users_per_day: number | null;
  /** Until the planned users at that rate, rounded up; 0 once they came, null where unknown */
  days_left: number | null;
}
export interface ExperimentSummary {
  id: string;
  key: string;
  name: string;
  description: string;
  experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  start_date: string | null;
  end_date: string | null;
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
}
export interface ExperimentTemplate {
  id: string;
  category: string;
  title: string;
  summary: string;
  /** Assumed until you know yours */
  baseline_rate: number;
  /** A share of the baseline worth finding */
  mde: number;
  /** A body for `POST /experiments/` */
  experiment: {
    name: string;
    description: string;
    hypothesis: string;
    experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
    variants?: {
      key: string;
      name: string;
      description?: string;
      weight: number;
      is_control: boolean;
      configuration?: unknown;
    }[];
    metrics: {
      id: string;
      name: string;
      event_type: string;
      kind: "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
      denominator_event_type?: string;
      quantile?: number;
      direction: "INCREASE" | "DECREASE";
      role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
    }[];
    split_url_config?: {
      variants: {
        key: string;
        name: string;
        url: string;
        weight: number;
      }[];
    };
    factors?: {
      name: string;
      levels: string[];
    }[];
  };
}
export interface ExperimentUpdate {
  /** @example checkout-button */
  key?: string;
  name?: string;
  description?: string | null;
  hypothesis?: string | null;
  experiment_type?: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  status?: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  start_date?: string | null;
  end_date?: string | null;
  targeting_rules?: TargetingRulesInput | null;
  rules?: RuleInput[] | null;
  variants?: VariantInput[] | null;
  metrics?: MetricInput[] | null;
  factors?: Factor[] | null;
  design?: "FULL_FACTORIAL" | null;
  default_value?: unknown;
  overrides?: Override[] | null;
  bayesian_enabled?: boolean;
  bayesian_config?: BayesianConfigInput | null;
  split_url_config?: SplitUrlConfig | null;
  feature_flag_key?: string | null;
  /** The attribute that is hashed instead of the user id, such as company_id: its users get the same arm together, and results are by cluster */
  bucket_by?: string | null;
  /** One user is in several clusters over time, so results are by user and cluster; needs bucket_by and sticky_assignment: false, and can change only in DRAFT */
  switchback?: SwitchbackInput | null;
  alpha?: number;
  correction?: "NONE" | "BONFERRONI" | "HOLM" | "BENJAMINI_HOCHBERG";
  allocation?: "FIXED" | "THOMPSON" | "EPSILON_GREEDY" | "UCB1";
  /** Joins the group with a slot of the default size */
  mutual_exclusion_group_id?: string | null;
  /** Users in all arms together */
  planned_sample_size?: number | null;
  /** Decide at several looks instead of one; needs planned_sample_size to start, and is fixed by the start */
  group_sequential?: GroupSequentialInput | null;
  /** How metrics are adjusted before they decide; can change only in DRAFT */
  variance_reduction?: VarianceReductionInput | null;
  tracker_issue_key?: string | null;
  crm_campaign_id?: string | null;
  /** @example acme/shop#42 */
  code_pull_request?: string | null;
}
export interface Factor {
  name: string;
  levels: string[];
}
export interface FeatureFlag {
  id: string;
  key: string;
  name: string;
  description: string;
  status: "ACTIVE" | "INACTIVE" | "ARCHIVED";
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  /** To the minute; by HTTP, in the server's process, or reported by a tracking event. Null if never evaluated */
  last_evaluated_at: string | null;
  /** It has probably done its work */
  stale: boolean;
  stale_reasons: ("EXPIRED" | "NOT_EVALUATED" | "FULLY_ROLLED_OUT" | "SWITCHED_OFF")[];
  rollout_percentage: number;
  targeting_rules: TargetingRules | null;
  rules: Rule[];
  rules_enabled: boolean;
  prerequisites: Prerequisite[];
  variants: FlagVariant[];
  value_type: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  default_value: unknown;
  bucket_by: string | null;
  client_side: boolean;
  expires_at: string | null;
  /** @default false */
  permanent: boolean;
  tags: string[];
  created_by: string;
  version: number;
}
export interface FeatureFlagCreate {
  /** @example checkout-button */
  key: string;
  name: string;
  description?: string | null;
  status?: "ACTIVE" | "INACTIVE" | "ARCHIVED";
  rollout_percentage?: number;
  targeting_rules?: TargetingRulesInput | null;
  rules?: RuleInput[] | null;
  rules_enabled?: boolean;
  prerequisites?: Prerequisite[] | null;
  variants?: FlagVariant[] | null;
  value_type?: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  default_value?: unknown;
  bucket_by?: string | null;
  client_side?: boolean;
  /** When it should be gone; it is then `stale`, nothing else */
  expires_at?: string | null;
  /** Meant to stay, a kill switch for example: only `expires_at` makes it stale */
  permanent?: boolean;
  tags?: string[] | null;
}
export interface FeatureFlagSummary {
  id: string;
  key: string;
  name: string;
  description: string;
  status: "ACTIVE" | "INACTIVE" | "ARCHIVED";
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  /** To the minute; by HTTP, in the server's process, or reported by a tracking event. Null if never evaluated */
  last_evaluated_at: string | null;
  /** It has probably done its work */
  stale: boolean;
  stale_reasons: ("EXPIRED" | "NOT_EVALUATED" | "FULLY_ROLLED_OUT" | "SWITCHED_OFF")[];
}
export interface FeatureFlagUpdate {
  /** @example checkout-button */
  key?: string;
  name?: string;
  description?: string | null;
  status?: "ACTIVE" | "INACTIVE" | "ARCHIVED";
  rollout_percentage?: number;
  targeting_rules?: TargetingRulesInput | null;
  rules?: RuleInput[] | null;
  rules_enabled?: boolean;
  prerequisites?: Prerequisite[] | null;
  variants?: FlagVariant[] | null;
  value_type?: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  default_value?: unknown;
  bucket_by?: string | null;
  client_side?: boolean;
  /** When it should be gone; it is then `stale`, nothing else */
  expires_at?: string | null;
  /** Meant to stay, a kill switch for example: only `expires_at` makes it stale */
  permanent?: boolean;
  tags?: string[] | null;
  reason?: string;
}
export interface FlagDefinition {
  key: string;
  enabled: boolean;
  rollout_percentage: number;
  variants: {
    key: string;
    weight: number;
    value: unknown;
  }[];
  rules: Rule[];
  rules_enabled?: boolean;
  value_type?: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  default_value?: unknown;
  targeting_rules?: ServedTargetingRules | null;
  prerequisites?: Prerequisite[];
  bucket_by?: string | null;
  version?: number;
}
export interface FlagHistory {
  items: {
    /** The audit entry */
    id: string;
    /**
     * Format: date-time
     * @example 2026-01-31T09:30:00.000Z
     */
    timestamp: string;
    actor_id: string | null;
    actor_type: "USER" | "API_KEY" | "SYSTEM" | "WEBHOOK";
    /** @example feature_flag.update */
    action: string;
    /** The fields that changed, before */
    old_value: {
      [key: string]: unknown;
    } | null;
    /** The fields that changed, after */
    new_value: {
      [key: string]: unknown;
    } | null;
    /** Where they differ */
    diff: {
      /**
       * JSON Pointer
       * @example /targeting_rules/countries
       */
      path: string;
      op: "ADD" | "REMOVE" | "REPLACE";
      old_value: unknown;
      new_value: unknown;
    }[];
    reason: string | null;
  }[];
  total: number;
  skip: number;
  limit: number;
}
export interface FlagProgram {
  /** Also the key that is hashed */
  key: string;
  /** The attribute that is hashed instead of the user id */
  bucket_by?: string;
  /** Changes if a result can change, through the definition itself or through one that it refers to */
  revision: string;
  version?: number;
  value_type?: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  /** Null if the flag has none: the caller's default applies */
  default_value: unknown;
  /** Key and value of each variant; a boolean flag has `on` and `off` */
  variants: {
    key: string;
    value: unknown;
  }[];
  /** The variant that an experiment over the flag compares with */
  control: string;
  decision: FlagProgramDecision;
  /** Why the definition is invalid: all users get the default with PARSE_ERROR */
  error?: string;
}
export interface FlagProgramDecision {
  /** In order: the first step whose predicate is true decides */
  steps: [
    ProgramPredicate,
    FlagProgramDraw | FlagProgramOutcome
  ][];
  otherwise: FlagProgramDraw | FlagProgramOutcome;
}
export interface FlagProgramDraw {
  /** Upper ends of the intervals of the variants, in [0, 1] */
  ends: number[];
  /** Where the part of each interval that is inside the rollout ends, in [0, 1] */
  fills: number[];
  /** One for each interval, and one for outside of the rollout */
  outcomes: FlagProgramOutcome[];
}
export interface FlagProgramOutcome {
  /** Key of the variant; absent if no variant applies */
  variant?: string;
  reason: "TARGETING_MATCH" | "SPLIT" | "STATIC" | "DEFAULT" | "DISABLED" | "PREREQUISITE_FAILED" | "HOLDOUT" | "KEY_MISSING";
  rule_id?: string;
  /**
   * True if the variant was chosen by name, not by hash
   * @constant
   */
  forced?: true;
}
export interface FlagSafety {
  feature_flag_id: string;
  feature_flag_key: string;
  rollout_percentage: number;
  automatic_rollback: boolean;
  metrics: {
    [key: string]: SafetyMetric;
  };
  window_minutes: number;
  overrides: {
    automatic_rollback: boolean | null;
    metrics: {
      [key: string]: SafetyMetric | null;
    };
    window_minutes: number | null;
  };
  health: "HEALTHY" | "WARNING" | "CRITICAL" | "UNKNOWN";
  values: SafetyValue[];
  /** Since when some have the flag and others do not */
  watched_since: string | null;
  warnings: string[];
  /** Why the flag is not rolled back by itself as it stands now; null where it would be */
  unguarded_reason: string | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  evaluated_at: string;
}
export interface FlagSafetyUpdate {
  /** null takes the settings' again */
  automatic_rollback?: boolean | null;
  /** By name, over the settings'; null leaves one of theirs out */
  metrics?: {
    [key: string]: SafetyMetricInput | null;
  } | null;
  window_minutes?: number | null;
}
export interface FlagVariant {
  /** @example checkout-button */
  key: string;
  name?: string;
  weight?: number;
  value: unknown;
}
export interface Grant {
  id: string;
  user_id: string;
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  reason: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  expires_at: string;
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
}
export interface GrantCreate {
  /** An area, `feature-flags`, or `*` */
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  /**
   * Format: date-time
   * ISO 8601; without offset it is UTC; a date alone is its midnight
   */
  expires_at: string;
  /** @default  */
  reason?: string;
}
export interface GroupMember {
  experiment_id: string;
  key: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  /** A fraction of everyone, 0 to 1, included */
  slot_start: number;
  /** A fraction of everyone, 0 to 1, excluded */
  slot_end: number;
}
export interface GroupSequential {
  /** The last one is at planned_sample_size */
  looks: number;
  /**
   * @default obrien_fleming
   * @enum {string}
   */
  spending_function: "obrien_fleming" | "pocock" | "power" | "hsd";
}
export interface GroupSequentialInput {
  /** The last one is at planned_sample_size */
  looks: number;
  /**
   * @default obrien_fleming
   * @enum {string}
   */
  spending_function?: "obrien_fleming" | "pocock" | "power" | "hsd";
}
export interface Holdout {
  id: string;
  name: string;
  description: string;
  /** Share of everyone that is held out, above 0 up to 50 */
  percentage: number;
  status: "DRAFT" | "ACTIVE" | "ENDED";
  started_at: string | null;
  ended_at: string | null;
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  version: number;
}
export interface HoldoutCheck {
  user_id: string;
  in_holdout: boolean;
  /** The active holdout, or null */
  holdout_id: string | null;
  /** The user's hash in [0, 1) */
  bucket: number | null;
}
export interface HoldoutCreate {
  name: string;
  description?: string | null;
  percentage: number;
  status?: "DRAFT" | "ACTIVE" | "ENDED";
}
export interface HoldoutEffect {
  /**
   * Users who requested an arm or sent any event, or an event of `event_type`
   * @enum {string}
   */
  population: "ASKED_OR_SEEN" | "EVENT";
  event_type: string | null;
  sample_size: {
    held_out: number;
    not_held_out: number;
  };
  srm: SampleRatioMismatch;
  /** Control are those held out, the treatment `not_held_out` are all others */
  metrics: MetricResult[];
  /** SAMPLE_RATIO_MISMATCH: the two groups differ from their planned sizes. EVENTS_REMOVED and EVENTS_DAMAGED: events of the holdout are gone, by age or because their record failed its checksum */
  analysis_warnings: string[];
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  computed_at: string;
}
export interface HoldoutReport {
  id: string;
  name: string;
  description: string;
  /** Share of everyone that is held out, above 0 up to 50 */
  percentage: number;
  status: "DRAFT" | "ACTIVE" | "ENDED";
  started_at: string | null;
  ended_at: string | null;
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  version: number;
  /** Null while it is a DRAFT */
  effect: HoldoutEffect | null;
}
export interface HoldoutUpdate {
  name?: string;
  description?: string | null;
  percentage?: number;
  status?: "DRAFT" | "ACTIVE" | "ENDED";
}
export interface Integration {
  id: string;
  name: string;
  integration_type: "TRACKER" | "CRM" | "CODEHOST";
  description: string;
  is_active: boolean;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  created_by: string;
  /** Secrets read as ******** */
  config: {
    [key: string]: unknown;
  };
  version: number;
}
export interface IntegrationCreate {
  name: string;
  integration_type: "TRACKER" | "CRM" | "CODEHOST";
  /** @default  */
  description?: string;
  config: TrackerConfig | CrmConfig | CodehostConfig;
}
export interface IntegrationDelivery {
  id: string;
  direction: "INBOUND" | "OUTBOUND";
  /** What came, or what was sent */
  event: string;
  /** Issue, campaign or pull request */
  subject: string | null;
  experiment_id: string | null;
  experiment_key: string | null;
  /** What was done to the experiment */
  action: string | null;
  status: "RECEIVED" | "PROCESSED" | "IGNORED" | "PENDING" | "DELIVERED" | "FAILED";
  reason: string | null;
  /** Whether a secret of the webhook was checked */
  verified: boolean | null;
  /** As the other system calls it */
  delivery_id: string | null;
  /** How often the other system sent it again */
  repeats: number;
  attempts: number;
  next_attempt_at: string | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
}
export interface IntegrationSummary {
  id: string;
  name: string;
  integration_type: "TRACKER" | "CRM" | "CODEHOST";
  description: string;
  is_active: boolean;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  created_by: string;
}
export interface IntegrationTest {
  success: boolean;
  /** HTTP status of the other side, null where it did not answer */
  status: number | null;
  reason: string | null;
  latency_ms: number;
}
export interface IntegrationUpdate {
  name?: string;
  description?: string | null;
  config?: {
    [key: string]: unknown;
  };
}
export interface Integrity {
  valid: boolean;
  /** Entries compared with their seal */
  checked: number;
  redacted: number;
  /** Entries too young to be sealed */
  unsealed: number;
  head: {
    sequence: number;
    /** 64 hexadecimal digits */
    hash: string;
    /** 64 hexadecimal digits */
    signature: string;
  } | null;
  problems: {
    sequence: number;
    kind: "CHANGED" | "REMOVED" | "REORDERED" | "CUT_OFF" | "FORGED" | "UNKNOWN_KEY";
    detail: string;
  }[];
}
export interface InteractionPair {
  experiment_a_id: string;
  experiment_a_key: string;
  experiment_b_id: string;
  experiment_b_key: string;
  metric: string | null;
  metric_id: string | null;
  /** Users in both experiments; all statistics are computed over them */
  shared_users: number;
  /** That the arms of the one do not depend on those of the other; tested first */
  assignment_p_value: number | null;
  /** Of two by two arms: the effect of A among users of B's treatment, less that among B's control */
  interaction_effect: number | null;
  standard_error: number | null;
  confidence_interval: [
    number,
    number
  ] | null;
  /** Of the t-test, or of the chi-square test with more than two arms */
  df: number | null;
  p_value: number | null;
  significant: boolean;
  /** Why there is no p-value. TOO_FEW_USERS: fewer than 100 in a cell. ASSIGNMENT_DEPENDENT: p < 0.001, so what looks like an interaction may be the mix of users. DIFFERENT_UNITS: the experiments bucket by different attributes, or one is a switchback */
  warning: ("NO_METRIC" | "DIFFERENT_UNITS" | "MUTUALLY_EXCLUSIVE" | "NO_SHARED_USERS" | "ONE_ARM" | "TOO_MANY_CELLS" | "TOO_FEW_USERS" | "ASSIGNMENT_DEPENDENT" | "ZERO_VARIANCE") | null;
  alpha: number;
  /** A row per arm of A, a column per arm of B, controls first */
  cells: {
    variant_a: string;
    variant_b: string;
    users: number;
    value: number | null;
  }[][];
}
export interface InteractionScan {
  /** ACTIVE experiments that were looked at: the 20 started last */
  experiments: number;
  experiments_left_out: number;
  pairs_analyzed: number;
  /** Those with a p-value: what the correction counts */
  pairs_tested: number;
  significant_pairs: number;
  alpha: number;
  /** What the least p-value is held to: alpha / pairs_tested */
  alpha_adjusted: number;
  pairs: {
    experiment_a_id: string;
    experiment_a_key: string;
    experiment_b_id: string;
    experiment_b_key: string;
    metric: string | null;
    metric_id: string | null;
    /** Users in both experiments; all statistics are computed over them */
    shared_users: number;
    /** That the arms of the one do not depend on those of the other; tested first */
    assignment_p_value: number | null;
    /** Of two by two arms: the effect of A among users of B's treatment, less that among B's control */
    interaction_effect: number | null;
    standard_error: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    /** Of the t-test, or of the chi-square test with more than two arms */
    df: number | null;
    p_value: number | null;
    significant: boolean;
    /** Why there is no p-value. TOO_FEW_USERS: fewer than 100 in a cell. ASSIGNMENT_DEPENDENT: p < 0.001, so what looks like an interaction may be the mix of users. DIFFERENT_UNITS: the experiments bucket by different attributes, or one is a switchback */
    warning: ("NO_METRIC" | "DIFFERENT_UNITS" | "MUTUALLY_EXCLUSIVE" | "NO_SHARED_USERS" | "ONE_ARM" | "TOO_MANY_CELLS" | "TOO_FEW_USERS" | "ASSIGNMENT_DEPENDENT" | "ZERO_VARIANCE") | null;
    /** By Holm; `significant` where below alpha */
    adjusted_p_value: number | null;
  }[];
}
export interface Interpretation {
  experiment_id: string;
  experiment_key: string;
  summary: string;
  recommendation: "SHIP" | "KEEP_CONTROL" | "CONTINUE" | "INVESTIGATE";
  /** The treatment to ship, with SHIP */
  variant: string | null;
  reasons: string[];
  caveats: {
    code: "NO_DATA" | "SRM" | "CROSSOVER" | "PEEKING" | "LOW_POWER" | "NOVELTY" | "GUARDRAIL" | "MARGIN_NOT_SHOWN" | "MARGIN_CHANGED" | "MULTIPLE_COMPARISONS" | "NO_PRIMARY_METRIC" | "SHORT_RUN" | "CLUSTER_UNKNOWN" | "FEW_CLUSTERS" | "PERIODS_MISALIGNED" | "CARRY_OVER" | "UNITS_NOT_INDEPENDENT" | "EXPOSURES_INFERRED" | "EVENTS_REMOVED" | "EVENTS_DAMAGED" | "PERIODS_POOLED" | "ONE_LOOK" | "BAYES_DISAGREES";
    message: string;
  }[];
  /**
   * Format: date-time
   * Of the results it is about
   * @example 2026-01-31T09:30:00.000Z
   */
  computed_at: string;
}
export interface MainEffect {
  metric_id: string;
  metric: string;
  factor: string;
  level: string;
  baseline: string;
  difference: number | null;
  standard_error: number | null;
  p_value: number | null;
  confidence_interval: [
    number,
    number
  ] | null;
  is_significant: boolean;
  status: string;
}
export interface McpManifest {
  name: string;
  version: string;
  description: string;
  protocol_version: string;
  transport: {
    /** @constant */
    type: "streamable-http";
    path: string;
  };
  authentication: {
    type: string;
    header: string;
    description: string;
  }[];
  tools: McpTool[];
}
export interface McpTool {
  name: string;
  description: string;
  /**
   * Its key in this API
   * @example GET /feature-flags/{id}
   */
  route: string;
  input_schema: {
    [key: string]: unknown;
  };
  read_only: boolean;
  destructive: boolean;
}
export interface Message {
  message: string;
}
export interface Metric {
  id: string;
  name: string;
  event_type: string;
  kind: "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
  aggregation?: "SUM" | "MEAN" | "MIN" | "MAX";
  denominator_event_type?: string;
  quantile?: number;
  direction: "INCREASE" | "DECREASE";
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  winsorize_pct?: number | null;
  conversion_window_hours?: number | null;
  /**
   * What is to be shown of a treatment; SUPERIORITY where absent
   * @enum {string}
   */
  hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** Of NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, a share of the control's value: 0.02 is 2 % */
  margin?: number | null;
  /**
   * Whose quantiles winsorize_pct clips at: ALL users', the default, or those of users whose value is not 0 (NON_ZERO); a 0 stays
   * @enum {string}
   */
  winsorize_of?: "ALL" | "NON_ZERO";
  /** The most that a user's value counts, of a RATIO the numerator; applied before winsorize_pct. Not of rates and quantiles */
  cap?: number | null;
}
export interface MetricInput {
  /** @example checkout-button */
  id?: string;
  name: string;
  event_type: string;
  kind?: "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
  aggregation?: "SUM" | "MEAN" | "MIN" | "MAX";
  denominator_event_type?: string;
  quantile?: number;
  direction?: "INCREASE" | "DECREASE";
  role?: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  winsorize_pct?: number | null;
  conversion_window_hours?: number | null;
  /**
   * What is to be shown of a treatment; SUPERIORITY where absent
   * @enum {string}
   */
  hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** Of NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, a share of the control's value: 0.02 is 2 % */
  margin?: number | null;
  /**
   * Whose quantiles winsorize_pct clips at: ALL users', the default, or those of users whose value is not 0 (NON_ZERO); a 0 stays
   * @enum {string}
   */
  winsorize_of?: "ALL" | "NON_ZERO";
  /** The most that a user's value counts, of a RATIO the numerator; applied before winsorize_pct. Not of rates and quantiles */
  cap?: number | null;
}
export interface MetricResult {
  name: string;
  metric_id: string;
  kind: "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  variant: string;
  control_value: number;
  treatment_value: number;
  difference: number;
  p_value: number;
  adjusted_p_value: number | null;
  is_significant: boolean;
  confidence_interval: [
    number,
    number
  ] | null;
  /** Of a CONVERSION with fewer than 5 successes or failures in an arm, to compare with other tools */
  newcombe_interval: [
    number,
    number
  ] | null;
  relative_difference: number | null;
  relative_confidence_interval: [
    number,
    number
  ] | null;
  /** Users */
  n: {
    control: number;
    treatment: number;
  };
  /**
   * CLUSTER: users were drawn together, by bucket_by, so errors are over clusters and not over users
   * @enum {string}
   */
  unit?: "CLUSTER";
  /** Clusters of the users, with unit CLUSTER */
  clusters?: {
    control: number;
    treatment: number;
  };
  mean: {
    control: number | null;
    treatment: number | null;
  };
  standard_error: number | null;
  power: number | null;
  /** Of PRIMARY and GUARDRAIL metrics, and of the first one without a PRIMARY; null without an error */
  minimum_detectable_effect?: MinimumDetectableEffect | null;
  /** The test that was run, for example WELCH_AND_POOLED_T */
  test: string;
  /** EQUAL_DISTRIBUTIONS: the p-value holds if the arms have the same distribution without an effect; the smaller arm has too few users for its skewness to compare means alone */
  assumption: "EQUAL_DISTRIBUTIONS" | null;
  adjustment?: Adjustment;
  /** OK, or why numbers are missing */
  status: string;
  /**
   * What the metric is to show
   * @enum {string}
   */
  hypothesis: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** A share of the control's value; null for SUPERIORITY */
  margin: number | null;
  /** One-sided, that the lift is within the margin; significant below alpha / 2. null for SUPERIORITY, and where the control's value may be 0 */
  margin_p_value: number | null;
  /**
   * What this row alone shows at alpha
   * @enum {string}
   */
  conclusion: "SUPERIOR" | "NON_INFERIOR" | "EQUIVALENT" | "INFERIOR" | "INCONCLUSIVE";
}
export interface MetricTrigger {
  event_type: string;
  comparison: "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** What the difference is held against: the share of users with the event among those in the rollout, less the share among those out of it. -0.01 with GREATER_THAN says: at most one percentage point worse */
  threshold: number;
  /**
   * Different users on each side
   * @default 100
   */
  min_users: number;
  /**
   * The stage before has to have lasted so long
   * @default 0
   */
  duration_minutes: number;
}
export interface MinimumDetectableEffect {
  /** The row's share of alpha, by all PRIMARY or all GUARDRAIL rows */
  alpha: number;
  /** By the standard error now, in the unit of difference */
  absolute: number;
  /** As a share of the control's value; null if that is 0 */
  relative: number | null;
  /** absolute, once there are the planned users; null without a plan */
  at_planned_size: number | null;
  relative_at_planned_size: number | null;
}
export interface MutualExclusionGroup {
  id: string;
  name: string;
  description: string;
  /**
   * An ARCHIVED group takes no more experiments
   * @enum {string}
   */
  status: "ACTIVE" | "ARCHIVED";
  /** Share of everyone that its experiments may have together */
  traffic_percentage: number;
  /** Share of everyone in its largest free range */
  free_percentage: number;
  experiments: GroupMember[];
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  version: number;
}
export interface MutualExclusionGroupCreate {
  name: string;
  description?: string | null;
  traffic_percentage?: number;
}
export interface MutualExclusionGroupUpdate {
  name?: string;
  description?: string | null;
  traffic_percentage?: number;
}
export interface NamedRole {
  name: string;
  description: string;
  is_built_in: boolean;
  permissions: Permission[];
  created_at: string | null;
  updated_at: string | null;
}
export interface NotificationDelivery {
  id: string;
  user_id: string;
  channel: "EMAIL" | "SLACK" | "WEBHOOK";
  event: "EXPERIMENT_STARTED" | "EXPERIMENT_PAUSED" | "EXPERIMENT_COMPLETED" | "EXPERIMENT_ARCHIVED" | "SAFETY_ROLLBACK" | "ROLLOUT_ADVANCED" | "RESULT_SIGNIFICANT" | "KEY_STALE" | "TEST";
  title: string;
  /** An e-mail address, or the host of an address */
  recipient: string;
  /**
   * CANCELLED: the channel was switched off before it was sent
   * @enum {string}
   */
  status: "PENDING" | "SENT" | "FAILED" | "CANCELLED";
  attempts: number;
  /** Of the last attempt; never an address or a secret */
  error: string | null;
  next_attempt_at: string | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  sent_at: string | null;
}
export interface NotificationPreferences {
  user_id: string;
  email_enabled: boolean;
  /** Null: the address of the account */
  email_address: string | null;
  slack_enabled: boolean;
  /** ******** if one is set */
  slack_webhook_url: string | null;
  webhook_enabled: boolean;
  webhook_url: string | null;
  /** ******** if one is set */
  webhook_secret: string | null;
  /** All true by default */
  events: {
    EXPERIMENT_STARTED: boolean;
    EXPERIMENT_PAUSED: boolean;
    EXPERIMENT_COMPLETED: boolean;
    EXPERIMENT_ARCHIVED: boolean;
    SAFETY_ROLLBACK: boolean;
    ROLLOUT_ADVANCED: boolean;
    RESULT_SIGNIFICANT: boolean;
    KEY_STALE: boolean;
  };
  /** Null if they were never changed */
  updated_at: string | null;
}
export interface NotificationPreferencesUpdate {
  email_enabled?: boolean;
  /** Another one than the account's needs DEVELOPER */
  email_address?: string | null;
  slack_enabled?: boolean;
  /** An incoming webhook of Slack, or of what speaks like it; ******** keeps it */
  slack_webhook_url?: ("********" | string) | null;
  webhook_enabled?: boolean;
  webhook_url?: string | null;
  /** Signs the messages; at least 16 characters; ******** keeps it */
  webhook_secret?: ("********" | string) | null;
  /** Events that are left out stay as they are */
  events?: {
    EXPERIMENT_STARTED?: boolean;
    EXPERIMENT_PAUSED?: boolean;
    EXPERIMENT_COMPLETED?: boolean;
    EXPERIMENT_ARCHIVED?: boolean;
    SAFETY_ROLLBACK?: boolean;
    ROLLOUT_ADVANCED?: boolean;
    RESULT_SIGNIFICANT?: boolean;
    KEY_STALE?: boolean;
  };
}
export interface NotificationTest {
  results: {
    channel: "EMAIL" | "SLACK" | "WEBHOOK";
    /**
     * SKIPPED: the channel is switched off
     * @enum {string}
     */
    status: "SENT" | "FAILED" | "SKIPPED";
    recipient: string | null;
    error: string | null;
  }[];
}
export interface Novelty {
  experiment_id: string;
  experiment_key: string;
  metric: string | null;
  metric_id: string | null;
  /** The treatment; there is one of each experiment, its first */
  variant: string | null;
  /** Users who came that day and what they did in 24 hours; the day has an end, and 24 hours more */
  daily: {
    /** Format: date */
    date: string;
    n_control: number;
    n_treatment: number;
    effect: number | null;
    ci: [
      number,
      number
    ] | null;
  }[];
  early_effect: number | null;
  late_effect: number | null;
  /** Of the effect on ln(day) */
  slope: number | null;
  /** Of the slope */
  p_value: number | null;
  /** The slope is significant, and the effect is smaller late than early */
  has_novelty: boolean;
  /** The slope is significant, and the effect is greater late than early */
  has_primacy: boolean;
  warning: ("NO_METRIC" | "ONE_ARM" | "TOO_FEW_DAYS") | null;
}
export interface NoveltyPair {
  experiment_a: Novelty;
  experiment_b: Novelty;
}
export interface OpenFeatureAnswer {
  value: unknown;
  variant: string | null;
  reason: string;
  flagKey: string;
  errorCode?: string;
  errorMessage?: string;
}
export interface OpenFeatureQuestion {
  flagKey: string;
  userId?: string;
  attributes?: {
    [key: string]: unknown;
  };
}
export interface Override {
  user_id?: string;
  user_segment?: string;
  value: unknown;
}
export interface Permission {
  /** An area, `feature-flags`, or `*` */
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
}
export interface PersonExport {
  user_id: string;
  aliases: string[];
  /** With the first part */
  assignments: Assignment[];
  /** Oldest receipt first */
  events: {
    [key: string]: unknown;
  }[];
  /** `after` of the next part; null in the last */
  next: string | null;
}
export interface Prerequisite {
  flag_key: string;
  variant?: string;
  value?: unknown;
}
export interface Program {
  /** Version of the format: an evaluator refuses other versions */
  program_version: number;
  /** The environment; providers show it as `flagSetId` */
  flag_set_id?: string;
  flags: FlagProgram[];
  experiments: ExperimentProgram[];
  segments: SegmentProgram[];
}
export interface ProgramPattern {
  /** As it was written */
  source: string;
  /** The state to begin with */
  begin: number;
  states: (string | [
    "read",
    number,
    string
  ] | [
    "split",
    number,
    number
  ] | [
    "start" | "end" | "accept",
    number
  ])[];
}
export type ProgramPredicate = [
  "all" | "any",
  ProgramPredicate[]
] | [
  "not",
  ProgramPredicate
] | [
  "exists",
  string
] | [
  "in",
  string,
  (string | number | boolean)[],
  boolean
] | [
  "text",
  string,
  "includes" | "startsWith" | "endsWith",
  string[],
  boolean
] | [
  "matches",
  string,
  ProgramPattern[]
] | [
  "order",
  string,
  "number" | "time" | "version",
  (number | (string | number)[])[],
  number,
  boolean
] | [
  "segment",
  string[]
] | [
  "users",
  string[]
] | [
  "users",
  string[],
  string,
  string[]
] | [
  "time",
  number | null,
  number | null,
  string,
  string[],
  number,
  number
] | [
  "slots",
  string,
  [
    number,
    number
  ][],
  boolean
] | [
  "nobody"
] | [
  "requires",
  Prerequisite[]
] | [
  "refuse",
  string
];
export interface Results {
  experiment_id: string;
  experiment_key: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  /** Of each interval alone: 1 - alpha */
  confidence_level: number;
  metrics: MetricResult[];
  /** Of MULTIVARIATE experiments */
  main_effects?: MainEffect[];
  /** With bayesian_enabled */
  bayesian_results?: BayesianResults;
  sample_size: {
    control: number;
    treatment: number;
  };
  progress: ExperimentProgress;
  variants: {
    id: string;
    key: string;
    name: string;
    is_control: boolean;
    weight: number;
    sample_size: number;
  }[];
  srm: SampleRatioMismatch;
  /** Users seen in two arms, left out */
  crossover: number;
  /** Users whose arm was given, not drawn, left out */
  forced: number;
  /**
   * Where the events are that were summed up
   * @enum {string}
   */
  source: "EMBEDDED" | "WAREHOUSE";
  /** EXPOSURES_INFERRED: exposures are known from outcomes alone. WEIGHTED_BY_PERIOD: a bandit's weights have changed; each period counts by its share of all users. BEFORE_PLANNED_SIZE: fewer users than planned_sample_size; p-values are for one look, at the end. WINSORISED_TO_ONE_VALUE: winsorize_pct or cap of a metric clips more users than have a value, so all became equal. CLUSTER_UNKNOWN: users whose exposures lack the attribute of bucket_by are left out. FEW_CLUSTERS: an arm has fewer than 10 clusters, or as good as, because some are much larger than others. PERIODS_MISALIGNED: of a switchback, more than 5 % of exposures are outside of the period of their cluster. CARRY_OVER: of a switchback, outcomes depend on the arm of the same users' period before (p < 0.001). UNITS_NOT_INDEPENDENT: users were drawn together by bucket_by but are compared as if each were drawn alone. PLAN_CHANGED: planned_sample_size or group_sequential was changed after the start; decisions use those of the start. MARGIN_CHANGED: the hypothesis or margin of a metric was changed after the start, so it may follow from the results. EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum */
  analysis_warnings: string[];
  /**
   * Format: date-time
   * From WAREHOUSE: when it was synced
   * @example 2026-01-31T09:30:00.000Z
   */
  computed_at: string;
}
export interface Rollback {
  id: string;
  feature_flag_id: string;
  feature_flag_key: string;
  automatic: boolean;
  reason: string;
  /** Name of the metric that was established to be worse */
  metric: string | null;
  previous_percentage: number;
  new_percentage: number;
  evidence: SafetyValue | null;
  /** Null where it was automatic */
  created_by: string | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
}
export interface RollbackAnswer {
  success: boolean;
  feature_flag_id: string;
  previous_percentage: number;
  new_percentage: number;
  previous_status: string;
  new_status: string;
  rollback_id: string;
  /** Ids; they continue when a user activates them */
  paused_schedules: string[];
}
export interface RolloutEvidence {
  users_in: number;
  users_out: number;
  value_in: number | null;
  value_out: number | null;
  difference: number | null;
  /** Always valid: it may be looked at any time */
  confidence_interval: [
    number,
    number
  ] | null;
  verdict: "HOLDS" | "REFUTED" | "OPEN";
  sample_ratio_mismatch: boolean;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  evaluated_at: string;
}
export interface RolloutSchedule {
  id: string;
  name: string;
  description: string;
  feature_flag_id: string;
  feature_flag_key: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "CANCELLED";
  /** Why it paused itself */
  pause_reason: string | null;
  stages: RolloutStage[];
  /** When it last became ACTIVE */
  activated_at: string | null;
  completed_at: string | null;
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  version: number;
}
export interface RolloutScheduleCreate {
  name: string;
  description?: string | null;
  feature_flag_id: string;
  stages?: RolloutStageInput[] | null;
}
export interface RolloutScheduleUpdate {
  name?: string;
  description?: string | null;
  stages?: RolloutStageReplacement[] | null;
}
export interface RolloutStage {
  id: string;
  /** From 1 */
  order: number;
  target_percentage: number;
  trigger: "TIME" | "METRIC" | "MANUAL";
  trigger_config: (TimeTrigger | MetricTrigger) | null;
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  started_at: string | null;
  completed_at: string | null;
  /** Of a METRIC stage: what decided it, or how it stands where the schedule is read on its own */
  evidence: RolloutEvidence | null;
}
export interface RolloutStageInput {
  target_percentage: number;
  trigger: "TIME" | "METRIC" | "MANUAL";
  /** A TimeTrigger for TIME, a MetricTrigger for METRIC, nothing for MANUAL */
  trigger_config?: {
    [key: string]: unknown;
  } | null;
}
export interface RolloutStageReplacement {
  target_percentage: number;
  trigger: "TIME" | "METRIC" | "MANUAL";
  /** A TimeTrigger for TIME, a MetricTrigger for METRIC, nothing for MANUAL */
  trigger_config?: {
    [key: string]: unknown;
  } | null;
  /**
   * Format: uuid
   * Of a stage that stays; a stage without an id is new
   */
  id?: string;
}
export interface RolloutStageUpdate {
  target_percentage?: number;
  trigger?: "TIME" | "METRIC" | "MANUAL";
  /** A TimeTrigger for TIME, a MetricTrigger for METRIC, nothing for MANUAL */
  trigger_config?: {
    [key: string]: unknown;
  } | null;
}
export interface Rule {
  id: string;
  when: Condition;
  serve: {
    variant: string;
  } | {
    rollout_percentage: number;
    variants?: {
      key: string;
      weight: number;
    }[];
  };
}
export interface RuleInput {
  id?: string;
  when: Condition;
  serve: {
    variant: string;
  } | {
    rollout_percentage: number;
    variants?: {
      key: string;
      weight: number;
    }[];
  };
}
export interface SafetyMetric {
  event_type: string;
  /**
   * RATE: share of users with the event. COUNT: events a user. MEAN: mean value of users with values
   * @default RATE
   * @enum {string}
   */
  aggregation: "RATE" | "MEAN" | "COUNT";
  /**
   * On which side of a threshold it is bad
   * @default GREATER_THAN
   * @enum {string}
   */
  comparison: "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  warning_threshold: unknown;
  critical_threshold: unknown;
  /**
   * Least number of users in the rollout, and outside of it, for a check
   * @default 100
   */
  min_users: number;
}
export interface SafetyMetricInput {
  event_type: string;
  /**
   * RATE: share of users with the event. COUNT: events a user. MEAN: mean value of users with values
   * @enum {string}
   */
  aggregation?: "RATE" | "MEAN" | "COUNT";
  /**
   * On which side of a threshold it is bad
   * @enum {string}
   */
  comparison?: "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  warning_threshold?: number | null;
  critical_threshold?: number | null;
  /**
   * Least number of users in the rollout, and outside of it, for a check
   * @default 100
   */
  min_users?: number;
}
export interface SafetySettings {
  automatic_rollback: boolean;
  metrics: {
    [key: string]: SafetyMetric;
  };
  window_minutes: number;
  updated_at: string | null;
}
export interface SafetySettingsUpdate {
  automatic_rollback?: boolean;
  /** Replaces all of them */
  metrics?: {
    [key: string]: SafetyMetricInput;
  };
  /** How far back the live values reach */
  window_minutes?: number;
}
export interface SafetyValue {
  name: string;
  health: "HEALTHY" | "WARNING" | "CRITICAL" | "UNKNOWN";
  /** Of the users in the rollout, over the window */
  live_value: number | null;
  live_users: number;
  /** Different users since the rollout began */
  users_in: number;
  users_out: number;
  value_in: number | null;
  value_out: number | null;
  difference: number | null;
  /** Of the difference since the rollout began; always valid */
  confidence_interval: [
    number,
    number
  ] | null;
  /** It is established that those in the rollout are worse off */
  worse: boolean;
}
export interface SampleRatioMismatch {
  /** Of one look (chi-square) */
  p_value: number | null;
  /** Valid however often it is looked at */
  anytime_p_value: number | null;
  expected: {
    [key: string]: number;
  };
  /** Users by variant; clusters if users were drawn together, by bucket_by */
  observed: {
    [key: string]: number;
  };
  /** anytime_p_value < 0.001: the split is not the one configured; find out why first */
  warning: boolean;
}
export interface SampleSize {
  metric_kind: "CONVERSION" | "MEAN" | "RATIO" | "QUANTILE";
  /** Rate, mean, ratio or quantile of control */
  baseline: number | null;
  /** What it becomes with the effect */
  target: number | null;
  absolute_effect: number;
  relative_effect: number | null;
  alpha: number;
  /** Bonferroni over the comparisons with control, of each metric */
  alpha_per_comparison: number;
  power: number;
  variants: number;
  /** Users of the smallest arm */
  per_variant: number;
  /** Users of control and of each treatment */
  arms: number[];
  /** Users of all arms; of a quantile, those with a value */
  total: number;
  /** Of all arms, each rounded up; null without cluster_size */
  clusters: number | null;
  /** How many times as many users as without cuped_correlation and clusters */
  variance_factor: number;
  daily_users: number | null;
  /** Rounded up; null without daily_users */
  days: number | null;
}
export interface ScheduledJob {
  name: string;
  description: string;
  /**
   * Five fields of cron, UTC
   * @example * * * * *
   */
  schedule: string;
  /** Whether any node starts jobs by the clock */
  enabled: boolean;
  last_run_at: string | null;
  last_status: ("SUCCEEDED" | "FAILED") | null;
  /** Why the last run FAILED */
  last_error: string | null;
  last_duration_ms: number | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  next_run_at: string;
  running: boolean;
}
export interface SchedulerHealth {
  /**
   * DEGRADED: a job failed or is overdue. STOPPED: no node starts jobs by the clock
   * @enum {string}
   */
  status: "HEALTHY" | "DEGRADED" | "STOPPED";
  /** When a node last looked at the clock, give or take 30 s */
  last_tick_at: string | null;
  running: string[];
  failed: string[];
  /** Due for more than five minutes and not running */
  overdue: string[];
}
export interface Segment {
  id: string;
  name: string;
  description: string;
  /**
   * An ARCHIVED segment has no members
   * @enum {string}
   */
  status: "ACTIVE" | "ARCHIVED";
  /** One tree, however it was sent; null where only users count */
  conditions: Condition | null;
  /** Members regardless of their attributes */
  user_ids: string[];
  used_by: SegmentUse[];
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
  version: number;
}
export interface SegmentCreate {
  name: string;
  description?: string | null;
  status?: "ACTIVE" | "ARCHIVED";
  /** A tree, or a list of which all have to hold */
  conditions?: (Condition | Condition[]) | null;
  /** A tree, or a list of which one has to hold; instead of conditions */
  rules?: (Condition | Condition[]) | null;
  user_ids?: string[] | null;
}
export interface SegmentMembership {
  segment_id: string;
  user_id: string;
  is_member: boolean;
  /**
   * `user_ids` if the user is listed, otherwise every condition that was checked and true
   * @example [
   *       "plan EQUALS \"pro\""
   *     ]
   */
  matched: string[];
}
export interface SegmentProgram {
  id: string;
  name: string;
  /** Who is a member */
  when: ProgramPredicate;
}
export interface SegmentUpdate {
  name?: string;
  description?: string | null;
  status?: "ACTIVE" | "ARCHIVED";
  /** A tree, or a list of which all have to hold */
  conditions?: (Condition | Condition[]) | null;
  /** A tree, or a list of which one has to hold; instead of conditions */
  rules?: (Condition | Condition[]) | null;
  user_ids?: string[] | null;
}
export interface SegmentUse {
  type: "FEATURE_FLAG" | "EXPERIMENT" | "SEGMENT";
  id: string;
  /** Key of a flag or an experiment, name of a segment */
  key: string;
}
export interface SequentialResults {
  experiment_id: string;
  method: "msprt" | "always_valid" | "group_sequential";
  alpha: number;
  /** Of each interval alone: 1 - alpha */
  confidence_level: number;
  metrics: {
    metric: string;
    metric_id: string;
    variant: string;
    difference: number | null;
    standard_error: number | null;
    /** Of the last look alone */
    log_likelihood_ratio: number | null;
    /** Valid at any time: the least so far. Of group_sequential: over the looks taken */
    p_value: number | null;
    /** Over all arms of the PRIMARY metrics, or of the GUARDRAIL metrics, by Holm: what decides; null for other metrics */
    adjusted_p_value: number | null;
    /** Valid at any time: what all so far share. Of group_sequential: at the boundary of the last look taken */
    confidence_interval: [
      number,
      number
    ] | null;
    /** Of the lift, (treatment - control) / |control|; valid at any time */
    relative_confidence_interval: [
      number,
      number
    ] | null;
    /** p_value < alpha, of this row alone */
    is_significant: boolean;
    looks: {
      /**
       * Format: date
       * Day of receipt, UTC
       */
      date: string;
      n: number;
      difference: number | null;
      p_value: number | null;
      confidence_interval: [
        number,
        number
      ] | null;
    }[];
    stopped: StoppedTest | null;
    adjustment?: Adjustment;
    /** OK, or why numbers are missing */
    status: string;
    /**
     * What the metric is to show
     * @enum {string}
     */
    hypothesis: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
    /** A share of the control's value; null for SUPERIORITY */
    margin: number | null;
    /** One-sided, that the lift is within the margin; valid at any time. null for SUPERIORITY */
    margin_p_value: number | null;
    /** What decides, below alpha / 2: over all claims of the PRIMARY metrics by Holm, or of a GUARDRAIL over the treatments by Bonferroni; null for SUPERIORITY and for other metrics */
    adjusted_margin_p_value: number | null;
    /**
     * What this row shows at alpha: by the adjusted p-values where it decides
     * @enum {string}
     */
    conclusion: "SUPERIOR" | "NON_INFERIOR" | "EQUIVALENT" | "INFERIOR" | "INCONCLUSIVE";
  }[];
  alpha_spending: {
    spending_function: "obrien_fleming" | "pocock" | "power" | "hsd";
    num_looks: number;
    current_look: number;
    /** Users so far as a share of those planned, at most 1; null without a planned size */
    information_fraction: number | null;
    schedule: {
      look: number;
      information_fraction: number;
      cumulative_alpha: number;
      incremental_alpha: number;
      /** null where too little alpha is spent to stop at all */
      z_boundary: number | null;
      nominal_p_value: number;
    }[];
    /** Looks taken by group_sequential, with the boundaries of the days they fell on */
    looks: {
      /**
       * Format: date
       * Day of receipt, UTC
       */
      date: string;
      n: number;
      information_fraction: number;
      cumulative_alpha: number;
      z_boundary: number | null;
      nominal_p_value: number;
    }[];
  };
  recommendation: {
    action: "STOP_FOR_EFFECT" | "STOP_FOR_HARM" | "STOP_FOR_FUTILITY" | "CONTINUE";
    reason: string;
  };
  /** ONE_LOOK: everything was received on one day, an import for example. PERIODS_POOLED: a bandit's weights have changed, and this analysis does not tell the periods apart. EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum */
  analysis_warnings: string[];
}
export interface ServedTargetingRules {
  countries?: string[];
  browsers?: string[];
  user_segments?: string[];
  user_attributes?: {
    [key: string]: (string | number | boolean)[];
  };
  time_rules?: TimeRules;
  rollout_percentage?: number;
  sticky_assignment?: boolean;
  excluded_users?: string[];
  included_users?: string[];
  excluded_users_hashed?: {
    salt: string;
    hashes: string[];
  };
  included_users_hashed?: {
    salt: string;
    hashes: string[];
  };
}
export interface SignedUp {
  username: string;
  user_id: string;
  confirmation_required: boolean;
}
export interface SplitUrlConfig {
  variants: {
    /** @example checkout-button */
    key?: string;
    name?: string;
    url: string;
    weight: number;
  }[];
}
export interface SplitUrlPreview {
  experiment_id: string;
  experiment_key: string;
  user_id: string;
  eligible: boolean;
  variant: string;
  url: string;
  cookie_name: string;
  cookie_value: string;
  /** Seconds */
  cookie_max_age: number;
}
export interface StoppedTest {
  /**
   * Format: date
   * Day of receipt, UTC
   */
  date: string;
  look: number;
  /** Of the difference, median-unbiased: at a stop the difference is too large */
  estimate: number;
  /** Of the difference, by the order of the stops */
  confidence_interval: [
    number,
    number
  ];
  /** By the order of the stops */
  p_value: number;
}
export interface Switchback {
  /** Length of a period. Periods start at whole multiples of it since 1970, UTC; each value of the attribute in bucket_by is one unit in one period, such as north-494310 */
  period_minutes: number;
  /** Exposures within this time after the start of a period do not count, nor do the events that follow them */
  washout_minutes: number;
}
export interface SwitchbackInput {
  /** Length of a period. Periods start at whole multiples of it since 1970, UTC; each value of the attribute in bucket_by is one unit in one period, such as north-494310 */
  period_minutes: number;
  /**
   * Exposures within this time after the start of a period do not count, nor do the events that follow them
   * @default 0
   */
  washout_minutes?: number;
}
export interface TargetingRules {
  countries?: string[];
  browsers?: string[];
  user_segments?: string[];
  user_attributes?: {
    [key: string]: (string | number | boolean)[];
  };
  time_rules?: TimeRules;
  rollout_percentage?: number;
  sticky_assignment?: boolean;
  excluded_users?: string[];
  included_users?: string[];
}
export interface TargetingRulesInput {
  countries?: string[];
  browsers?: string[];
  user_segments?: string[];
  user_attributes?: {
    [key: string]: (string | number | boolean)[];
  };
  time_rules?: TimeRulesInput;
  rollout_percentage?: number;
  sticky_assignment?: boolean;
  excluded_users?: string[];
  included_users?: string[];
}
export interface TimeRules {
  start_date?: unknown;
  end_date?: unknown;
  timezone?: string;
  day_of_week?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
  hour_of_day?: {
    start: number;
    end: number;
  };
}
export interface TimeRulesInput {
  /**
   * Format: date-time
   * ISO 8601; without offset it is UTC; a date alone is its midnight
   */
  start_date?: string;
  /**
   * Format: date-time
   * ISO 8601; without offset it is UTC; a date alone is its midnight
   */
  end_date?: string;
  timezone?: string;
  day_of_week?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
  hour_of_day?: {
    start: number;
    end: number;
  };
}
export type TimeTrigger = {
  at: unknown;
} | {
  after_minutes: number;
};
export interface TimeseriesResults {
  experiment_id: string;
  metric: string | null;
  metric_id: string | null;
  variant: string | null;
  days: {
    /**
     * Format: date
     * Day of receipt, UTC
     */
    date: string;
    /** Users whose exposure was received that day */
    n_control: number;
    n_treatment: number;
    /** Of that day's users, with all they did until now */
    difference: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    /** Of all users, as it stood that evening */
    cumulative_difference: number | null;
    cumulative_confidence_interval: [
      number,
      number
    ] | null;
    always_valid_interval: [
      number,
      number
    ] | null;
  }[];
  /** ONE_LOOK: everything was received on one day, an import for example. PERIODS_POOLED: a bandit's weights have changed, and this analysis does not tell the periods apart. EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum */
  analysis_warnings: string[];
}
export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** @constant */
  token_type: "bearer";
  /** Seconds */
  expires_in: number;
}
export interface TrackAnswer {
  event_id: string;
  duplicate: boolean;
  warnings?: {
    index: number;
    code: string;
    msg: string;
  }[];
}
export interface TrackerConfig {
  /** Format: uri */
  base_url: string;
  username: string;
  api_token: string;
  /** Key of `X-Hub-Signature-256` over the body */
  webhook_secret?: string | null;
  /** Expected in `X-Assay-Webhook-Token`, or as `?token=` */
  webhook_token?: string | null;
  /** Lets webhooks change experiments where neither secret is set */
  allow_unsigned?: boolean | null;
  transitions?: {
    [key: string]: "START" | "PAUSE" | "COMPLETE" | "ARCHIVE";
  } | null;
}
export type TrackerEvent = {
  webhookEvent?: string;
  issue: {
    id?: string | number;
    key: string;
    fields?: {
      summary?: string | null;
      status?: ({
        name: string;
      } & {
        [key: string]: unknown;
      }) | null;
    } & {
      [key: string]: unknown;
    };
  } & {
    [key: string]: unknown;
  };
  changelog?: {
    items: ({
      field: string;
      fromString?: string | null;
      toString?: string | null;
    } & {
      [key: string]: unknown;
    })[];
  } & {
    [key: string]: unknown;
  };
} & {
  [key: string]: unknown;
};
export interface TrackingEvent {
  event_type: string;
  user_id: string;
  experiment_id?: string | null;
  variant_id?: string | null;
  feature_flag_key?: string | null;
  /** For sums, means and quantiles; from -1e15 to 1e15. Closer to 0 than 1e-100 counts as 0 */
  value?: number | null;
  event_metadata?: {
    [key: string]: unknown;
  } | null;
  /** Yours; counted once. UUIDv7 is fastest */
  event_id?: string | null;
  /** At most 1 h ahead and 90 days back; now where absent */
  timestamp?: string | null;
}
export interface User {
  id: string;
  username: string;
  email: string;
  full_name: string;
  role: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
  /**
   * Names of custom roles, beside the built-in one
   * @default []
   */
  custom_roles: string[];
  is_active: boolean;
  is_superuser: boolean;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
}
export interface UserPermissions {
  user_id: string;
  role: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
  is_superuser: boolean;
  custom_roles: string[];
  grants: Grant[];
  permissions: EffectivePermission[];
}
export interface ValidationIssue {
  /** Starts with "body", "query" or "path" */
  loc: (string | number)[];
  msg: string;
  type: string;
}
export interface VarianceReduction {
  /**
   * CUPED: each metric by the same users' value of it before their first exposure, with one slope for both arms. REGRESSION: also by `covariates` and `attributes`, with slopes per arm (Lin's interacted estimator)
   * @enum {string}
   */
  method: "NONE" | "CUPED" | "REGRESSION";
  lookback_days: number;
  /** Ids of metrics of the experiment whose value before the exposure is a covariate of every metric */
  covariates?: string[];
  /** Attributes of users' first exposures to post-stratify by; the 19 largest groups of each, and the rest together */
  attributes?: string[];
}
export interface VarianceReductionInput {
  /**
   * CUPED: each metric by the same users' value of it before their first exposure, with one slope for both arms. REGRESSION: also by `covariates` and `attributes`, with slopes per arm (Lin's interacted estimator)
   * @enum {string}
   */
  method: "NONE" | "CUPED" | "REGRESSION";
  /** @default 14 */
  lookback_days?: number;
  /** Ids of metrics of the experiment whose value before the exposure is a covariate of every metric */
  covariates?: string[];
  /** Attributes of users' first exposures to post-stratify by; the 19 largest groups of each, and the rest together */
  attributes?: string[];
}
export interface Variant {
  id: string;
  key: string;
  name: string;
  description?: string;
  weight: number;
  is_control: boolean;
  configuration?: unknown;
  url?: string;
}
export interface VariantInput {
  /** @example checkout-button */
  key?: string;
  /** @example checkout-button */
  id?: string;
  name?: string;
  description?: string;
  weight?: number;
  is_control?: boolean;
  configuration?: unknown;
  /** Of a SPLIT_URL experiment, as answered; `split_url_config` sets it */
  url?: string;
}
export interface WarehouseColumns {
  /** @default {} */
  assignments?: {
    /** @default user_id */
    user_id?: string;
    /**
     * Key or id of a variant
     * @default variant
     */
    variant?: string;
    /**
     * Time of the exposure
     * @default timestamp
     */
    timestamp?: string;
    /** Key or id of the experiment, where the table has several */
    experiment?: string | null;
    /** True if the arm was chosen by name, not by hash */
    forced?: string | null;
  };
  /** @default {} */
  events?: {
    /** @default user_id */
    user_id?: string;
    /** @default event_type */
    event_type?: string;
    /** @default timestamp */
    timestamp?: string;
    /** `value` where absent; null where events carry none */
    value?: string | null;
    /** The only experiment an event counts for, where it names one */
    experiment?: string | null;
  };
}
export interface WarehouseConnection {
  /** Format: uuid */
  id: string;
  name: string;
  type: "POSTGRES" | "DUCKDB" | "CLICKHOUSE";
  host: string | null;
  port: number | null;
  database: string | null;
  schema: string | null;
  username: string | null;
  has_password: boolean;
  options: {
    ssl?: "VERIFY" | "REQUIRE" | "DISABLE";
    statement_timeout_seconds?: number;
  };
  created_by: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
}
export interface WarehouseConnectionCreate {
  name: string;
  type: "POSTGRES" | "DUCKDB" | "CLICKHOUSE";
  /** POSTGRES: host name or IP address */
  host?: string | null;
  /** POSTGRES: 5432 where absent */
  port?: number | null;
  /** POSTGRES: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; it must lie in a directory that the server allows */
  database?: string | null;
  /** Schema of tables named without one: public (POSTGRES), main (DUCKDB) */
  schema?: string | null;
  username?: string | null;
  /** Sealed at rest, never answered */
  password?: string | null;
  options?: WarehouseOptions | null;
}
export interface WarehouseConnectionTest {
  /**
   * Format: uuid
   * A stored connection, tested with the other fields over it; without it they are tested alone
   */
  connection_id?: string;
  name?: string;
  type?: "POSTGRES" | "DUCKDB" | "CLICKHOUSE";
  /** POSTGRES: host name or IP address */
  host?: string | null;
  /** POSTGRES: 5432 where absent */
  port?: number | null;
  /** POSTGRES: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; it must lie in a directory that the server allows */
  database?: string | null;
  /** Schema of tables named without one: public (POSTGRES), main (DUCKDB) */
  schema?: string | null;
  username?: string | null;
  /** Sealed at rest, never answered */
  password?: string | null;
  options?: WarehouseOptions | null;
}
export interface WarehouseConnectionUpdate {
  name?: string;
  type?: "POSTGRES" | "DUCKDB" | "CLICKHOUSE";
  /** POSTGRES: host name or IP address */
  host?: string | null;
  /** POSTGRES: 5432 where absent */
  port?: number | null;
  /** POSTGRES: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; it must lie in a directory that the server allows */
  database?: string | null;
  /** Schema of tables named without one: public (POSTGRES), main (DUCKDB) */
  schema?: string | null;
  username?: string | null;
  /** Sealed at rest, never answered */
  password?: string | null;
  options?: WarehouseOptions | null;
}
export interface WarehouseOptions {
  /**
   * POSTGRES: VERIFY (default) checks the certificate, REQUIRE encrypts without checking, DISABLE neither
   * @enum {string}
   */
  ssl?: "VERIFY" | "REQUIRE" | "DISABLE";
  /** The longest a query may take; 60 where absent */
  statement_timeout_seconds?: number;
}
export interface WarehouseSource {
  /** Format: uuid */
  connection_id: string;
  assignments_table?: string;
  /** One SELECT (or WITH … SELECT), without comments, semicolons or dollar quotes */
  assignments_sql?: string;
  events_table?: string;
  /** One SELECT (or WITH … SELECT), without comments, semicolons or dollar quotes */
  events_sql?: string;
  /** @default {} */
  columns?: WarehouseColumns;
  /** Exposures from then on; compared with their timestamp */
  start_date?: string | null;
  /** Exposures and events before then */
  end_date?: string | null;
}
export interface WarehouseSync {
  experiment_id: string;
  connection_id: string;
  /**
   * A failed sync leaves the results as they were
   * @enum {string}
   */
  status: "SUCCEEDED" | "FAILED";
  error: string | null;
  /** Users whose outcomes are compared */
  rows: number;
  crossover: number;
  forced: number;
  variants: {
    id: string;
    key: string;
    users: number;
  }[];
  metrics: {
    metric_id: string;
    /** OK, or NOT_AVAILABLE_FROM_WAREHOUSE for quantiles */
    status: string;
  }[];
  /** Every statement that was run, in order */
  generated_sql: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  started_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  finished_at: string;
}
export interface WarehouseTestResult {
  success: boolean;
  /** From opening the connection to the answer of a first query */
  latency_ms: number;
  error: string | null;
}
export interface WebhookAnswer {
  processed: boolean;
  duplicate?: boolean;
}
export interface WizardDraft {
  id: string;
  owner_id: string;
  /**
   * Where its owner is
   * @enum {string}
   */
  step: "CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW";
  /** Fields of an experiment's body, and `sample_size` (a SampleSizeInput); other keys are kept and go nowhere. At most 256 KB */
  data: {
    [key: string]: unknown;
  };
  /** Steps that were sent and have nothing wrong in them */
  completed_steps: ("CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW")[];
  /** What `data.sample_size` comes to, for the draft's variants */
  sample_size: SampleSize | null;
  /** The body that submit creates the experiment from */
  preview: {
    [key: string]: unknown;
  };
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  updated_at: string;
}
export interface WizardDraftWrite {
  step?: "CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW";
  /** Merged: absent fields keep their value, null takes one out */
  data?: {
    [key: string]: unknown;
  };
}
export interface WizardValidation {
  valid: boolean;
  errors: {
    step: "CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW";
    /** Inside `data` */
    loc: (string | number)[];
    msg: string;
    type: string;
  }[];
}
export interface Routes {
  /** Create an account as VIEWER; a confirmation code is sent by e-mail */
  "POST /auth/signup": {
    body: {
      username: string;
      /** 8 to 128 characters; the most common ones are refused */
      password: string;
      /** Format: email */
      email: string;
      given_name?: string;
      family_name?: string;
      /** Instead of given_name and family_name */
      full_name?: string;
    };
    response: SignedUp;
  };
  /** Confirm an account with the code from the e-mail: 15 minutes, five tries, one use */
  "POST /auth/confirm": {
    body: {
      /** Username or e-mail */
      username: string;
      /** From the e-mail; letter case, spaces and hyphens are free */
      confirmation_code: string;
    };
    response: Message;
  };
  /** Send a new confirmation code; the same answer whether or not there is such an account */
  "POST /auth/resend-confirmation": {
    body: {
      /** Username or e-mail */
      username: string;
    };
    response: Message;
  };
  /** Send a code to set a new password; the same answer whether or not there is such an account */
  "POST /auth/forgot-password": {
    body: {
      /** Username or e-mail */
      username: string;
    };
    response: Message;
  };
  /** Set a new password with the code from the e-mail; ends every session */
  "POST /auth/reset-password": {
    body: {
      /** Username or e-mail */
      username: string;
      /** From the e-mail; letter case, spaces and hyphens are free */
      reset_code: string;
      /** 8 to 128 characters; the most common ones are refused */
      new_password: string;
    };
    response: Message;
  };
  /** Exchange username and password, form-encoded or JSON, for tokens */
  "POST /auth/token": {
    body: {
      /** Username or e-mail */
      username: string;
      password: string;
    };
    response: Tokens;
  };
  /** Exchange username and password for tokens */
  "POST /auth/login": {
    body: {
      /** Username or e-mail */
      username: string;
      password: string;
    };
    response: Tokens;
  };
  /** Exchange a refresh token for new tokens; the old one is spent */
  "POST /auth/refresh": {
    body: {
      refresh_token: string;
    };
    response: Tokens;
  };
  /** End the session: revokes its refresh tokens */
  "POST /auth/logout": {
    response: undefined;
  };
  /** The signed-in user's profile */
  "GET /auth/me": {
    response: AuthProfile;
  };
  /** The signed-in user */
  "GET /users/me": {
    response: CurrentUser;
  };
  /** Users: all for a superuser, oneself for anyone else */
  "GET /users/": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: User[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Create a confirmed user */
  "POST /users/": {
    body: {
      username: string;
      /** Format: email */
      email: string;
      /** 8 to 128 characters; the most common ones are refused */
      password: string;
      full_name?: string;
      /** @default true */
      is_active?: boolean;
      /** @default false */
      is_superuser?: boolean;
      role?: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
    };
    response: User;
  };
  /** A user: oneself, or anyone for a superuser */
  "GET /users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    response: User;
  };
  /** Change oneself (full_name, password), or anyone as a superuser */
  "PUT /users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    body: {
      /** Empty or null clears it */
      full_name?: string | null;
      /** 8 to 128 characters; the most common ones are refused */
      password?: string;
      /** Format: email */
      email?: string;
      role?: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
      is_active?: boolean;
      is_superuser?: boolean;
    };
    response: User;
  };
  /** All users */
  "GET /admin/users": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: User[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Change a user's role and custom roles, or switch the account on or off */
  "PATCH /admin/users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    body: {
      role?: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
      /** Replaces all; ADMIN only */
      custom_roles?: string[];
      is_active?: boolean;
    };
    response: User;
  };
  /** Deactivate a user, their sessions and their keys; what they made stays */
  "DELETE /admin/users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    response: undefined;
  };
  /** Built-in and custom roles with their permissions */
  "GET /roles": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: NamedRole[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Create a custom role; it widens what the built-in role of its holders allows */
  "POST /roles": {
    body: {
      name: string;
      /** @default  */
      description?: string;
      permissions: Permission[];
    };
    response: NamedRole;
  };
  /** Change a custom role, for all its holders from the next request on */
  "PUT /roles/{role_name}": {
    params: {
      role_name: string;
    };
    body: {
      description?: string | null;
      permissions?: Permission[];
    };
    response: NamedRole;
  };
  /** Delete a custom role that no user has */
  "DELETE /roles/{role_name}": {
    params: {
      role_name: string;
    };
    response: undefined;
  };
  /** What a user may do: oneself, or anyone for ADMIN */
  "GET /users/{user_id}/permissions": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    response: UserPermissions;
  };
  /** A user's temporary grants that are in force */
  "GET /users/{user_id}/grants": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: Grant[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Give a user a permission until a time, at most a year ahead */
  "POST /users/{user_id}/grants": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    body: GrantCreate;
    response: Grant;
  };
  /** Take a grant back at once */
  "DELETE /users/{user_id}/grants/{grant_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
      /** Format: uuid */
      grant_id: string;
    };
    response: undefined;
  };
  /** Create an API key; its secret is in this answer and nowhere else */
  "POST /api-keys": {
    body: {
      name: string;
      /** @default  */
      description?: string;
      /**
       * @default [
       *       "read"
       *     ]
       */
      scopes?: ("read" | "write" | "admin")[];
      kind?: "SERVER" | "CLIENT";
      expires_at?: string | null;
      /** @default [] */
      allowed_origins?: string[];
      /** ADMIN only */
      rate_limit_per_minute?: number | null;
    };
    response: CreatedApiKey;
  };
  /** API keys: all for DEVELOPER and ADMIN, one's own for others */
  "GET /api-keys": {
    response: ApiKey[];
  };
  /** Revoke an API key for good */
  "DELETE /api-keys/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** Experiments, filtered, searched and sorted */
  "GET /experiments/": {
    query?: {
      status_filter?: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
      skip?: number;
      limit?: number;
      search?: string;
      /**
       * @default created_at
       * @enum {string}
       */
      sort_by?: "created_at" | "updated_at" | "name" | "key" | "status" | "start_date" | "end_date";
      /**
       * @default desc
       * @enum {string}
       */
      sort_order?: "asc" | "desc";
    };
    response: {
      items: ExperimentSummary[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Create an experiment */
  "POST /experiments/": {
    body: ExperimentCreate;
    response: Experiment;
  };
  /** An experiment, by id or key */
  "GET /experiments/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** Change an experiment: absent fields keep their value, null clears */
  "PUT /experiments/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    body: ExperimentUpdate;
    response: Experiment;
  };
  /** The same as PUT */
  "PATCH /experiments/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    body: ExperimentUpdate;
    response: Experiment;
  };
  /** Delete a DRAFT experiment */
  "DELETE /experiments/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: undefined;
  };
  /** DRAFT or PAUSED to ACTIVE */
  "POST /experiments/{experiment_id}/start": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** ACTIVE to PAUSED */
  "POST /experiments/{experiment_id}/pause": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** ACTIVE or PAUSED to COMPLETED; a winner is served to everyone by the bound flag */
  "POST /experiments/{experiment_id}/complete": {
    params: {
      experiment_id: string;
    };
    body?: {
      winner?: string;
    };
    response: Experiment;
  };
  /** Any status but ARCHIVED to ARCHIVED */
  "POST /experiments/{experiment_id}/archive": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** A new DRAFT with the same design */
  "POST /experiments/{experiment_id}/clone": {
    params: {
      experiment_id: string;
    };
    body?: {
      name?: string;
      /** @example checkout-button */
      key?: string;
    };
    response: Experiment;
  };
  /** Which URL a user would be sent to */
  "GET /experiments/{experiment_id}/split-url/preview": {
    params: {
      experiment_id: string;
    };
    query: {
      user_id: string;
      /** Sent as JSON */
      attributes?: {
        [key: string]: unknown;
      };
    };
    response: SplitUrlPreview;
  };
  /** Begin an experiment step by step */
  "POST /wizard/drafts": {
    body?: WizardDraftWrite;
    response: WizardDraft;
  };
  /** The caller's own drafts, the last changed first */
  "GET /wizard/drafts": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: WizardDraft[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** One of the caller's own drafts, with the body that submit would create */
  "GET /wizard/drafts/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: WizardDraft;
  };
  /** Save a step; unfinished and wrong values are kept, and named by validate */
  "PUT /wizard/drafts/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body?: WizardDraftWrite;
    response: WizardDraft;
  };
  /** Throw a draft away */
  "DELETE /wizard/drafts/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** What submit would refuse, step by step */
  "POST /wizard/drafts/{id}/validate": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: WizardValidation;
  };
  /** Create the experiment that `preview` shows; the draft is then gone */
  "POST /wizard/drafts/{id}/submit": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: {
      experiment_id: string;
      experiment: Experiment;
    };
  };
  /** The events that the caller is notified of, and the channels */
  "GET /notifications/preferences": {
    response: NotificationPreferences;
  };
  /** Change the caller's own preferences: absent fields keep their value, null clears */
  "PUT /notifications/preferences": {
    body: NotificationPreferencesUpdate;
    response: NotificationPreferences;
  };
  /** The preferences of all users who have set any */
  "GET /notifications/admin/preferences": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: NotificationPreferences[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Sent and failed notifications with their recipients, newest first; kept for 30 days, at most 10,000 */
  "GET /notifications/delivery-log": {
    query?: {
      status?: "PENDING" | "SENT" | "FAILED" | "CANCELLED";
      channel?: "EMAIL" | "SLACK" | "WEBHOOK";
      event?: "EXPERIMENT_STARTED" | "EXPERIMENT_PAUSED" | "EXPERIMENT_COMPLETED" | "EXPERIMENT_ARCHIVED" | "SAFETY_ROLLBACK" | "ROLLOUT_ADVANCED" | "RESULT_SIGNIFICANT" | "KEY_STALE" | "TEST";
      user_id?: string;
      skip?: number;
      limit?: number;
    };
    response: {
      items: NotificationDelivery[];
      total: number;
      skip: number;
      limit: number;
      /** False where more match than `total` says: they are counted to 1,000 after the page */
      total_is_exact: boolean;
    };
  };
  /** Send a test to the caller's own channels now, and say what happened on each */
  "POST /notifications/test": {
    response: NotificationTest;
  };
  /** Results of an experiment, current to the last acknowledged event */
  "GET /results/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    query?: {
      /**
       * WAREHOUSE where the experiment was synced from one, else EMBEDDED: the events sent here
       * @enum {string}
       */
      source?: "EMBEDDED" | "WAREHOUSE";
    };
    response: Results;
  };
  /** The same, under the experiment */
  "GET /experiments/{experiment_id}/results": {
    params: {
      experiment_id: string;
    };
    query?: {
      /**
       * WAREHOUSE where the experiment was synced from one, else EMBEDDED: the events sent here
       * @enum {string}
       */
      source?: "EMBEDDED" | "WAREHOUSE";
    };
    response: Results;
  };
  /** Tests that may be looked at any day, an alpha-spending schedule and whether to stop */
  "GET /results/{experiment_id}/sequential": {
    params: {
      experiment_id: string;
    };
    query?: {
      /**
       * @default msprt
       * @enum {string}
       */
      method?: "msprt" | "always_valid" | "group_sequential";
      alpha?: number;
      /**
       * By default that of the experiment's group_sequential, else obrien_fleming
       * @enum {string}
       */
      spending_function?: "obrien_fleming" | "pocock" | "power" | "hsd";
      /** By default those of the experiment's group_sequential, else 5 */
      num_looks?: number;
      /** Share of the control's value that msprt is tuned for and that futility excludes. By default the effect that planned_sample_size finds with 80 % power, or 0.1 without a plan */
      expected_lift?: number;
      /** Users of all arms that were planned; planned_sample_size where absent, else looks are counted. group_sequential needs it */
      planned_users?: number;
    };
    response: SequentialResults;
  };
  /** Effects adjusted by what the same users did before */
  "GET /results/{experiment_id}/cuped": {
    params: {
      experiment_id: string;
    };
    query?: {
      winsorize?: boolean;
      lower_pct?: number;
      upper_pct?: number;
      lookback_days?: number;
    };
    response: CupedResults;
  };
  /** Effects by the segments of an attribute, with Bonferroni-corrected thresholds */
  "GET /results/{experiment_id}/breakdown": {
    params: {
      experiment_id: string;
    };
    query: {
      /** Name of an attribute of exposures or assignments */
      dimension: string;
      /** Id or name of a metric */
      metric_id?: string;
      base_alpha?: number;
    };
    response: BreakdownResults;
  };
  /** The effect day by day, for plots */
  "GET /results/{experiment_id}/timeseries": {
    params: {
      experiment_id: string;
    };
    query?: {
      /** The first PRIMARY metric where absent */
      metric_id?: string;
      /** The first treatment where absent */
      variant?: string;
    };
    response: TimeseriesResults;
  };
  /** The running counts of an experiment */
  "GET /counters/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Counters;
  };
  /** Add to one counter */
  "POST /counters/{experiment_id}/increment": {
    params: {
      experiment_id: string;
    };
    body: CounterIncrement;
    response: Counters;
  };
  /** Add to several counters, to all or to none */
  "POST /counters/{experiment_id}/bulk": {
    params: {
      experiment_id: string;
    };
    body: {
      increments: CounterIncrement[];
    };
    response: Counters;
  };
  /** Set every counter of an experiment back to 0 */
  "DELETE /counters/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: undefined;
  };
  /** Connections to warehouses, newest first */
  "GET /warehouse/connections": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: WarehouseConnection[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Keep a connection to a warehouse; it is not tried */
  "POST /warehouse/connections": {
    body: WarehouseConnectionCreate;
    response: WarehouseConnection;
  };
  /** One connection, without its password */
  "GET /warehouse/connections/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: WarehouseConnection;
  };
  /** Change a connection; a new host or port needs the password again */
  "PUT /warehouse/connections/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: WarehouseConnectionUpdate;
    response: WarehouseConnection;
  };
  /** Forget a connection; results that came through it stay */
  "DELETE /warehouse/connections/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** Connect now, with stored settings, those of the body, or these over those */
  "POST /warehouse/connections/test": {
    body: WarehouseConnectionTest;
    response: WarehouseTestResult;
  };
  /** Let the warehouse sum an experiment up; results come from there from then on */
  "POST /warehouse/sync/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    body: WarehouseSource;
    response: WarehouseSync;
  };
  /** Weights of a bandit and what they rest on; for any experiment */
  "GET /bandit/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Bandit;
  };
  /** Compute the weights now, as the hourly job does */
  "POST /bandit/{experiment_id}/update": {
    params: {
      experiment_id: string;
    };
    response: Bandit;
  };
  /** Set the weights of a bandit manually */
  "PUT /bandit/{experiment_id}/weights": {
    params: {
      experiment_id: string;
    };
    body: BanditWeights;
    response: Bandit;
  };
  /** Which of the running experiments disturb each other */
  "GET /interactions/scan": {
    query?: {
      alpha?: number;
    };
    response: InteractionScan;
  };
  /** Whether the effect of one experiment depends on the arm in another */
  "GET /interactions/{exp_a_id}/{exp_b_id}": {
    params: {
      exp_a_id: string;
      exp_b_id: string;
    };
    query?: {
      /** Id or name of a metric of A, else of B; A's first PRIMARY one where absent */
      metric_id?: string;
      alpha?: number;
    };
    response: InteractionPair;
  };
  /** Whether the effects of two experiments wear off */
  "GET /interactions/{exp_a_id}/{exp_b_id}/novelty": {
    params: {
      exp_a_id: string;
      exp_b_id: string;
    };
    query?: {
      /** Id or name of a metric; each one's first PRIMARY one where absent */
      metric_id?: string;
      alpha?: number;
    };
    response: NoveltyPair;
  };
  /** The data jobs, each with its last runs */
  "GET /etl/jobs": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: EtlJob[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Begin a run; each node does one at a time, others wait */
  "POST /etl/jobs/{job_name}/run": {
    params: {
      job_name: string;
    };
    body?: {
      parameters?: {
        [key: string]: unknown;
      };
    };
    response: EtlRun;
  };
  /** A run, as it stands now */
  "GET /etl/jobs/{run_id}": {
    params: {
      /** Format: uuid */
      run_id: string;
    };
    response: EtlRun;
  };
  /** What a run had to say, oldest first */
  "GET /etl/jobs/{run_id}/logs": {
    params: {
      /** Format: uuid */
      run_id: string;
    };
    response: EtlLogs;
  };
  /** Stop a run within a second; 400 where it has ended */
  "POST /etl/jobs/{run_id}/cancel": {
    params: {
      /** Format: uuid */
      run_id: string;
    };
    response: EtlRun;
  };
  /** Feature flags, filtered and searched */
  "GET /feature-flags/": {
    query?: {
      status_filter?: "ACTIVE" | "INACTIVE" | "ARCHIVED";
      skip?: number;
      limit?: number;
      search?: string;
      stale?: boolean;
    };
    response: FeatureFlagSummary[];
  };
  /** Create a feature flag */
  "POST /feature-flags/": {
    body: FeatureFlagCreate;
    response: FeatureFlag;
  };
  /** A feature flag, by id or key */
  "GET /feature-flags/{id}": {
    params: {
      id: string;
    };
    response: FeatureFlag;
  };
  /** Change a feature flag: absent fields keep their value, null clears */
  "PUT /feature-flags/{id}": {
    params: {
      id: string;
    };
    body: FeatureFlagUpdate;
    response: FeatureFlag;
  };
  /** The same as PUT */
  "PATCH /feature-flags/{id}": {
    params: {
      id: string;
    };
    body: FeatureFlagUpdate;
    response: FeatureFlag;
  };
  /** Change the rollout percentage only */
  "PATCH /feature-flags/{id}/rollout": {
    params: {
      id: string;
    };
    body: {
      rollout_percentage: number;
      reason?: string;
    };
    response: FeatureFlag;
  };
  /** Delete a feature flag */
  "DELETE /feature-flags/{id}": {
    params: {
      id: string;
    };
    response: undefined;
  };
  /** Enable, disable or archive up to 100 flags; each succeeds or fails by itself */
  "POST /feature-flags/bulk-toggle": {
    body: BulkToggle;
    response: BulkToggleResult;
  };
  /** What was done to a feature flag, newest first; by id also after it was deleted */
  "GET /feature-flags/{id}/history": {
    params: {
      id: string;
    };
    query?: {
      skip?: number;
      limit?: number;
    };
    response: FlagHistory;
  };
  /** Whether each flag is on for a user */
  "GET /feature-flags/user/{user_id}": {
    params: {
      user_id: string;
    };
    query?: {
      /** Sent as JSON */
      context?: {
        [key: string]: unknown;
      };
    };
    response: {
      [key: string]: boolean;
    };
  };
  /** Evaluate a flag for a user; `explain=true` adds the trace */
  "POST /feature-flags/{key}/evaluate": {
    params: {
      key: string;
    };
    query?: {
      explain?: boolean;
    };
    body: {
      user_id: string;
      attributes?: {
        [key: string]: unknown;
      };
    };
    response: Evaluation;
  };
  /** Create a segment of users, by id and by condition */
  "POST /segments": {
    body: SegmentCreate;
    response: Segment;
  };
  /** Segments, in order of creation */
  "GET /segments": {
    query?: {
      skip?: number;
      limit?: number;
      status_filter?: "ACTIVE" | "ARCHIVED";
      search?: string;
    };
    response: {
      items: Segment[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** A segment, by id or name */
  "GET /segments/{id}": {
    params: {
      id: string;
    };
    response: Segment;
  };
  /** Change a segment: absent fields keep their value, null clears */
  "PUT /segments/{id}": {
    params: {
      id: string;
    };
    body: SegmentUpdate;
    response: Segment;
  };
  /** Delete a segment that nothing refers to */
  "DELETE /segments/{id}": {
    params: {
      id: string;
    };
    response: undefined;
  };
  /** Whether a user is a member, and why */
  "POST /segments/{id}/evaluate": {
    params: {
      id: string;
    };
    body: {
      user_id: string;
      attributes?: {
        [key: string]: unknown;
      };
    };
    response: SegmentMembership;
  };
  /** Mutual-exclusion groups, in order of creation */
  "GET /mutual-exclusion-groups": {
    query?: {
      skip?: number;
      limit?: number;
      status_filter?: "ACTIVE" | "ARCHIVED";
    };
    response: {
      items: MutualExclusionGroup[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Create a group of experiments of which every user is in one at most */
  "POST /mutual-exclusion-groups": {
    body: MutualExclusionGroupCreate;
    response: MutualExclusionGroup;
  };
  /** A group with the slots of its experiments */
  "GET /mutual-exclusion-groups/{group_id}": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    response: MutualExclusionGroup;
  };
  /** Change a group: absent fields keep their value, null clears; slots stay */
  "PUT /mutual-exclusion-groups/{group_id}": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    body: MutualExclusionGroupUpdate;
    response: MutualExclusionGroup;
  };
  /** Archive a group: it takes no more experiments, those in it keep their slots */
  "DELETE /mutual-exclusion-groups/{group_id}": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    response: undefined;
  };
  /** Give a DRAFT experiment a slot */
  "POST /mutual-exclusion-groups/{group_id}/experiments": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    body: {
      experiment_id: string;
      /** Share of everyone; half of the largest free range where absent */
      slot_percentage?: number;
    };
    response: MutualExclusionGroup;
  };
  /** Take a DRAFT experiment out of its group */
  "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}": {
    params: {
      /** Format: uuid */
      group_id: string;
      eid: string;
    };
    response: undefined;
  };
  /** The active holdout, or null */
  "GET /holdout": {
    response: Holdout | null;
  };
  /** Every holdout, in order of creation */
  "GET /holdout/all": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: Holdout[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Hold a share of everyone out of every experiment; ACTIVE at once unless it is a DRAFT */
  "POST /holdout": {
    body: HoldoutCreate;
    response: Holdout;
  };
  /** Rename, start (ACTIVE) or end (ENDED) a holdout */
  "PUT /holdout/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: HoldoutUpdate;
    response: Holdout;
  };
  /** A holdout, and the effect of the experiments that it withholds */
  "GET /holdout/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    query?: {
      /** Count only users who sent this event, from the first one on */
      event_type?: string;
    };
    response: HoldoutReport;
  };
  /** Whether a user is held out */
  "GET /holdout/check/{uid}": {
    params: {
      uid: string;
    };
    response: HoldoutCheck;
  };
  /** The stored assignments of a user */
  "GET /tracking/assignments/{user_id}": {
    params: {
      user_id: string;
    };
    query?: {
      active_only?: boolean;
    };
    response: Assignment[];
  };
  /** Assign a user to an experiment's variant, once */
  "POST /tracking/assign": {
    query?: {
      peek?: boolean;
    };
    body: {
      experiment_key?: string;
      experiment_id?: string;
      user_id: string;
      attributes?: {
        [key: string]: unknown;
      };
    };
    response: AssignAnswer;
  };
  /** Join an anonymous id and a user id for analysis; the first exposure wins */
  "POST /tracking/identify": {
    body: {
      anonymous_id: string;
      user_id: string;
    };
    response: {
      anonymous_id: string;
      user_id: string;
    };
  };
  /** Everything kept of one person, in parts of less than 10 MB that `Link` leads through */
  "GET /tracking/users/{user_id}": {
    params: {
      user_id: string;
    };
    query?: {
      /** `next` of the part before */
      after?: string;
    };
    response: PersonExport;
  };
  /** Erase one person: assignments and events; results recompute */
  "DELETE /tracking/users/{user_id}": {
    params: {
      user_id: string;
    };
    response: {
      erased_events: number;
      erased_assignments: number;
    };
  };
  /** Record one event; a 201 means it is stored durably */
  "POST /tracking/track": {
    body: TrackingEvent;
    response: TrackAnswer;
  };
  /** Record one event or up to 5,000; a 201 means the accepted ones are stored durably */
  "POST /tracking/events": {
    body: TrackingEvent | TrackingEvent[] | {
      events: TrackingEvent[];
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      sent_at?: string;
    };
    response: EventsAnswer;
  };
  /** Everything a provider needs to evaluate locally */
  "GET /openfeature/flags": {
    response: Definitions;
  };
  /** Evaluate one flag remotely */
  "POST /openfeature/evaluate": {
    body: OpenFeatureQuestion;
    response: OpenFeatureAnswer;
  };
  /** Evaluate up to 1,000 flag and user pairs, answered in order */
  "POST /openfeature/bulk-evaluate": {
    body: OpenFeatureQuestion[];
    response: OpenFeatureAnswer[];
  };
  /** Server-sent events: `definitions` names what changed, `refetch` says that something was missed */
  "GET /openfeature/stream": {
    response: DefinitionsEvent;
  };
  /** The audit trail, newest first */
  "GET /audit-logs": {
    query?: {
      action?: string;
      resource_type?: string;
      resource_id?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      end_date?: string;
      skip?: number;
      limit?: number;
    };
    response: {
      items: AuditLogEntry[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Number of entries by action, actor and day */
  "GET /audit-logs/stats": {
    query?: {
      action?: string;
      resource_type?: string;
      resource_id?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      end_date?: string;
    };
    response: AuditStats;
  };
  /** Server-sent events: `audit` is an entry, `gap` says that the reader was too slow and ends the stream */
  "GET /audit-logs/stream": {
    response: AuditLogEntry;
  };
  /** One entry of the audit trail */
  "GET /audit-logs/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: AuditLogEntry;
  };
  /** The audit trail with its seals, oldest first */
  "GET /compliance/audit-events": {
    query?: {
      action?: string;
      resource_type?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      end_date?: string;
      page?: number;
      page_size?: number;
    };
    response: {
      items: ComplianceEvent[];
      total: number;
      page: number;
      page_size: number;
    };
  };
  /** Evidence for SOC 2 controls over the last 365 days */
  "GET /compliance/reports/soc2": {
    response: ComplianceReport;
  };
  /** Evidence for ISO 27001 controls over the last 730 days */
  "GET /compliance/reports/iso27001": {
    response: ComplianceReport;
  };
  /** The sealed trail as JSON or CSV, in signed parts of at most 10 MB; `Link` leads to the next */
  "GET /compliance/export": {
    query?: {
      action?: string;
      resource_type?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601; without offset it is UTC; a date alone is its midnight
       */
      end_date?: string;
      /**
       * @default json
       * @enum {string}
       */
      format?: "json" | "csv";
      /** Sequence number after which the export starts */
      after?: number;
      /** Last sequence to export */
      through?: number;
    };
    response: {
      items: ComplianceEvent[];
      after: number;
      through: number;
    };
  };
  /** Connect an issue tracker, a CRM or a code host */
  "POST /integrations": {
    body: IntegrationCreate;
    response: IntegrationSummary;
  };
  /** Integrations, without their config */
  "GET /integrations": {
    query?: {
      type?: "TRACKER" | "CRM" | "CODEHOST";
      is_active?: boolean;
      skip?: number;
      limit?: number;
    };
    response: IntegrationSummary[];
  };
  /** An integration with its config, secrets masked */
  "GET /integrations/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: Integration;
  };
  /** Change an integration: config is merged by key, a masked secret keeps its value */
  "PUT /integrations/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: IntegrationUpdate;
    response: Integration;
  };
  /** Deactivate an integration: its secrets are erased, the record stays */
  "DELETE /integrations/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** What came in and went out, newest first; the last 1,000 are kept */
  "GET /integrations/{id}/deliveries": {
    params: {
      /** Format: uuid */
      id: string;
    };
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: IntegrationDelivery[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Call the other system with the stored credentials */
  "POST /integrations/{id}/test": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: IntegrationTest;
  };
  /** An event of the issue tracker */
  "POST /integrations/{id}/webhook/tracker": {
    params: {
      /** Format: uuid */
      id: string;
    };
    query?: {
      token?: string;
    };
    body: TrackerEvent;
    response: WebhookAnswer;
  };
  /** An event of the CRM */
  "POST /integrations/{id}/webhook/crm": {
    params: {
      /** Format: uuid */
      id: string;
    };
    query?: {
      token?: string;
    };
    body: CrmEvent;
    response: WebhookAnswer;
  };
  /** An event of the code host, signed */
  "POST /integrations/{id}/webhook/codehost": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: CodehostEvent;
    response: WebhookAnswer;
  };
  /** What the MCP server is, where it is, and its tools */
  "GET /mcp/manifest": {
    response: McpManifest;
  };
  /** Model Context Protocol, streamable HTTP; its tools do what the caller may do */
  "POST /mcp": {
    body: {
      [key: string]: unknown;
    } | unknown[];
    response: {
      [key: string]: unknown;
    };
  };
  /** Plan how a flag is rolled out, stage by stage */
  "POST /rollout-schedules": {
    body: RolloutScheduleCreate;
    response: RolloutSchedule;
  };
  /** Rollout schedules, newest first */
  "GET /rollout-schedules": {
    query?: {
      skip?: number;
      limit?: number;
      feature_flag_id?: string;
      status?: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "CANCELLED";
    };
    response: {
      items: RolloutSchedule[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** A rollout schedule, with how the next METRIC stage stands */
  "GET /rollout-schedules/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** Rename a schedule, or replace the stages of a DRAFT */
  "PUT /rollout-schedules/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: RolloutScheduleUpdate;
    response: RolloutSchedule;
  };
  /** Delete a schedule that is DRAFT, COMPLETED or CANCELLED */
  "DELETE /rollout-schedules/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** DRAFT or PAUSED to ACTIVE */
  "POST /rollout-schedules/{id}/activate": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** ACTIVE to PAUSED; the percentage stays */
  "POST /rollout-schedules/{id}/pause": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** DRAFT, ACTIVE or PAUSED to CANCELLED; the percentage stays */
  "POST /rollout-schedules/{id}/cancel": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** Add a stage at the end */
  "POST /rollout-schedules/{id}/stages": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: RolloutStageInput;
    response: RolloutSchedule;
  };
  /** Change a stage that has not begun */
  "PUT /rollout-schedules/stages/{stage_id}": {
    params: {
      /** Format: uuid */
      stage_id: string;
    };
    body: RolloutStageUpdate;
    response: RolloutSchedule;
  };
  /** Remove a stage that has not begun */
  "DELETE /rollout-schedules/stages/{stage_id}": {
    params: {
      /** Format: uuid */
      stage_id: string;
    };
    response: undefined;
  };
  /** Start the next stage now, regardless of its trigger */
  "POST /rollout-schedules/stages/{stage_id}/advance": {
    params: {
      /** Format: uuid */
      stage_id: string;
    };
    response: RolloutSchedule;
  };
  /** What is watched of every flag */
  "GET /safety/settings": {
    response: SafetySettings;
  };
  /** Change the safety settings of all flags */
  "PUT /safety/settings": {
    body: SafetySettingsUpdate;
    response: SafetySettings;
  };
  /** What is watched of a flag, with live values and health */
  "GET /safety/feature-flags/{id}": {
    params: {
      id: string;
    };
    response: FlagSafety;
  };
  /** Change the safety settings of a flag; absent fields keep their value */
  "PUT /safety/feature-flags/{id}": {
    params: {
      id: string;
    };
    body: FlagSafetyUpdate;
    response: FlagSafety;
  };
  /** Roll a flag back at once, to 0 % by default; at 0 no user gets it, not even by a rule */
  "POST /safety/rollback/{flag_id}": {
    params: {
      flag_id: string;
    };
    body?: {
      /** @default 0 */
      percentage?: number;
      reason?: string;
    };
    response: RollbackAnswer;
  };
  /** Every rollback, newest first */
  "GET /safety/rollback-history": {
    query?: {
      skip?: number;
      limit?: number;
      feature_flag_id?: string;
    };
    response: {
      items: Rollback[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Whether jobs start by the clock, and which of them failed */
  "GET /scheduler/health": {
    response: SchedulerHealth;
  };
  /** The jobs, each with its last run and its next */
  "GET /scheduler/jobs": {
    query?: {
      skip?: number;
      limit?: number;
    };
    response: {
      items: ScheduledJob[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** A job, by its name */
  "GET /scheduler/jobs/{job_name}": {
    params: {
      job_name: string;
    };
    response: ScheduledJob;
  };
  /** Run a job now, on this node; 409 while it runs anywhere */
  "POST /scheduler/jobs/{job_name}/trigger": {
    params: {
      job_name: string;
    };
    response: ScheduledJob;
  };
  /** A complete draft of an experiment from a description, with its sample size */
  "POST /ai/design": {
    body: DesignRequest;
    response: ExperimentDesign;
  };
  /** What the stored results say, what to do, and every caveat */
  "POST /ai/interpret/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Interpretation;
  };
  /** Users and days an experiment needs */
  "GET /ai/sample-size": {
    query: {
      /** Conversion rate of control, 0 to 1 */
      baseline_rate?: number;
      /** Mean of control; needed for a relative mde */
      mean?: number;
      /** Of the metric, in its own unit */
      standard_deviation?: number;
      /** Minimum detectable effect: a share of the baseline, or absolute; below 0 for a fall. With a margin the effect that the treatment has, usually 0 */
      mde: number;
      /** Whether mde is a share of the baseline */
      relative?: boolean;
      /** Two-sided, of all comparisons together */
      alpha?: number;
      power?: number;
      /** Arms, control included; 2 where absent, or one for each of the weights */
      variants?: number;
      /** Of control and of each treatment, with commas: `90,10`; equal arms where absent */
      weights?: string;
      /** Metrics that decide, so that they share alpha */
      metrics?: number;
      /** Users who enter the experiment a day, in all arms together */
      daily_users?: number;
      /**
       * What is to be shown; SUPERIORITY where absent
       * @enum {string}
       */
      hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
      /** Of NON_INFERIORITY and EQUIVALENCE: a share of the baseline */
      margin?: number;
      /**
       * Of NON_INFERIORITY: which direction is better
       * @enum {string}
       */
      direction?: "INCREASE" | "DECREASE";
      /** Correlation of the metric with what variance_reduction adjusts by: the variance times 1 - its square */
      cuped_correlation?: number;
      /** Mean users of a cluster, where bucket_by draws users together; needs icc */
      cluster_size?: number;
      /** Standard deviation of the users of a cluster / cluster_size; 0 where absent */
      cluster_size_cv?: number;
      /** Intraclass correlation: the share of the variance that lies between clusters */
      icc?: number;
      /** Of a ratio of sums: mean and standard_deviation are then those of the numerator, all of them per user */
      denominator_mean?: number;
      /** Of a ratio: of the denominator per user */
      denominator_standard_deviation?: number;
      /** Of a ratio: of numerator and denominator of a user */
      denominator_correlation?: number;
      /** Of a quantile: which one, in place of standard_deviation; mean is then its value */
      quantile?: number;
      /** Of a quantile: the share of values per unit of the metric around it */
      quantile_density?: number;
    };
    response: SampleSize;
  };
  /** Templates of experiments */
  "GET /ai/templates": {
    query?: {
      skip?: number;
      limit?: number;
      category?: string;
    };
    response: {
      items: ExperimentTemplate[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** A template of an experiment */
  "GET /ai/templates/{id}": {
    params: {
      id: string;
    };
    response: ExperimentTemplate;
  };
}
