/** A metric of an experiment, as in the API. */
export interface Metric {
  id: string;
  name: string;
  event_type: string;
  kind: "CONVERSION" | "COUNT" | "MEAN" | "RATIO" | "QUANTILE";
  /** How the values of one user are aggregated. @default "SUM" */
  aggregation?: "SUM" | "MEAN" | "MIN" | "MAX";
  /** For RATIO: the denominator's event. */
  denominator_event_type?: string;
  /** For QUANTILE, in (0, 1). @default 0.5 */
  quantile?: number;
  direction: "INCREASE" | "DECREASE";
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  /** The share of users whose values are clipped at each end. */
  winsorize_pct?: number | null;
  /** The values whose quantiles winsorising clips at; NON_ZERO leaves a 0 as it is. @default "ALL" */
  winsorize_of?: "ALL" | "NON_ZERO";
  /** The most that a user's value, of a ratio the numerator, counts; applied before winsorising. */
  cap?: number | null;
  /** Only events within this time after the first exposure count; null for all. */
  conversion_window_hours?: number | null;
  /** What is to be shown of a treatment. @default "SUPERIORITY" */
  hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /** Of NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, a share of the control's value. */
  margin?: number | null;
}
