import * as z from "zod";
import { IdOrKey, JsonObject, UserId } from "../../shared/fields.ts";
import { Evaluation, TraceStep } from "./evaluation.ts";
import { FeatureFlagCreate } from "./flag.ts";

/** A question why flags serve a user what they serve. */
export const FlagQuestion = z
  .object({
    user_id: UserId,
    context: JsonObject.optional().meta({ description: "The attributes of the user" }),
    flag_key: IdOrKey.optional().meta({ description: "Id or key of one flag; absent for all flags" }),
    draft: FeatureFlagCreate.optional().meta({
      description:
        "A flag that is not saved. It is evaluated as if it were: over the stored flag with this key as by PUT, " +
        "otherwise as by POST",
    }),
  })
  .meta({ id: "FlagQuestion" });
export type FlagQuestion = z.infer<typeof FlagQuestion>;

/** The arm of the user in the ACTIVE experiment over a flag. */
export const FlagExperiment = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    variant: z.string().nullable().meta({ description: "The arm of the user; null if they do not take part" }),
    assigned: z.boolean().meta({ description: "Whether the user takes part" }),
    reason: z.string().meta({
      description: "ASSIGNED or OVERRIDE; otherwise why not: HOLDOUT, EXCLUDED, TARGETING, NOT_RUNNING or ERROR",
    }),
  })
  .meta({ id: "FlagExperiment" });

const ExplainedStep = TraceStep.extend({
  actual: z.string().optional().meta({
    description: "The value of this attribute as JSON, cut after 500 characters; `null` if the context has none",
  }),
}).meta({ id: "ExplainedStep" });

export const FlagExplanation = Evaluation.extend({
  name: z.string(),
  experiment: FlagExperiment.optional().meta({ description: "Absent unless an ACTIVE experiment runs on the flag" }),
  trace: z.array(ExplainedStep).meta({ description: "In order, at most 1,000 steps" }),
}).meta({ id: "FlagExplanation" });
export type FlagExplanation = z.infer<typeof FlagExplanation>;

export const FlagExplanations = z.object({ flags: z.array(FlagExplanation) }).meta({ id: "FlagExplanations" });
export type FlagExplanations = z.infer<typeof FlagExplanations>;
