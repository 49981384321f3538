import * as z from "zod";
import { Adjustment } from "./adjustment.ts";
import { AnalysisWarnings, Interval, Level, MetricId, Status, Which } from "./fields.ts";

/** Effects by the segments of an attribute, each tested at `corrected_alpha`. */
export const BreakdownResults = z
  .object({
    experiment_id: z.string(),
    dimension: z.string(),
    base_alpha: z.number(),
    corrected_alpha: z.number().meta({ description: "Threshold of a segment: base_alpha / comparisons" }),
    comparisons: z.int().meta({ description: "Number of comparisons that have enough data for a test" }),
    heterogeneity: z.array(
      z.object({ ...Which, q: z.number().nullable(), df: z.int(), p_value: z.number().nullable() }),
    ),
    segments: z.array(
      z.object({
        segment: z.string(),
        ...Which,
        n_control: z.int(),
        n_treatment: z.int(),
        control_value: z.number().nullable(),
        treatment_value: z.number().nullable(),
        difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        p_value: z.number().nullable(),
        adjusted_p_value: z.number().nullable(),
        confidence_interval: Interval.nullable(),
        is_significant: z.boolean(),
        adjustment: Adjustment.optional().meta({
          description: "With variance_reduction: how the row is adjusted, by the segment's own slopes",
        }),
        status: Status,
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "BreakdownResults" });
export type BreakdownResults = z.infer<typeof BreakdownResults>;

export const BreakdownQuery = z.object({
  dimension: z.string().min(1).max(255).meta({ description: "Name of an attribute of exposures or assignments" }),
  metric_id: MetricId.optional(),
  base_alpha: Level.default(0.05),
});
