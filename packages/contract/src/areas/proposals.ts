import * as z from "zod";
import { Json, JsonObject, page, paging, Text, Timestamp, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

/**
 * The routes that a protected environment refuses and a proposal takes. Each changes one resource; what a change of several
 * resources does, several proposals do.
 */
export const PROPOSABLE_ROUTES = [
  "POST /feature-flags/",
  "PUT /feature-flags/{id}",
  "PATCH /feature-flags/{id}",
  "PATCH /feature-flags/{id}/rollout",
  "DELETE /feature-flags/{id}",
  "POST /experiments/",
  "PUT /experiments/{experiment_id}",
  "PATCH /experiments/{experiment_id}",
  "DELETE /experiments/{experiment_id}",
  "POST /experiments/{experiment_id}/start",
  "POST /experiments/{experiment_id}/pause",
  "POST /experiments/{experiment_id}/complete",
  "POST /experiments/{experiment_id}/archive",
  "POST /experiments/{experiment_id}/clone",
  "PUT /bandit/{experiment_id}/weights",
  "POST /segments",
  "PUT /segments/{id}",
  "DELETE /segments/{id}",
  "POST /rollout-schedules",
  "PUT /rollout-schedules/{id}",
  "DELETE /rollout-schedules/{id}",
  "POST /rollout-schedules/{id}/activate",
  "POST /rollout-schedules/{id}/pause",
  "POST /rollout-schedules/{id}/cancel",
  "POST /rollout-schedules/{id}/stages",
  "PUT /rollout-schedules/stages/{stage_id}",
  "DELETE /rollout-schedules/stages/{stage_id}",
  "POST /rollout-schedules/stages/{stage_id}/advance",
  "POST /mutual-exclusion-groups",
  "PUT /mutual-exclusion-groups/{group_id}",
  "DELETE /mutual-exclusion-groups/{group_id}",
  "POST /holdout",
  "PUT /holdout/{id}",
] as const;
export type ProposableRoute = (typeof PROPOSABLE_ROUTES)[number];

export const PROPOSAL_STATUSES = ["OPEN", "APPLIED", "REJECTED", "WITHDRAWN"] as const;

const Reason = Text.min(1);

export const ProposalCreate = z
  .object({
    route: z.enum(PROPOSABLE_ROUTES).meta({ description: "The route of the change, as in this reference" }),
    params: z
      .record(z.string(), z.string().max(255))
      .optional()
      .meta({
        description: "The path parameters of the route",
        examples: [{ id: "checkout" }],
      }),
    body: Json.optional().meta({ description: "The body that the route takes" }),
    reason: Reason.optional().meta({ description: "Why; default the `reason` in `body`" }),
  })
  .meta({ id: "ProposalCreate" });
export type ProposalCreate = z.infer<typeof ProposalCreate>;

const person = (description: string) => ({
  id: z.string().nullable().meta({ description }),
  name: z.string().nullable().meta({ description: "Only an ADMIN sees e-mail addresses in it" }),
});
const author = person("Id of the user who proposed the change, or who created the API key that did");
const decider = person("Id of the user who approved, rejected or withdrew it; null while it is OPEN");

export const ProposalSummary = z
  .object({
    id: z.string(),
    route: z.enum(PROPOSABLE_ROUTES),
    action: z.string().meta({ description: "As the audit trail names it", examples: ["feature_flag.update"] }),
    resource_type: z.string().meta({ examples: ["feature_flag"] }),
    resource_id: z.string().nullable().meta({ description: "Null until a proposal to create it is APPLIED" }),
    resource_name: z.string().nullable(),
    status: z.enum(PROPOSAL_STATUSES),
    is_stale: z.boolean().meta({
      description: "Whether the resource has changed since the proposal, which then cannot be approved",
    }),
    reason: z.string().nullable(),
    author_id: author.id,
    author_name: author.name,
    decided_by: decider.id,
    decided_by_name: decider.name,
    decided_at: Timestamp.nullable(),
    decision_reason: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
  })
  .meta({ id: "ProposalSummary" });
export type ProposalSummary = z.infer<typeof ProposalSummary>;

export const Proposal = ProposalSummary.extend({
  params: z.record(z.string(), z.string()),
  body: Json.nullable(),
  base_version: z.int().nullable().meta({
    description: "Version of the resource when it was proposed; null if the proposal creates the resource",
  }),
  old_value: JsonObject.nullable().meta({
    description: "The fields that differ, as they are now, or were before a decided proposal; null for a creation",
  }),
  new_value: JsonObject.nullable().meta({
    description: "The same fields as the proposal makes them; null for a deletion",
  }),
  problem: z.string().nullable().meta({ description: "Why an OPEN proposal cannot be applied now; null if it can" }),
}).meta({ id: "Proposal" });
export type Proposal = z.infer<typeof Proposal>;

const byId = z.object({ id: Uuid });
const reads = { auth: { user: "ANALYST" }, limit: "api" } as const;
const decides = { auth: { user: true }, limit: "api", params: byId, response: Proposal } as const;

export const proposals = defineArea({
  "POST /proposals": {
    operationId: "proposals.create",
    summary: "Propose a change of a protected environment, which another user approves",
    description:
      "The server checks the change like the route itself, with the same errors, and changes nothing. You need the rights of " +
      "the route.",
    auth: { user: true, key: "admin" },
    limit: "api",
    refusesMisspelt: true,
    body: ProposalCreate,
    status: 201,
    response: Proposal,
  },
  "GET /proposals": {
    ...reads,
    operationId: "proposals.list",
    summary: "List proposals, newest first",
    query: z.object({
      ...paging(500, 100),
      status: upper(PROPOSAL_STATUSES).optional(),
      resource_type: z.string().min(1).max(100).optional(),
      resource_id: z.string().min(1).max(255).optional(),
      author_id: z.string().min(1).max(255).optional(),
    }),
    response: page(ProposalSummary),
  },
  "GET /proposals/{id}": {
    ...reads,
    operationId: "proposals.get",
    summary: "Retrieve a proposal with its difference from the present state",
    params: byId,
    response: Proposal,
  },
  "POST /proposals/{id}/approve": {
    ...decides,
    operationId: "proposals.approve",
    summary: "Approve a proposal of another user and apply it; you need the rights of its route",
    body: z.object({ reason: Reason.optional() }).optional(),
  },
  "POST /proposals/{id}/reject": {
    ...decides,
    operationId: "proposals.reject",
    summary: "Reject a proposal of another user; you need the rights of its route",
    body: z.object({ reason: Reason }),
  },
  "POST /proposals/{id}/withdraw": {
    ...decides,
    operationId: "proposals.withdraw",
    summary: "Withdraw your own proposal",
  },
});
