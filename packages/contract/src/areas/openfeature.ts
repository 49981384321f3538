import * as z from "zod";
import { IdOrKey, Json, JsonObject, UserId } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { Condition, Prerequisite, Rule, TargetingRules } from "../shared/targeting.ts";
import { EXPERIMENT_STATUSES, EXPERIMENT_TYPES } from "./experiments.ts";
import { FlagMetadata } from "./feature-flags/flag.ts";
import { VALUE_TYPES } from "./feature-flags.ts";
import { PROGRAM_MEDIA_TYPE, Program } from "./openfeature/program.ts";

export { PROGRAM_MEDIA_TYPE, Program };

/** User ids as salted hashes, for readers without the right to see the ids. */
const HashedUsers = z.object({ salt: z.string(), hashes: z.array(z.string()) });

/** The targeting blocks of requests, and hashed user lists, which only responses contain. */
const ServedTargetingRules = TargetingRules.extend({
  excluded_users_hashed: HashedUsers.optional(),
  included_users_hashed: HashedUsers.optional(),
}).meta({ id: "ServedTargetingRules" });

/** A flag as providers get it: the five fields of the specification and what local evaluation needs. */
export const FlagDefinition = z
  .object({
    key: z.string(),
    enabled: z.boolean(),
    rollout_percentage: z.number(),
    variants: z.array(z.object({ key: z.string(), weight: z.number(), value: Json })),
    rules: z.array(Rule),
    rules_enabled: z.boolean().optional(),
    value_type: z.enum(VALUE_TYPES).optional(),
    default_value: Json.optional(),
    defer_to_caller: z.boolean().optional(),
    targeting_rules: ServedTargetingRules.nullish(),
    prerequisites: z.array(Prerequisite).optional(),
    bucket_by: z.string().nullish(),
    client_side: z
      .literal(false)
      .optional()
      .meta({ description: "False for a flag that a CLIENT key receives only as a prerequisite of other flags" }),
    version: z.int().optional(),
    metadata: FlagMetadata.optional(),
  })
  .meta({ id: "FlagDefinition" });

export const Definitions = z
  .object({
    schema_version: z.int(),
    flag_set_id: z
      .string()
      .optional()
      .meta({ description: "Name of the environment; providers report it as `flagSetId`" }),
    flags: z.array(FlagDefinition),
    segments: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        user_ids: z.array(z.string()).optional(),
        user_ids_hashed: HashedUsers.optional(),
        when: Condition.nullish(),
      }),
    ),
    groups: z.array(
      z.object({
        id: z.string(),
        slots: z.array(z.object({ experiment_key: z.string(), slot_start: z.number(), slot_end: z.number() })),
      }),
    ),
    holdout: z.object({ id: z.string(), percentage: z.number() }).nullable(),
    experiments: z.array(
      z.object({
        id: z.string(),
        key: z.string(),
        status: z.enum(EXPERIMENT_STATUSES),
        experiment_type: z.enum(EXPERIMENT_TYPES),
        variants: z.array(
          z.object({
            key: z.string(),
            weight: z.number(),
            is_control: z.boolean().optional(),
            configuration: Json.optional(),
            url: z.string().optional(),
          }),
        ),
        targeting_rules: ServedTargetingRules.nullish(),
        rules: z.array(Rule).optional(),
        overrides: z
          .array(z.object({ user_id: z.string().optional(), user_segment: z.string().optional(), value: Json }))
          .optional(),
        feature_flag_key: z.string().nullish(),
        mutual_exclusion_group_id: z.string().nullish(),
        bucket_by: z.string().nullish(),
      }),
    ),
  })
  .meta({ id: "Definitions" });

export const OpenFeatureAnswer = z
  .object({
    value: Json,
    variant: z.string().nullable(),
    reason: z.string(),
    flagKey: z.string(),
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
  })
  .meta({ id: "OpenFeatureAnswer" });

export const OpenFeatureQuestion = z
  .object({ flagKey: IdOrKey, userId: UserId.optional(), attributes: JsonObject.optional() })
  .meta({ id: "OpenFeatureQuestion" });

const reads = { auth: { key: "read" }, limit: "api", client: true } as const;

/** The data of a `definitions` event. A `refetch` event contains only the version. */
export const DefinitionsEvent = z
  .object({
    /** The new ETag of `GET /openfeature/flags` without its quotes. It is also the id of the event. */
    version: z.string(),
    /** The keys of exactly those flags whose results may have changed. */
    flags: z.array(z.string()),
    experiments: z.array(z.string()),
  })
  .meta({ id: "DefinitionsEvent" });

export const openfeature = defineArea({
  "GET /openfeature/flags": {
    // CLIENT keys get a projection: only flags for clients, and no user ids.
    ...reads,
    operationId: "openfeature.definitions",
    summary: "Retrieve all definitions that a provider needs to evaluate locally",
    description:
      `With \`Accept: ${PROGRAM_MEDIA_TYPE}\`, the response is a program: the definitions, lowered to steps that ` +
      "pages and edge workers evaluate with the same results. Its ETag is weak and begins with the version of the definitions.",
    cache: "definitions",
    response: Definitions,
    representations: { [PROGRAM_MEDIA_TYPE]: Program },
  },
  "POST /openfeature/evaluate": {
    ...reads,
    operationId: "openfeature.evaluate",
    summary: "Evaluate one flag remotely",
    body: OpenFeatureQuestion,
    response: OpenFeatureAnswer,
  },
  "POST /openfeature/bulk-evaluate": {
    ...reads,
    operationId: "openfeature.bulkEvaluate",
    summary: "Evaluate up to 1,000 pairs of flag and user; the answers keep the order of the requests",
    body: z.array(OpenFeatureQuestion).max(1000),
    response: z.array(OpenFeatureAnswer),
  },
  "GET /openfeature/stream": {
    ...reads,
    operationId: "openfeature.stream",
    summary:
      "Stream changes of definitions as server-sent events: `definitions` names what changed; `refetch` means that a change was missed",
    produces: ["text/event-stream"],
    response: DefinitionsEvent,
  },
});
