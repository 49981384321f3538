import { LIMITS } from "@assay/core";
import * as z from "zod";
import { oneOrMore } from "../shared/choice.ts";
import { IdOrKey, JsonObject, Name, page, paging, Text, Timestamp, UserId, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { Condition } from "../shared/targeting.ts";

export const SEGMENT_STATUSES = ["ACTIVE", "ARCHIVED"] as const;

/** A definition that refers to a segment. */
export const SegmentUse = z
  .object({
    type: z.enum(["FEATURE_FLAG", "EXPERIMENT", "SEGMENT"]),
    id: z.string(),
    key: z.string().meta({ description: "Key of the flag or experiment, or name of the segment" }),
  })
  .meta({ id: "SegmentUse" });
export type SegmentUse = z.infer<typeof SegmentUse>;

export const Segment = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    status: z.enum(SEGMENT_STATUSES).meta({ description: "An ARCHIVED segment has no members" }),
    conditions: Condition.nullable().meta({
      description: "Condition as one tree, in either request form; null if only user_ids count",
    }),
    user_ids: z.array(UserId).meta({ description: "Users who are members regardless of their attributes" }),
    used_by: z.array(SegmentUse),
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: "Segment" });
export type Segment = z.infer<typeof Segment>;

const Conditions = oneOrMore(Condition, z.array(Condition).max(LIMITS.conditions));

const inputFields = {
  name: Name,
  description: Text.nullish(),
  status: upper(SEGMENT_STATUSES).optional(),
  conditions: Conditions.nullish().meta({
    description: "A condition tree, or a list of conditions that must all hold",
  }),
  rules: Conditions.nullish().meta({
    description: "A condition tree, or a list of conditions of which one must hold; instead of `conditions`",
  }),
  user_ids: z.array(UserId).max(10_000).nullish(),
};

export const SegmentCreate = z.object(inputFields).meta({ id: "SegmentCreate" });
export type SegmentCreate = z.infer<typeof SegmentCreate>;

export const SegmentUpdate = z.object(inputFields).partial().meta({ id: "SegmentUpdate" });
export type SegmentUpdate = z.infer<typeof SegmentUpdate>;

export const Membership = z
  .object({
    segment_id: z.string(),
    user_id: z.string(),
    is_member: z.boolean(),
    matched: z.array(z.string()).meta({
      description: "`user_ids` if the user is listed, otherwise the conditions that were checked and hold",
      examples: [['plan EQUALS "pro"']],
    }),
  })
  .meta({ id: "SegmentMembership" });
export type Membership = z.infer<typeof Membership>;

const byId = z.object({ id: IdOrKey });
const reads = { auth: { user: true }, limit: "api" } as const;
const changes = { auth: { user: "DEVELOPER" }, limit: "api" } as const;

export const segments = defineArea({
  "POST /segments": {
    ...changes,
    operationId: "segments.create",
    summary: "Create a segment of users, by user id and by condition",
    body: SegmentCreate,
    status: 201,
    response: Segment,
  },
  "GET /segments": {
    ...reads,
    operationId: "segments.list",
    summary: "List segments in order of creation",
    query: z.object({
      ...paging(500, 100),
      status_filter: upper(SEGMENT_STATUSES).optional(),
      search: z.string().max(255).optional(),
    }),
    response: page(Segment),
  },
  "GET /segments/{id}": {
    ...reads,
    operationId: "segments.get",
    summary: "Retrieve a segment by id or name",
    params: byId,
    response: Segment,
  },
  "PUT /segments/{id}": {
    ...changes,
    operationId: "segments.update",
    summary: "Update a segment: absent fields keep their value, null clears a field",
    params: byId,
    body: SegmentUpdate,
    response: Segment,
  },
  "DELETE /segments/{id}": {
    ...changes,
    operationId: "segments.delete",
    summary: "Delete a segment that no definition refers to",
    params: byId,
    status: 204,
  },
  "POST /segments/{id}/evaluate": {
    operationId: "segments.evaluate",
    summary: "Check whether a user is a member of a segment, and why",
    auth: { user: true, key: "read" },
    limit: "api",
    action: "READ",
    params: byId,
    body: z.object({ user_id: UserId, attributes: JsonObject.optional() }),
    response: Membership,
  },
});
