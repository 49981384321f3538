import * as z from "zod";
import { IdOrKey, Name, page, paging, Text, Timestamp, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { EXPERIMENT_STATUSES } from "./experiments.ts";

export const GROUP_STATUSES = ["ACTIVE", "ARCHIVED"] as const;

/** The slot of an experiment: its range of the group's hash space [0, 1). */
export const GroupMember = z
  .object({
    experiment_id: z.string(),
    key: z.string(),
    status: z.enum(EXPERIMENT_STATUSES),
    slot_start: z.number().meta({ description: "Start of the slot as a fraction of all users, 0 to 1, inclusive" }),
    slot_end: z.number().meta({ description: "End of the slot as a fraction of all users, 0 to 1, exclusive" }),
  })
  .meta({ id: "GroupMember" });
export type GroupMember = z.infer<typeof GroupMember>;

export const MutualExclusionGroup = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    status: z.enum(GROUP_STATUSES).meta({ description: "An ARCHIVED group accepts no more experiments" }),
    traffic_percentage: z
      .number()
      .meta({ description: "Percentage of all users that the experiments of the group may use together" }),
    free_percentage: z.number().meta({ description: "Percentage of all users in the largest free range" }),
    experiments: z.array(GroupMember),
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: "MutualExclusionGroup" });
export type MutualExclusionGroup = z.infer<typeof MutualExclusionGroup>;

/** A percentage with at most four decimals, because slots lie on a grid of a millionth. */
const Percentage = z
  .number()
  .gt(0)
  .max(100)
  .refine((value) => Math.abs(value * 1e4 - Math.round(value * 1e4)) < 1e-6, "At most four decimals");

const inputFields = {
  name: Name,
  description: Text.nullish(),
  traffic_percentage: Percentage.optional(),
};

export const GroupCreate = z.object(inputFields).meta({ id: "MutualExclusionGroupCreate" });
export type GroupCreate = z.infer<typeof GroupCreate>;

export const GroupUpdate = z.object(inputFields).partial().meta({ id: "MutualExclusionGroupUpdate" });
export type GroupUpdate = z.infer<typeof GroupUpdate>;

const byId = z.object({ group_id: Uuid });
const reads = { auth: { user: true }, limit: "api" } as const;
const changes = { auth: { user: "DEVELOPER" }, limit: "api" } as const;

export const mutualExclusionGroups = defineArea({
  "GET /mutual-exclusion-groups": {
    ...reads,
    operationId: "mutualExclusionGroups.list",
    summary: "List mutual exclusion groups in order of creation",
    query: z.object({ ...paging(500, 100), status_filter: upper(GROUP_STATUSES).optional() }),
    response: page(MutualExclusionGroup),
  },
  "POST /mutual-exclusion-groups": {
    ...changes,
    operationId: "mutualExclusionGroups.create",
    summary: "Create a mutual exclusion group: each user takes part in at most one of its experiments",
    body: GroupCreate,
    status: 201,
    response: MutualExclusionGroup,
  },
  "GET /mutual-exclusion-groups/{group_id}": {
    ...reads,
    operationId: "mutualExclusionGroups.get",
    summary: "Retrieve a group with the slots of its experiments",
    params: byId,
    response: MutualExclusionGroup,
  },
  "PUT /mutual-exclusion-groups/{group_id}": {
    ...changes,
    operationId: "mutualExclusionGroups.update",
    summary: "Update a group: absent fields keep their value, null clears a field; slots do not change",
    params: byId,
    body: GroupUpdate,
    response: MutualExclusionGroup,
  },
  "DELETE /mutual-exclusion-groups/{group_id}": {
    operationId: "mutualExclusionGroups.archive",
    summary: "Archive a group: it accepts no more experiments, and its experiments keep their slots",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byId,
    status: 204,
  },
  "POST /mutual-exclusion-groups/{group_id}/experiments": {
    ...changes,
    operationId: "mutualExclusionGroups.addExperiment",
    summary: "Add a DRAFT experiment to a group",
    params: byId,
    body: z.object({
      experiment_id: IdOrKey,
      slot_percentage: Percentage.optional().meta({
        description: "Percentage of all users; default: half of the largest free range",
      }),
    }),
    status: 201,
    response: MutualExclusionGroup,
  },
  "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}": {
    ...changes,
    operationId: "mutualExclusionGroups.removeExperiment",
    summary: "Remove a DRAFT experiment from its group",
    params: byId.extend({ eid: IdOrKey }),
    status: 204,
  },
});
