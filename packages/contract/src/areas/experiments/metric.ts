import * as z from "zod";
import { Name, strict, upper } from "../../fields.ts";
import { Key } from "./key.ts";

export const METRIC_KINDS = ["CONVERSION", "MEAN", "COUNT", "RATIO", "QUANTILE"] as const;

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
})
  .refine((metric) => metric.kind !== "RATIO" || metric.denominator_event_type !== undefined, {
    message: "A RATIO metric needs denominator_event_type",
    path: ["denominator_event_type"],
  })
  .refine((metric) => metric.kind !== "QUANTILE" || metric.quantile !== undefined, {
    message: "A QUANTILE metric needs quantile",
    path: ["quantile"],
  })
  .meta({ id: "MetricInput" });

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
  })
  .meta({ id: "Metric" });
export type Metric = z.infer<typeof Metric>;
