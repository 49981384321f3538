import * as z from "zod";
import { Name, strict, upper } from "../../fields.ts";
import { Key } from "./key.ts";

export const METRIC_KINDS = ["CONVERSION", "MEAN", "COUNT", "RATIO", "QUANTILE"] as const;

export const HYPOTHESES = ["SUPERIORITY", "NON_INFERIORITY", "EQUIVALENCE"] as const;

const margin = {
  description:
    "Of NON_INFERIORITY and EQUIVALENCE: the largest change that does not matter, a share of the control's value: 0.02 is 2 %",
};
const hypothesis = { description: "What is to be shown of a treatment; SUPERIORITY where absent" };

export const MetricInput = strict({
  id: Key.optional(),
  name: Name,
  event_type: z.string().min(1).max(255),
  kind: upper(METRIC_KINDS).default("CONVERSION"),
  aggregation: upper(["SUM", "MEAN", "MIN", "MAX"]).optional(),
  denominator_event_type: z.string().min(1).max(255).optional(),
  quantile: z.number().gt(0).lt(1).optional(),
  direction: upper(["INCREASE", "DECREASE"]).default("INCREASE"),
  role: upper(["PRIMARY", "SECONDARY", "GUARDRAIL"]).default("SECONDARY"),
  winsorize_pct: z.number().gt(0).lt(0.5).nullish(),
  conversion_window_hours: z.number().positive().max(2160).nullish(),
  hypothesis: upper(HYPOTHESES).optional().meta(hypothesis),
  margin: z.number().gt(0).lt(1).nullish().meta(margin),
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
  })
  .meta({ id: "Metric" });
export type Metric = z.infer<typeof Metric>;
