// Generated from the contract by `pnpm generate`; do not edit.

export interface Adjustment {
  method: "CUPED" | "REGRESSION";
  /** Ids of the metrics whose value before the exposure is a covariate, and names of attributes */
  covariates: string[];
  adjusted_control_mean: number | null;
  adjusted_treatment_mean: number | null;
  unadjusted_difference: number | null;
  unadjusted_standard_error: number | null;
  /** 100 (1 - (adjusted / unadjusted standard error)^2); null if the row is not adjusted */
  variance_reduction_pct: number | null;
  /**
   * OK and COMMON_SLOPES: the row is adjusted. COMMON_SLOPES uses one slope for both arms, because an arm has fewer than 20 users (or clusters) per coefficient, or fewer than 20 with a covariate other than 0. With any other status the row is not adjusted. NO_COVARIATE_VARIES: no covariate differs between users. TOO_FEW_CONVERSIONS: the smaller arm expects too few conversions or non-conversions to compare means. INSUFFICIENT_DATA: there are too few users or clusters. NOT_APPLICABLE: the metric is a quantile. NOT_AVAILABLE: the data comes from a warehouse, or a breakdown has more than 10,000 combinations of segment, metric and arm
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
  /** Unused for 30 days; consider revoking it */
  stale: boolean;
  /**
   * Format: date-time
   * 90 days after creation
   * @example 2026-01-31T09:30:00.000Z
   */
  rotate_by: string;
  /** Id of the key that this one replaces; null for others */
  replaces: string | null;
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
export interface AuditApproval {
  /**
   * EMERGENCY is a kill or a safety rollback, which needs no approval
   * @enum {string}
   */
  status: "APPROVED" | "EMERGENCY";
  proposal_id: string | null;
  /** Id of the user who approved; the actor is the author */
  approved_by: string | null;
}
export interface AuditLogEntry {
  id: string;
  /** Position in the trail, starting at 1 */
  sequence: number;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  timestamp: string;
  actor_id: string | null;
  /** Current name of the user, API key or integration; only an ADMIN sees e-mail addresses in it. Null for the server, and for an actor that is unknown or erased. Absent in exports */
  actor_name?: string | null;
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
  /** Only for changes of a protected environment */
  approval?: AuditApproval | null;
  /** Parts whose content was erased, or is hidden from a caller below ADMIN */
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
  /** Number of entries by actor_id, or by actor_type if the id is null; the 1,000 most active actors */
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
  /** Whether the weights apply. False for FIXED: `weight` is then what Thompson sampling would choose */
  applied: boolean;
  metric: string | null;
  /** Id of the metric that is optimised: the first PRIMARY metric, or else the first metric */
  metric_id: string | null;
  weights: {
    variant_id: string;
    variant_key: string;
    /** Share of new users that the arm gets */
    weight: number;
    /** The weight after the next update; null with too little data */
    next_weight: number | null;
    /** Number of users who converted; null unless the metric is a CONVERSION */
    successes: number | null;
    /** Number of users */
    trials: number;
    /** Mean of the metric; weighted by period after the weights have changed */
    mean: number | null;
  }[];
  /** Probability of being the best arm, by variant key, in the metric's direction; null with too little data */
  probability_best: {
    [key: string]: number;
  } | null;
  total_trials: number;
  /** Expected loss per user at these weights, compared with always showing the best arm, in the unit of the metric */
  expected_regret: number | null;
  /** Minimum weight of every arm */
  min_weight: number;
  /** When the weights last changed; null if they never did */
  last_updated: string | null;
  /**
   * READY: an update changes the weights. UNCHANGED: an update would change every weight by less than one percentage point, so the weights stay. INSUFFICIENT_DATA: an arm has fewer than 100 users since the last change, or all arms together have fewer than 2 % of the users before it, or the metric does not vary. FIXED: the allocation is fixed. NOT_RUNNING: the experiment is not ACTIVE. NO_METRIC: it has no metric. ONE_ARM: it has one arm
   * @enum {string}
   */
  status: "READY" | "UNCHANGED" | "INSUFFICIENT_DATA" | "FIXED" | "NOT_RUNNING" | "NO_METRIC" | "ONE_ARM";
}
export interface BanditWeights {
  /** Weights by variant id or key, for every variant, with the sum 1. A weight of 0 gives the arm no new users until its weight is set again */
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
  /** The lift that is expected of a treatment, a share of the control's value: 0.01 is 1 %; 0 where absent */
  effect_mean?: number;
  /** How much lifts vary, as a standard deviation, a share of the control's value. It gives the difference of a metric other than CONVERSION a normal prior; without it the prior is flat */
  effect_sd?: number;
}
export interface BayesianConfigInput {
  prior_alpha?: number;
  prior_beta?: number;
  rope_low?: number | null;
  rope_high?: number | null;
  minimum_bayes_factor?: number;
  credible_interval_width?: number;
  /** The lift that is expected of a treatment, a share of the control's value: 0.01 is 1 %; 0 where absent */
  effect_mean?: number;
  /** How much lifts vary, as a standard deviation, a share of the control's value. It gives the difference of a metric other than CONVERSION a normal prior; without it the prior is flat */
  effect_sd?: number;
}
export interface BayesianResults {
  /** Alpha of the Beta posterior of a rate; null for a normal posterior */
  posterior_alpha: number | null;
  posterior_beta: number | null;
  posterior_mean: number | null;
  /** Equal-tailed credible interval */
  credible_interval: [
    number,
    number
  ] | null;
  /** Bayes factor of a difference against no difference, clamped to e^-700..e^700 */
  bayes_factor: number | null;
  log_bayes_factor: number | null;
  /** Probability that the variant is better than the control, in the metric's direction */
  probability_of_superiority: number | null;
  metric_id: string | null;
  expected_loss: {
    control: number;
    treatment: number;
  } | null;
  decision: "ACCEPT_NULL" | "ACCEPT_ALTERNATIVE" | "INCONCLUSIVE" | "ROPE_ACCEPT";
  /** Whether the decision came before end_date or planned_sample_size */
  stopped_early: boolean;
  difference: {
    mean: number;
    credible_interval: [
      number,
      number
    ];
    /** Probability that the difference is in the region of practical equivalence (ROPE); null without a ROPE */
    rope_probability: number | null;
  } | null;
  /** The normal prior on the difference, in the metric's units, if bayesian_config has effect_sd */
  effect_prior?: {
    mean: number;
    sd: number;
  };
  variants: {
    /** Alpha of the Beta posterior of a rate; null for a normal posterior */
    posterior_alpha: number | null;
    posterior_beta: number | null;
    posterior_mean: number | null;
    /** Equal-tailed credible interval */
    credible_interval: [
      number,
      number
    ] | null;
    /** Bayes factor of a difference against no difference, clamped to e^-700..e^700 */
    bayes_factor: number | null;
    log_bayes_factor: number | null;
    /** Probability that the variant is better than the control, in the metric's direction */
    probability_of_superiority: number | null;
    variant: string;
    n: number;
    highest_density_interval: [
      number,
      number
    ] | null;
    /** Null with an effect_prior and more than one treatment, as is expected_loss */
    probability_best: number | null;
    /** Expected loss compared with the best arm, in the unit of the metric */
    expected_loss: number | null;
    /** Null for the control */
    decision: ("ACCEPT_NULL" | "ACCEPT_ALTERNATIVE" | "INCONCLUSIVE" | "ROPE_ACCEPT") | null;
  }[];
  /**
   * With variance_reduction. OK and COMMON_SLOPES: comparisons with the control use adjusted means, and so do the posteriors if every arm with users can be adjusted. NOT_APPLICABLE: the metric is a rate or a quantile. The other values mean what they mean in rows. Given for the first treatment
   * @enum {string}
   */
  adjustment_status?: "OK" | "COMMON_SLOPES" | "NO_COVARIATE_VARIES" | "TOO_FEW_CONVERSIONS" | "INSUFFICIENT_DATA" | "NOT_APPLICABLE" | "NOT_AVAILABLE";
  /** OK, or the reason why numbers are missing */
  status: string;
}
export interface BreakdownResults {
  experiment_id: string;
  dimension: string;
  base_alpha: number;
  /** Threshold of a segment: base_alpha / comparisons */
  corrected_alpha: number;
  /** Number of comparisons that have enough data for a test */
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
    /** OK, or the reason why numbers are missing */
    status: string;
  }[];
  /** ONE_LOOK: all events were received on one day, for example in an import. PERIODS_POOLED: the weights of a bandit have changed, and this analysis does not separate the periods. EVENTS_REMOVED: events received since the start of the experiment were removed because of their age. EVENTS_DAMAGED: events received during the experiment may be lost because their record failed its checksum. EVENTS_DELAYED: the event engine does not have the latest events yet */
  analysis_warnings: string[];
}
export interface BulkToggle {
  /** Ids or keys of flags; duplicates count once */
  flag_ids: string[];
  action: "ENABLE" | "DISABLE" | "ARCHIVE";
  reason?: string;
}
export interface BulkToggleResult {
  total: number;
  succeeded: number;
  failed: number;
  results: {
    /** Id of the flag, or the requested id or key if the flag does not exist */
    flag_id: string;
    flag_key: string | null;
    success: boolean;
    error: string | null;
    old_status: ("ACTIVE" | "INACTIVE" | "ARCHIVED") | null;
    new_status: ("ACTIVE" | "INACTIVE" | "ARCHIVED") | null;
  }[];
}
export interface ChangeAuthor {
  /** Id of the user, API key or integration */
  id: string;
  /** Only an ADMIN sees e-mail addresses in it. Null for API keys as readers, and if it is unknown */
  name: string | null;
}
export interface CodehostConfig {
  token: string;
  webhook_secret: string;
  /** Base URL of the API; default https://api.github.com */
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
  /** Position in the trail, starting at 1 */
  sequence: number;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  timestamp: string;
  actor_id: string | null;
  /** Current name of the user, API key or integration; only an ADMIN sees e-mail addresses in it. Null for the server, and for an actor that is unknown or erased. Absent in exports */
  actor_name?: string | null;
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
  /** Only for changes of a protected environment */
  approval?: AuditApproval | null;
  /** Parts whose content was erased, or is hidden from a caller below ADMIN */
  redacted?: ("actor" | "resource" | "values")[];
  outcome: "SUCCESS" | "FAILURE";
  previous_hash: string | null;
  /** Null until the entry is sealed, shortly after it was written */
  hash: string | null;
  /** HMAC-SHA256 of `hash` */
  signature: string | null;
  /** Hashes of the redacted parts, whose content was erased */
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
    /** Number of entries in the period, by action */
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
  operator: "EQUALS" | "NOT_EQUALS" | "IN" | "NOT_IN" | "CONTAINS" | "STARTS_WITH" | "ENDS_WITH" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL" | "MATCHES" | "EXISTS" | "SEMVER_EQUALS" | "SEMVER_NOT_EQUALS" | "SEMVER_GREATER_THAN" | "SEMVER_GREATER_THAN_OR_EQUAL" | "SEMVER_LESS_THAN" | "SEMVER_LESS_THAN_OR_EQUAL" | "BEFORE" | "AFTER" | "IN_CIDR" | "NOT_IN_CIDR" | "IN_SEGMENT";
  value?: unknown;
  case_insensitive?: boolean;
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
  /** Time of the last increment or counted event; null before the first */
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
  /** Unused for 30 days; consider revoking it */
  stale: boolean;
  /**
   * Format: date-time
   * 90 days after creation
   * @example 2026-01-31T09:30:00.000Z
   */
  rotate_by: string;
  /** Id of the key that this one replaces; null for others */
  replaces: string | null;
  description: string;
  /** The secret. Only the response that creates the key contains it; a repeat with the same Idempotency-Key omits it */
  key?: string;
}
export interface CrmConfig {
  /** Format: uri */
  instance_url: string;
  client_id: string;
  client_secret: string;
  /** OAuth access token, used until the other system rejects it; the server then requests a new one */
  access_token?: string | null;
  /** Address for access tokens; default: `/services/oauth2/token` of the instance */
  token_url?: string | null;
  api_version?: string | null;
  /** Name of the campaign field for a summary of the results */
  results_field?: string | null;
  /** Key of the HMAC in `X-Hub-Signature-256` over the body */
  webhook_secret?: string | null;
  /** Token expected in the `X-Assay-Webhook-Token` header or as `?token=` */
  webhook_token?: string | null;
  /** Allows webhooks to change experiments if neither webhook_secret nor webhook_token is set */
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
    /** p-value of the adjusted difference; the interval is of the adjusted difference too */
    p_value: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    /** Reduction of the variance in percent; negative if the covariate increases it */
    variance_reduction_pct: number | null;
    /** Number of users in both arms who had an event before their exposure */
    covered_users: number;
    /** OK, or the reason why numbers are missing */
    status: string;
  }[];
  /** ONE_LOOK: all events were received on one day, for example in an import. PERIODS_POOLED: the weights of a bandit have changed, and this analysis does not separate the periods. EVENTS_REMOVED: events received since the start of the experiment were removed because of their age. EVENTS_DAMAGED: events received during the experiment may be lost because their record failed its checksum. EVENTS_DELAYED: the event engine does not have the latest events yet */
  analysis_warnings: string[];
}
export interface CurrentApiKey {
  id: string;
  kind: "SERVER" | "CLIENT";
  expires_at: string | null;
  allowed_origins: string[];
  /** The scopes of the key that its creator may still use */
  scopes: ("read" | "write" | "admin")[];
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
  /** Name of the environment; providers report it as `flagSetId` */
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
  /** Mean of the control, instead of baseline_rate */
  mean?: number;
  /** Standard deviation of the metric, in its unit. For a RATIO or QUANTILE: the standard error of the control times the square root of its number of users */
  standard_deviation?: number;
  /** Minimum detectable effect, as a share of the baseline: 0.1 is 10 % */
  mde?: number;
  /** Whether mde is a share of the baseline (default) or absolute */
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
  /** An area such as `feature-flags`, or `*` for all areas */
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  /** Actions allowed only on what the user created */
  own_actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
}
export interface Environment {
  /** As `X-Assay-Environment` names it */
  name: string;
  /** Requests that name no environment go to this one */
  is_default: boolean;
  /** The environment that answered this request */
  is_current: boolean;
  /** Changes need the approval of another user; see `POST /proposals` */
  is_protected: boolean;
}
export interface ErrorBody {
  detail: string | ValidationIssue[];
}
export interface EtlJob {
  name: string;
  description: string;
  /** JSON Schema of the parameters of a run */
  parameters: {
    [key: string]: unknown;
  };
  /** The latest runs, newest first, at most 5 */
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
  /** Number of events or experiments processed, depending on the job */
  processed: number;
  parameters: {
    [key: string]: unknown;
  };
  /** Files that the run wrote to the exports directory of the server */
  files: {
    name: string;
    rows: number;
    bytes: number;
  }[];
  /** Id of the user who started the run; null if the server did */
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
  trace?: TraceStep[];
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
  /** Current weights of a bandit by variant key, once they have changed; `variants` keep the configured weights */
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
   * Why the experiment did not start or complete on its date; setting a new date clears it
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
  /** Attribute that is hashed instead of the user id, such as company_id. Users with the same value get the same arm, and results are computed by cluster */
  bucket_by?: string | null;
  /** One user is in several clusters over time, so results are by user and cluster; needs bucket_by and sticky_assignment: false, and can change only in DRAFT */
  switchback?: SwitchbackInput | null;
  alpha?: number;
  correction?: "NONE" | "BONFERRONI" | "HOLM" | "BENJAMINI_HOCHBERG";
  allocation?: "FIXED" | "THOMPSON" | "EPSILON_GREEDY" | "UCB1";
  /** Id of a mutual exclusion group; the experiment gets a slot of the default size */
  mutual_exclusion_group_id?: string | null;
  /** Planned number of users in all arms together */
  planned_sample_size?: number | null;
  /** Tests the metrics at several planned looks instead of one. Requires planned_sample_size to start, and cannot change after the start */
  group_sequential?: GroupSequentialInput | null;
  /** How metrics are adjusted before the decision; can change only in DRAFT */
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
  /** The reason for each part of the design, and its assumptions */
  rationale: string[];
  /** The values found in the description, with their words */
  reading: DesignReading[];
  /** The defaults that the design and its sample size use */
  assumptions: DesignAssumption[];
  /** What the description leaves open or says ambiguously */
  questions: DesignQuestion[];
  /** Null until the questions that it depends on are answered */
  sample_size: SampleSize | null;
  template_id: string | null;
  source: "BUILT_IN" | "LANGUAGE_MODEL";
}
export interface ExperimentProgram {
  /** Key of the definition; it is part of the hash */
  key: string;
  /** Attribute that is hashed instead of the user id */
  bucket_by?: string;
  /** Changes whenever a result can change, because of this definition or one that it refers to */
  revision: string;
  id: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  variants: {
    key: string;
    url?: string;
  }[];
  /** Key of the control; empty if the experiment uses the control of its flag */
  control: string;
  feature_flag_key?: string;
  /**
   * Whether assignments are stored; if false, every request computes the arm again
   * @constant
   */
  sticky_assignment?: false;
  decision: ExperimentProgramDecision;
}
export interface ExperimentProgramDecision {
  /** Steps in order; the first whose predicate is true decides */
  steps: [
    ProgramPredicate,
    ExperimentProgramDraw | ExperimentProgramOutcome
  ][];
  otherwise: ExperimentProgramDraw | ExperimentProgramOutcome;
}
export interface ExperimentProgramDraw {
  /** Upper ends of the variants' intervals, in [0, 1] */
  ends: number[];
  /** End of the part of each interval that is inside the rollout, in [0, 1] */
  fills: number[];
  /** One outcome for each interval, and one for users outside of the rollout */
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
  feature_flag_key: string | null;
  /** Users in all arms. `users`, `srm` and `primary_effect` are those of the last results or overview that this server computed; null before. A list computes none */
  users: number | null;
  /** By the p-value that stays valid under repeated looks: `uneven` below 0.001, `watch` below 0.05, otherwise `even`. Null without users */
  srm: ("even" | "watch" | "uneven") | null;
  primary_effect: PrimaryEffect | null;
}
export interface ExperimentTemplate {
  id: string;
  category: string;
  title: string;
  summary: string;
  /** An assumption: replace it with your own rate */
  baseline_rate: number;
  /** Minimum detectable effect, as a share of the baseline */
  mde: number;
  /** The body of a `POST /experiments/` request */
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
  /** Attribute that is hashed instead of the user id, such as company_id. Users with the same value get the same arm, and results are computed by cluster */
  bucket_by?: string | null;
  /** One user is in several clusters over time, so results are by user and cluster; needs bucket_by and sticky_assignment: false, and can change only in DRAFT */
  switchback?: SwitchbackInput | null;
  alpha?: number;
  correction?: "NONE" | "BONFERRONI" | "HOLM" | "BENJAMINI_HOCHBERG";
  allocation?: "FIXED" | "THOMPSON" | "EPSILON_GREEDY" | "UCB1";
  /** Id of a mutual exclusion group; the experiment gets a slot of the default size */
  mutual_exclusion_group_id?: string | null;
  /** Planned number of users in all arms together */
  planned_sample_size?: number | null;
  /** Tests the metrics at several planned looks instead of one. Requires planned_sample_size to start, and cannot change after the start */
  group_sequential?: GroupSequentialInput | null;
  /** How metrics are adjusted before the decision; can change only in DRAFT */
  variance_reduction?: VarianceReductionInput | null;
  tracker_issue_key?: string | null;
  crm_campaign_id?: string | null;
  /** @example acme/shop#42 */
  code_pull_request?: string | null;
}
export interface ExplainedStep {
  /** STATUS, OVERRIDE, PREREQUISITE, HOLDOUT, EXCLUDED_USERS, INCLUDED_USERS, BLOCK, RULE, CONDITION, ROLLOUT or VARIANT. The CONDITIONs of a rule come before their RULE */
  step: string;
  /** The block, rule id, flag key, condition or variant of the step */
  subject: string;
  matched: boolean;
  detail: string;
  /** The attribute that a CONDITION or BLOCK read */
  attribute?: string;
  /** The hash in [0, 1) that a HOLDOUT, group BLOCK, ROLLOUT or VARIANT compared */
  bucket?: number;
  /** The percentage that a ROLLOUT compared it with */
  rollout_percentage?: number;
  /** The value of this attribute as JSON, cut after 500 characters; `null` if the context has none */
  actual?: string;
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
  /** Time of the last evaluation, to the minute: over HTTP, in the server's process, or reported by a tracking event. Null if never evaluated */
  last_evaluated_at: string | null;
  /** Whether the flag can probably be removed; see stale_reasons */
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
  /** @default null */
  value_schema: {
    [key: string]: unknown;
  } | null;
  /** @default false */
  defer_to_caller: boolean;
  bucket_by: string | null;
  client_side: boolean;
  expires_at: string | null;
  /** @default false */
  permanent: boolean;
  tags: string[];
  /** @default {} */
  metadata: FlagMetadata;
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
  value_schema?: ValueSchema | null;
  /** Whether a boolean flag serves the caller's default where it would serve its own without drawing: while it is INACTIVE, at 0 %, and to users whom the targeting excludes. Responses then have `value: null` */
  defer_to_caller?: boolean;
  bucket_by?: string | null;
  client_side?: boolean;
  /** When the flag should be removed. After that it is reported as `stale`; evaluation does not change */
  expires_at?: string | null;
  /** Whether the flag is meant to stay, such as a kill switch. Only `expires_at` makes a permanent flag stale */
  permanent?: boolean;
  tags?: string[] | null;
  metadata?: FlagMetadata | null;
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
  /** Time of the last evaluation, to the minute: over HTTP, in the server's process, or reported by a tracking event. Null if never evaluated */
  last_evaluated_at: string | null;
  /** Whether the flag can probably be removed; see stale_reasons */
  stale: boolean;
  stale_reasons: ("EXPIRED" | "NOT_EVALUATED" | "FULLY_ROLLED_OUT" | "SWITCHED_OFF")[];
  rollout_percentage: number;
  tags: string[];
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  last_changed_at: string;
  /** Null for changes by the server, and if unknown */
  last_changed_by: ChangeAuthor | null;
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
  value_schema?: ValueSchema | null;
  /** Whether a boolean flag serves the caller's default where it would serve its own without drawing: while it is INACTIVE, at 0 %, and to users whom the targeting excludes. Responses then have `value: null` */
  defer_to_caller?: boolean;
  bucket_by?: string | null;
  client_side?: boolean;
  /** When the flag should be removed. After that it is reported as `stale`; evaluation does not change */
  expires_at?: string | null;
  /** Whether the flag is meant to stay, such as a kill switch. Only `expires_at` makes a permanent flag stale */
  permanent?: boolean;
  tags?: string[] | null;
  metadata?: FlagMetadata | null;
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
  defer_to_caller?: boolean;
  targeting_rules?: ServedTargetingRules | null;
  prerequisites?: Prerequisite[];
  bucket_by?: string | null;
  /**
   * False for a flag that a CLIENT key receives only as a prerequisite of other flags
   * @constant
   */
  client_side?: false;
  version?: number;
  metadata?: FlagMetadata;
}
export interface FlagExperiment {
  id: string;
  key: string;
  name: string;
  /** The arm of the user; null if they do not take part */
  variant: string | null;
  /** Whether the user takes part */
  assigned: boolean;
  /** ASSIGNED or OVERRIDE; otherwise why not: HOLDOUT, EXCLUDED, TARGETING, NOT_RUNNING or ERROR */
  reason: string;
}
export interface FlagExplanation {
  key: string;
  enabled: boolean;
  value: unknown;
  variant: string | null;
  reason: "TARGETING_MATCH" | "SPLIT" | "STATIC" | "DEFAULT" | "DISABLED" | "PREREQUISITE_FAILED" | "HOLDOUT" | "ERROR";
  rule_id: string | null;
  bucket: number | null;
  error_code?: string;
  error_message?: string;
  /** In order, at most 1,000 steps */
  trace: ExplainedStep[];
  name: string;
  /** Absent unless an ACTIVE experiment runs on the flag */
  experiment?: FlagExperiment;
}
export interface FlagExplanations {
  flags: FlagExplanation[];
}
export interface FlagHistory {
  items: {
    /** Id of the audit entry */
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
    /** The changed fields before the change */
    old_value: {
      [key: string]: unknown;
    } | null;
    /** The changed fields after the change */
    new_value: {
      [key: string]: unknown;
    } | null;
    /** The differences between old_value and new_value */
    diff: {
      /**
       * JSON Pointer of the changed field
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
export interface FlagMetadata {
  [key: string]: string | number | boolean;
}
export interface FlagProgram {
  /** Key of the definition; it is part of the hash */
  key: string;
  /** Attribute that is hashed instead of the user id */
  bucket_by?: string;
  /** Changes whenever a result can change, because of this definition or one that it refers to */
  revision: string;
  version?: number;
  metadata?: FlagMetadata;
  value_type?: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  /** Null if the flag has no default; the default of the caller then applies */
  default_value: unknown;
  /** Key and value of each variant; a boolean flag has `on` and `off` */
  variants: {
    key: string;
    value: unknown;
  }[];
  /** Key of the control in an experiment over the flag */
  control: string;
  decision: FlagProgramDecision;
  /** Why the definition is invalid; all users then get the default with PARSE_ERROR */
  error?: string;
}
export interface FlagProgramDecision {
  /** Steps in order; the first whose predicate is true decides */
  steps: [
    ProgramPredicate,
    FlagProgramDraw | FlagProgramOutcome
  ][];
  otherwise: FlagProgramDraw | FlagProgramOutcome;
}
export interface FlagProgramDraw {
  /** Upper ends of the variants' intervals, in [0, 1] */
  ends: number[];
  /** End of the part of each interval that is inside the rollout, in [0, 1] */
  fills: number[];
  /** One outcome for each interval, and one for users outside of the rollout */
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
export interface FlagQuestion {
  user_id: string;
  /** The attributes of the user */
  context?: {
    [key: string]: unknown;
  };
  /** Id or key of one flag; absent for all flags */
  flag_key?: string;
  /** A flag that is not saved. It is evaluated as if it were: over the stored flag with this key as by PUT, otherwise as by POST */
  draft?: FeatureFlagCreate;
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
  /** Start of the comparison: since then some users have the flag and others do not */
  watched_since: string | null;
  warnings: string[];
  /** Why the flag cannot be rolled back automatically at the moment; null if it can */
  unguarded_reason: string | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  evaluated_at: string;
}
export interface FlagSafetyUpdate {
  /** Null: use the value of the safety settings */
  automatic_rollback?: boolean | null;
  /** Monitored metrics by name; they override metrics of the safety settings, and null removes one of those */
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
  /** An area such as `feature-flags`, or `*` for all areas */
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  /**
   * Format: date-time
   * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
   */
  expires_at: string;
  /** @default  */
  reason?: string;
}
export interface GroupMember {
  experiment_id: string;
  key: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  /** Start of the slot as a fraction of all users, 0 to 1, inclusive */
  slot_start: number;
  /** End of the slot as a fraction of all users, 0 to 1, exclusive */
  slot_end: number;
}
export interface GroupSequential {
  /** Number of looks, at equal shares of planned_sample_size; the last is at planned_sample_size */
  looks: number;
  /**
   * @default obrien_fleming
   * @enum {string}
   */
  spending_function: "obrien_fleming" | "pocock" | "power" | "hsd";
}
export interface GroupSequentialInput {
  /** Number of looks, at equal shares of planned_sample_size; the last is at planned_sample_size */
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
  /** Percentage of all users held out, above 0 and up to 50 */
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
  /** Id of the active holdout, or null */
  holdout_id: string | null;
  /** The user's bucket in the holdout, in [0, 1) */
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
   * Which users count: those who requested an arm or sent any event, or those who sent an event of `event_type`
   * @enum {string}
   */
  population: "ASKED_OR_SEEN" | "EVENT";
  event_type: string | null;
  sample_size: {
    held_out: number;
    not_held_out: number;
  };
  srm: SampleRatioMismatch;
  /** The control is the held-out users; the treatment `not_held_out` is all other users */
  metrics: MetricResult[];
  /** SAMPLE_RATIO_MISMATCH: the group sizes differ from the configured percentage. EVENTS_REMOVED: events of the holdout were removed because of their age. EVENTS_DAMAGED: events of the holdout are lost because their record failed its checksum */
  analysis_warnings: string[];
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  computed_at: string;
}
export interface HoldoutProgramme {
  /** Experiments that were completed with a winner other than control */
  shipped: number;
  /** Of these, with a lift of a PRIMARY metric whose kind at least 21 completed experiments have */
  assessed: number;
  /** How many of those assessed do nothing or harm, in expectation, by their first PRIMARY metric with a lift */
  expected_false: number | null;
  /** expected_false over assessed */
  false_discovery_rate: number | null;
  effects: {
    event_type: string;
    kind: "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
    /** Lifts of PRIMARY metrics with this event type and kind, of what was shipped */
    shipped: number;
    /** Their sum, as the experiments measured them */
    observed_lift: number;
    /** Their sum, drawn towards the lifts of all completed experiments with this kind of metric; null for fewer than 6 */
    corrected_lift: number | null;
    /** At 95 % */
    corrected_interval: [
      number,
      number
    ] | null;
    /** How many of them do nothing or harm, in expectation */
    expected_false: number | null;
    /** What the holdout measures on this event type and kind; null where it does not */
    holdout_lift: number | null;
    holdout_interval: [
      number,
      number
    ] | null;
  }[];
}
export interface HoldoutReport {
  id: string;
  name: string;
  description: string;
  /** Percentage of all users held out, above 0 and up to 50 */
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
  /** Combined effect of the experiments; null for a DRAFT */
  effect: HoldoutEffect | null;
  /** Absent while it is a DRAFT */
  programme?: HoldoutProgramme;
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
export interface IntegrationCreated {
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
  /** Missing if there is nothing to warn about */
  warnings?: {
    /** `UNSIGNED_WEBHOOKS`: there is neither `webhook_secret` nor `webhook_token` */
    code: string;
    /** What this means, and what to do */
    msg: string;
  }[];
}
export interface IntegrationDelivery {
  id: string;
  direction: "INBOUND" | "OUTBOUND";
  /** Type of the incoming or outgoing message */
  event: string;
  /** Key or id of the issue, campaign or pull request */
  subject: string | null;
  experiment_id: string | null;
  experiment_key: string | null;
  /** Effect on the experiment */
  action: string | null;
  status: "RECEIVED" | "PROCESSED" | "IGNORED" | "PENDING" | "DELIVERED" | "FAILED";
  reason: string | null;
  /** Whether the signature or token of the webhook was checked */
  verified: boolean | null;
  /** Id of the delivery in the other system */
  delivery_id: string | null;
  /** Number of repeated deliveries of the same message */
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
  /** HTTP status of the response; null without a response */
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
  /** Number of entries compared with their seals */
  checked: number;
  redacted: number;
  /** Number of entries that are not sealed yet */
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
  /** Number of users in both experiments; all statistics are computed over them */
  shared_users: number;
  /** Tests that the assignments in A and B are independent; checked before the interaction */
  assignment_p_value: number | null;
  /** With two arms each: the effect of A among users in B's treatment minus the effect of A among users in B's control */
  interaction_effect: number | null;
  standard_error: number | null;
  confidence_interval: [
    number,
    number
  ] | null;
  /** Degrees of freedom of the t-test, or of the chi-square test with more than two arms */
  df: number | null;
  p_value: number | null;
  significant: boolean;
  /** Why there is no p-value, or why it may mislead. TOO_FEW_USERS: a cell has fewer than 100 users. ASSIGNMENT_DEPENDENT: assignment_p_value is below 0.001, so an apparent interaction may come from different users in the cells. DIFFERENT_UNITS: the experiments bucket by different attributes, or one is a switchback */
  warning: ("NO_METRIC" | "DIFFERENT_UNITS" | "MUTUALLY_EXCLUSIVE" | "NO_SHARED_USERS" | "ONE_ARM" | "TOO_MANY_CELLS" | "TOO_FEW_USERS" | "ASSIGNMENT_DEPENDENT" | "ZERO_VARIANCE") | null;
  alpha: number;
  /** One row per arm of A, one column per arm of B, controls first */
  cells: {
    variant_a: string;
    variant_b: string;
    users: number;
    value: number | null;
  }[][];
}
export interface InteractionScan {
  /** Number of ACTIVE experiments in the scan: the 20 started last */
  experiments: number;
  experiments_left_out: number;
  pairs_analyzed: number;
  /** Number of pairs with a p-value, which the correction counts */
  pairs_tested: number;
  significant_pairs: number;
  alpha: number;
  /** Threshold of the smallest p-value: alpha / pairs_tested */
  alpha_adjusted: number;
  pairs: {
    experiment_a_id: string;
    experiment_a_key: string;
    experiment_b_id: string;
    experiment_b_key: string;
    metric: string | null;
    metric_id: string | null;
    /** Number of users in both experiments; all statistics are computed over them */
    shared_users: number;
    /** Tests that the assignments in A and B are independent; checked before the interaction */
    assignment_p_value: number | null;
    /** With two arms each: the effect of A among users in B's treatment minus the effect of A among users in B's control */
    interaction_effect: number | null;
    standard_error: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    /** Degrees of freedom of the t-test, or of the chi-square test with more than two arms */
    df: number | null;
    p_value: number | null;
    significant: boolean;
    /** Why there is no p-value, or why it may mislead. TOO_FEW_USERS: a cell has fewer than 100 users. ASSIGNMENT_DEPENDENT: assignment_p_value is below 0.001, so an apparent interaction may come from different users in the cells. DIFFERENT_UNITS: the experiments bucket by different attributes, or one is a switchback */
    warning: ("NO_METRIC" | "DIFFERENT_UNITS" | "MUTUALLY_EXCLUSIVE" | "NO_SHARED_USERS" | "ONE_ARM" | "TOO_MANY_CELLS" | "TOO_FEW_USERS" | "ASSIGNMENT_DEPENDENT" | "ZERO_VARIANCE") | null;
    /** Holm-adjusted p-value; the pair is `significant` if it is below alpha */
    adjusted_p_value: number | null;
  }[];
}
export interface Interpretation {
  experiment_id: string;
  experiment_key: string;
  summary: string;
  recommendation: "SHIP" | "KEEP_CONTROL" | "CONTINUE" | "INVESTIGATE";
  /** Key of the treatment to ship, for SHIP */
  variant: string | null;
  reasons: string[];
  caveats: {
    code: "NO_DATA" | "SRM" | "CROSSOVER" | "PEEKING" | "LOW_POWER" | "NOVELTY" | "GUARDRAIL" | "MARGIN_NOT_SHOWN" | "MARGIN_CHANGED" | "MULTIPLE_COMPARISONS" | "NO_PRIMARY_METRIC" | "SHORT_RUN" | "CLUSTER_UNKNOWN" | "FEW_CLUSTERS" | "PERIODS_MISALIGNED" | "CARRY_OVER" | "UNITS_NOT_INDEPENDENT" | "EXPOSURES_INFERRED" | "EVENTS_REMOVED" | "EVENTS_DAMAGED" | "EVENTS_DELAYED" | "PERIODS_POOLED" | "ONE_LOOK" | "BAYES_DISAGREES";
    message: string;
  }[];
  /** With SHIP: what to expect of the lift of each metric that decides */
  winners_curse?: {
    /**
     * EMPIRICAL_BAYES: drawn towards the lifts of past experiments. CONDITIONAL: given that the estimate was significant; used if there are too few past experiments
     * @enum {string}
     */
    method: "EMPIRICAL_BAYES" | "CONDITIONAL";
    /** Other COMPLETED experiments whose PRIMARY metrics are of this kind; EMPIRICAL_BAYES needs 20 */
    experiments: number;
    /** relative_difference of the row */
    observed_lift: number;
    corrected_lift: number;
    /** At confidence_level */
    corrected_interval: [
      number,
      number
    ];
    /** That the true effect is none, or in the other direction; null with CONDITIONAL */
    false_sign_probability: number | null;
    /** How many times too large a significant estimate is on average (type M), if the true lift is the corrected one */
    exaggeration: number | null;
    summary: string;
    metric_id: string;
    metric: string;
  }[];
  /**
   * Format: date-time
   * When the interpreted results were computed
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
  /**
   * With variance_reduction. OK and COMMON_SLOPES: each pair of arms that differ only in this factor is adjusted. The other values mean what they mean in rows: a pair could not be adjusted, so none is
   * @enum {string}
   */
  adjustment_status?: "OK" | "COMMON_SLOPES" | "NO_COVARIATE_VARIES" | "TOO_FEW_CONVERSIONS" | "INSUFFICIENT_DATA" | "NOT_APPLICABLE" | "NOT_AVAILABLE";
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
   * The route of this API that the tool calls
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
   * What the experiment should show of a treatment; default SUPERIORITY
   * @enum {string}
   */
  hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** For NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, as a share of the control's value. 0.02 is 2 % */
  margin?: number | null;
  /**
   * Users whose quantiles winsorize_pct clips at: ALL (default), or only users whose value is not 0 (NON_ZERO). A value of 0 is never clipped
   * @enum {string}
   */
  winsorize_of?: "ALL" | "NON_ZERO";
  /** Maximum value of a user; for a RATIO, of the numerator. Applied before winsorize_pct. Not for CONVERSION and QUANTILE */
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
   * What the experiment should show of a treatment; default SUPERIORITY
   * @enum {string}
   */
  hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** For NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, as a share of the control's value. 0.02 is 2 % */
  margin?: number | null;
  /**
   * Users whose quantiles winsorize_pct clips at: ALL (default), or only users whose value is not 0 (NON_ZERO). A value of 0 is never clipped
   * @enum {string}
   */
  winsorize_of?: "ALL" | "NON_ZERO";
  /** Maximum value of a user; for a RATIO, of the numerator. Applied before winsorize_pct. Not for CONVERSION and QUANTILE */
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
  /** Newcombe's interval, for comparison with other tools. Given for a CONVERSION with fewer than 5 successes or failures in an arm */
  newcombe_interval: [
    number,
    number
  ] | null;
  relative_difference: number | null;
  relative_confidence_interval: [
    number,
    number
  ] | null;
  /** Number of users in each arm */
  n: {
    control: number;
    treatment: number;
  };
  /**
   * CLUSTER: bucket_by assigned users together, so standard errors are of clusters instead of users
   * @enum {string}
   */
  unit?: "CLUSTER";
  /** Number of clusters in each arm, with unit CLUSTER */
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
  /** Name of the test, such as WELCH_AND_POOLED_T */
  test: string;
  /** EQUAL_DISTRIBUTIONS: the p-value assumes that without an effect both arms have the same distribution, because the smaller arm has too few users for its skewness to compare means alone */
  assumption: "EQUAL_DISTRIBUTIONS" | null;
  adjustment?: Adjustment;
  /** OK, or the reason why numbers are missing */
  status: string;
  /**
   * What the experiment should show of the metric
   * @enum {string}
   */
  hypothesis: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** Margin as a share of the control's value; null for SUPERIORITY */
  margin: number | null;
  /** One-sided p-value of the claim that the lift is within the margin; significant below alpha / 2. Null for SUPERIORITY, and if the control's value may be 0 */
  margin_p_value: number | null;
  /**
   * What this row alone shows at alpha
   * @enum {string}
   */
  conclusion: "SUPERIOR" | "NON_INFERIOR" | "EQUIVALENT" | "INFERIOR" | "INCONCLUSIVE";
  /** Of a completed experiment, where a metric that decides is significantly better: what to expect */
  winners_curse?: WinnersCurse;
}
export interface MetricTrigger {
  event_type: string;
  comparison: "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Threshold of the difference: the share of users with the event among users in the rollout minus the share among users outside of it. -0.01 with GREATER_THAN means at most one percentage point worse */
  threshold: number;
  /**
   * Minimum number of distinct users in the rollout, and outside of it
   * @default 100
   */
  min_users: number;
  /**
   * Minimum duration of the previous stage, in minutes
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
  /** Of a metric with a margin: the smallest margin, as a share of the control's value, that the row shows with 80 % power if the treatment is like the control; null if that is 1 or more, or the control's value is 0 */
  margin?: number | null;
  /** margin, once there are the planned users; null without a plan */
  margin_at_planned_size?: number | null;
}
export interface MutualExclusionGroup {
  id: string;
  name: string;
  description: string;
  /**
   * An ARCHIVED group accepts no more experiments
   * @enum {string}
   */
  status: "ACTIVE" | "ARCHIVED";
  /** Percentage of all users that the experiments of the group may use together */
  traffic_percentage: number;
  /** Percentage of all users in the largest free range */
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
  event: "EXPERIMENT_STARTED" | "EXPERIMENT_PAUSED" | "EXPERIMENT_COMPLETED" | "EXPERIMENT_ARCHIVED" | "SAFETY_ROLLBACK" | "ROLLOUT_ADVANCED" | "RESULT_SIGNIFICANT" | "KEY_STALE" | "PROPOSAL_CREATED" | "PROPOSAL_APPROVED" | "PROPOSAL_REJECTED" | "TEST";
  title: string;
  /** E-mail address, or host of the webhook */
  recipient: string;
  /**
   * CANCELLED: the channel was switched off before it was sent
   * @enum {string}
   */
  status: "PENDING" | "SENT" | "FAILED" | "CANCELLED";
  attempts: number;
  /** Error of the last attempt; never contains an address or a secret */
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
  /** Null: use the e-mail address of the account */
  email_address: string | null;
  slack_enabled: boolean;
  /** ******** if one is set */
  slack_webhook_url: string | null;
  webhook_enabled: boolean;
  webhook_url: string | null;
  /** ******** if one is set */
  webhook_secret: string | null;
  /** Subscribed events; all by default */
  events: {
    EXPERIMENT_STARTED: boolean;
    EXPERIMENT_PAUSED: boolean;
    EXPERIMENT_COMPLETED: boolean;
    EXPERIMENT_ARCHIVED: boolean;
    SAFETY_ROLLBACK: boolean;
    ROLLOUT_ADVANCED: boolean;
    RESULT_SIGNIFICANT: boolean;
    KEY_STALE: boolean;
    PROPOSAL_CREATED: boolean;
    PROPOSAL_APPROVED: boolean;
    PROPOSAL_REJECTED: boolean;
  };
  /** Null if the preferences were never changed */
  updated_at: string | null;
}
export interface NotificationPreferencesUpdate {
  email_enabled?: boolean;
  /** An address other than the account's requires DEVELOPER */
  email_address?: string | null;
  slack_enabled?: boolean;
  /** An incoming webhook of Slack, or of what speaks like it; ******** keeps it */
  slack_webhook_url?: ("********" | string) | null;
  webhook_enabled?: boolean;
  webhook_url?: string | null;
  /** Signs the messages; at least 16 characters; ******** keeps it */
  webhook_secret?: ("********" | string) | null;
  /** Absent events keep their value */
  events?: {
    EXPERIMENT_STARTED?: boolean;
    EXPERIMENT_PAUSED?: boolean;
    EXPERIMENT_COMPLETED?: boolean;
    EXPERIMENT_ARCHIVED?: boolean;
    SAFETY_ROLLBACK?: boolean;
    ROLLOUT_ADVANCED?: boolean;
    RESULT_SIGNIFICANT?: boolean;
    KEY_STALE?: boolean;
    PROPOSAL_CREATED?: boolean;
    PROPOSAL_APPROVED?: boolean;
    PROPOSAL_REJECTED?: boolean;
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
  /** Key of the treatment: the first treatment of each experiment */
  variant: string | null;
  /** Effect among users first exposed that day, on what they did in their first 24 hours; given once those 24 hours have passed for all of them */
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
  /** Slope of the effect over ln(day) */
  slope: number | null;
  /** p-value of the slope */
  p_value: number | null;
  /** Whether the slope is significant and the effect decreases over time */
  has_novelty: boolean;
  /** Whether the slope is significant and the effect increases over time */
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
export interface Overview {
  experiment_id: string;
  experiment_key: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  decision: {
    action: "SHIP" | "KEEP_CONTROL" | "CONTINUE" | "INVESTIGATE";
    /** Key of the treatment to ship, for SHIP */
    variant: string | null;
    sentence: string;
    reasons: string[];
  };
  users: number;
  planned_users: number | null;
  variants: {
    id: string;
    key: string;
    name: string;
    is_control: boolean;
    weight: number;
    users: number;
  }[];
  metrics: OverviewMetric[];
  srm: {
    /** p-value of a chi-square test at one look */
    p_value: number | null;
    /** p-value that stays valid under repeated looks */
    anytime_p_value: number | null;
    expected: {
      [key: string]: number;
    };
    /** Number of users by variant; number of clusters if bucket_by assigned users together */
    observed: {
      [key: string]: number;
    };
    /** Whether anytime_p_value is below 0.001: the split differs from the configured weights, so find out why before you trust the results */
    warning: boolean;
    /** By the p-value that stays valid under repeated looks: `uneven` below 0.001, `watch` below 0.05, otherwise `even`. Null without users */
    state: ("even" | "watch" | "uneven") | null;
  };
  warnings: {
    code: string;
    message: string;
  }[];
  /** The first PRIMARY metric of the treatment to ship, or of the first one. Always by the test that may be read on every day. Null without data */
  timeseries: {
    metric_id: string;
    metric: string;
    variant: string;
    /**
     * The test that decides: PLANNED_LOOK if a planned look established the conclusion, otherwise ANYTIME, the test that may be read on every day
     * @enum {string}
     */
    method: "ANYTIME" | "PLANNED_LOOK";
    /** Confidence level of the interval */
    level: number;
    days: {
      /**
       * Format: date
       * Day of receipt, in UTC
       */
      date: string;
      /** Users of both arms until the end of the day */
      n: number;
      difference: number | null;
      interval: [
        number,
        number
      ] | null;
    }[];
  } | null;
  /** Posterior of the difference of the first PRIMARY metric and the first treatment; null unless bayesian_enabled, and without data */
  posterior: {
    metric_id: string;
    variant: string;
    /** Level of the credible interval */
    level: number;
    mean: number;
    interval: [
      number,
      number
    ];
    /** Differences and their posterior density, ascending; 101 points */
    points: [
      number,
      number
    ][];
  } | null;
  /**
   * Format: date-time
   * @example 2026-01-31T09:30:00.000Z
   */
  computed_at: string;
}
export interface OverviewMetric {
  metric_id: string;
  name: string;
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  direction: "INCREASE" | "DECREASE";
  variant: string;
  /**
   * The test that decides: PLANNED_LOOK if a planned look established the conclusion, otherwise ANYTIME, the test that may be read on every day
   * @enum {string}
   */
  method: "ANYTIME" | "PLANNED_LOOK";
  /** Confidence level of the interval */
  level: number;
  n: {
    control: number;
    treatment: number;
  };
  control_value: number;
  treatment_value: number;
  /** Treatment less control, in the unit of the metric */
  difference: number | null;
  interval: [
    number,
    number
  ] | null;
  /** Difference as a share of the control's value */
  lift: number | null;
  lift_interval: [
    number,
    number
  ] | null;
  reading: "better" | "worse" | "inconclusive";
  conclusion: "SUPERIOR" | "NON_INFERIOR" | "EQUIVALENT" | "INFERIOR" | "INCONCLUSIVE";
  /** OK, or the reason why numbers are missing */
  status: string;
}
export interface Permission {
  /** An area such as `feature-flags`, or `*` for all areas */
  resource: string;
  actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
}
export interface PersonErasure {
  erased_events: number;
  erased_assignments: number;
  /** The segments from whose `user_ids` the person was removed */
  removed_from: PersonTrace[];
  /** What still contains an id of the person, or may; at most 1,000 entries */
  remaining: PersonTrace[];
  /** The number of all such places */
  remaining_total: number;
}
export interface PersonExport {
  user_id: string;
  aliases: string[];
  /** Stored assignments; only in the first part */
  assignments: Assignment[];
  /** Events in order of receipt, oldest first */
  events: {
    [key: string]: unknown;
  }[];
  /** Value of `after` for the next part; null in the last part */
  next: string | null;
}
export interface PersonTrace {
  /** As in the audit trail, or `export_file`, `kept_answer`, `audit_entry` */
  resource_type: string;
  /** For an export file, the run that wrote it */
  resource_id: string | null;
  resource_name: string | null;
  /** What was done, or what to do */
  advice: string;
}
export interface Prerequisite {
  flag_key: string;
  variant?: string;
  value?: unknown;
}
export interface PrimaryEffect {
  metric: string;
  variant: string;
  /** Difference as a share of the control's value */
  lift: number | null;
  /** Confidence interval of the lift */
  interval: [
    number,
    number
  ] | null;
  decision: "SHIP" | "KEEP_CONTROL" | "CONTINUE" | "INVESTIGATE";
}
export interface Program {
  /** Version of the program format; evaluators reject other versions */
  program_version: number;
  /** Name of the environment; providers report it as `flagSetId` */
  flag_set_id?: string;
  flags: FlagProgram[];
  experiments: ExperimentProgram[];
  segments: SegmentProgram[];
}
export interface ProgramPattern {
  /** The regular expression as written */
  source: string;
  /** Index of the first state */
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
    "^" | "$" | "\\b" | "\\B" | "accept",
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
  "address",
  string,
  [
    string,
    string
  ][]
] | [
  "one",
  string,
  ProgramPredicate
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
export interface Proposal {
  id: string;
  route: "POST /feature-flags/" | "PUT /feature-flags/{id}" | "PATCH /feature-flags/{id}" | "PATCH /feature-flags/{id}/rollout" | "DELETE /feature-flags/{id}" | "POST /experiments/" | "PUT /experiments/{experiment_id}" | "PATCH /experiments/{experiment_id}" | "DELETE /experiments/{experiment_id}" | "POST /experiments/{experiment_id}/start" | "POST /experiments/{experiment_id}/pause" | "POST /experiments/{experiment_id}/complete" | "POST /experiments/{experiment_id}/archive" | "POST /experiments/{experiment_id}/clone" | "PUT /bandit/{experiment_id}/weights" | "POST /segments" | "PUT /segments/{id}" | "DELETE /segments/{id}" | "POST /rollout-schedules" | "PUT /rollout-schedules/{id}" | "DELETE /rollout-schedules/{id}" | "POST /rollout-schedules/{id}/activate" | "POST /rollout-schedules/{id}/pause" | "POST /rollout-schedules/{id}/cancel" | "POST /rollout-schedules/{id}/stages" | "PUT /rollout-schedules/stages/{stage_id}" | "DELETE /rollout-schedules/stages/{stage_id}" | "POST /rollout-schedules/stages/{stage_id}/advance" | "POST /mutual-exclusion-groups" | "PUT /mutual-exclusion-groups/{group_id}" | "DELETE /mutual-exclusion-groups/{group_id}" | "POST /holdout" | "PUT /holdout/{id}";
  /**
   * As the audit trail names it
   * @example feature_flag.update
   */
  action: string;
  /** @example feature_flag */
  resource_type: string;
  /** Null until a proposal to create it is APPLIED */
  resource_id: string | null;
  resource_name: string | null;
  status: "OPEN" | "APPLIED" | "REJECTED" | "WITHDRAWN";
  /** Whether the resource has changed since the proposal, which then cannot be approved */
  is_stale: boolean;
  reason: string | null;
  /** Id of the user who proposed the change, or who created the API key that did */
  author_id: string | null;
  /** Only an ADMIN sees e-mail addresses in it */
  author_name: string | null;
  /** Id of the user who approved, rejected or withdrew it; null while it is OPEN */
  decided_by: string | null;
  /** Only an ADMIN sees e-mail addresses in it */
  decided_by_name: string | null;
  decided_at: string | null;
  decision_reason: string | null;
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
  params: {
    [key: string]: string;
  };
  body: unknown | null;
  /** Version of the resource when it was proposed; null if the proposal creates the resource */
  base_version: number | null;
  /** The fields that differ, as they are now, or were before a decided proposal; null for a creation */
  old_value: {
    [key: string]: unknown;
  } | null;
  /** The same fields as the proposal makes them; null for a deletion */
  new_value: {
    [key: string]: unknown;
  } | null;
  /** Why an OPEN proposal cannot be applied now; null if it can */
  problem: string | null;
}
export interface ProposalCreate {
  /**
   * The route of the change, as in this reference
   * @enum {string}
   */
  route: "POST /feature-flags/" | "PUT /feature-flags/{id}" | "PATCH /feature-flags/{id}" | "PATCH /feature-flags/{id}/rollout" | "DELETE /feature-flags/{id}" | "POST /experiments/" | "PUT /experiments/{experiment_id}" | "PATCH /experiments/{experiment_id}" | "DELETE /experiments/{experiment_id}" | "POST /experiments/{experiment_id}/start" | "POST /experiments/{experiment_id}/pause" | "POST /experiments/{experiment_id}/complete" | "POST /experiments/{experiment_id}/archive" | "POST /experiments/{experiment_id}/clone" | "PUT /bandit/{experiment_id}/weights" | "POST /segments" | "PUT /segments/{id}" | "DELETE /segments/{id}" | "POST /rollout-schedules" | "PUT /rollout-schedules/{id}" | "DELETE /rollout-schedules/{id}" | "POST /rollout-schedules/{id}/activate" | "POST /rollout-schedules/{id}/pause" | "POST /rollout-schedules/{id}/cancel" | "POST /rollout-schedules/{id}/stages" | "PUT /rollout-schedules/stages/{stage_id}" | "DELETE /rollout-schedules/stages/{stage_id}" | "POST /rollout-schedules/stages/{stage_id}/advance" | "POST /mutual-exclusion-groups" | "PUT /mutual-exclusion-groups/{group_id}" | "DELETE /mutual-exclusion-groups/{group_id}" | "POST /holdout" | "PUT /holdout/{id}";
  /**
   * The path parameters of the route
   * @example {
   *       "id": "checkout"
   *     }
   */
  params?: {
    [key: string]: string;
  };
  /** The body that the route takes */
  body?: unknown;
  /** Why; default the `reason` in `body` */
  reason?: string;
}
export interface ProposalSummary {
  id: string;
  route: "POST /feature-flags/" | "PUT /feature-flags/{id}" | "PATCH /feature-flags/{id}" | "PATCH /feature-flags/{id}/rollout" | "DELETE /feature-flags/{id}" | "POST /experiments/" | "PUT /experiments/{experiment_id}" | "PATCH /experiments/{experiment_id}" | "DELETE /experiments/{experiment_id}" | "POST /experiments/{experiment_id}/start" | "POST /experiments/{experiment_id}/pause" | "POST /experiments/{experiment_id}/complete" | "POST /experiments/{experiment_id}/archive" | "POST /experiments/{experiment_id}/clone" | "PUT /bandit/{experiment_id}/weights" | "POST /segments" | "PUT /segments/{id}" | "DELETE /segments/{id}" | "POST /rollout-schedules" | "PUT /rollout-schedules/{id}" | "DELETE /rollout-schedules/{id}" | "POST /rollout-schedules/{id}/activate" | "POST /rollout-schedules/{id}/pause" | "POST /rollout-schedules/{id}/cancel" | "POST /rollout-schedules/{id}/stages" | "PUT /rollout-schedules/stages/{stage_id}" | "DELETE /rollout-schedules/stages/{stage_id}" | "POST /rollout-schedules/stages/{stage_id}/advance" | "POST /mutual-exclusion-groups" | "PUT /mutual-exclusion-groups/{group_id}" | "DELETE /mutual-exclusion-groups/{group_id}" | "POST /holdout" | "PUT /holdout/{id}";
  /**
   * As the audit trail names it
   * @example feature_flag.update
   */
  action: string;
  /** @example feature_flag */
  resource_type: string;
  /** Null until a proposal to create it is APPLIED */
  resource_id: string | null;
  resource_name: string | null;
  status: "OPEN" | "APPLIED" | "REJECTED" | "WITHDRAWN";
  /** Whether the resource has changed since the proposal, which then cannot be approved */
  is_stale: boolean;
  reason: string | null;
  /** Id of the user who proposed the change, or who created the API key that did */
  author_id: string | null;
  /** Only an ADMIN sees e-mail addresses in it */
  author_name: string | null;
  /** Id of the user who approved, rejected or withdrew it; null while it is OPEN */
  decided_by: string | null;
  /** Only an ADMIN sees e-mail addresses in it */
  decided_by_name: string | null;
  decided_at: string | null;
  decision_reason: string | null;
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
export interface Results {
  experiment_id: string;
  experiment_key: string;
  status: "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";
  /** Confidence level of each interval: 1 - alpha */
  confidence_level: number;
  metrics: MetricResult[];
  /** Effects of the factors, for MULTIVARIATE experiments */
  main_effects?: MainEffect[];
  /** Given if bayesian_enabled is true */
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
  /** Number of users seen in two arms, who are excluded */
  crossover: number;
  /** Number of users whose arm was forced, who are excluded */
  forced: number;
  /**
   * Source of the events
   * @enum {string}
   */
  source: "EMBEDDED" | "WAREHOUSE";
  /** EXPOSURES_INFERRED: there are no exposure events; exposures are inferred from outcomes. WEIGHTED_BY_PERIOD: the weights of a bandit have changed; each period counts by its share of all users. BEFORE_PLANNED_SIZE: there are fewer users than planned_sample_size; the p-values are valid for one look, at the end. WINSORISED_TO_ONE_VALUE: winsorize_pct or cap of a metric clips more users than have a value, so all values became equal. CLUSTER_UNKNOWN: users whose exposures lack the attribute of bucket_by are excluded. FEW_CLUSTERS: an arm has fewer than 10 clusters, or effectively so, because some clusters are much larger than others. PERIODS_MISALIGNED: in a switchback, more than 5 % of exposures are outside of the period of their cluster. CARRY_OVER: in a switchback, outcomes depend on the arm of the same users' previous period (p < 0.001). UNITS_NOT_INDEPENDENT: bucket_by assigned users together, but they are compared as if assigned individually. PLAN_CHANGED: planned_sample_size or group_sequential changed after the start; decisions use the values at the start. MARGIN_CHANGED: the hypothesis or margin of a metric changed after the start, so its choice may depend on the results. EVENTS_REMOVED: events received since the start of the experiment were removed because of their age. EVENTS_DAMAGED: events received during the experiment may be lost because their record failed its checksum. EVENTS_DELAYED: the event engine does not have the latest events yet */
  analysis_warnings: string[];
  /** Given if the event engine does not have every acknowledged event yet: those received until this time are counted; null if none are */
  complete_until?: string | null;
  /**
   * Format: date-time
   * For WAREHOUSE: time of the sync
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
  /** Name of the metric that became worse */
  metric: string | null;
  previous_percentage: number;
  new_percentage: number;
  evidence: SafetyValue | null;
  /** Id of the user; null for an automatic rollback */
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
  /** Ids of the rollout schedules that were paused; a user can activate them again */
  paused_schedules: string[];
}
export interface RolloutEvidence {
  users_in: number;
  users_out: number;
  value_in: number | null;
  value_out: number | null;
  difference: number | null;
  /** Stays valid under repeated looks */
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
  /** Why the schedule paused itself */
  pause_reason: string | null;
  stages: RolloutStage[];
  /** When the schedule last became ACTIVE */
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
  /** Position in the schedule, starting at 1 */
  order: number;
  target_percentage: number;
  trigger: "TIME" | "METRIC" | "MANUAL";
  trigger_config: (TimeTrigger | MetricTrigger) | null;
  status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  started_at: string | null;
  completed_at: string | null;
  /** Evidence of a METRIC stage: the evidence that started it, or the current evidence if a single schedule is retrieved */
  evidence: RolloutEvidence | null;
}
export interface RolloutStageInput {
  target_percentage: number;
  trigger: "TIME" | "METRIC" | "MANUAL";
  /** A TimeTrigger for TIME, a MetricTrigger for METRIC, null for MANUAL */
  trigger_config?: {
    [key: string]: unknown;
  } | null;
}
export interface RolloutStageReplacement {
  target_percentage: number;
  trigger: "TIME" | "METRIC" | "MANUAL";
  /** A TimeTrigger for TIME, a MetricTrigger for METRIC, null for MANUAL */
  trigger_config?: {
    [key: string]: unknown;
  } | null;
  /**
   * Format: uuid
   * Id of an existing stage to keep; a stage without an id is new
   */
  id?: string;
}
export interface RolloutStageUpdate {
  target_percentage?: number;
  trigger?: "TIME" | "METRIC" | "MANUAL";
  /** A TimeTrigger for TIME, a MetricTrigger for METRIC, null for MANUAL */
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
   * RATE: share of users with the event. COUNT: events per user. MEAN: mean value among users with a value
   * @default RATE
   * @enum {string}
   */
  aggregation: "RATE" | "MEAN" | "COUNT";
  /**
   * Side of the threshold that is harmful
   * @default GREATER_THAN
   * @enum {string}
   */
  comparison: "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  warning_threshold: unknown;
  critical_threshold: unknown;
  /**
   * Minimum number of users in the rollout, and outside of it, for a check
   * @default 100
   */
  min_users: number;
}
export interface SafetyMetricInput {
  event_type: string;
  /**
   * RATE: share of users with the event. COUNT: events per user. MEAN: mean value among users with a value
   * @enum {string}
   */
  aggregation?: "RATE" | "MEAN" | "COUNT";
  /**
   * Side of the threshold that is harmful
   * @enum {string}
   */
  comparison?: "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  warning_threshold?: number | null;
  critical_threshold?: number | null;
  /**
   * Minimum number of users in the rollout, and outside of it, for a check
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
  /** Replaces all monitored metrics */
  metrics?: {
    [key: string]: SafetyMetricInput;
  };
  /** Time window of the live values, in minutes */
  window_minutes?: number;
}
export interface SafetyValue {
  name: string;
  health: "HEALTHY" | "WARNING" | "CRITICAL" | "UNKNOWN";
  /** Value of the users in the rollout, within the window */
  live_value: number | null;
  live_users: number;
  /** Number of distinct users since the rollout began */
  users_in: number;
  users_out: number;
  value_in: number | null;
  value_out: number | null;
  difference: number | null;
  /** Confidence interval of the difference since the rollout began; valid at any time */
  confidence_interval: [
    number,
    number
  ] | null;
  /** Whether users in the rollout are significantly worse off */
  worse: boolean;
}
export interface SampleRatioMismatch {
  /** p-value of a chi-square test at one look */
  p_value: number | null;
  /** p-value that stays valid under repeated looks */
  anytime_p_value: number | null;
  expected: {
    [key: string]: number;
  };
  /** Number of users by variant; number of clusters if bucket_by assigned users together */
  observed: {
    [key: string]: number;
  };
  /** Whether anytime_p_value is below 0.001: the split differs from the configured weights, so find out why before you trust the results */
  warning: boolean;
}
export interface SampleSize {
  metric_kind: "CONVERSION" | "MEAN" | "RATIO" | "QUANTILE";
  /** Rate, mean, ratio or quantile of control */
  baseline: number | null;
  /** Rate or mean of the treatment with the effect */
  target: number | null;
  absolute_effect: number;
  relative_effect: number | null;
  alpha: number;
  /** Significance level per comparison with the control, of each metric (Bonferroni) */
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
  /** Users of all arms at each planned look, and its day; null without looks */
  looks: {
    users: number;
    day: number | null;
  }[] | null;
  /** With looks: users of all arms until the test stops on average, if the effect is mde */
  mean_users: number | null;
  daily_users: number | null;
  /** Duration in days, rounded up; null without daily_users */
  days: number | null;
}
export interface ScheduledJob {
  name: string;
  description: string;
  /**
   * Cron expression with five fields, in UTC
   * @example * * * * *
   */
  schedule: string;
  /** Whether any node starts scheduled jobs */
  enabled: boolean;
  last_run_at: string | null;
  last_status: ("SUCCEEDED" | "FAILED") | null;
  /** Error of the last run, if it FAILED */
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
   * DEGRADED: a job failed or is overdue. STOPPED: no node starts scheduled jobs
   * @enum {string}
   */
  status: "HEALTHY" | "DEGRADED" | "STOPPED";
  /** When a node last checked for due jobs, accurate to 30 s */
  last_tick_at: string | null;
  running: string[];
  failed: string[];
  /** Names of jobs that are due for more than five minutes and not running */
  overdue: string[];
}
export interface SearchResults {
  results: {
    type: "flag" | "experiment" | "segment" | "person";
    id: string;
    /** Key; the name of a segment, the username of a person */
    key: string;
    name: string;
  }[];
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
  /** Condition as one tree, in either request form; null if only user_ids count */
  conditions: Condition | null;
  /** Users who are members regardless of their attributes */
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
  /** A condition tree, or a list of conditions that must all hold */
  conditions?: (Condition | Condition[]) | null;
  /** A condition tree, or a list of conditions of which one must hold; instead of `conditions` */
  rules?: (Condition | Condition[]) | null;
  user_ids?: string[] | null;
}
export interface SegmentMembership {
  segment_id: string;
  user_id: string;
  is_member: boolean;
  /**
   * `user_ids` if the user is listed, otherwise the conditions that were checked and hold
   * @example [
   *       "plan EQUALS \"pro\""
   *     ]
   */
  matched: string[];
}
export interface SegmentProgram {
  id: string;
  name: string;
  /** The condition of membership */
  when: ProgramPredicate;
}
export interface SegmentUpdate {
  name?: string;
  description?: string | null;
  status?: "ACTIVE" | "ARCHIVED";
  /** A condition tree, or a list of conditions that must all hold */
  conditions?: (Condition | Condition[]) | null;
  /** A condition tree, or a list of conditions of which one must hold; instead of `conditions` */
  rules?: (Condition | Condition[]) | null;
  user_ids?: string[] | null;
}
export interface SegmentUse {
  type: "FEATURE_FLAG" | "EXPERIMENT" | "SEGMENT";
  id: string;
  /** Key of the flag or experiment, or name of the segment */
  key: string;
}
export interface SequentialResults {
  experiment_id: string;
  method: "msprt" | "always_valid" | "group_sequential";
  alpha: number;
  /** Confidence level of each interval: 1 - alpha */
  confidence_level: number;
  metrics: {
    metric: string;
    metric_id: string;
    variant: string;
    difference: number | null;
    standard_error: number | null;
    /** Log-likelihood ratio at the last look */
    log_likelihood_ratio: number | null;
    /** p-value valid at any time: the minimum so far. For group_sequential: over the looks taken */
    p_value: number | null;
    /** p-value that decides: Holm-adjusted over all arms of the PRIMARY metrics, or of the GUARDRAIL metrics. Null for other metrics */
    adjusted_p_value: number | null;
    /** Confidence interval valid at any time: the intersection of all intervals so far. For group_sequential: at the boundary of the last look taken */
    confidence_interval: [
      number,
      number
    ] | null;
    /** Confidence interval of the lift, (treatment - control) / |control|; valid at any time */
    relative_confidence_interval: [
      number,
      number
    ] | null;
    /** Whether p_value is below alpha, for this row alone */
    is_significant: boolean;
    looks: {
      /**
       * Format: date
       * Day of receipt, in UTC
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
    /** OK, or the reason why numbers are missing */
    status: string;
    /**
     * What the experiment should show of the metric
     * @enum {string}
     */
    hypothesis: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
    /** Margin as a share of the control's value; null for SUPERIORITY */
    margin: number | null;
    /** One-sided p-value of the claim that the lift is within the margin; valid at any time. Null for SUPERIORITY */
    margin_p_value: number | null;
    /** p-value that decides, significant below alpha / 2: Holm-adjusted over all claims of the PRIMARY metrics, or Bonferroni-adjusted over the treatments for a GUARDRAIL. Null for SUPERIORITY and for other metrics */
    adjusted_margin_p_value: number | null;
    /**
     * What this row shows at alpha; uses the adjusted p-values if the row decides
     * @enum {string}
     */
    conclusion: "SUPERIOR" | "NON_INFERIOR" | "EQUIVALENT" | "INFERIOR" | "INCONCLUSIVE";
  }[];
  alpha_spending: {
    spending_function: "obrien_fleming" | "pocock" | "power" | "hsd";
    num_looks: number;
    current_look: number;
    /** Number of users divided by the planned number, at most 1; null without a planned size */
    information_fraction: number | null;
    schedule: {
      look: number;
      information_fraction: number;
      cumulative_alpha: number;
      incremental_alpha: number;
      /** Critical value of z; null if too little alpha is spent to stop at this look */
      z_boundary: number | null;
      nominal_p_value: number;
    }[];
    /** Looks that group_sequential has taken, with the boundaries of their days */
    looks: {
      /**
       * Format: date
       * Day of receipt, in UTC
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
  /** ONE_LOOK: all events were received on one day, for example in an import. PERIODS_POOLED: the weights of a bandit have changed, and this analysis does not separate the periods. EVENTS_REMOVED: events received since the start of the experiment were removed because of their age. EVENTS_DAMAGED: events received during the experiment may be lost because their record failed its checksum. EVENTS_DELAYED: the event engine does not have the latest events yet */
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
  /** Lifetime of the cookie, in seconds */
  cookie_max_age: number;
}
export interface StoppedTest {
  /**
   * Format: date
   * Day of receipt, in UTC
   */
  date: string;
  look: number;
  /** Median-unbiased estimate of the difference; the observed difference at a stop is biased away from 0 */
  estimate: number;
  /** Confidence interval of the difference, by stagewise ordering */
  confidence_interval: [
    number,
    number
  ];
  /** p-value by stagewise ordering */
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
   * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
   */
  start_date?: string;
  /**
   * Format: date-time
   * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
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
     * Day of receipt, in UTC
     */
    date: string;
    /** Number of users whose exposure was received that day */
    n_control: number;
    n_treatment: number;
    /** Difference between the users of that day, including everything they did until now */
    difference: number | null;
    confidence_interval: [
      number,
      number
    ] | null;
    /** Difference between all users, as of the end of that day */
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
  /** ONE_LOOK: all events were received on one day, for example in an import. PERIODS_POOLED: the weights of a bandit have changed, and this analysis does not separate the periods. EVENTS_REMOVED: events received since the start of the experiment were removed because of their age. EVENTS_DAMAGED: events received during the experiment may be lost because their record failed its checksum. EVENTS_DELAYED: the event engine does not have the latest events yet */
  analysis_warnings: string[];
}
export interface Tokens {
  access_token: string;
  /** Absent with `X-Assay-Session: cookie`: it is then in a cookie that scripts cannot read */
  refresh_token?: string;
  /** @constant */
  token_type: "bearer";
  /** Lifetime of the access token, in seconds */
  expires_in: number;
}
export interface TraceStep {
  /** STATUS, OVERRIDE, PREREQUISITE, HOLDOUT, EXCLUDED_USERS, INCLUDED_USERS, BLOCK, RULE, CONDITION, ROLLOUT or VARIANT. The CONDITIONs of a rule come before their RULE */
  step: string;
  /** The block, rule id, flag key, condition or variant of the step */
  subject: string;
  matched: boolean;
  detail: string;
  /** The attribute that a CONDITION or BLOCK read */
  attribute?: string;
  /** The hash in [0, 1) that a HOLDOUT, group BLOCK, ROLLOUT or VARIANT compared */
  bucket?: number;
  /** The percentage that a ROLLOUT compared it with */
  rollout_percentage?: number;
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
  /** Key of the HMAC in `X-Hub-Signature-256` over the body */
  webhook_secret?: string | null;
  /** Token expected in the `X-Assay-Webhook-Token` header or as `?token=` */
  webhook_token?: string | null;
  /** Allows webhooks to change experiments if neither webhook_secret nor webhook_token is set */
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
  /** Value for sums, means and quantiles, from -1e15 to 1e15. Absolute values below 1e-100 count as 0 */
  value?: number | null;
  event_metadata?: {
    [key: string]: unknown;
  } | null;
  /** Your id of the event; events with the same id count once. UUIDv7 is fastest */
  event_id?: string | null;
  /** Time of the event, at most 1 hour ahead and 90 days back; default: now */
  timestamp?: string | null;
}
export interface User {
  id: string;
  username: string;
  email: string;
  full_name: string;
  role: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
  /**
   * Names of custom roles, in addition to the built-in role
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
export interface ValueSchema {
  [key: string]: unknown;
}
export interface VarianceReduction {
  /**
   * CUPED adjusts each metric by the same metric of the same users before their first exposure, with one slope for both arms. REGRESSION also adjusts by `covariates` and `attributes`, with a slope per arm (Lin's interacted estimator)
   * @enum {string}
   */
  method: "NONE" | "CUPED" | "REGRESSION";
  lookback_days: number;
  /** Ids of metrics of the experiment. Their values before the exposure are covariates of every metric */
  covariates?: string[];
  /** Attributes of the users' first exposures to post-stratify by. Each has at most 20 strata: its 19 largest groups and the rest */
  attributes?: string[];
}
export interface VarianceReductionInput {
  /**
   * CUPED adjusts each metric by the same metric of the same users before their first exposure, with one slope for both arms. REGRESSION also adjusts by `covariates` and `attributes`, with a slope per arm (Lin's interacted estimator)
   * @enum {string}
   */
  method: "NONE" | "CUPED" | "REGRESSION";
  /** @default 14 */
  lookback_days?: number;
  /** Ids of metrics of the experiment. Their values before the exposure are covariates of every metric */
  covariates?: string[];
  /** Attributes of the users' first exposures to post-stratify by. Each has at most 20 strata: its 19 largest groups and the rest */
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
  /** URL of a SPLIT_URL experiment, as returned; set it with `split_url_config` */
  url?: string;
}
export interface WarehouseColumns {
  /** @default {} */
  assignments?: {
    /** @default user_id */
    user_id?: string;
    /**
     * Column with the key or id of the variant
     * @default variant
     */
    variant?: string;
    /**
     * Column with the time of the exposure
     * @default timestamp
     */
    timestamp?: string;
    /** Column with the key or id of the experiment, if the table has several experiments */
    experiment?: string | null;
    /** Column that is true if the arm was forced instead of drawn by hash */
    forced?: string | null;
    /** Column with the time at which the row arrived, which decides its day in a time series; default: the time of the exposure */
    received?: string | null;
    /** Columns that a breakdown may use as its dimension; everyone who can read results can see their values */
    attributes?: string[] | null;
  };
  /** @default {} */
  events?: {
    /** @default user_id */
    user_id?: string;
    /** @default event_type */
    event_type?: string;
    /** @default timestamp */
    timestamp?: string;
    /** Column with the value; default `value`. Null if events have no value */
    value?: string | null;
    /** Column with the key or id of the experiment that the event counts for; an event without one counts for all */
    experiment?: string | null;
    /** Column that identifies an event: rows with the same id count once. Without it, every row counts */
    id?: string | null;
    /** Column with the time at which the row arrived, which decides its day in a time series; default: the time of the event */
    received?: string | null;
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
  /** POSTGRES, CLICKHOUSE: host name or IP address */
  host?: string | null;
  /** POSTGRES: port; default 5432. CLICKHOUSE: port of the HTTP interface; default 8443, or 8123 without TLS */
  port?: number | null;
  /** POSTGRES, CLICKHOUSE: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; the path must be in a directory that the server allows */
  database?: string | null;
  /** Schema of unqualified table names; default: public (POSTGRES), main (DUCKDB). Not for CLICKHOUSE */
  schema?: string | null;
  username?: string | null;
  /** Encrypted at rest and never returned */
  password?: string | null;
  options?: WarehouseOptions | null;
}
export interface WarehouseConnectionTest {
  /**
   * Format: uuid
   * Id of a stored connection; the other fields override its settings. Without it, only the other fields are used
   */
  connection_id?: string;
  name?: string;
  type?: "POSTGRES" | "DUCKDB" | "CLICKHOUSE";
  /** POSTGRES, CLICKHOUSE: host name or IP address */
  host?: string | null;
  /** POSTGRES: port; default 5432. CLICKHOUSE: port of the HTTP interface; default 8443, or 8123 without TLS */
  port?: number | null;
  /** POSTGRES, CLICKHOUSE: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; the path must be in a directory that the server allows */
  database?: string | null;
  /** Schema of unqualified table names; default: public (POSTGRES), main (DUCKDB). Not for CLICKHOUSE */
  schema?: string | null;
  username?: string | null;
  /** Encrypted at rest and never returned */
  password?: string | null;
  options?: WarehouseOptions | null;
}
export interface WarehouseConnectionUpdate {
  name?: string;
  type?: "POSTGRES" | "DUCKDB" | "CLICKHOUSE";
  /** POSTGRES, CLICKHOUSE: host name or IP address */
  host?: string | null;
  /** POSTGRES: port; default 5432. CLICKHOUSE: port of the HTTP interface; default 8443, or 8123 without TLS */
  port?: number | null;
  /** POSTGRES, CLICKHOUSE: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; the path must be in a directory that the server allows */
  database?: string | null;
  /** Schema of unqualified table names; default: public (POSTGRES), main (DUCKDB). Not for CLICKHOUSE */
  schema?: string | null;
  username?: string | null;
  /** Encrypted at rest and never returned */
  password?: string | null;
  options?: WarehouseOptions | null;
}
export interface WarehouseOptions {
  /**
   * POSTGRES, CLICKHOUSE: VERIFY (default) encrypts and checks the certificate, REQUIRE encrypts without the check, DISABLE does not encrypt
   * @enum {string}
   */
  ssl?: "VERIFY" | "REQUIRE" | "DISABLE";
  /** Timeout of a query in seconds; default 60 */
  statement_timeout_seconds?: number;
}
export interface WarehouseSource {
  /** Format: uuid */
  connection_id: string;
  assignments_table?: string;
  /** One SELECT (or WITH … SELECT) without comments, semicolons or dollar quotes */
  assignments_sql?: string;
  events_table?: string;
  /** One SELECT (or WITH … SELECT) without comments, semicolons or dollar quotes */
  events_sql?: string;
  /** @default {} */
  columns?: WarehouseColumns;
  /** Start, inclusive: exposures from then on, by their timestamp */
  start_date?: string | null;
  /** End, exclusive: exposures and events before then, by their timestamp */
  end_date?: string | null;
}
export interface WarehouseSync {
  experiment_id: string;
  connection_id: string;
  /**
   * A failed sync does not change the results
   * @enum {string}
   */
  status: "SUCCEEDED" | "FAILED";
  error: string | null;
  /** Number of users in the sync */
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
    /** OK */
    status: string;
  }[];
  /** All statements in the order in which they ran */
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
  /** Milliseconds from opening the connection to the result of a first query */
  latency_ms: number;
  error: string | null;
}
export interface WebhookAnswer {
  processed: boolean;
  duplicate?: boolean;
}
export interface WinnersCurse {
  /**
   * EMPIRICAL_BAYES: drawn towards the lifts of past experiments. CONDITIONAL: given that the estimate was significant; used if there are too few past experiments
   * @enum {string}
   */
  method: "EMPIRICAL_BAYES" | "CONDITIONAL";
  /** Other COMPLETED experiments whose PRIMARY metrics are of this kind; EMPIRICAL_BAYES needs 20 */
  experiments: number;
  /** relative_difference of the row */
  observed_lift: number;
  corrected_lift: number;
  /** At confidence_level */
  corrected_interval: [
    number,
    number
  ];
  /** That the true effect is none, or in the other direction; null with CONDITIONAL */
  false_sign_probability: number | null;
  /** How many times too large a significant estimate is on average (type M), if the true lift is the corrected one */
  exaggeration: number | null;
  summary: string;
}
export interface WizardDraft {
  id: string;
  owner_id: string;
  /**
   * The current step
   * @enum {string}
   */
  step: "CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW";
  /** Fields of an experiment's body and `sample_size` (a SampleSizeInput), at most 256 KB; other keys are stored but have no effect */
  data: {
    [key: string]: unknown;
  };
  /** Saved steps without errors */
  completed_steps: ("CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW")[];
  /** Result of `data.sample_size` for the variants of the draft */
  sample_size: SampleSize | null;
  /** The body with which submit creates the experiment */
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
  /** Merged into the draft: absent fields keep their value, null removes a field */
  data?: {
    [key: string]: unknown;
  };
}
export interface WizardValidation {
  valid: boolean;
  errors: {
    step: "CHOOSE_TYPE" | "HYPOTHESIS" | "VARIANTS" | "TARGETING" | "METRICS" | "SAMPLE_SIZE" | "REVIEW";
    /** Location inside `data` */
    loc: (string | number)[];
    msg: string;
    type: string;
  }[];
}
export interface Routes {
  /** Create an account with the role VIEWER and send a confirmation code by e-mail */
  "POST /auth/signup": {
    body: {
      username: string;
      /** 8 to 128 characters; common passwords are rejected */
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
  /** Confirm an account with the code from the e-mail; the code is valid once, for 15 minutes and five attempts per client network */
  "POST /auth/confirm": {
    body: {
      /** Username or e-mail */
      username: string;
      /** Code from the e-mail; letter case, spaces and hyphens do not matter */
      confirmation_code: string;
    };
    response: Message;
  };
  /** Send a new confirmation code; the response is the same if there is no such account */
  "POST /auth/resend-confirmation": {
    body: {
      /** Username or e-mail */
      username: string;
    };
    response: Message;
  };
  /** Send a code for setting a new password; the response is the same if there is no such account */
  "POST /auth/forgot-password": {
    body: {
      /** Username or e-mail */
      username: string;
    };
    response: Message;
  };
  /** Set a new password with the code from the e-mail; ends all sessions */
  "POST /auth/reset-password": {
    body: {
      /** Username or e-mail */
      username: string;
      /** Code from the e-mail; letter case, spaces and hyphens do not matter */
      reset_code: string;
      /** 8 to 128 characters; common passwords are rejected */
      new_password: string;
    };
    response: Message;
  };
  /** Exchange a username and password, form-encoded or JSON, for tokens */
  "POST /auth/token": {
    body: {
      /** Username or e-mail */
      username: string;
      password: string;
    };
    response: Tokens;
  };
  /** Exchange a username and password for tokens */
  "POST /auth/login": {
    body: {
      /** Username or e-mail */
      username: string;
      password: string;
    };
    response: Tokens;
  };
  /** Exchange a refresh token for new tokens; each refresh token is valid once */
  "POST /auth/refresh": {
    body?: {
      refresh_token: string;
    };
    response: Tokens;
  };
  /** End the session and revoke its refresh tokens */
  "POST /auth/logout": {
    response: undefined;
  };
  /** Retrieve the signed-in user */
  "GET /auth/me": {
    response: AuthProfile;
  };
  /** Retrieve the signed-in user */
  "GET /users/me": {
    response: CurrentUser;
  };
  /** List users: all for an ADMIN, only oneself for other users */
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
  /** Create a confirmed user; only a superuser can create a superuser */
  "POST /users/": {
    body: {
      username: string;
      /** Format: email */
      email: string;
      /** 8 to 128 characters; common passwords are rejected */
      password: string;
      full_name?: string;
      /** @default true */
      is_active?: boolean;
      /**
       * Only a superuser may set it, not an API key
       * @default false
       */
      is_superuser?: boolean;
      role?: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
    };
    response: User;
  };
  /** Retrieve a user: oneself, or anyone as an ADMIN */
  "GET /users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    response: User;
  };
  /** Update oneself (full_name, password), or as an ADMIN anyone but superusers */
  "PUT /users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    body: {
      /** Empty or null clears it */
      full_name?: string | null;
      /** 8 to 128 characters; common passwords are rejected */
      password?: string;
      /** Format: email */
      email?: string;
      role?: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
      is_active?: boolean;
      /** Only a superuser may change it */
      is_superuser?: boolean;
    };
    response: User;
  };
  /** List all users */
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
  /** Update the role, the custom roles, the active state or the superuser flag of a user */
  "PATCH /admin/users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    body: {
      role?: "VIEWER" | "ANALYST" | "DEVELOPER" | "ADMIN";
      /** Replaces all custom roles; only an ADMIN may set it */
      custom_roles?: string[];
      is_active?: boolean;
      /** Only a superuser may change it */
      is_superuser?: boolean;
    };
    response: User;
  };
  /** Deactivate a user and revoke their sessions and keys; what they created stays */
  "DELETE /admin/users/{user_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    response: undefined;
  };
  /** List built-in and custom roles with their permissions */
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
  /** Create a custom role, which adds permissions to the built-in role of its holders */
  "POST /roles": {
    body: {
      name: string;
      /** @default  */
      description?: string;
      permissions: Permission[];
    };
    response: NamedRole;
  };
  /** Update a custom role; the change applies to its holders from the next request on */
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
  /** List the permissions of a user: one's own, or anyone's as ADMIN */
  "GET /users/{user_id}/permissions": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    response: UserPermissions;
  };
  /** List the active temporary grants of a user */
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
  /** Grant a user a permission temporarily, for at most a year */
  "POST /users/{user_id}/grants": {
    params: {
      /** Format: uuid */
      user_id: string;
    };
    body: GrantCreate;
    response: Grant;
  };
  /** Revoke a temporary grant */
  "DELETE /users/{user_id}/grants/{grant_id}": {
    params: {
      /** Format: uuid */
      user_id: string;
      /** Format: uuid */
      grant_id: string;
    };
    response: undefined;
  };
  /** Create an API key; only this response contains its secret */
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
      /** Requests per minute; only an ADMIN may set it */
      rate_limit_per_minute?: number | null;
    };
    response: CreatedApiKey;
  };
  /** List API keys: all for DEVELOPER and ADMIN, the caller's own for other roles */
  "GET /api-keys": {
    query?: {
      skip?: number;
      limit?: number;
      /** Part of a name or id */
      search?: string;
    };
    response: ApiKey[];
  };
  /** Retrieve what the API key of this request may do */
  "GET /api-keys/current": {
    response: CurrentApiKey;
  };
  /** Create a key that replaces another; both are valid until you revoke the old one */
  "POST /api-keys/{id}/rotate": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: CreatedApiKey;
  };
  /** Revoke an API key permanently */
  "DELETE /api-keys/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** List the environments of the server, the default one first */
  "GET /environments": {
    response: Environment[];
  };
  /** List experiments: filter, search and sort */
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
      /**
       * Instead of sort_by and sort_order
       * @enum {string}
       */
      sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "key" | "-key" | "status" | "-status" | "start_date" | "-start_date" | "end_date" | "-end_date";
      /** Id of the user who created it */
      owner_id?: string;
      /** Id or key of the flag that it runs on */
      flag?: string;
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
  /** Retrieve an experiment by id or key */
  "GET /experiments/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** Update an experiment: absent fields keep their value, null clears a field */
  "PUT /experiments/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    body: ExperimentUpdate;
    response: Experiment;
  };
  /** Update an experiment, like PUT */
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
  /** Start or resume an experiment: from DRAFT or PAUSED to ACTIVE */
  "POST /experiments/{experiment_id}/start": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** Pause an experiment: from ACTIVE to PAUSED */
  "POST /experiments/{experiment_id}/pause": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** Complete an experiment: from ACTIVE or PAUSED to COMPLETED; with a winner, the bound flag serves it to all users */
  "POST /experiments/{experiment_id}/complete": {
    params: {
      experiment_id: string;
    };
    body?: {
      winner?: string;
    };
    response: Experiment;
  };
  /** Archive an experiment: from any other status to ARCHIVED */
  "POST /experiments/{experiment_id}/archive": {
    params: {
      experiment_id: string;
    };
    response: Experiment;
  };
  /** Clone an experiment as a new DRAFT */
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
  /** Preview the URL that a user would be redirected to */
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
  /** Create a draft of an experiment */
  "POST /wizard/drafts": {
    body?: WizardDraftWrite;
    response: WizardDraft;
  };
  /** List the caller's drafts, last updated first */
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
  /** Retrieve one of the caller's drafts, with the body that submit would send */
  "GET /wizard/drafts/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: WizardDraft;
  };
  /** Save a step of a draft; invalid values are kept, and validate reports them */
  "PUT /wizard/drafts/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body?: WizardDraftWrite;
    response: WizardDraft;
  };
  /** Discard a draft */
  "DELETE /wizard/drafts/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** Validate a draft: the errors that submit would return, by step */
  "POST /wizard/drafts/{id}/validate": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: WizardValidation;
  };
  /** Create the experiment in `preview` and delete the draft */
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
  /** Retrieve the caller's notification preferences: events and channels */
  "GET /notifications/preferences": {
    response: NotificationPreferences;
  };
  /** Update the caller's notification preferences: absent fields keep their value, null clears a field */
  "PUT /notifications/preferences": {
    body: NotificationPreferencesUpdate;
    response: NotificationPreferences;
  };
  /** List the notification preferences of all users who changed them */
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
  /** List sent and failed notifications with their recipients, newest first; kept for 30 days, at most 10,000 */
  "GET /notifications/delivery-log": {
    query?: {
      status?: "PENDING" | "SENT" | "FAILED" | "CANCELLED";
      channel?: "EMAIL" | "SLACK" | "WEBHOOK";
      event?: "EXPERIMENT_STARTED" | "EXPERIMENT_PAUSED" | "EXPERIMENT_COMPLETED" | "EXPERIMENT_ARCHIVED" | "SAFETY_ROLLBACK" | "ROLLOUT_ADVANCED" | "RESULT_SIGNIFICANT" | "KEY_STALE" | "PROPOSAL_CREATED" | "PROPOSAL_APPROVED" | "PROPOSAL_REJECTED" | "TEST";
      user_id?: string;
      skip?: number;
      limit?: number;
    };
    response: {
      items: NotificationDelivery[];
      total: number;
      skip: number;
      limit: number;
      /** Whether `total` is exact. The server counts at most 1,000 matches after the page, so false means that there are more */
      total_is_exact: boolean;
    };
  };
  /** Send a test notification to the caller's channels and report the outcome of each */
  "POST /notifications/test": {
    response: NotificationTest;
  };
  /** Retrieve the results of an experiment, including every acknowledged event */
  "GET /results/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    query?: {
      /**
       * WAREHOUSE if the experiment was synced from one, otherwise EMBEDDED: the events sent to this server
       * @enum {string}
       */
      source?: "EMBEDDED" | "WAREHOUSE";
    };
    response: Results;
  };
  /** Retrieve the results of an experiment, like `GET /results/{experiment_id}` */
  "GET /experiments/{experiment_id}/results": {
    params: {
      experiment_id: string;
    };
    query?: {
      /**
       * WAREHOUSE if the experiment was synced from one, otherwise EMBEDDED: the events sent to this server
       * @enum {string}
       */
      source?: "EMBEDDED" | "WAREHOUSE";
    };
    response: Results;
  };
  /** Retrieve what to know first: the decision, the effects by the test that decides, the split and warnings */
  "GET /results/{experiment_id}/overview": {
    params: {
      experiment_id: string;
    };
    response: Overview;
  };
  /** Retrieve sequential results, which stay valid under daily looks, with an alpha-spending schedule and a stopping decision */
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
       * Default: spending_function of the experiment's group_sequential, or else obrien_fleming
       * @enum {string}
       */
      spending_function?: "obrien_fleming" | "pocock" | "power" | "hsd";
      /** Default: looks of the experiment's group_sequential, or else 5 */
      num_looks?: number;
      /** Lift that msprt is tuned for and that futility rules out, as a share of the control's value. Default: the effect that planned_sample_size detects with 80 % power, or 0.1 without a plan */
      expected_lift?: number;
      /** Planned number of users in all arms. Default: planned_sample_size; without it, the schedule counts looks. group_sequential requires a plan */
      planned_users?: number;
    };
    response: SequentialResults;
  };
  /** Retrieve CUPED results: effects adjusted by what the same users did before their exposure */
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
  /** Retrieve the effects by segments of an attribute, with Bonferroni-corrected thresholds */
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
  /** Retrieve the effect day by day, for charts */
  "GET /results/{experiment_id}/timeseries": {
    params: {
      experiment_id: string;
    };
    query?: {
      /** Id or name of a metric; default: the first PRIMARY metric */
      metric_id?: string;
      /** Id or key of a treatment; default: the first treatment */
      variant?: string;
    };
    response: TimeseriesResults;
  };
  /** Retrieve the counters of an experiment */
  "GET /counters/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Counters;
  };
  /** Increment one counter */
  "POST /counters/{experiment_id}/increment": {
    params: {
      experiment_id: string;
    };
    body: CounterIncrement;
    response: Counters;
  };
  /** Increment several counters, all or none */
  "POST /counters/{experiment_id}/bulk": {
    params: {
      experiment_id: string;
    };
    body: {
      increments: CounterIncrement[];
    };
    response: Counters;
  };
  /** Reset all counters of an experiment to 0 */
  "DELETE /counters/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: undefined;
  };
  /** List warehouse connections, newest first */
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
  /** Create a warehouse connection, without testing it */
  "POST /warehouse/connections": {
    body: WarehouseConnectionCreate;
    response: WarehouseConnection;
  };
  /** Retrieve a warehouse connection, without its password */
  "GET /warehouse/connections/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: WarehouseConnection;
  };
  /** Update a warehouse connection; a new host or port requires the password again */
  "PUT /warehouse/connections/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: WarehouseConnectionUpdate;
    response: WarehouseConnection;
  };
  /** Delete a warehouse connection; the results of its syncs stay */
  "DELETE /warehouse/connections/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** Test a connection: stored settings, settings of the body, or both, where the body takes precedence */
  "POST /warehouse/connections/test": {
    body: WarehouseConnectionTest;
    response: WarehouseTestResult;
  };
  /** Compute the sums of an experiment in a warehouse; its results use the warehouse from then on */
  "POST /warehouse/sync/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    body: WarehouseSource;
    response: WarehouseSync;
  };
  /** Retrieve the weights of a bandit and the data behind them; works for every experiment */
  "GET /bandit/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Bandit;
  };
  /** Compute the weights of a bandit now, as the hourly job does */
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
  /** Scan the running experiments for interactions */
  "GET /interactions/scan": {
    query?: {
      alpha?: number;
    };
    response: InteractionScan;
  };
  /** Test whether the effect of one experiment depends on the arm of another */
  "GET /interactions/{exp_a_id}/{exp_b_id}": {
    params: {
      exp_a_id: string;
      exp_b_id: string;
    };
    query?: {
      /** Id or name of a metric of A, or else of B; default: the first PRIMARY metric of A */
      metric_id?: string;
      alpha?: number;
    };
    response: InteractionPair;
  };
  /** Test whether the effects of two experiments wear off over time */
  "GET /interactions/{exp_a_id}/{exp_b_id}/novelty": {
    params: {
      exp_a_id: string;
      exp_b_id: string;
    };
    query?: {
      /** Id or name of a metric; default: the first PRIMARY metric of each experiment */
      metric_id?: string;
      alpha?: number;
    };
    response: NoveltyPair;
  };
  /** List the data jobs with their latest runs */
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
  /** Start a run of a data job; each node runs one at a time, the others wait */
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
  /** Retrieve a run and its progress */
  "GET /etl/jobs/{run_id}": {
    params: {
      /** Format: uuid */
      run_id: string;
    };
    response: EtlRun;
  };
  /** List the log lines of a run, oldest first */
  "GET /etl/jobs/{run_id}/logs": {
    params: {
      /** Format: uuid */
      run_id: string;
    };
    response: EtlLogs;
  };
  /** Cancel a run, which stops within a second; 400 if it has ended */
  "POST /etl/jobs/{run_id}/cancel": {
    params: {
      /** Format: uuid */
      run_id: string;
    };
    response: EtlRun;
  };
  /** List feature flags: filter and search */
  "GET /feature-flags/": {
    query?: {
      status_filter?: "ACTIVE" | "INACTIVE" | "ARCHIVED";
      skip?: number;
      limit?: number;
      search?: string;
      stale?: boolean;
      tag?: string;
      /** Id of the user who created the flag */
      owner_id?: string;
      /** Id or key of an experiment: the flag that it runs on */
      experiment_id?: string;
      /**
       * @default -created_at
       * @enum {string}
       */
      sort?: "name" | "-name" | "key" | "-key" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "last_evaluated_at" | "-last_evaluated_at";
    };
    response: FeatureFlagSummary[];
  };
  /** Create a feature flag */
  "POST /feature-flags/": {
    body: FeatureFlagCreate;
    response: FeatureFlag;
  };
  /** Retrieve a feature flag by id or key */
  "GET /feature-flags/{id}": {
    params: {
      id: string;
    };
    response: FeatureFlag;
  };
  /** Update a feature flag: absent fields keep their value, null clears a field */
  "PUT /feature-flags/{id}": {
    params: {
      id: string;
    };
    body: FeatureFlagUpdate;
    response: FeatureFlag;
  };
  /** Update a feature flag, like PUT */
  "PATCH /feature-flags/{id}": {
    params: {
      id: string;
    };
    body: FeatureFlagUpdate;
    response: FeatureFlag;
  };
  /** Update only the rollout percentage of a feature flag */
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
  /** Enable, disable or archive up to 100 feature flags; each succeeds or fails independently */
  "POST /feature-flags/bulk-toggle": {
    body: BulkToggle;
    response: BulkToggleResult;
  };
  /** Explain step by step what one flag or all flags serve a user, also with an unsaved change */
  "POST /feature-flags/explain": {
    query?: {
      skip?: number;
      limit?: number;
    };
    body: FlagQuestion;
    response: FlagExplanations;
  };
  /** List the changes of a feature flag, newest first; by id also after its deletion */
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
  /** Evaluate whether each feature flag is on for a user */
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
  /** Evaluate a feature flag for a user; `explain=true` adds a trace */
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
  /** Create a segment of users, by user id and by condition */
  "POST /segments": {
    body: SegmentCreate;
    response: Segment;
  };
  /** List segments in order of creation */
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
  /** Retrieve a segment by id or name */
  "GET /segments/{id}": {
    params: {
      id: string;
    };
    response: Segment;
  };
  /** Update a segment: absent fields keep their value, null clears a field */
  "PUT /segments/{id}": {
    params: {
      id: string;
    };
    body: SegmentUpdate;
    response: Segment;
  };
  /** Delete a segment that no definition refers to */
  "DELETE /segments/{id}": {
    params: {
      id: string;
    };
    response: undefined;
  };
  /** Check whether a user is a member of a segment, and why */
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
  /** Find flags, experiments, segments and people by a part of their key or name */
  "GET /search": {
    query: {
      q: string;
      limit?: number;
    };
    response: SearchResults;
  };
  /** List mutual exclusion groups in order of creation */
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
  /** Create a mutual exclusion group: each user takes part in at most one of its experiments */
  "POST /mutual-exclusion-groups": {
    body: MutualExclusionGroupCreate;
    response: MutualExclusionGroup;
  };
  /** Retrieve a group with the slots of its experiments */
  "GET /mutual-exclusion-groups/{group_id}": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    response: MutualExclusionGroup;
  };
  /** Update a group: absent fields keep their value, null clears a field; slots do not change */
  "PUT /mutual-exclusion-groups/{group_id}": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    body: MutualExclusionGroupUpdate;
    response: MutualExclusionGroup;
  };
  /** Archive a group: it accepts no more experiments, and its experiments keep their slots */
  "DELETE /mutual-exclusion-groups/{group_id}": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    response: undefined;
  };
  /** Add a DRAFT experiment to a group */
  "POST /mutual-exclusion-groups/{group_id}/experiments": {
    params: {
      /** Format: uuid */
      group_id: string;
    };
    body: {
      experiment_id: string;
      /** Percentage of all users; default: half of the largest free range */
      slot_percentage?: number;
    };
    response: MutualExclusionGroup;
  };
  /** Remove a DRAFT experiment from its group */
  "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}": {
    params: {
      /** Format: uuid */
      group_id: string;
      eid: string;
    };
    response: undefined;
  };
  /** Retrieve the active holdout, or null */
  "GET /holdout": {
    response: Holdout | null;
  };
  /** List holdouts in order of creation */
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
  /** Create a holdout, which keeps a share of all users out of every experiment; it is ACTIVE unless created as a DRAFT */
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
  /** Retrieve a holdout with the combined effect of the experiments */
  "GET /holdout/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    query?: {
      /** Counts only users who sent this event, from their first one on */
      event_type?: string;
    };
    response: HoldoutReport;
  };
  /** Check whether a user is held out */
  "GET /holdout/check/{uid}": {
    params: {
      uid: string;
    };
    response: HoldoutCheck;
  };
  /** List the stored assignments of a user */
  "GET /tracking/assignments/{user_id}": {
    params: {
      user_id: string;
    };
    query?: {
      active_only?: boolean;
    };
    response: Assignment[];
  };
  /** Assign a user to a variant of an experiment; a stored assignment does not change */
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
  /** Link an anonymous id to a user id for analysis; the first exposure counts */
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
  /** Export all stored data of one person, in parts of less than 10 MB; the `Link` header leads to the next part */
  "GET /tracking/users/{user_id}": {
    params: {
      user_id: string;
    };
    query?: {
      /** `next` of the previous part */
      after?: string;
    };
    response: PersonExport;
  };
  /** Erase the assignments and events of one person, and list what is left; results are computed again */
  "DELETE /tracking/users/{user_id}": {
    params: {
      user_id: string;
    };
    response: PersonErasure;
  };
  /** Record one event; a 201 means that it is stored durably */
  "POST /tracking/track": {
    body: TrackingEvent;
    response: TrackAnswer;
  };
  /** Record up to 5,000 events; a 201 means that the accepted events are stored durably */
  "POST /tracking/events": {
    body: TrackingEvent | TrackingEvent[] | {
      events: TrackingEvent[];
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      sent_at?: string;
    };
    response: EventsAnswer;
  };
  /** Retrieve all definitions that a provider needs to evaluate locally */
  "GET /openfeature/flags": {
    response: Definitions;
  };
  /** Evaluate one flag remotely */
  "POST /openfeature/evaluate": {
    body: OpenFeatureQuestion;
    response: OpenFeatureAnswer;
  };
  /** Evaluate up to 1,000 pairs of flag and user; the answers keep the order of the requests */
  "POST /openfeature/bulk-evaluate": {
    body: OpenFeatureQuestion[];
    response: OpenFeatureAnswer[];
  };
  /** Stream changes of definitions as server-sent events: `definitions` names what changed; `refetch` means that a change was missed */
  "GET /openfeature/stream": {
    response: DefinitionsEvent;
  };
  /** Propose a change of a protected environment, which another user approves */
  "POST /proposals": {
    body: ProposalCreate;
    response: Proposal;
  };
  /** List proposals, newest first */
  "GET /proposals": {
    query?: {
      skip?: number;
      limit?: number;
      status?: "OPEN" | "APPLIED" | "REJECTED" | "WITHDRAWN";
      resource_type?: string;
      resource_id?: string;
      author_id?: string;
    };
    response: {
      items: ProposalSummary[];
      total: number;
      skip: number;
      limit: number;
    };
  };
  /** Retrieve a proposal with its difference from the present state */
  "GET /proposals/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: Proposal;
  };
  /** Approve a proposal of another user and apply it; you need the rights of its route */
  "POST /proposals/{id}/approve": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body?: {
      reason?: string;
    };
    response: Proposal;
  };
  /** Reject a proposal of another user; you need the rights of its route */
  "POST /proposals/{id}/reject": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: {
      reason: string;
    };
    response: Proposal;
  };
  /** Withdraw your own proposal */
  "POST /proposals/{id}/withdraw": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: Proposal;
  };
  /** List the entries of the audit trail, newest first */
  "GET /audit-logs": {
    query?: {
      action?: string;
      resource_type?: string;
      resource_id?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
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
  /** Count the entries by action, actor and day */
  "GET /audit-logs/stats": {
    query?: {
      action?: string;
      resource_type?: string;
      resource_id?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      end_date?: string;
    };
    response: AuditStats;
  };
  /** Stream the audit trail as server-sent events: `audit` is an entry; `gap` means that the reader was too slow, and ends the stream */
  "GET /audit-logs/stream": {
    response: AuditLogEntry;
  };
  /** Retrieve an entry of the audit trail */
  "GET /audit-logs/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: AuditLogEntry;
  };
  /** List the audit trail with its seals, oldest first */
  "GET /compliance/audit-events": {
    query?: {
      action?: string;
      resource_type?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
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
  /** Report evidence for SOC 2 controls over the last 365 days */
  "GET /compliance/reports/soc2": {
    response: ComplianceReport;
  };
  /** Report evidence for ISO 27001 controls over the last 730 days */
  "GET /compliance/reports/iso27001": {
    response: ComplianceReport;
  };
  /** Export the sealed audit trail as JSON or CSV, in signed parts of at most 10 MB; the `Link` header leads to the next part */
  "GET /compliance/export": {
    query?: {
      action?: string;
      resource_type?: string;
      actor_id?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      start_date?: string;
      /**
       * Format: date-time
       * ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC
       */
      end_date?: string;
      /**
       * @default json
       * @enum {string}
       */
      format?: "json" | "csv";
      /** Sequence number after which the export starts */
      after?: number;
      /** Sequence number of the last entry to export */
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
    response: IntegrationCreated;
  };
  /** List integrations, without their config */
  "GET /integrations": {
    query?: {
      type?: "TRACKER" | "CRM" | "CODEHOST";
      is_active?: boolean;
      skip?: number;
      limit?: number;
      /** Part of a name or description */
      search?: string;
    };
    response: IntegrationSummary[];
  };
  /** Retrieve an integration with its config; secrets are masked */
  "GET /integrations/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: Integration;
  };
  /** Update an integration: config is merged by key, a masked secret keeps its value */
  "PUT /integrations/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: IntegrationUpdate;
    response: Integration;
  };
  /** Deactivate an integration and erase its secrets; its record stays */
  "DELETE /integrations/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** List the latest 1,000 incoming and outgoing messages of an integration, newest first */
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
  /** Test an integration: call the other system with the stored credentials */
  "POST /integrations/{id}/test": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: IntegrationTest;
  };
  /** Receive a webhook of an issue tracker */
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
  /** Receive a webhook of a CRM */
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
  /** Receive a signed webhook of a code host */
  "POST /integrations/{id}/webhook/codehost": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: CodehostEvent;
    response: WebhookAnswer;
  };
  /** Describe the MCP server: its address, authentication and tools */
  "GET /mcp/manifest": {
    response: McpManifest;
  };
  /** Call the MCP server (Model Context Protocol, streamable HTTP); tools have the rights of the caller */
  "POST /mcp": {
    body: {
      [key: string]: unknown;
    } | unknown[];
    response: {
      [key: string]: unknown;
    };
  };
  /** Create a schedule that rolls out a flag in stages */
  "POST /rollout-schedules": {
    body: RolloutScheduleCreate;
    response: RolloutSchedule;
  };
  /** List rollout schedules, newest first */
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
  /** Retrieve a rollout schedule, with the current evidence for its next METRIC stage */
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
  /** Delete a DRAFT, COMPLETED or CANCELLED schedule */
  "DELETE /rollout-schedules/{id}": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: undefined;
  };
  /** Activate a schedule: from DRAFT or PAUSED to ACTIVE */
  "POST /rollout-schedules/{id}/activate": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** Pause a schedule: from ACTIVE to PAUSED; the percentage stays */
  "POST /rollout-schedules/{id}/pause": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** Cancel a schedule: from DRAFT, ACTIVE or PAUSED to CANCELLED; the percentage stays */
  "POST /rollout-schedules/{id}/cancel": {
    params: {
      /** Format: uuid */
      id: string;
    };
    response: RolloutSchedule;
  };
  /** Add a stage at the end of a schedule */
  "POST /rollout-schedules/{id}/stages": {
    params: {
      /** Format: uuid */
      id: string;
    };
    body: RolloutStageInput;
    response: RolloutSchedule;
  };
  /** Update a stage that has not begun */
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
  /** Retrieve the safety settings of all flags */
  "GET /safety/settings": {
    response: SafetySettings;
  };
  /** Update the safety settings of all flags */
  "PUT /safety/settings": {
    body: SafetySettingsUpdate;
    response: SafetySettings;
  };
  /** Retrieve the monitored metrics of a flag, with live values and health */
  "GET /safety/feature-flags/{id}": {
    params: {
      id: string;
    };
    response: FlagSafety;
  };
  /** Update the safety settings of a flag: absent fields keep their value */
  "PUT /safety/feature-flags/{id}": {
    params: {
      id: string;
    };
    body: FlagSafetyUpdate;
    response: FlagSafety;
  };
  /** Roll a flag back immediately, by default to 0 %; at 0 % no user gets the flag, not even by a rule */
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
  /** List rollbacks, newest first */
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
  /** Check whether the scheduler runs, and which jobs failed */
  "GET /scheduler/health": {
    response: SchedulerHealth;
  };
  /** List the scheduled jobs with their last and next run */
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
  /** Retrieve a scheduled job by name */
  "GET /scheduler/jobs/{job_name}": {
    params: {
      job_name: string;
    };
    response: ScheduledJob;
  };
  /** Run a job now on this node; 409 while any node runs it */
  "POST /scheduler/jobs/{job_name}/trigger": {
    params: {
      job_name: string;
    };
    response: ScheduledJob;
  };
  /** Draft an experiment, with its sample size, from a description in plain English */
  "POST /ai/design": {
    body: DesignRequest;
    response: ExperimentDesign;
  };
  /** Interpret the results of an experiment: a summary, a recommendation and every caveat */
  "POST /ai/interpret/{experiment_id}": {
    params: {
      experiment_id: string;
    };
    response: Interpretation;
  };
  /** Compute how many users and days an experiment needs */
  "GET /ai/sample-size": {
    query: {
      /** Conversion rate of the control, 0 to 1 */
      baseline_rate?: number;
      /** Mean of the control; required for a relative mde */
      mean?: number;
      /** Standard deviation of the metric, in its unit */
      standard_deviation?: number;
      /** Minimum detectable effect: a share of the baseline, or absolute; negative for a decrease. With a margin: the true effect of the treatment, usually 0 */
      mde: number;
      /** Whether mde is a share of the baseline */
      relative?: boolean;
      /** Two-sided significance level of all comparisons together */
      alpha?: number;
      power?: number;
      /** Number of arms, including the control; default 2, or one for each of the weights */
      variants?: number;
      /** Of control and of each treatment, with commas: `90,10`; equal arms where absent */
      weights?: string;
      /** Metrics that decide, so that they share alpha */
      metrics?: number;
      /** Number of users who enter the experiment per day, in all arms together */
      daily_users?: number;
      /**
       * What the experiment should show; default SUPERIORITY
       * @enum {string}
       */
      hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
      /** For NON_INFERIORITY and EQUIVALENCE: margin as a share of the baseline */
      margin?: number;
      /**
       * For NON_INFERIORITY: the direction that is better
       * @enum {string}
       */
      direction?: "INCREASE" | "DECREASE";
      /** Planned looks, as in group_sequential: the users are those of the last look */
      looks?: number;
      /**
       * Of the looks; default obrien_fleming
       * @enum {string}
       */
      spending_function?: "obrien_fleming" | "pocock" | "power" | "hsd";
      /** For an experiment without a plan, which any day may decide: `total` is then at most needed */
      any_time?: boolean;
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
  /** List the templates of experiments */
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
  /** Retrieve a template */
  "GET /ai/templates/{id}": {
    params: {
      id: string;
    };
    response: ExperimentTemplate;
  };
}
