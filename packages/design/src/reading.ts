/**
 * What a metric measures: the share of users with an event, a mean of values, a count of events, a quotient of two means,
 * or a quantile of values.
 */
export type MetricKind = "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
/** Where a metric is to go. */
export type Direction = "INCREASE" | "DECREASE";

/** A value, and the words that say it. */
export interface Said<T> {
  value: T;
  text: string;
}

/** The metric that a sentence is about. */
export interface ReadMetric {
  /** In the words of the sentence. */
  name: string;
  kind: MetricKind;
  /** The direction that is better. */
  improves: Direction;
  /** Of a QUANTILE, 0 to 1. */
  quantile?: number;
}

/** What a sentence cannot mean at once, or could mean in several ways. */
export interface Doubt {
  about: "direction" | "baseline" | "effect" | "traffic" | "power";
  /** A sentence for people. */
  reason: string;
}

/** What a description says. A field is absent if the description does not contain it: a reading has no defaults. */
export interface Reading {
  metric?: Said<ReadMetric>;
  direction?: Said<Direction>;
  /** Rate (0 to 1), or mean in the unit of the description. */
  baseline?: Said<number>;
  /** In the unit of the baseline. */
  standardDeviation?: Said<number>;
  /** Above 0 for an increase. Without a direction, its size. Relative: a share of the baseline. */
  effect?: Said<{ value: number; relative: boolean }>;
  dailyUsers?: Said<number>;
  power?: Said<number>;
  alpha?: Said<number>;
  days?: Said<number>;
  /** Number of arms, control included. */
  arms?: Said<number>;
  /** Names of the arms, control first. */
  armNames?: string[];
  /** Weights of the arms in percent, control first. */
  split?: Said<number[]>;
  urls?: string[];
  /** ISO 3166-1 codes. */
  countries?: string[];
  devices?: string[];
  /** Groups of users without an attribute that Assay knows: `new users`. */
  audience?: string[];
  /** Metrics that must not get worse. */
  guardrails?: ReadMetric[];
  doubts: Doubt[];
  /** Quantities that no rule gave a meaning. */
  unread: string[];
}
