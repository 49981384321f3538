/**
 * Definitions lowered for evaluation: validated, with defaults, weights as intervals, and blocks and rules in one order
 * of steps. `toProgram` makes it on a server, so that pages and workers do not need the compiler. It is JSON.
 */

import type { AssignmentReason } from "./assignment.ts";
import type {
  ExperimentStatus,
  ExperimentVariant,
  FlagMetadata,
  JsonValue,
  Prerequisite,
  ValueType,
} from "./definition.ts";
import type { Scalar } from "./definition-error.ts";
import type { Reason, TraceStep } from "./result.ts";

/** The version of the format; evaluators reject any other version. */
export const PROGRAM_VERSION = 1;

/** A program: what an evaluator needs for all flags and experiments of a set of definitions. */
export interface Program {
  program_version: number;
  /** Name of the environment; providers report it as `flagSetId`. */
  flag_set_id?: string;
  flags: FlagProgram[];
  experiments: ExperimentProgram[];
  segments: SegmentProgram[];
}

/** A condition or a part of one: an operation and its operands. */
export type Predicate =
  | ["all" | "any", Predicate[]]
  | ["not", Predicate]
  | ["exists", attribute: string]
  /** Equals one of the values. */
  | ["in", attribute: string, values: Scalar[], caseless: boolean]
  | ["text", attribute: string, how: "includes" | "startsWith" | "endsWith", parts: string[], caseless: boolean]
  | ["matches", attribute: string, patterns: Pattern[]]
  /** Is an IP address in one of the ranges. */
  | ["address", attribute: string, ranges: AddressRange[]]
  /** One and the same value of the attribute, which may be a list, passes a predicate on this attribute. */
  | ["one", attribute: string, Predicate]
  /** Is on the given side of one of the values (-1 below, 1 above, 0 neither), or equal to it if equality counts. */
  | ["order", attribute: string, of: Order, values: Ordered[], side: number, orEqual: boolean]
  /** Is a member of one of the segments, by id or name. */
  | ["segment", names: string[]]
  /** Is one of the users, by id or by fingerprint. */
  | ["users", ids: string[], salt?: string, fingerprints?: string[]]
  /**
   * Is within the time, in milliseconds since the epoch (start inclusive, end exclusive), and within days and hours of
   * the zone's wall clock.
   */
  | ["time", from: number | null, until: number | null, zone: string, days: string[], start: number, end: number]
  /** The hash of the user id is in one of the slots (start inclusive, end exclusive), or with `outside` in none. */
  | ["slots", key: string, slots: [start: number, end: number][], outside: boolean]
  /** There is no user id to hash. */
  | ["nobody"]
  /** All of the prerequisites hold. */
  | ["requires", Prerequisite[]]
  /** Invalid: evaluating it fails. */
  | ["refuse", message: string]
  | Note;

/** The explanation of a predicate or of the following split. Served programs do not contain it. */
export type Note =
  | ["note", Predicate, step: TraceStep["step"], subject: string, detail: string | undefined]
  | ["noteSplit", bucketKey: BucketKey, split: Split<unknown>, rollout: number];

/** The first and the last address of a range: the 32 hexadecimal digits of IPv6, to which IPv4 maps by `::ffff:0:0/96`. */
export type AddressRange = [from: string, until: string];

/** A pattern of MATCHES: its text, for the `RegExp` of a page, and its automaton. */
export interface Pattern {
  source: string;
  /** The start state. */
  begin: number;
  states: PatternState[];
}

/**
 * One state of the automaton. `read` reads a code point of its atom (a character, an escape or a class) and continues
 * with the next state; an atom alone continues with the state before it in the list, as nearly all do. `split`
 * continues with two states at once; an {@link Edge} matches between two code points, as in `RegExp`; `accept` is
 * the final state.
 */
export type PatternState =
  | string
  | [step: "read", next: number, atom: string]
  | [step: "split", next: number, other: number]
  | [step: Edge | "accept", next: number];

/** An assertion of a pattern. */
export type Edge = "^" | "$" | "\\b" | "\\B";

/** The type by which values are ordered. */
export type Order = "number" | "time" | "version";

/** A number, milliseconds since the epoch, or the parts of a version that decide its precedence. */
export type Ordered = number | readonly (string | number)[];

/** The result for a user and its reason. */
export interface Outcome<R> {
  /** Key of the variant; absent if the default is served. */
  variant?: string;
  reason: R;
  rule_id?: string;
  /** True if the variant was forced instead of drawn. */
  forced?: true;
}

/**
 * A split by hash. The hash falls in one of the intervals, which are adjacent, and is inside the rollout below that
 * interval's fill.
 */
export interface Split<R> {
  ends: number[];
  fills: number[];
  /** One outcome for each interval, and one for users outside of the rollout. */
  outcomes: Outcome<R>[];
}

export type Then<R> = Outcome<R> | Split<R>;

export type Step<R> = [Predicate, Then<R>];

/** The steps that decide a result: the first step whose predicate holds, or else `otherwise`. */
export interface Decision<R> {
  steps: Step<R>[];
  otherwise: Then<R>;
}

/** What a split hashes. */
export interface BucketKey {
  /** The bucketing key. */
  key: string;
  /** The attribute that is hashed instead of the targeting key. */
  bucket_by?: string;
}

/** The fields that flags and experiments share. */
interface Decided<R> extends BucketKey {
  /** Changes if a result may change, because of the definition itself or one that it refers to. */
  revision: string;
  decision: Decision<R>;
}

export interface FlagProgram extends Decided<FlagReason> {
  version?: number;
  metadata?: FlagMetadata;
  value_type?: ValueType;
  default_value: JsonValue;
  /** The value of each variant; a boolean flag's are included. */
  variants: { key: string; value: JsonValue }[];
  /** Key of the control in an experiment over the flag. */
  control: string;
  /** The error of an invalid flag: all users get the default with PARSE_ERROR. */
  error?: string;
}

/** KEY_MISSING: there is no user id to hash. */
export type FlagReason = Exclude<Reason, "ERROR"> | "KEY_MISSING";

export interface ExperimentProgram extends Decided<ExperimentReason> {
  id: string;
  status: ExperimentStatus;
  experiment_type: string;
  variants: Pick<ExperimentVariant, "key" | "url">[];
  /** Key of the control; empty if the control of the flag applies. */
  control: string;
  feature_flag_key?: string;
  /** False draws a new arm with each visit. */
  sticky_assignment?: false;
}

/** The reasons of an experiment. FLAG: the flag of the experiment decides. */
export type ExperimentReason = AssignmentReason | "FLAG";

export interface SegmentProgram {
  id: string;
  name: string;
  when: Predicate;
}
