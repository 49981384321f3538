import * as z from "zod";
import { QueryBoolean, queryInteger } from "../../shared/fields.ts";
import { AnalysisWarnings, Interval, Share, Status, Which } from "./fields.ts";

/** Effects adjusted by the same users' behaviour before their first exposure. */
export const CupedResults = z
  .object({
    experiment_id: z.string(),
    winsorize: z.boolean(),
    lower_pct: z.number(),
    upper_pct: z.number(),
    metrics: z.array(
      z.object({
        ...Which,
        theta: z.number().nullable(),
        correlation: z.number().nullable(),
        control_mean: z.number().nullable(),
        treatment_mean: z.number().nullable(),
        adjusted_control_mean: z.number().nullable(),
        adjusted_treatment_mean: z.number().nullable(),
        difference: z.number().nullable(),
        adjusted_difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        adjusted_standard_error: z.number().nullable(),
        p_value: z
          .number()
          .nullable()
          .meta({ description: "p-value of the adjusted difference; the interval is of the adjusted difference too" }),
        confidence_interval: Interval.nullable(),
        variance_reduction_pct: z
          .number()
          .nullable()
          .meta({ description: "Reduction of the variance in percent; negative if the covariate increases it" }),
        covered_users: z
          .int()
          .meta({ description: "Number of users in both arms who had an event before their exposure" }),
        status: Status,
      }),
    ),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "CupedResults" });
export type CupedResults = z.infer<typeof CupedResults>;

export const CupedQuery = z
  .object({
    winsorize: QueryBoolean.default(false),
    lower_pct: Share.default(0.01),
    upper_pct: Share.default(0.99),
    lookback_days: queryInteger(1, 90).default(14),
  })
  .refine((query) => query.lower_pct < query.upper_pct, {
    message: "upper_pct must be above lower_pct",
    path: ["upper_pct"],
  });
