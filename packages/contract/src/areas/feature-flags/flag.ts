import * as z from "zod";
import { Json, JsonObject, Name, strict, Text, Timestamp, TimestampInput, upper } from "../../shared/fields.ts";
import { Prerequisite, Rule, Rules, TargetingRules } from "../../shared/targeting.ts";
import { Key } from "../experiments/key.ts";
import { ValueSchema } from "./value-schema.ts";

export const FLAG_STATUSES = ["ACTIVE", "INACTIVE", "ARCHIVED"] as const;
export const VALUE_TYPES = ["BOOLEAN", "STRING", "NUMBER", "OBJECT"] as const;
/** The reasons why a flag is stale. The last three apply after 30 days. */
export const STALE_REASONS = ["EXPIRED", "NOT_EVALUATED", "FULLY_ROLLED_OUT", "SWITCHED_OFF"] as const;

export const FlagVariant = strict({
  key: Key,
  name: Name.optional(),
  weight: z.number().min(0).max(100).optional(),
  value: Json,
}).meta({
  id: "FlagVariant",
});

/** The metadata of evaluations that Assay writes itself. */
const RESERVED_METADATA = ["cacheReason", "evaluationReason", "flagSetId", "forced", "ruleId", "version"];

export const FlagMetadata = z
  .record(
    z
      .string()
      .min(1)
      .max(100)
      .refine((key) => !RESERVED_METADATA.includes(key), `Reserved: one of ${RESERVED_METADATA.join(", ")}`),
    z.union([z.string().max(1000), z.number(), z.boolean()]),
  )
  .refine((metadata) => Object.keys(metadata).length <= 50, "At most 50 entries")
  .meta({
    id: "FlagMetadata",
    description:
      "Texts, numbers and true or false by name. Providers report them in `flagMetadata`, OFREP in `metadata`. CLIENT " +
      `keys can read them. Reserved names: ${RESERVED_METADATA.join(", ")}`,
  });

const inputFields = {
  key: Key,
  name: Name,
  description: Text.nullish(),
  status: upper(FLAG_STATUSES, { ENABLED: "ACTIVE", ON: "ACTIVE", DISABLED: "INACTIVE", OFF: "INACTIVE" }).optional(),
  rollout_percentage: z.number().min(0).max(100).optional(),
  targeting_rules: TargetingRules.nullish(),
  rules: Rules.nullish(),
  rules_enabled: z.boolean().optional(),
  prerequisites: z.array(Prerequisite).max(20).nullish(),
  variants: z.array(FlagVariant).max(50).nullish(),
  value_type: upper(VALUE_TYPES).optional(),
  default_value: Json.optional(),
  value_schema: ValueSchema.nullish(),
  defer_to_caller: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether a boolean flag serves the caller's default where it would serve its own without drawing: while it is " +
        "INACTIVE, at 0 %, and to users whom the targeting excludes. Responses then have `value: null`",
    }),
  bucket_by: z.string().min(1).max(255).nullish(),
  client_side: z.boolean().optional(),
  expires_at: TimestampInput.nullish().meta({
    description: "When the flag should be removed. After that it is reported as `stale`; evaluation does not change",
  }),
  permanent: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether the flag is meant to stay, such as a kill switch. Only `expires_at` makes a permanent flag " + "stale",
    }),
  tags: z.array(z.string().min(1).max(100)).max(50).nullish(),
  metadata: FlagMetadata.nullish(),
};

export const FeatureFlagCreate = z.object(inputFields).meta({ id: "FeatureFlagCreate" });
export type FeatureFlagCreate = z.infer<typeof FeatureFlagCreate>;

export const FeatureFlagUpdate = z
  .object(inputFields)
  .partial()
  .extend({ reason: Text.optional() })
  .meta({ id: "FeatureFlagUpdate" });
export type FeatureFlagUpdate = z.infer<typeof FeatureFlagUpdate>;

const summaryFields = {
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(FLAG_STATUSES),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_evaluated_at: Timestamp.nullable().meta({
    description:
      "Time of the last evaluation, to the minute: over HTTP, in the server's process, or reported by a " +
      "tracking event. Null if never evaluated",
  }),
  stale: z.boolean().meta({ description: "Whether the flag can probably be removed; see stale_reasons" }),
  stale_reasons: z.array(z.enum(STALE_REASONS)),
};

/** The author of a change. */
export const ChangeAuthor = z
  .object({
    id: z.string().meta({ description: "Id of the user, API key or integration" }),
    name: z.string().nullable().meta({
      description: "Only an ADMIN sees e-mail addresses in it. Null for API keys as readers, and if it is unknown",
    }),
  })
  .meta({ id: "ChangeAuthor" });
export type ChangeAuthor = z.infer<typeof ChangeAuthor>;

export const FeatureFlagSummary = z
  .object({
    ...summaryFields,
    rollout_percentage: z.number(),
    tags: z.array(z.string()),
    last_changed_at: Timestamp,
    last_changed_by: ChangeAuthor.nullable().meta({ description: "Null for changes by the server, and if unknown" }),
  })
  .meta({ id: "FeatureFlagSummary" });
export type FeatureFlagSummary = z.infer<typeof FeatureFlagSummary>;

/** The orders of a list of flags; `-` in front of one reverses it. */
export const FLAG_ORDERS = ["name", "key", "created_at", "updated_at", "last_evaluated_at"] as const;

export const FeatureFlag = z
  .object({
    ...summaryFields,
    rollout_percentage: z.number(),
    targeting_rules: TargetingRules.nullable(),
    rules: z.array(Rule),
    rules_enabled: z.boolean(),
    prerequisites: z.array(Prerequisite),
    variants: z.array(FlagVariant),
    value_type: z.enum(VALUE_TYPES),
    default_value: Json,
    value_schema: JsonObject.nullable().default(null),
    defer_to_caller: z.boolean().default(false),
    bucket_by: z.string().nullable(),
    client_side: z.boolean(),
    expires_at: Timestamp.nullable(),
    permanent: z.boolean().default(false),
    tags: z.array(z.string()),
    metadata: FlagMetadata.default({}),
    created_by: z.string(),
    version: z.int(),
  })
  .meta({ id: "FeatureFlag" });
export type FeatureFlag = z.infer<typeof FeatureFlag>;
