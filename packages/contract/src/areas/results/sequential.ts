import * as z from "zod";
import { queryInteger, queryNumber } from "../../shared/fields.ts";
import { SPENDING_FUNCTIONS } from "../../shared/planned-looks.ts";
import { Adjustment } from "./adjustment.ts";
import { AnalysisWarnings, CONCLUSIONS, Day, Hypothesis, Interval, Level, Status, Which } from "./fields.ts";

export const SEQUENTIAL_METHODS = ["msprt", "always_valid", "group_sequential"] as const;

/** The estimate at the look at which group_sequential stopped. */
const StoppedTest = z
  .object({
    date: Day,
    look: z.int(),
    estimate: z.number().meta({
      description:
        "Median-unbiased estimate of the difference; the observed difference at a stop is biased away from 0",
    }),
    confidence_interval: Interval.meta({ description: "Confidence interval of the difference, by stagewise ordering" }),
    p_value: z.number().meta({ description: "p-value by stagewise ordering" }),
  })
  .meta({ id: "StoppedTest" });

/** A sequential test of every metric and treatment, with one look per day. */
export const SequentialResults = z
  .object({
    experiment_id: z.string(),
    method: z.enum(SEQUENTIAL_METHODS),
    alpha: z.number(),
    confidence_level: z.number().meta({ description: "Confidence level of each interval: 1 - alpha" }),
    metrics: z.array(
      z.object({
        ...Which,
        difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        log_likelihood_ratio: z.number().nullable().meta({ description: "Log-likelihood ratio at the last look" }),
        p_value: z.number().nullable().meta({
          description: "p-value valid at any time: the minimum so far. For group_sequential: over the looks taken",
        }),
        adjusted_p_value: z
          .number()
          .nullable()
          .meta({
            description:
              "p-value that decides: Holm-adjusted over all arms of the PRIMARY metrics, or of the GUARDRAIL " +
              "metrics. Null for other metrics",
          }),
        confidence_interval: Interval.nullable().meta({
          description:
            "Confidence interval valid at any time: the intersection of all intervals so far. For " +
            "group_sequential: at the boundary of the last look taken",
        }),
        relative_confidence_interval: Interval.nullable().meta({
          description: "Confidence interval of the lift, (treatment - control) / |control|; valid at any time",
        }),
        is_significant: z.boolean().meta({ description: "Whether p_value is below alpha, for this row alone" }),
        looks: z.array(
          z.object({
            date: Day,
            n: z.int(),
            difference: z.number().nullable(),
            p_value: z.number().nullable(),
            confidence_interval: Interval.nullable(),
          }),
        ),
        stopped: StoppedTest.nullable(),
        adjustment: Adjustment.optional(),
        status: Status,
        ...Hypothesis,
        margin_p_value: z
          .number()
          .nullable()
          .meta({
            description:
              "One-sided p-value of the claim that the lift is within the margin; valid at any time. Null for " +
              "SUPERIORITY",
          }),
        adjusted_margin_p_value: z
          .number()
          .nullable()
          .meta({
            description:
              "p-value that decides, significant below alpha / 2: Holm-adjusted over all claims of the PRIMARY " +
              "metrics, or Bonferroni-adjusted over the treatments for a GUARDRAIL. Null for SUPERIORITY and for " +
              "other metrics",
          }),
        conclusion: z.enum(CONCLUSIONS).meta({
          description: "What this row shows at alpha; uses the adjusted p-values if the row decides",
        }),
      }),
    ),
    alpha_spending: z.object({
      spending_function: z.enum(SPENDING_FUNCTIONS),
      num_looks: z.int(),
      current_look: z.int(),
      information_fraction: z
        .number()
        .nullable()
        .meta({ description: "Number of users divided by the planned number, at most 1; null without a planned size" }),
      schedule: z.array(
        z.object({
          look: z.int(),
          information_fraction: z.number(),
          cumulative_alpha: z.number(),
          incremental_alpha: z.number(),
          z_boundary: z
            .number()
            .nullable()
            .meta({ description: "Critical value of z; null if too little alpha is spent to stop at this look" }),
          nominal_p_value: z.number(),
        }),
      ),
      looks: z
        .array(
          z.object({
            date: Day,
            n: z.int(),
            information_fraction: z.number(),
            cumulative_alpha: z.number(),
            z_boundary: z.number().nullable(),
            nominal_p_value: z.number(),
          }),
        )
        .meta({ description: "Looks that group_sequential has taken, with the boundaries of their days" }),
    }),
    recommendation: z.object({
      action: z.enum(["STOP_FOR_EFFECT", "STOP_FOR_HARM", "STOP_FOR_FUTILITY", "CONTINUE"]),
      reason: z.string(),
    }),
    analysis_warnings: AnalysisWarnings,
  })
  .meta({ id: "SequentialResults" });
export type SequentialResults = z.infer<typeof SequentialResults>;

export const SequentialQuery = z.object({
  method: z.enum(SEQUENTIAL_METHODS).default("msprt"),
  alpha: Level.default(0.05),
  spending_function: z.enum(SPENDING_FUNCTIONS).optional().meta({
    description: "Default: spending_function of the experiment's group_sequential, or else obrien_fleming",
  }),
  num_looks: queryInteger(1, 100).optional().meta({
    description: "Default: looks of the experiment's group_sequential, or else 5",
  }),
  expected_lift: queryNumber(z.number().gt(0).max(100))
    .optional()
    .meta({
      description:
        "Lift that msprt is tuned for and that futility rules out, as a share of the control's value. " +
        "Default: the effect that planned_sample_size detects with 80 % power, or 0.1 without a plan",
    }),
  planned_users: queryInteger(1, 1_000_000_000)
    .optional()
    .meta({
      description:
        "Planned number of users in all arms. Default: planned_sample_size; without it, the schedule counts " +
        "looks. group_sequential requires a plan",
    }),
});
