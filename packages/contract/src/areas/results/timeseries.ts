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
        n_control: z.int().meta({ description: "Number of users whose exposure was received that day" }),
        n_treatment: z.int(),
        difference: z
          .number()
          .nullable()
          .meta({ description: "Difference between the users of that day, including everything they did until now" }),
        confidence_interval: Interval.nullable(),
        cumulative_difference: z
          .number()
          .nullable()
          .meta({ description: "Difference between all users, as of the end of that day" }),
        cumulative_confidence_interval: Interval.nullable(),
        always_valid_interval: Interval.nullable(),
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "TimeseriesResults" });
export type TimeseriesResults = z.infer<typeof TimeseriesResults>;

export const TimeseriesQuery = z.object({
  metric_id: MetricId.optional().meta({ description: "Id or name of a metric; default: the first PRIMARY metric" }),
  variant: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Id or key of a treatment; default: the first treatment" }),
});
