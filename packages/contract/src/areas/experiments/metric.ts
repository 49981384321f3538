import * as z from "zod";
import { MAX_METRIC_VALUE, Name, strict, upper } from "../../shared/fields.ts";
import { Key } from "./key.ts";

export const METRIC_KINDS = ["CONVERSION", "MEAN", "COUNT", "RATIO", "QUANTILE"] as const;
/** Kinds of other products. */
const KIND_SYNONYMS = {
  BINARY: "CONVERSION",
  BINOMIAL: "CONVERSION",
  PROPORTION: "CONVERSION",
  RATE: "CONVERSION",
  AVERAGE: "MEAN",
  CONTINUOUS: "MEAN",
  NUMERIC: "MEAN",
  REVENUE: "MEAN",
  SUM: "MEAN",
  MEDIAN: "QUANTILE",
  PERCENTILE: "QUANTILE",
} as const;

export const HYPOTHESES = ["SUPERIORITY", "NON_INFERIORITY", "EQUIVALENCE"] as const;

const margin = {
  description:
    "For NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, as a share of the " +
    "control's value. 0.02 is 2 %",
};
const winsorizeOf = {
  description:
    "Users whose quantiles winsorize_pct clips at: ALL (default), or only users whose value is not 0 " +
    "(NON_ZERO). A value of 0 is never clipped",
};
const cap = {
  description:
    "Maximum value of a user; for a RATIO, of the numerator. Applied before winsorize_pct. Not for " +
    "CONVERSION and QUANTILE",
};
const hypothesis = { description: "What the experiment should show of a treatment; default SUPERIORITY" };

export const MetricInput = strict({
  id: Key.optional(),
  name: Name,
  event_type: z.string().min(1).max(255),
  kind: upper(METRIC_KINDS, KIND_SYNONYMS).default("CONVERSION"),
  aggregation: upper(["SUM", "MEAN", "MIN", "MAX"]).optional(),
  denominator_event_type: z.string().min(1).max(255).optional(),
  quantile: z.number().gt(0).lt(1).optional(),
  direction: upper(["INCREASE", "DECREASE"]).default("INCREASE"),
  role: upper(["PRIMARY", "SECONDARY", "GUARDRAIL"]).default("SECONDARY"),
  winsorize_pct: z.number().gt(0).lt(0.5).nullish(),
  conversion_window_hours: z.number().positive().max(2160).nullish(),
  hypothesis: upper(HYPOTHESES).optional().meta(hypothesis),
  margin: z.number().gt(0).lt(1).nullish().meta(margin),
  winsorize_of: upper(["ALL", "NON_ZERO"]).optional().meta(winsorizeOf),
  cap: z.number().positive().max(MAX_METRIC_VALUE).nullish().meta(cap),
})
  .refine((metric) => metric.kind !== "RATIO" || metric.denominator_event_type !== undefined, {
    message: "A RATIO metric needs denominator_event_type",
    path: ["denominator_event_type"],
  })
  .refine((metric) => metric.kind !== "QUANTILE" || metric.quantile !== undefined, {
    message: "A QUANTILE metric needs quantile",
    path: ["quantile"],
  })
  .refine((metric) => hasMargin(metric.hypothesis) || metric.margin == null, {
    message: "Only NON_INFERIORITY and EQUIVALENCE have a margin",
    path: ["margin"],
  })
  .refine((metric) => !hasMargin(metric.hypothesis) || metric.margin != null, {
    message: "NON_INFERIORITY and EQUIVALENCE need a margin",
    path: ["margin"],
  })
  .refine((metric) => metric.winsorize_of !== "NON_ZERO" || metric.winsorize_pct != null, {
    message: "NON_ZERO needs winsorize_pct",
    path: ["winsorize_of"],
  })
  .refine((metric) => metric.cap == null || (metric.kind !== "CONVERSION" && metric.kind !== "QUANTILE"), {
    message: "A CONVERSION or QUANTILE metric has no cap",
    path: ["cap"],
  })
  .meta({ id: "MetricInput" });

function hasMargin(hypothesis: (typeof HYPOTHESES)[number] | undefined): boolean {
  return hypothesis === "NON_INFERIORITY" || hypothesis === "EQUIVALENCE";
}

export const Metric = z
  .object({
    id: z.string(),
    name: z.string(),
    event_type: z.string(),
    kind: z.enum(METRIC_KINDS),
    aggregation: z.enum(["SUM", "MEAN", "MIN", "MAX"]).optional(),
    denominator_event_type: z.string().optional(),
    quantile: z.number().optional(),
    direction: z.enum(["INCREASE", "DECREASE"]),
    role: z.enum(["PRIMARY", "SECONDARY", "GUARDRAIL"]),
    winsorize_pct: z.number().nullish(),
    conversion_window_hours: z.number().nullish(),
    hypothesis: z.enum(HYPOTHESES).optional().meta(hypothesis),
    margin: z.number().nullish().meta(margin),
    winsorize_of: z.enum(["ALL", "NON_ZERO"]).optional().meta(winsorizeOf),
    cap: z.number().nullish().meta(cap),
  })
  .meta({ id: "Metric" });
export type Metric = z.infer<typeof Metric>;
