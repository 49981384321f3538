import * as z from "zod";
import { Alpha, IdOrKey, Json, page, paging, Timestamp } from "../fields.ts";
import { defineArea } from "../route.ts";
import { DailyUsers, SampleSize, SampleSizeQuery, varianceFields } from "../sample-size.ts";
import { TargetingRules } from "../targeting.ts";
import { EXPERIMENT_TYPES, METRIC_KINDS } from "./experiments.ts";

const DIRECTIONS = ["INCREASE", "DECREASE"] as const;
const Rate = z.number().gt(0).lt(1);
const Effect = z.number().gt(0).max(1_000_000);

export const DesignRequest = z
  .object({
    description: z.string().trim().min(10, "Describe in a sentence what you want to test").max(5000),
    baseline_rate: Rate.optional(),
    mean: z.number().optional().meta({ description: "Mean of control, in place of baseline_rate" }),
    standard_deviation: z.number().positive().optional().meta({
      description: "Of the metric; of a RATIO or QUANTILE, the standard error of control times the root of its users",
    }),
    mde: Effect.optional().meta({ description: "Size of the effect, a share of the baseline: 0.1 is 10 %" }),
    relative: z.boolean().optional().meta({ description: "false if mde is absolute; true by default" }),
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

/** A value of a design that was read in the description, and the words that say it. */
export const DesignReading = z
  .object({ field: z.string(), value: Value, text: z.string() })
  .meta({ id: "DesignReading" });
export type DesignReading = z.infer<typeof DesignReading>;

/** A default that a design uses because neither the request nor the description gives the value. */
export const DesignAssumption = z
  .object({ field: z.string(), value: Value, reason: z.string() })
  .meta({ id: "DesignAssumption" });
export type DesignAssumption = z.infer<typeof DesignAssumption>;

/** What the description leaves open. `field` is the field of the request that answers it. */
export const DesignQuestion = z.object({ field: z.string(), question: z.string() }).meta({ id: "DesignQuestion" });
export type DesignQuestion = z.infer<typeof DesignQuestion>;

/** A complete body for `POST /experiments/`, without the fields that are not part of an experiment. */
export const ExperimentDesign = z
  .object({
    ...designFields,
    targeting_rules: TargetingRules.optional(),
    alpha: z.number(),
    planned_sample_size: z.int().nullable(),
    rationale: z.array(z.string()).meta({ description: "Why each part is as it is, and what was assumed" }),
    reading: z.array(DesignReading).meta({ description: "What the description says" }),
    assumptions: z.array(DesignAssumption).meta({ description: "Every default in the design and its sample size" }),
    questions: z.array(DesignQuestion).meta({ description: "What the description does not say, or not clearly" }),
    sample_size: SampleSize.nullable().meta({ description: "null while a question has to be answered first" }),
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
    baseline_rate: z.number().meta({ description: "Assumed until you know yours" }),
    mde: z.number().meta({ description: "A share of the baseline worth finding" }),
    experiment: z.object(designFields).meta({ description: "A body for `POST /experiments/`" }),
  })
  .meta({ id: "ExperimentTemplate" });
export type ExperimentTemplate = z.infer<typeof ExperimentTemplate>;

export const RECOMMENDATIONS = ["SHIP", "KEEP_CONTROL", "CONTINUE", "INVESTIGATE"] as const;
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
    variant: z.string().nullable().meta({ description: "The treatment to ship, with SHIP" }),
    reasons: z.array(z.string()),
    caveats: z.array(z.object({ code: z.enum(CAVEATS), message: z.string() })),
    computed_at: Timestamp.meta({ description: "Of the results it is about" }),
  })
  .meta({ id: "Interpretation" });
export type Interpretation = z.infer<typeof Interpretation>;

const reads = { auth: { user: true }, limit: "api" } as const;

export const ai = defineArea({
  "POST /ai/design": {
    ...reads,
    operationId: "ai.design",
    summary: "A complete draft of an experiment from a description, with its sample size",
    action: "READ",
    body: DesignRequest,
    response: ExperimentDesign,
  },
  "POST /ai/interpret/{experiment_id}": {
    ...reads,
    operationId: "ai.interpret",
    summary: "What the stored results say, what to do, and every caveat",
    action: "READ",
    params: z.object({ experiment_id: IdOrKey }),
    response: Interpretation,
  },
  "GET /ai/sample-size": {
    ...reads,
    operationId: "ai.sampleSize",
    summary: "Users and days an experiment needs",
    query: SampleSizeQuery,
    response: SampleSize,
  },
  "GET /ai/templates": {
    ...reads,
    operationId: "ai.templates",
    summary: "Templates of experiments",
    query: z.object({ ...paging(500, 100), category: z.string().max(100).optional() }),
    response: page(ExperimentTemplate),
  },
  "GET /ai/templates/{id}": {
    ...reads,
    operationId: "ai.template",
    summary: "A template of an experiment",
    params: z.object({ id: z.string().min(1).max(255) }),
    response: ExperimentTemplate,
  },
});
