import type { JsonValue } from "./definition.ts";

/**
 * The user and their attributes. The shape is OpenFeature's, so providers pass it on without a copy: `targetingKey` is
 * the user id, every other own property an attribute.
 */
export interface EvaluationContext {
  targetingKey?: string | undefined;
  [attribute: string]: unknown;
}

/** The reason of a result. */
export type Reason =
  | "TARGETING_MATCH"
  | "SPLIT"
  | "STATIC"
  | "DEFAULT"
  | "DISABLED"
  | "PREREQUISITE_FAILED"
  | "HOLDOUT"
  | "ERROR";

export type ErrorCode = "FLAG_NOT_FOUND" | "TARGETING_KEY_MISSING" | "PARSE_ERROR" | "TYPE_MISMATCH" | "GENERAL";

/** The result of one evaluation. */
export interface EvaluationResult {
  value: JsonValue;
  /** Key of the variant; null if the default was served. */
  variant: string | null;
  reason: Reason;
  /** Whether the flag is on for this user: a boolean flag's value, otherwise whether a variant was served. */
  enabled: boolean;
  /** Id of the rule that matched. */
  rule_id: string | null;
  /** The hash in [0, 1) that decided; null if none was needed. */
  bucket: number | null;
  /**
   * Whether the arm was forced by a rule or by `included_users` instead of drawn, and is therefore excluded from
   * randomised analysis.
   */
  forced: boolean;
  /** Given with reason ERROR, and with DEFAULT for a missing flag. */
  error_code?: ErrorCode;
  error_message?: string;
  /** Given on request. */
  trace?: TraceStep[];
}

/** One step of an explanation: what was checked, whether it held, and why. */
export interface TraceStep {
  step:
    | "STATUS"
    | "OVERRIDE"
    | "PREREQUISITE"
    | "HOLDOUT"
    | "EXCLUDED_USERS"
    | "INCLUDED_USERS"
    | "BLOCK"
    | "RULE"
    | "CONDITION"
    | "ROLLOUT"
    | "VARIANT";
  /** The block, rule id, flag key, condition or variant of the step. */
  subject: string;
  matched: boolean;
  detail: string;
  /** The attribute that a condition or block read. */
  attribute?: string;
  /** The hash in [0, 1) that a holdout, exclusion group, rollout or split compared. */
  bucket?: number;
  /** The percentage that a rollout compared it with. */
  rollout_percentage?: number;
}
