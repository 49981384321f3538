/** A metric of an experiment, as the API has it. */
export interface Metric {
  id: string;
  name: string;
  event_type: string;
  kind: "CONVERSION" | "COUNT" | "MEAN" | "RATIO" | "QUANTILE";
  /** How the values of one user become one number. @default "SUM" */
  aggregation?: "SUM" | "MEAN" | "MIN" | "MAX";
  /** For RATIO: what is divided by. */
  denominator_event_type?: string;
  /** For QUANTILE, in (0, 1). @default 0.5 */
  quantile?: number;
  direction: "INCREASE" | "DECREASE";
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  /** The share of users whose values are moved in at each end. */
  winsorize_pct?: number | null;
  /** Only events this long after the first exposure count; null for all. */
  conversion_window_hours?: number | null;
}
