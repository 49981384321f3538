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

/** The weights of a bandit and the data behind them. */
export const Bandit = z
  .object({
    experiment_id: z.string(),
    algorithm: z.enum(ALLOCATIONS),
    applied: z.boolean().meta({
      description: "Whether the weights apply. False for FIXED: `weight` is then what Thompson sampling would choose",
    }),
    metric: z.string().nullable(),
    metric_id: z
      .string()
      .nullable()
      .meta({ description: "Id of the metric that is optimised: the first PRIMARY metric, or else the first metric" }),
    weights: z.array(
      z.object({
        variant_id: z.string(),
        variant_key: z.string(),
        weight: z.number().meta({ description: "Share of new users that the arm gets" }),
        next_weight: z
          .number()
          .nullable()
          .meta({ description: "The weight after the next update; null with too little data" }),
        successes: z
          .int()
          .nullable()
          .meta({ description: "Number of users who converted; null unless the metric is a CONVERSION" }),
        trials: z.int().meta({ description: "Number of users" }),
        mean: z
          .number()
          .nullable()
          .meta({ description: "Mean of the metric; weighted by period after the weights have changed" }),
      }),
    ),
    probability_best: z
      .record(z.string(), z.number())
      .nullable()
      .meta({
        description:
          "Probability of being the best arm, by variant key, in the metric's direction; null with too little " +
          "data",
      }),
    total_trials: z.int(),
    expected_regret: z
      .number()
      .nullable()
      .meta({
        description:
          "Expected loss per user at these weights, compared with always showing the best arm, in the unit of " +
          "the metric",
      }),
    min_weight: z.number().meta({ description: "Minimum weight of every arm" }),
    last_updated: Timestamp.nullable().meta({ description: "When the weights last changed; null if they never did" }),
    status: z.enum(BANDIT_STATUSES).meta({
      description:
        "READY: an update changes the weights. UNCHANGED: an update would change every weight by less than " +
        "one percentage point, so the weights stay. INSUFFICIENT_DATA: an arm has fewer than 100 users since " +
        "the last change, or all arms together have fewer than 2 % of the users before it, or the metric " +
        "does not vary. FIXED: the allocation is fixed. NOT_RUNNING: the experiment is not ACTIVE. " +
        "NO_METRIC: it has no metric. ONE_ARM: it has one arm",
    }),
  })
  .meta({ id: "Bandit" });
export type Bandit = z.infer<typeof Bandit>;

export const BanditWeights = z
  .object({
    weights: z.record(z.string(), z.number().min(0).max(1)).meta({
      description:
        "Weights by variant id or key, for every variant, with the sum 1. A weight of 0 gives the arm no new " +
        "users until its weight is set again",
    }),
  })
  .meta({ id: "BanditWeights" });

const byExperimentId = z.object({ experiment_id: IdOrKey });

export const bandit = defineArea({
  "GET /bandit/{experiment_id}": {
    operationId: "bandit.get",
    summary: "Retrieve the weights of a bandit and the data behind them; works for every experiment",
    auth: { user: true },
    limit: "api",
    params: byExperimentId,
    response: Bandit,
  },
  "POST /bandit/{experiment_id}/update": {
    operationId: "bandit.update",
    summary: "Compute the weights of a bandit now, as the hourly job does",
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
