/**
 * Definitions lowered to what an evaluator runs: everything checked, defaults filled in, weights laid out, blocks and
 * rules in one order of steps. `toProgram` makes it on a server; a page or a worker then needs no code that understands
 * definitions. It is JSON.
 */

import type { AssignmentReason } from "./assignment.ts";
import type { ExperimentStatus, ExperimentVariant, JsonValue, Prerequisite, ValueType } from "./definition.ts";
import type { Scalar } from "./definition-error.ts";
import type { Reason, TraceStep } from "./result.ts";

/** The version of the format below; an evaluator refuses another one. */
export const PROGRAM_VERSION = 1;

/** What an evaluator needs to answer for every flag and experiment of one set of definitions. */
export interface Program {
  program_version: number;
  /** Names the set, an environment usually; providers show it as `flagSetId`. */
  flag_set_id?: string;
  flags: FlagProgram[];
  experiments: ExperimentProgram[];
  segments: SegmentProgram[];
}

/** A condition, or a part of one: what it does, and its operands. */
export type Predicate =
  | ["all" | "any", Predicate[]]
  | ["not", Predicate]
  | ["exists", attribute: string]
  /** Equals any of the values. */
  | ["in", attribute: string, values: Scalar[], caseless: boolean]
  | ["text", attribute: string, how: "includes" | "startsWith" | "endsWith", parts: string[], caseless: boolean]
  | ["matches", attribute: string, patterns: Pattern[]]
  /** Lies on that side of any of the values (-1 below, 1 above, 0 neither), or is equal to one where that counts. */
  | ["order", attribute: string, of: Order, values: Ordered[], side: number, orEqual: boolean]
  /** Member of any of the segments, by id or name. */
  | ["segment", names: string[]]
  /** One of the users, or of those with a fingerprint. */
  | ["users", ids: string[], salt?: string, fingerprints?: string[]]
  /** Milliseconds since the epoch, start in, end out; days and hours on the wall clock of the zone. */
  | ["time", from: number | null, until: number | null, zone: string, days: string[], start: number, end: number]
  /** The user id's hash lies in one of the slots (or, `outside`, in none), start in, end out. */
  | ["slots", key: string, slots: [start: number, end: number][], outside: boolean]
  /** There is no user id to hash. */
  | ["nobody"]
  /** All of the prerequisites hold. */
  | ["requires", Prerequisite[]]
  /** Not understood: whoever asks gets an error. */
  | ["refuse", message: string]
  | Note;

/** What an explanation tells, of a predicate or of the draw that is next; not in a program that is served. */
export type Note =
  | ["note", Predicate, step: TraceStep["step"], subject: string, detail?: string]
  | ["noteDraw", drawing: Drawing, draw: Draw<unknown>, rollout: number];

/** A pattern of MATCHES: its text, for the `RegExp` of a page, and the automaton that it means. */
export interface Pattern {
  source: string;
  /** The state to begin with. */
  begin: number;
  states: PatternState[];
}

/**
 * One state of the automaton. `read` reads a code point of its atom, which is a character, an escape or a class, and goes
 * on to the next; an atom alone does so to the state before it in the list, as nearly all do. `split` goes on to two at
 * once; `start` and `end` are passed at the edges of the text only; `accept` is the goal.
 */
export type PatternState =
  | string
  | [step: "read", next: number, atom: string]
  | [step: "split", next: number, other: number]
  | [step: "start" | "end" | "accept", next: number];

/** What values are compared as. */
export type Order = "number" | "time" | "version";

/** A number, milliseconds since the epoch, or a version as what decides its precedence. */
export type Ordered = number | readonly (string | number)[];

/** What somebody is answered, and why. */
export interface Outcome<R> {
  /** Key of the variant; absent where none is served. */
  variant?: string;
  reason: R;
  rule_id?: string;
  /** Given by name, not drawn. */
  forced?: true;
}

/** A draw by hash: of the intervals, which lie side by side, it is in one, and inside the rollout before its fill. */
export interface Draw<R> {
  ends: number[];
  fills: number[];
  /** One for each interval, and one for outside of the rollout. */
  outcomes: Outcome<R>[];
}

export type Then<R> = Outcome<R> | Draw<R>;

export type Step<R> = [Predicate, Then<R>];

/** The steps that decide an answer: the first whose predicate holds does, else `otherwise`. */
export interface Decision<R> {
  steps: Step<R>[];
  otherwise: Then<R>;
}

/** What is hashed for a draw. */
export interface Drawing {
  /** The bucketing key. */
  key: string;
  /** The attribute that is hashed instead of the targeting key. */
  bucket_by?: string;
}

/** What flags and experiments have alike. */
interface Decided<R> extends Drawing {
  /** Changes with whatever may change an answer: the flag or experiment, or something it refers to. */
  revision: string;
  decision: Decision<R>;
}

export interface FlagProgram extends Decided<FlagReason> {
  version?: number;
  value_type?: ValueType;
  default_value: JsonValue;
  /** What is served of each; a boolean flag's are spelt out. */
  variants: { key: string; value: JsonValue }[];
  /** Key of the variant that an experiment over the flag compares with. */
  control: string;
  /** What was not understood: everyone gets the default with PARSE_ERROR. */
  error?: string;
}

/** KEY_MISSING: there is nobody to hash. */
export type FlagReason = Exclude<Reason, "ERROR"> | "KEY_MISSING";

export interface ExperimentProgram extends Decided<ExperimentReason> {
  id: string;
  status: ExperimentStatus;
  experiment_type: string;
  variants: Pick<ExperimentVariant, "key" | "url">[];
  /** Empty where the flag's is meant. */
  control: string;
  feature_flag_key?: string;
  /** False draws everyone anew with each visit. */
  sticky_assignment?: false;
}

/** FLAG: as the experiment's flag says. */
export type ExperimentReason = AssignmentReason | "FLAG";

export interface SegmentProgram {
  id: string;
  name: string;
  when: Predicate;
}
