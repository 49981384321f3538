import * as z from "zod";
import { DECISIONS, SplitState } from "../../shared/decision.ts";
import { Timestamp } from "../../shared/fields.ts";
import { EXPERIMENT_STATUSES } from "../experiments/experiment.ts";
import { CONCLUSIONS, Day, Interval, Status } from "./fields.ts";
import { SampleRatioMismatch } from "./outcome.ts";

/** ANYTIME: valid on every day, and read on every day. PLANNED_LOOK: at the planned looks only. */
const Method = z.enum(["ANYTIME", "PLANNED_LOOK"]).meta({
  description:
    "The test that decides: PLANNED_LOOK if a planned look established the conclusion, otherwise ANYTIME, the test " +
    "that may be read on every day",
});
const level = z.number().meta({ description: "Confidence level of the interval" });

/** One metric of one treatment, by the test that decides. */
export const OverviewMetric = z
  .object({
    metric_id: z.string(),
    name: z.string(),
    role: z.enum(["PRIMARY", "SECONDARY", "GUARDRAIL"]),
    direction: z.enum(["INCREASE", "DECREASE"]),
    variant: z.string(),
    method: Method,
    level,
    n: z.object({ control: z.int(), treatment: z.int() }),
    control_value: z.number(),
    treatment_value: z.number(),
    difference: z.number().nullable().meta({ description: "Treatment less control, in the unit of the metric" }),
    interval: Interval.nullable(),
    lift: z.number().nullable().meta({ description: "Difference as a share of the control's value" }),
    lift_interval: Interval.nullable(),
    reading: z.enum(["better", "worse", "inconclusive"]),
    conclusion: z.enum(CONCLUSIONS),
    status: Status,
  })
  .meta({ id: "OverviewMetric" });
export type OverviewMetric = z.infer<typeof OverviewMetric>;

/** Everything that a page shows first of an experiment. */
export const Overview = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    status: z.enum(EXPERIMENT_STATUSES),
    decision: z.object({
      action: z.enum(DECISIONS),
      variant: z.string().nullable().meta({ description: "Key of the treatment to ship, for SHIP" }),
      sentence: z.string(),
      reasons: z.array(z.string()),
    }),
    users: z.int(),
    planned_users: z.int().nullable(),
    variants: z.array(
      z.object({
        id: z.string(),
        key: z.string(),
        name: z.string(),
        is_control: z.boolean(),
        weight: z.number(),
        users: z.int(),
      }),
    ),
    metrics: z.array(OverviewMetric),
    srm: SampleRatioMismatch.extend({ state: SplitState }),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    timeseries: z
      .object({
        metric_id: z.string(),
        metric: z.string(),
        variant: z.string(),
        method: Method,
        level,
        days: z.array(
          z.object({
            date: Day,
            n: z.int().meta({ description: "Users of both arms until the end of the day" }),
            difference: z.number().nullable(),
            interval: Interval.nullable(),
          }),
        ),
      })
      .nullable()
      .meta({
        description:
          "The first PRIMARY metric of the treatment to ship, or of the first one. Always by the test that may be read on " +
          "every day. Null without data",
      }),
    posterior: z
      .object({
        metric_id: z.string(),
        variant: z.string(),
        level: z.number().meta({ description: "Level of the credible interval" }),
        mean: z.number(),
        interval: Interval,
        points: z
          .array(z.tuple([z.number(), z.number()]))
          .meta({ description: "Differences and their posterior density, ascending; 101 points" }),
      })
      .nullable()
      .meta({
        description:
          "Posterior of the difference of the first PRIMARY metric and the first treatment; null unless bayesian_enabled, " +
          "and without data",
      }),
    computed_at: Timestamp,
  })
  .meta({ id: "Overview" });
export type Overview = z.infer<typeof Overview>;
