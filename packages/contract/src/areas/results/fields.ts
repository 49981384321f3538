import * as z from "zod";
import { Alpha, queryNumber } from "../../shared/fields.ts";
import { HYPOTHESES } from "../experiments/metric.ts";

/** `[lower, upper]`. */
export const Interval = z.tuple([z.number(), z.number()]);

/** The metric and treatment of a row. */
export const Which = { metric: z.string(), metric_id: z.string(), variant: z.string() };
/** Status of a row. */
export const Status = z.string().meta({ description: "OK, or the reason why numbers are missing" });
/** Warnings of an analysis other than the main results. */
export const AnalysisWarnings = z.array(z.string()).meta({
  description:
    "ONE_LOOK: all events were received on one day, for example in an import. PERIODS_POOLED: the " +
    "weights of a bandit have changed, and this analysis does not separate the periods. EVENTS_REMOVED: " +
    "events received since the start of the experiment were removed because of their age. " +
    "EVENTS_DAMAGED: events received during the experiment may be lost because their record failed its " +
    "checksum. EVENTS_DELAYED: the event engine does not have the latest events yet",
});
/** A day, in UTC. Events count on the day on which the server received them. */
export const Day = z.string().meta({ format: "date", description: "Day of receipt, in UTC" });

/** A significance level in a query string. */
export const Level = queryNumber(Alpha);
/** A share from 0 to 1, both inclusive, in a query string. */
export const Share = queryNumber(z.number().min(0).max(1));
/** The id or name of a metric in a query string. */
export const MetricId = z.string().min(1).max(255).meta({ description: "Id or name of a metric" });

/** The hypothesis of a row's metric, and what the row shows. */
export const Hypothesis = {
  hypothesis: z.enum(HYPOTHESES).meta({ description: "What the experiment should show of the metric" }),
  margin: z.number().nullable().meta({ description: "Margin as a share of the control's value; null for SUPERIORITY" }),
};
export const CONCLUSIONS = ["SUPERIOR", "NON_INFERIOR", "EQUIVALENT", "INFERIOR", "INCONCLUSIVE"] as const;
