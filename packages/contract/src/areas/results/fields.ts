import * as z from "zod";
import { Alpha, queryNumber } from "../../shared/fields.ts";
import { HYPOTHESES } from "../experiments/metric.ts";

/** `[lower, upper]`. */
export const Interval = z.tuple([z.number(), z.number()]);

/** The metric and treatment of a row. */
export const Which = { metric: z.string(), metric_id: z.string(), variant: z.string() };
/** Status of a row. */
export const Status = z.string().meta({ description: "OK, or why numbers are missing" });
/** Status of an analysis other than the results themselves. */
export const AnalysisWarnings = z.array(z.string()).meta({
  description:
    "ONE_LOOK: everything was received on one day, an import for example. " +
    "PERIODS_POOLED: a bandit's weights have changed, and this analysis does not tell the periods apart. " +
    "EVENTS_REMOVED: events received since the experiment started are older than the server keeps them, and gone. " +
    "EVENTS_DAMAGED: events that were received while it ran may be lost, because their record failed its checksum",
});
/** Events are counted by the day of receipt. */
export const Day = z.string().meta({ format: "date", description: "Day of receipt, UTC" });

/** An alpha in a query string. */
export const Level = queryNumber(Alpha);
/** A share in a query string, its ends included. */
export const Share = queryNumber(z.number().min(0).max(1));
/** A metric in a query string. */
export const MetricId = z.string().min(1).max(255).meta({ description: "Id or name of a metric" });

/** What a row is to show by its metric's hypothesis, and what it shows. */
export const Hypothesis = {
  hypothesis: z.enum(HYPOTHESES).meta({ description: "What the metric is to show" }),
  margin: z.number().nullable().meta({ description: "A share of the control's value; null for SUPERIORITY" }),
};
export const CONCLUSIONS = ["SUPERIOR", "NON_INFERIOR", "EQUIVALENT", "INFERIOR", "INCONCLUSIVE"] as const;
