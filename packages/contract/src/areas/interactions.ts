import * as z from "zod";
import { Alpha, IdOrKey, queryNumber } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

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
  shared_users: z
    .int()
    .meta({ description: "Number of users in both experiments; all statistics are computed over them" }),
  assignment_p_value: z
    .number()
    .nullable()
    .meta({ description: "Tests that the assignments in A and B are independent; checked before the interaction" }),
  interaction_effect: z
    .number()
    .nullable()
    .meta({
      description:
        "With two arms each: the effect of A among users in B's treatment minus the effect of A among users " +
        "in B's control",
    }),
  standard_error: z.number().nullable(),
  confidence_interval: Interval.nullable(),
  df: z
    .number()
    .nullable()
    .meta({ description: "Degrees of freedom of the t-test, or of the chi-square test with more than two arms" }),
  p_value: z.number().nullable(),
  significant: z.boolean(),
  warning: z
    .enum(INTERACTION_WARNINGS)
    .nullable()
    .meta({
      description:
        "Why there is no p-value, or why it may mislead. TOO_FEW_USERS: a cell has fewer than 100 users. " +
        "ASSIGNMENT_DEPENDENT: assignment_p_value is below 0.001, so an apparent interaction may come from " +
        "different users in the cells. DIFFERENT_UNITS: the experiments bucket by different attributes, or one is a switchback",
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
      .meta({ description: "One row per arm of A, one column per arm of B, controls first" }),
  })
  .meta({ id: "InteractionPair" });
export type InteractionPair = z.infer<typeof InteractionPair>;

/** All pairs of running experiments, the smallest p-value first. */
export const InteractionScan = z
  .object({
    experiments: z.int().meta({ description: "Number of ACTIVE experiments in the scan: the 20 started last" }),
    experiments_left_out: z.int(),
    pairs_analyzed: z.int(),
    pairs_tested: z.int().meta({ description: "Number of pairs with a p-value, which the correction counts" }),
    significant_pairs: z.int(),
    alpha: z.number(),
    alpha_adjusted: z.number().meta({ description: "Threshold of the smallest p-value: alpha / pairs_tested" }),
    pairs: z.array(
      z.object({
        ...pairFields,
        adjusted_p_value: z
          .number()
          .nullable()
          .meta({ description: "Holm-adjusted p-value; the pair is `significant` if it is below alpha" }),
      }),
    ),
  })
  .meta({ id: "InteractionScan" });
export type InteractionScan = z.infer<typeof InteractionScan>;

/** Whether an effect wears off, by the day of the users' first exposure. */
export const Novelty = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    metric: z.string().nullable(),
    metric_id: z.string().nullable(),
    variant: z
      .string()
      .nullable()
      .meta({ description: "Key of the treatment: the first treatment of each experiment" }),
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
        description:
          "Effect among users first exposed that day, on what they did in their first 24 hours; given once " +
          "those 24 hours have passed for all of them",
      }),
    early_effect: z.number().nullable(),
    late_effect: z.number().nullable(),
    slope: z.number().nullable().meta({ description: "Slope of the effect over ln(day)" }),
    p_value: z.number().nullable().meta({ description: "p-value of the slope" }),
    has_novelty: z
      .boolean()
      .meta({ description: "Whether the slope is significant and the effect decreases over time" }),
    has_primacy: z
      .boolean()
      .meta({ description: "Whether the slope is significant and the effect increases over time" }),
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
    description: "Id or name of a metric of A, or else of B; default: the first PRIMARY metric of A",
  }),
  alpha: Level,
});
export const NoveltyQuery = z.object({
  metric_id: MetricId.meta({
    description: "Id or name of a metric; default: the first PRIMARY metric of each experiment",
  }),
  alpha: Level,
});

const developers = { auth: { user: "DEVELOPER" }, limit: "api" } as const;
const params = z.object({ exp_a_id: IdOrKey, exp_b_id: IdOrKey });

export const interactions = defineArea({
  "GET /interactions/scan": {
    ...developers,
    operationId: "interactions.scan",
    summary: "Scan the running experiments for interactions",
    query: z.object({ alpha: Level }),
    response: InteractionScan,
  },
  "GET /interactions/{exp_a_id}/{exp_b_id}": {
    ...developers,
    operationId: "interactions.pair",
    summary: "Test whether the effect of one experiment depends on the arm of another",
    params,
    query: InteractionQuery,
    response: InteractionPair,
  },
  "GET /interactions/{exp_a_id}/{exp_b_id}/novelty": {
    ...developers,
    operationId: "interactions.novelty",
    summary: "Test whether the effects of two experiments wear off over time",
    params,
    query: NoveltyQuery,
    response: NoveltyPair,
  },
});
