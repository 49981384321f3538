import type { ExperimentCreate } from "@assay/client";
import type { Condition, FlagRule, FlagVariant, JsonValue, Prerequisite, Serve, TargetingRules } from "@assay/core";

/** A flag as the migration creates it, with every field that decides what it serves. */
export interface FlagBody {
  key: string;
  name: string;
  description: string;
  status: "ACTIVE" | "INACTIVE";
  rollout_percentage: number;
  targeting_rules: TargetingRules | null;
  rules: FlagRule[];
  prerequisites: Prerequisite[];
  variants: FlagVariant[];
  value_type: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  default_value: JsonValue;
  bucket_by: string | null;
  tags: string[];
}

/** A segment as the migration creates it. */
export interface SegmentBody {
  name: string;
  description: string;
  conditions: Condition | null;
  user_ids: string[];
}

/** An experiment as the migration creates it: a DRAFT on a migrated flag. */
export interface ExperimentBody extends ExperimentCreate {
  key: string;
  description: string;
  feature_flag_key: string;
}

/** One draw by hash of a flag: what Assay serves there, and which arm the source gives to an id. */
export interface Draw {
  /** The rule, as people read it. */
  subject: string;
  serve: Extract<Serve, { rollout_percentage: number }>;
  /** Returns the variant that the source serves to an id (`on` of a boolean flag); undefined outside of its share. */
  armOf(id: string): string | undefined;
}

/** A flag with what a reader of the plan should know. */
export interface MigratedFlag {
  body: FlagBody;
  /** How it differs from the source; empty if it answers exactly the same. */
  differences: string[];
  /** What has no effect on answers and is left out. */
  notes: string[];
  draws: Draw[];
}

/** Something of the source that is not migrated. */
export interface Skipped {
  kind: "flag" | "segment" | "experiment";
  key: string;
  reason: string;
}

/** What a source becomes. */
export interface Migration {
  /** Segments in an order in which each comes after those that it refers to. */
  segments: SegmentBody[];
  flags: MigratedFlag[];
  experiments: ExperimentBody[];
  skipped: Skipped[];
}

/** What a reader needs to know besides the payloads. */
export interface ReadOptions {
  /** Name of the environment of the source. */
  environment?: string | undefined;
}

/**
 * Reads the payloads of a product. A flag is migrated whole or not at all.
 * @throws {CommandFailure} for payloads in another format, and an environment that they do not have
 */
export type Read = (payloads: readonly unknown[], options: ReadOptions) => Migration;
