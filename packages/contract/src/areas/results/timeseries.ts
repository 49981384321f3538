import * as z from "zod";
import { AnalysisWarnings, Day, Interval, MetricId } from "./fields.ts";

/** One metric of one treatment, day by day. */
export const TimeseriesResults = z
  .object({
    experiment_id: z.string(),
    metric: z.string().nullable(),
    metric_id: z.string().nullable(),
    variant: z.string().nullable(),
    days: z.array(
      z.object({
        date: Day,
        n_control: z.int().meta({ description: "Users whose exposure was received that day" }),
        n_treatment: z.int(),
        difference: z.number().nullable().meta({ description: "Of that day's users, with all they did until now" }),
        confidence_interval: Interval.nullable(),
        cumulative_difference: z.number().nullable().meta({ description: "Of all users, as it stood that evening" }),
        cumulative_confidence_interval: Interval.nullable(),
        always_valid_interval: Interval.nullable(),
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "TimeseriesResults" });
export type TimeseriesResults = z.infer<typeof TimeseriesResults>;

export const TimeseriesQuery = z.object({
  metric_id: MetricId.optional().meta({ description: "The first PRIMARY metric where absent" }),
  variant: z.string().min(1).max(255).optional().meta({ description: "The first treatment where absent" }),
});
