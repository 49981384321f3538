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
  /**
   * The values whose quantiles winsorising clips at. With NON_ZERO a 0 does not change.
   * @default "ALL"
   */
  winsorize_of?: "ALL" | "NON_ZERO";
  /** Maximum value of a user, for a ratio of the numerator; applied before winsorising. */
  cap?: number | null;
  /** Only events within this time after the first exposure count; null for all. */
  conversion_window_hours?: number | null;
  /**
   * What the experiment should show of a treatment.
   * @default "SUPERIORITY"
   */
  hypothesis?: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  /**
   * For NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, as a share of the control's value.
   */
  margin?: number | null;
}
