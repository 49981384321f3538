import * as z from "zod";
import { Json } from "../../shared/fields.ts";

export const REASONS = [
  "TARGETING_MATCH",
  "SPLIT",
  "STATIC",
  "DEFAULT",
  "DISABLED",
  "PREREQUISITE_FAILED",
  "HOLDOUT",
  "ERROR",
] as const;

export const TraceStep = z
  .object({
    step: z.string().meta({
      description:
        "STATUS, OVERRIDE, PREREQUISITE, HOLDOUT, EXCLUDED_USERS, INCLUDED_USERS, BLOCK, RULE, CONDITION, ROLLOUT or " +
        "VARIANT. The CONDITIONs of a rule come before their RULE",
    }),
    subject: z.string().meta({ description: "The block, rule id, flag key, condition or variant of the step" }),
    matched: z.boolean(),
    detail: z.string(),
    attribute: z.string().optional().meta({ description: "The attribute that a CONDITION or BLOCK read" }),
    bucket: z
      .number()
      .optional()
      .meta({ description: "The hash in [0, 1) that a HOLDOUT, group BLOCK, ROLLOUT or VARIANT compared" }),
    rollout_percentage: z.number().optional().meta({ description: "The percentage that a ROLLOUT compared it with" }),
  })
  .meta({ id: "TraceStep" });

export const Evaluation = z
  .object({
    key: z.string(),
    enabled: z.boolean(),
    value: Json,
    variant: z.string().nullable(),
    reason: z.enum(REASONS),
    rule_id: z.string().nullable(),
    bucket: z.number().nullable(),
    error_code: z.string().optional(),
    error_message: z.string().optional(),
    trace: z.array(TraceStep).optional(),
  })
  .meta({ id: "Evaluation" });
