import * as z from "zod";
import { DECISIONS } from "../shared/decision.ts";
import { Alpha, IdOrKey, Json, page, paging, Timestamp } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { DailyUsers, SampleSize, SampleSizeQuery, varianceFields } from "../shared/sample-size.ts";
import { TargetingRules } from "../shared/targeting.ts";
import { EXPERIMENT_TYPES, METRIC_KINDS } from "./experiments.ts";
import { WinnersCurse } from "./results.ts";

const DIRECTIONS = ["INCREASE", "DECREASE"] as const;
const Rate = z.number().gt(0).lt(1);
const Effect = z.number().gt(0).max(1_000_000);

export const DesignRequest = z
  .object({
    description: z.string().trim().min(10, "Describe in a sentence what you want to test").max(5000),
    baseline_rate: Rate.optional(),
    mean: z.number().optional().meta({ description: "Mean of the control, instead of baseline_rate" }),
    standard_deviation: z
      .number()
      .positive()
      .optional()
      .meta({
        description:
          "Standard deviation of the metric, in its unit. For a RATIO or QUANTILE: the standard error of the " +
          "control times the square root of its number of users",
      }),
    mde: Effect.optional().meta({ description: "Minimum detectable effect, as a share of the baseline: 0.1 is 10 %" }),
    relative: z
      .boolean()
      .optional()
      .meta({ description: "Whether mde is a share of the baseline (default) or absolute" }),
    direction: z.enum(DIRECTIONS).optional(),
    alpha: Alpha.optional(),
    power: Rate.optional(),
    ...varianceFields,
    daily_users: DailyUsers.optional(),
  })
  .meta({ id: "DesignRequest" });
export type DesignRequest = z.infer<typeof DesignRequest>;

const DesignedVariant = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string().optional(),
  weight: z.number(),
  is_control: z.boolean(),
  configuration: Json.optional(),
});

const DesignedMetric = z.object({
  id: z.string(),
  name: z.string(),
  event_type: z.string(),
  kind: z.enum(METRIC_KINDS),
  denominator_event_type: z.string().optional(),
  quantile: z.number().optional(),
  direction: z.enum(DIRECTIONS),
  role: z.enum(["PRIMARY", "SECONDARY", "GUARDRAIL"]),
});

/** The fields that designs and templates share with the body of `POST /experiments/`. */
const designFields = {
  name: z.string(),
  description: z.string(),
  hypothesis: z.string(),
  experiment_type: z.enum(EXPERIMENT_TYPES),
  variants: z.array(DesignedVariant).optional(),
  metrics: z.array(DesignedMetric),
  split_url_config: z
    .object({ variants: z.array(z.object({ key: z.string(), name: z.string(), url: z.string(), weight: z.int() })) })
    .optional(),
  factors: z.array(z.object({ name: z.string(), levels: z.array(z.string()) })).optional(),
};

const Value = z.union([z.number(), z.string()]);

/** A value that a design takes from the description, with the words that state it. */
export const DesignReading = z
  .object({ field: z.string(), value: Value, text: z.string() })
  .meta({ id: "DesignReading" });
export type DesignReading = z.infer<typeof DesignReading>;

/** A default of a design, for a value that neither the request nor the description gives. */
export const DesignAssumption = z
  .object({ field: z.string(), value: Value, reason: z.string() })
  .meta({ id: "DesignAssumption" });
export type DesignAssumption = z.infer<typeof DesignAssumption>;

/** A question about a value that the description does not give. `field` is the request field that answers it. */
export const DesignQuestion = z.object({ field: z.string(), question: z.string() }).meta({ id: "DesignQuestion" });
export type DesignQuestion = z.infer<typeof DesignQuestion>;

/** A complete body for `POST /experiments/`. */
export const ExperimentDesign = z
  .object({
    ...designFields,
    targeting_rules: TargetingRules.optional(),
    alpha: z.number(),
    planned_sample_size: z.int().nullable(),
    rationale: z.array(z.string()).meta({ description: "The reason for each part of the design, and its assumptions" }),
    reading: z.array(DesignReading).meta({ description: "The values found in the description, with their words" }),
    assumptions: z
      .array(DesignAssumption)
      .meta({ description: "The defaults that the design and its sample size use" }),
    questions: z.array(DesignQuestion).meta({ description: "What the description leaves open or says ambiguously" }),
    sample_size: SampleSize.nullable().meta({
      description: "Null until the questions that it depends on are answered",
    }),
    template_id: z.string().nullable(),
    source: z.enum(["BUILT_IN", "LANGUAGE_MODEL"]),
  })
  .meta({ id: "ExperimentDesign" });
export type ExperimentDesign = z.infer<typeof ExperimentDesign>;

export const ExperimentTemplate = z
  .object({
    id: z.string(),
    category: z.string(),
    title: z.string(),
    summary: z.string(),
    baseline_rate: z.number().meta({ description: "An assumption: replace it with your own rate" }),
    mde: z.number().meta({ description: "Minimum detectable effect, as a share of the baseline" }),
    experiment: z.object(designFields).meta({ description: "The body of a `POST /experiments/` request" }),
  })
  .meta({ id: "ExperimentTemplate" });
export type ExperimentTemplate = z.infer<typeof ExperimentTemplate>;

export const RECOMMENDATIONS = DECISIONS;
export const CAVEATS = [
  "NO_DATA",
  "SRM",
  "CROSSOVER",
  "PEEKING",
  "LOW_POWER",
  "NOVELTY",
  "GUARDRAIL",
  "MARGIN_NOT_SHOWN",
  "MARGIN_CHANGED",
  "MULTIPLE_COMPARISONS",
  "NO_PRIMARY_METRIC",
  "SHORT_RUN",
  "CLUSTER_UNKNOWN",
  "FEW_CLUSTERS",
  "PERIODS_MISALIGNED",
  "CARRY_OVER",
  "UNITS_NOT_INDEPENDENT",
  "EXPOSURES_INFERRED",
  "EVENTS_REMOVED",
  "EVENTS_DAMAGED",
  "EVENTS_DELAYED",
  "PERIODS_POOLED",
  "ONE_LOOK",
  "BAYES_DISAGREES",
] as const;

export const Interpretation = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    summary: z.string(),
    recommendation: z.enum(RECOMMENDATIONS),
    variant: z.string().nullable().meta({ description: "Key of the treatment to ship, for SHIP" }),
    reasons: z.array(z.string()),
    caveats: z.array(z.object({ code: z.enum(CAVEATS), message: z.string() })),
    winners_curse: z
      .array(WinnersCurse.extend({ metric_id: z.string(), metric: z.string() }))
      .optional()
      .meta({ description: "With SHIP: what to expect of the lift of each metric that decides" }),
    computed_at: Timestamp.meta({ description: "When the interpreted results were computed" }),
  })
  .meta({ id: "Interpretation" });
export type Interpretation = z.infer<typeof Interpretation>;

const reads = { auth: { user: true }, limit: "api" } as const;

export const ai = defineArea({
  "POST /ai/design": {
    ...reads,
    operationId: "ai.design",
    summary: "Draft an experiment, with its sample size, from a description in plain English",
    action: "READ",
    body: DesignRequest,
    response: ExperimentDesign,
  },
  "POST /ai/interpret/{experiment_id}": {
    ...reads,
    operationId: "ai.interpret",
    summary: "Interpret the results of an experiment: a summary, a recommendation and every caveat",
    action: "READ",
    params: z.object({ experiment_id: IdOrKey }),
    response: Interpretation,
  },
  "GET /ai/sample-size": {
    ...reads,
    operationId: "ai.sampleSize",
    summary: "Compute how many users and days an experiment needs",
    query: SampleSizeQuery,
    response: SampleSize,
  },
  "GET /ai/templates": {
    ...reads,
    operationId: "ai.templates",
    summary: "List the templates of experiments",
    query: z.object({ ...paging(500, 100), category: z.string().max(100).optional() }),
    response: page(ExperimentTemplate),
  },
  "GET /ai/templates/{id}": {
    ...reads,
    operationId: "ai.template",
    summary: "Retrieve a template",
    params: z.object({ id: z.string().min(1).max(255) }),
    response: ExperimentTemplate,
  },
});
