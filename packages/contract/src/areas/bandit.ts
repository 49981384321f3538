import * as z from "zod";
import { IdOrKey, Timestamp } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { ALLOCATIONS } from "./experiments.ts";

export const BANDIT_STATUSES = [
  "READY",
  "UNCHANGED",
  "INSUFFICIENT_DATA",
  "FIXED",
  "NOT_RUNNING",
  "NO_METRIC",
  "ONE_ARM",
] as const;

/** The allocation algorithm of a bandit, and its reward. */
export const Bandit = z
  .object({
    experiment_id: z.string(),
    algorithm: z.enum(ALLOCATIONS),
    applied: z
      .boolean()
      .meta({ description: "false with FIXED: `weight` is then what Thompson sampling would make of it" }),
    metric: z.string().nullable(),
    metric_id: z.string().nullable().meta({ description: "The first PRIMARY metric, else the first" }),
    weights: z.array(
      z.object({
        variant_id: z.string(),
        variant_key: z.string(),
        weight: z.number().meta({ description: "Share of the users who come now" }),
        next_weight: z
          .number()
          .nullable()
          .meta({ description: "What an update would make of it; null with too little data" }),
        successes: z
          .int()
          .nullable()
          .meta({ description: "Users who converted; null unless the metric is a CONVERSION" }),
        trials: z.int().meta({ description: "Users" }),
        mean: z
          .number()
          .nullable()
          .meta({ description: "Of the metric; weighted by period once weights have changed" }),
      }),
    ),
    probability_best: z
      .record(z.string(), z.number())
      .nullable()
      .meta({ description: "By variant key, by the metric's direction; null with too little data" }),
    total_trials: z.int(),
    expected_regret: z
      .number()
      .nullable()
      .meta({ description: "Per user at these weights against always showing the best arm, in the metric's units" }),
    min_weight: z.number().meta({ description: "Share that every arm keeps" }),
    last_updated: Timestamp.nullable().meta({ description: "When weights last changed; null where they never did" }),
    status: z.enum(BANDIT_STATUSES).meta({
      description:
        "READY: an update changes the weights. UNCHANGED: by less than a point in every arm, so they stay. " +
        "INSUFFICIENT_DATA: an arm has fewer than 100 users since the last change, or all of them fewer than 2 % " +
        "of the users before it, or the metric does not vary. FIXED, NOT_RUNNING, NO_METRIC, ONE_ARM: as they say",
    }),
  })
  .meta({ id: "Bandit" });
export type Bandit = z.infer<typeof Bandit>;

export const BanditWeights = z
  .object({
    weights: z.record(z.string(), z.number().min(0).max(1)).meta({
      description: "By variant id or key; every variant, summing to 1. 0 takes an arm out until it is set again",
    }),
  })
  .meta({ id: "BanditWeights" });

const byExperimentId = z.object({ experiment_id: IdOrKey });

export const bandit = defineArea({
  "GET /bandit/{experiment_id}": {
    operationId: "bandit.get",
    summary: "Weights of a bandit and what they rest on; for any experiment",
    auth: { user: true },
    limit: "api",
    params: byExperimentId,
    response: Bandit,
  },
  "POST /bandit/{experiment_id}/update": {
    operationId: "bandit.update",
    summary: "Compute the weights now, as the hourly job does",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: byExperimentId,
    response: Bandit,
  },
  "PUT /bandit/{experiment_id}/weights": {
    operationId: "bandit.setWeights",
    summary: "Set the weights of a bandit manually",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byExperimentId,
    body: BanditWeights,
    response: Bandit,
  },
});
