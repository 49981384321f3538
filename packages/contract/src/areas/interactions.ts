import * as z from "zod";
import { Alpha, IdOrKey, queryNumber } from "../fields.ts";
import { defineArea } from "../route.ts";

const Interval = z.tuple([z.number(), z.number()]);

export const INTERACTION_WARNINGS = [
  "NO_METRIC",
  "DIFFERENT_UNITS",
  "MUTUALLY_EXCLUSIVE",
  "NO_SHARED_USERS",
  "ONE_ARM",
  "TOO_MANY_CELLS",
  "TOO_FEW_USERS",
  "ASSIGNMENT_DEPENDENT",
  "ZERO_VARIANCE",
] as const;

const pairFields = {
  experiment_a_id: z.string(),
  experiment_a_key: z.string(),
  experiment_b_id: z.string(),
  experiment_b_key: z.string(),
  metric: z.string().nullable(),
  metric_id: z.string().nullable(),
  shared_users: z.int().meta({ description: "Users in both experiments; all statistics are computed over them" }),
  assignment_p_value: z
    .number()
    .nullable()
    .meta({ description: "That the arms of the one do not depend on those of the other; tested first" }),
  interaction_effect: z.number().nullable().meta({
    description: "Of two by two arms: the effect of A among users of B's treatment, less that among B's control",
  }),
  standard_error: z.number().nullable(),
  confidence_interval: Interval.nullable(),
  df: z.number().nullable().meta({ description: "Of the t-test, or of the chi-square test with more than two arms" }),
  p_value: z.number().nullable(),
  significant: z.boolean(),
  warning: z
    .enum(INTERACTION_WARNINGS)
    .nullable()
    .meta({
      description:
        "Why there is no p-value. TOO_FEW_USERS: fewer than 100 in a cell. ASSIGNMENT_DEPENDENT: p < 0.001, so what looks " +
        "like an interaction may be the mix of users. DIFFERENT_UNITS: the experiments bucket by different attributes, or one is a switchback",
    }),
};

/** Whether the effect of one experiment depends on the other. */
export const InteractionPair = z
  .object({
    ...pairFields,
    alpha: z.number(),
    cells: z
      .array(
        z.array(
          z.object({
            variant_a: z.string(),
            variant_b: z.string(),
            users: z.int(),
            value: z.number().nullable(),
          }),
        ),
      )
      .meta({ description: "A row per arm of A, a column per arm of B, controls first" }),
  })
  .meta({ id: "InteractionPair" });
export type InteractionPair = z.infer<typeof InteractionPair>;

/** Every pair of the running experiments, the most suspicious first. */
export const InteractionScan = z
  .object({
    experiments: z.int().meta({ description: "ACTIVE experiments that were looked at: the 20 started last" }),
    experiments_left_out: z.int(),
    pairs_analyzed: z.int(),
    pairs_tested: z.int().meta({ description: "Those with a p-value: what the correction counts" }),
    significant_pairs: z.int(),
    alpha: z.number(),
    alpha_adjusted: z.number().meta({ description: "What the least p-value is held to: alpha / pairs_tested" }),
    pairs: z.array(
      z.object({
        ...pairFields,
        adjusted_p_value: z.number().nullable().meta({ description: "By Holm; `significant` where below alpha" }),
      }),
    ),
  })
  .meta({ id: "InteractionScan" });
export type InteractionScan = z.infer<typeof InteractionScan>;

/** Whether an effect wears off, by the day of users' first exposure. */
export const Novelty = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    metric: z.string().nullable(),
    metric_id: z.string().nullable(),
    variant: z.string().nullable().meta({ description: "The treatment; there is one of each experiment, its first" }),
    daily: z
      .array(
        z.object({
          date: z.string().meta({ format: "date" }),
          n_control: z.int(),
          n_treatment: z.int(),
          effect: z.number().nullable(),
          ci: Interval.nullable(),
        }),
      )
      .meta({
        description: "Users who came that day and what they did in 24 hours; the day has an end, and 24 hours more",
      }),
    early_effect: z.number().nullable(),
    late_effect: z.number().nullable(),
    slope: z.number().nullable().meta({ description: "Of the effect on ln(day)" }),
    p_value: z.number().nullable().meta({ description: "Of the slope" }),
    has_novelty: z
      .boolean()
      .meta({ description: "The slope is significant, and the effect is smaller late than early" }),
    has_primacy: z
      .boolean()
      .meta({ description: "The slope is significant, and the effect is greater late than early" }),
    warning: z.enum(["NO_METRIC", "ONE_ARM", "TOO_FEW_DAYS"]).nullable(),
  })
  .meta({ id: "Novelty" });
export type Novelty = z.infer<typeof Novelty>;

export const NoveltyPair = z.object({ experiment_a: Novelty, experiment_b: Novelty }).meta({ id: "NoveltyPair" });
export type NoveltyPair = z.infer<typeof NoveltyPair>;

const Level = queryNumber(Alpha).default(0.05);
const MetricId = z.string().min(1).max(255).optional();

export const InteractionQuery = z.object({
  metric_id: MetricId.meta({
    description: "Id or name of a metric of A, else of B; A's first PRIMARY one where absent",
  }),
  alpha: Level,
});
export const NoveltyQuery = z.object({
  metric_id: MetricId.meta({ description: "Id or name of a metric; each one's first PRIMARY one where absent" }),
  alpha: Level,
});

const developers = { auth: { user: "DEVELOPER" }, limit: "api" } as const;
const params = z.object({ exp_a_id: IdOrKey, exp_b_id: IdOrKey });

export const interactions = defineArea({
  "GET /interactions/scan": {
    ...developers,
    operationId: "interactions.scan",
    summary: "Which of the running experiments disturb each other",
    query: z.object({ alpha: Level }),
    response: InteractionScan,
  },
  "GET /interactions/{exp_a_id}/{exp_b_id}": {
    ...developers,
    operationId: "interactions.pair",
    summary: "Whether the effect of one experiment depends on the arm in another",
    params,
    query: InteractionQuery,
    response: InteractionPair,
  },
  "GET /interactions/{exp_a_id}/{exp_b_id}/novelty": {
    ...developers,
    operationId: "interactions.novelty",
    summary: "Whether the effects of two experiments wear off",
    params,
    query: NoveltyQuery,
    response: NoveltyPair,
  },
});
