import * as z from "zod";
import { IdOrKey, Timestamp } from "../fields.ts";
import { defineArea } from "../route.ts";
import { EXPERIMENT_STATUSES, METRIC_KINDS } from "./experiments.ts";

const Interval = z.tuple([z.number(), z.number()]);

/** One metric of one treatment against control. Undefined numbers are `null`; `status` says why. */
export const MetricResult = z
  .object({
    name: z.string(),
    metric_id: z.string(),
    kind: z.enum(METRIC_KINDS),
    role: z.enum(["PRIMARY", "SECONDARY", "GUARDRAIL"]),
    variant: z.string(),
    control_value: z.number(),
    treatment_value: z.number(),
    difference: z.number(),
    p_value: z.number(),
    adjusted_p_value: z.number().nullable(),
    is_significant: z.boolean(),
    confidence_interval: Interval.nullable(),
    relative_difference: z.number().nullable(),
    relative_confidence_interval: Interval.nullable(),
    n: z.object({ control: z.int(), treatment: z.int() }),
    mean: z.object({ control: z.number().nullable(), treatment: z.number().nullable() }),
    standard_error: z.number().nullable(),
    power: z.number().nullable(),
    test: z.string().meta({ description: "The test that was run, for example WELCH_T" }),
    status: z.string().meta({ description: "OK, or why numbers are missing" }),
  })
  .meta({ id: "MetricResult" });
export type MetricResult = z.infer<typeof MetricResult>;

export const SampleRatioMismatch = z
  .object({
    p_value: z.number().nullable(),
    expected: z.record(z.string(), z.number()),
    observed: z.record(z.string(), z.int()),
    warning: z.boolean().meta({ description: "p < 0.001: the split is not the one configured; find out why first" }),
  })
  .meta({ id: "SampleRatioMismatch" });

export const Results = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    status: z.enum(EXPERIMENT_STATUSES),
    metrics: z.array(MetricResult),
    sample_size: z.object({ control: z.int(), treatment: z.int() }),
    variants: z.array(
      z.object({
        id: z.string(),
        key: z.string(),
        name: z.string(),
        is_control: z.boolean(),
        weight: z.number(),
        sample_size: z.int(),
      }),
    ),
    srm: SampleRatioMismatch,
    crossover: z.int().meta({ description: "Users seen in two arms, left out" }),
    forced: z.int().meta({ description: "Users whose arm was given, not drawn, left out" }),
    analysis_warnings: z.array(z.string()),
    computed_at: Timestamp,
  })
  .meta({ id: "Results" });
export type Results = z.infer<typeof Results>;

export const results = defineArea({
  "GET /results/{experiment_id}": {
    operationId: "results.get",
    summary: "Results of an experiment, current to the last acknowledged event",
    auth: { user: true, key: "read" },
    limit: "api",
    cache: "results",
    params: z.object({ experiment_id: IdOrKey }),
    response: Results,
  },
  "GET /experiments/{experiment_id}/results": {
    operationId: "experiments.results",
    summary: "The same, under the experiment",
    auth: { user: true, key: "read" },
    limit: "api",
    cache: "results",
    params: z.object({ experiment_id: IdOrKey }),
    response: Results,
  },
});
