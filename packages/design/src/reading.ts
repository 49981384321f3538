/**
 * What a metric measures: the share of users with an event, a mean of values, a count of events, a quotient of two means,
 * or a quantile of values.
 */
export type MetricKind = "CONVERSION" | "MEAN" | "COUNT" | "RATIO" | "QUANTILE";
/** The intended direction of a metric. */
export type Direction = "INCREASE" | "DECREASE";

/** A value with the words that state it. */
export interface Said<T> {
  value: T;
  text: string;
}

/** A metric in a description. */
export interface ReadMetric {
  /** The name in the words of the description. */
  name: string;
  kind: MetricKind;
  /** The direction that is better. */
  improves: Direction;
  /** For a QUANTILE: from 0 to 1. */
  quantile?: number;
}

/** A contradiction or an ambiguity in the description. */
export interface Doubt {
  about: "direction" | "baseline" | "effect" | "traffic" | "power";
  /** A sentence for the user. */
  reason: string;
}

/** The values in a description. A field is absent if the description does not contain it; there are no defaults. */
export interface Reading {
  metric?: Said<ReadMetric>;
  direction?: Said<Direction>;
  /** Rate (0 to 1), or mean in the unit of the description. */
  baseline?: Said<number>;
  /** Standard deviation, in the unit of the baseline. */
  standardDeviation?: Said<number>;
  /** The effect, above 0 for an increase. Without a direction, its size. If relative, it is a share of the baseline. */
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
  /** Quantities to which no rule gave a meaning. */
  unread: string[];
}
