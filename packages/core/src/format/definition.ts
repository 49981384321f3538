/**
 * The format of definitions: `GET /openfeature/flags` serves it, providers cache it, and evaluators compile it. Field
 * names are those of the HTTP body.
 */

/** The version of the format; evaluators reject a higher one. */
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

/** One variant of a flag. Weights are fractions or percentages; see {@link normalizeWeights}. */
export interface FlagVariant {
  key: string;
  weight: number;
  value: JsonValue;
}

export interface FlagDefinition {
  key: string;
  /** False while the flag is INACTIVE: all users then get `default_value` with reason DISABLED. */
  enabled: boolean;
  /** Percentage, 0 to 100: the part of each variant's interval that is inside the rollout. */
  rollout_percentage: number;
  /** Empty for a plain boolean flag, whose variants are `on` and `off`. */
  variants: FlagVariant[];
  /** Rules in order. The first whose `when` matches replaces the rollout of the flag. */
  rules: FlagRule[];
  /** False after a safety rollback to 0: rules and `included_users` then have no effect either. */
  rules_enabled?: boolean;
  value_type?: ValueType;
  /** Value outside of the rollout; a boolean flag without one serves false. */
  default_value?: JsonValue;
  /** True for a flag that serves the caller's default instead of its own to users for whom nothing is drawn. */
  defer_to_caller?: boolean;
  targeting_rules?: TargetingRules | null;
  prerequisites?: Prerequisite[];
  /** The attribute that is hashed instead of the targeting key. */
  bucket_by?: string | null;
  /** False for a flag that a CLIENT key receives only because other flags have it as a prerequisite. */
  client_side?: false;
  /** Version of the flag, incremented with each change. */
  version?: number;
  /** Metadata by the authors of the flag; providers report it as `flagMetadata`. */
  metadata?: FlagMetadata;
}

/** Metadata of a flag, as OpenFeature's `flagMetadata`. */
export type FlagMetadata = Record<string, string | number | boolean>;

/** The targeting blocks of the specification. All blocks must match; inside a list any value may match. */
export interface TargetingRules {
  countries?: string[];
  browsers?: string[];
  user_segments?: string[];
  /** The values that match, by name of the attribute. */
  user_attributes?: Record<string, (string | number | boolean)[]>;
  time_rules?: TimeRules;
  rollout_percentage?: number;
  /** False computes the arm again on each evaluation; true (default) keeps the stored arm. */
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
  /** Names of days in English, lower case. */
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
  /**
   * Whether equality and text operators ignore letter case.
   * @default true for the attributes `country`, `browser` and `device_type`, false for all others
   */
  case_insensitive?: boolean;
}

/** An operator of a condition; `OPERATORS` lists them. */
export type Operator =
  | "EQUALS"
  | "NOT_EQUALS"
  | "IN"
  | "NOT_IN"
  | "CONTAINS"
  | "STARTS_WITH"
  | "ENDS_WITH"
  | "GREATER_THAN"
  | "GREATER_THAN_OR_EQUAL"
  | "LESS_THAN"
  | "LESS_THAN_OR_EQUAL"
  | "MATCHES"
  | "EXISTS"
  | "SEMVER_EQUALS"
  | "SEMVER_NOT_EQUALS"
  | "SEMVER_GREATER_THAN"
  | "SEMVER_GREATER_THAN_OR_EQUAL"
  | "SEMVER_LESS_THAN"
  | "SEMVER_LESS_THAN_OR_EQUAL"
  | "BEFORE"
  | "AFTER"
  | "IN_CIDR"
  | "NOT_IN_CIDR"
  | "IN_SEGMENT";

/** A flag that must serve this variant or value in the same context before the flag that requires it applies. */
export interface Prerequisite {
  flag_key: string;
  variant?: string;
  value?: JsonValue;
}

export interface SegmentDefinition {
  id: string;
  name: string;
  /** User ids that are members regardless of their attributes. */
  user_ids?: string[];
  /** More members, by their `fingerprint`. */
  user_ids_hashed?: HashedUsers;
  /** The condition of membership; absent means only `user_ids`. */
  when?: Condition | null;
}

/** A mutual exclusion group. Each experiment has stored slots of the group's hash space. */
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
  /** Only for SPLIT_URL. */
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
  /** Key of the flag that provides arms and bucketing. */
  feature_flag_key?: string | null;
  mutual_exclusion_group_id?: string | null;
  bucket_by?: string | null;
}
