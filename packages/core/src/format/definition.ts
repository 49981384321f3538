/**
 * The pinned definition format: what the server serves at `GET /openfeature/flags`, what providers cache, what every
 * evaluator compiles. Names are those of the HTTP body, so no mapping is needed.
 */

/** The version of the format below; evaluators reject a higher one. */
export const SCHEMA_VERSION = 1;

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type ValueType = "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";

/** All definitions that an evaluator needs for every flag and experiment, without further requests. */
export interface Definitions {
  schema_version: number;
  /** Name of the set, usually an environment; providers show it as `flagSetId`. */
  flag_set_id?: string;
  flags: FlagDefinition[];
  segments: SegmentDefinition[];
  groups: GroupDefinition[];
  holdout: HoldoutDefinition | null;
  experiments: ExperimentDefinition[];
}

/** One arm of a flag; `weight` in the sense of {@link normalizeWeights}: fractions or percentages. */
export interface FlagVariant {
  key: string;
  weight: number;
  value: JsonValue;
}

export interface FlagDefinition {
  key: string;
  /** False while the flag is INACTIVE: everyone gets `default_value`, reason DISABLED. */
  enabled: boolean;
  /** 0 to 100: the share of each variant's own interval that is filled. */
  rollout_percentage: number;
  /** Empty for a plain boolean flag, whose variants are `on` and `off`. */
  variants: FlagVariant[];
  /** Ordered; the first rule whose `when` matches replaces the flag's own rollout. */
  rules: FlagRule[];
  /** False after a safety rollback to 0: rules and `included_users` are off too. */
  rules_enabled?: boolean;
  value_type?: ValueType;
  /** Served outside the rollout; false for a boolean flag without one. */
  default_value?: JsonValue;
  targeting_rules?: TargetingRules | null;
  prerequisites?: Prerequisite[];
  /** An attribute to hash instead of the targeting key. */
  bucket_by?: string | null;
  /** Incremented with every change; the ETag and the OpenTelemetry hooks show it. */
  version?: number;
}

/** The specification's targeting blocks. Blocks combine with AND; inside a list any value matches. */
export interface TargetingRules {
  countries?: string[];
  browsers?: string[];
  user_segments?: string[];
  /** Attribute name to the values that match. */
  user_attributes?: Record<string, (string | number | boolean)[]>;
  time_rules?: TimeRules;
  rollout_percentage?: number;
  /** False recomputes the arm on every evaluation; true (default) keeps the stored one. */
  sticky_assignment?: boolean;
  excluded_users?: string[];
  included_users?: string[];
  /** More members, by their `fingerprint`: definitions for browsers contain no user ids. */
  excluded_users_hashed?: HashedUsers;
  included_users_hashed?: HashedUsers;
}

/** Users by their `fingerprint` with this salt. */
export interface HashedUsers {
  salt: string;
  hashes: string[];
}

export interface TimeRules {
  start_date?: string;
  end_date?: string;
  /** IANA zone; UTC if absent. */
  timezone?: string;
  /** Lowercase English day names. */
  day_of_week?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
  /** From `start` (in) to `end` (out), hours 0 to 24, wrapping over midnight. */
  hour_of_day?: { start: number; end: number };
}

export interface FlagRule {
  id: string;
  when: Condition;
  serve: Serve;
}

export type Serve = { variant: string } | { rollout_percentage: number; variants?: { key: string; weight: number }[] };

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition | Condition[] }
  | AttributeCondition;

export interface AttributeCondition {
  /** Not needed by IN_SEGMENT. */
  attribute?: string;
  operator: Operator;
  /** Not needed by EXISTS. */
  value?: JsonValue;
}

export const OPERATORS = [
  "EQUALS",
  "NOT_EQUALS",
  "IN",
  "NOT_IN",
  "CONTAINS",
  "STARTS_WITH",
  "ENDS_WITH",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL",
  "MATCHES",
  "EXISTS",
  "SEMVER_EQUALS",
  "SEMVER_NOT_EQUALS",
  "SEMVER_GREATER_THAN",
  "SEMVER_GREATER_THAN_OR_EQUAL",
  "SEMVER_LESS_THAN",
  "SEMVER_LESS_THAN_OR_EQUAL",
  "BEFORE",
  "AFTER",
  "IN_SEGMENT",
] as const;

export type Operator = (typeof OPERATORS)[number];

/** Another flag that must have served this variant or value, for the same context, before this one applies. */
export interface Prerequisite {
  flag_key: string;
  variant?: string;
  value?: JsonValue;
}

export interface SegmentDefinition {
  id: string;
  name: string;
  /** Members by name, regardless of their attributes. */
  user_ids?: string[];
  /** More members, by their `fingerprint`. */
  user_ids_hashed?: HashedUsers;
  /** Members by attribute; absent means only `user_ids`. */
  when?: Condition | null;
}

/** A mutual-exclusion group; each experiment owns a stored range of the group's hash line. */
export interface GroupDefinition {
  id: string;
  slots: { experiment_key: string; slot_start: number; slot_end: number }[];
}

/** The active global holdout: those whose `bucket(userId, "holdout:" + id)` is under `percentage / 100`. */
export interface HoldoutDefinition {
  id: string;
  percentage: number;
}

export type ExperimentStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";

export interface ExperimentVariant {
  key: string;
  weight: number;
  is_control?: boolean;
  configuration?: JsonValue;
  /** SPLIT_URL only. */
  url?: string;
}

export interface ExperimentDefinition {
  id: string;
  /** The bucketing key. */
  key: string;
  status: ExperimentStatus;
  experiment_type: "AB_TEST" | "MULTIVARIATE" | "FEATURE_FLAG" | "SPLIT_URL";
  variants: ExperimentVariant[];
  targeting_rules?: TargetingRules | null;
  rules?: FlagRule[];
  /** Forced arms, by user or by segment, in order. */
  overrides?: { user_id?: string; user_segment?: string; value: JsonValue }[];
  /** Arms and bucketing are this flag's. */
  feature_flag_key?: string | null;
  mutual_exclusion_group_id?: string | null;
  bucket_by?: string | null;
}
