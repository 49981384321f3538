import * as z from "zod";
import { Json, JsonObject, page, Timestamp } from "../../shared/fields.ts";
import { ACTOR_TYPES } from "../audit-logs/actor.ts";

const FlagDifference = z.object({
  path: z.string().meta({ description: "JSON Pointer of the changed field", examples: ["/targeting_rules/countries"] }),
  op: z.enum(["ADD", "REMOVE", "REPLACE"]),
  old_value: Json,
  new_value: Json,
});

export const FlagHistory = page(
  z.object({
    id: z.string().meta({ description: "Id of the audit entry" }),
    timestamp: Timestamp,
    actor_id: z.string().nullable(),
    actor_type: z.enum(ACTOR_TYPES),
    action: z.string().meta({ examples: ["feature_flag.update"] }),
    old_value: JsonObject.nullable().meta({ description: "The changed fields before the change" }),
    new_value: JsonObject.nullable().meta({ description: "The changed fields after the change" }),
    diff: z.array(FlagDifference).meta({ description: "The differences between old_value and new_value" }),
    reason: z.string().nullable(),
  }),
).meta({ id: "FlagHistory" });
export type FlagHistory = z.infer<typeof FlagHistory>;
