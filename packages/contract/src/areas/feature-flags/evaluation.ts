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

export const TraceStep = z.object({ step: z.string(), subject: z.string(), matched: z.boolean(), detail: z.string() });

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
