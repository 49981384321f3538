import * as z from "zod";
import { IdOrKey, Json, JsonObject, UserId } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { Condition, Prerequisite, Rule, TargetingRules } from "../shared/targeting.ts";
import { EXPERIMENT_STATUSES, EXPERIMENT_TYPES } from "./experiments.ts";
import { VALUE_TYPES } from "./feature-flags.ts";
import { PROGRAM_MEDIA_TYPE, Program } from "./openfeature/program.ts";

export { PROGRAM_MEDIA_TYPE, Program };

/** Users by a salted hash, for readers who must not see their ids. */
const HashedUsers = z.object({ salt: z.string(), hashes: z.array(z.string()) });

/** The writable blocks, and the hashed lists, which are read-only. */
const ServedTargetingRules = TargetingRules.extend({
  excluded_users_hashed: HashedUsers.optional(),
  included_users_hashed: HashedUsers.optional(),
}).meta({ id: "ServedTargetingRules" });

/** The provider definition: the specification's five fields plus what local evaluation needs. */
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
    targeting_rules: ServedTargetingRules.nullish(),
    prerequisites: z.array(Prerequisite).optional(),
    bucket_by: z.string().nullish(),
    version: z.int().optional(),
  })
  .meta({ id: "FlagDefinition" });

export const Definitions = z
  .object({
    schema_version: z.int(),
    flag_set_id: z.string().optional().meta({ description: "The environment; providers show it as `flagSetId`" }),
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

/** The data of an event `definitions`; that of an event `refetch` has the version alone. */
export const DefinitionsEvent = z
  .object({
    /** The new ETag of `GET /openfeature/flags`, without its quotes; also the event's id. */
    version: z.string(),
    /** Exactly the keys of the flags whose answers may have changed. */
    flags: z.array(z.string()),
    experiments: z.array(z.string()),
  })
  .meta({ id: "DefinitionsEvent" });

export const openfeature = defineArea({
  "GET /openfeature/flags": {
    // CLIENT keys get a projection: only flags for clients, and no user ids.
    ...reads,
    operationId: "openfeature.definitions",
    summary: "Everything a provider needs to evaluate locally",
    description:
      `With \`Accept: ${PROGRAM_MEDIA_TYPE}\` the same as a program: lowered to steps that evaluators in pages and at ` +
      "the edge run, and that answer alike. Its ETag is weak, and begins with the version of the definitions.",
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
    summary: "Evaluate up to 1,000 flag and user pairs, answered in order",
    body: z.array(OpenFeatureQuestion).max(1000),
    response: z.array(OpenFeatureAnswer),
  },
  "GET /openfeature/stream": {
    ...reads,
    operationId: "openfeature.stream",
    summary: "Server-sent events: `definitions` names what changed, `refetch` says that something was missed",
    produces: ["text/event-stream"],
    response: DefinitionsEvent,
  },
});
