import * as z from "zod";
import { queryInteger, queryNumber } from "../../shared/fields.ts";
import { SPENDING_FUNCTIONS } from "../experiments/group-sequential.ts";
import { Adjustment } from "./adjustment.ts";
import { AnalysisWarnings, CONCLUSIONS, Day, Hypothesis, Interval, Level, Status, Which } from "./fields.ts";

export const SEQUENTIAL_METHODS = ["msprt", "always_valid", "group_sequential"] as const;

/** A row of group_sequential whose test crossed its boundary. */
const StoppedTest = z
  .object({
    date: Day,
    look: z.int(),
    estimate: z
      .number()
      .meta({ description: "Of the difference, median-unbiased: at a stop the difference is too large" }),
    confidence_interval: Interval.meta({ description: "Of the difference, by the order of the stops" }),
    p_value: z.number().meta({ description: "By the order of the stops" }),
  })
  .meta({ id: "StoppedTest" });

/** A sequential test of every metric and treatment, replayed day by day. */
export const SequentialResults = z
  .object({
    experiment_id: z.string(),
    method: z.enum(SEQUENTIAL_METHODS),
    alpha: z.number(),
    confidence_level: z.number().meta({ description: "Of each interval alone: 1 - alpha" }),
    metrics: z.array(
      z.object({
        ...Which,
        difference: z.number().nullable(),
        standard_error: z.number().nullable(),
        log_likelihood_ratio: z.number().nullable().meta({ description: "Of the last look alone" }),
        p_value: z.number().nullable().meta({
          description: "Valid at any time: the least so far. Of group_sequential: over the looks taken",
        }),
        adjusted_p_value: z.number().nullable().meta({
          description:
            "Over all arms of the PRIMARY metrics, or of the GUARDRAIL metrics, by Holm: what decides; null for other metrics",
        }),
        confidence_interval: Interval.nullable().meta({
          description:
            "Valid at any time: what all so far share. Of group_sequential: at the boundary of the last look taken",
        }),
        relative_confidence_interval: Interval.nullable().meta({
          description: "Of the lift, (treatment - control) / |control|; valid at any time",
        }),
        is_significant: z.boolean().meta({ description: "p_value < alpha, of this row alone" }),
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
        margin_p_value: z.number().nullable().meta({
          description: "One-sided, that the lift is within the margin; valid at any time. null for SUPERIORITY",
        }),
        adjusted_margin_p_value: z
          .number()
          .nullable()
          .meta({
            description:
              "What decides, below alpha / 2: over all claims of the PRIMARY metrics by Holm, or of a GUARDRAIL over the " +
              "treatments by Bonferroni; null for SUPERIORITY and for other metrics",
          }),
        conclusion: z.enum(CONCLUSIONS).meta({
          description: "What this row shows at alpha: by the adjusted p-values where it decides",
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
        .meta({ description: "Users so far as a share of those planned, at most 1; null without a planned size" }),
      schedule: z.array(
        z.object({
          look: z.int(),
          information_fraction: z.number(),
          cumulative_alpha: z.number(),
          incremental_alpha: z.number(),
          z_boundary: z
            .number()
            .nullable()
            .meta({ description: "null where too little alpha is spent to stop at all" }),
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
        .meta({ description: "Looks taken by group_sequential, with the boundaries of the days they fell on" }),
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
    description: "By default that of the experiment's group_sequential, else obrien_fleming",
  }),
  num_looks: queryInteger(1, 100).optional().meta({
    description: "By default those of the experiment's group_sequential, else 5",
  }),
  expected_lift: queryNumber(z.number().gt(0).max(100))
    .optional()
    .meta({
      description:
        "Share of the control's value that msprt is tuned for and that futility excludes. " +
        "By default the effect that planned_sample_size finds with 80 % power, or 0.1 without a plan",
    }),
  planned_users: queryInteger(1, 1_000_000_000).optional().meta({
    description:
      "Users of all arms that were planned; planned_sample_size where absent, else looks are counted. group_sequential needs it",
  }),
});
