import * as z from "zod";
import { JsonObject, Name, Text, Timestamp, upper } from "../../shared/fields.ts";
import { INTEGRATION_TYPES, SECRET_MASK } from "./config.ts";

export const IntegrationCreate = z.object({
  name: Name,
  integration_type: upper(INTEGRATION_TYPES),
  description: Text.default(""),
  config: JsonObject.default({}),
});
export type IntegrationCreate = z.output<typeof IntegrationCreate>;

export const IntegrationUpdate = z
  .object({ name: Name.optional(), description: Text.nullish(), config: JsonObject.optional() })
  .meta({ id: "IntegrationUpdate" });
export type IntegrationUpdate = z.output<typeof IntegrationUpdate>;

const summaryFields = {
  id: z.string(),
  name: z.string(),
  integration_type: z.enum(INTEGRATION_TYPES),
  description: z.string(),
  is_active: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: z.string(),
};

export const IntegrationSummary = z.object(summaryFields).meta({ id: "IntegrationSummary" });

export const IntegrationCreated = IntegrationSummary.extend({
  warnings: z
    .array(
      z.object({
        code: z
          .string()
          .meta({ description: "`UNSIGNED_WEBHOOKS`: there is neither `webhook_secret` nor `webhook_token`" }),
        msg: z.string().meta({ description: "What this means, and what to do" }),
      }),
    )
    .optional()
    .meta({ description: "Missing if there is nothing to warn about" }),
}).meta({ id: "IntegrationCreated" });
export type IntegrationCreated = z.output<typeof IntegrationCreated>;

export const Integration = z
  .object({
    ...summaryFields,
    config: JsonObject.meta({ description: `Secrets read as ${SECRET_MASK}` }),
    version: z.int(),
  })
  .meta({ id: "Integration" });
export type Integration = z.output<typeof Integration>;

export const IntegrationTest = z
  .object({
    success: z.boolean(),
    status: z.int().nullable().meta({ description: "HTTP status of the response; null without a response" }),
    reason: z.string().nullable(),
    latency_ms: z.number(),
  })
  .meta({ id: "IntegrationTest" });
export type IntegrationTest = z.output<typeof IntegrationTest>;
