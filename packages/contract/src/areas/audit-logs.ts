import * as z from "zod";
import { JsonObject, page, paging, Timestamp, TimestampInput, Uuid } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { ACTOR_TYPES } from "./audit-logs/actor.ts";

export * from "./audit-logs/actor.ts";

/** The parts of an entry that can be erased without breaking the hash chain. */
export const REDACTABLE_PARTS = ["actor", "resource", "values"] as const;
export type RedactablePart = (typeof REDACTABLE_PARTS)[number];

/** How a change of a protected environment came about. */
export const AuditApproval = z
  .object({
    status: z.enum(["APPROVED", "EMERGENCY"]).meta({
      description: "EMERGENCY is a kill or a safety rollback, which needs no approval",
    }),
    proposal_id: z.string().nullable(),
    approved_by: z.string().nullable().meta({ description: "Id of the user who approved; the actor is the author" }),
  })
  .meta({ id: "AuditApproval" });
export type AuditApproval = z.infer<typeof AuditApproval>;

/**
 * An entry of the audit trail: one action of a user, a key, the server or a webhook. Its values never contain secrets.
 */
export const AuditLogEntry = z
  .object({
    id: z.string(),
    sequence: z.int().meta({ description: "Position in the trail, starting at 1" }),
    timestamp: Timestamp,
    actor_id: z.string().nullable(),
    actor_name: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          "Current name of the user, API key or integration; only an ADMIN sees e-mail addresses in it. Null for the server, " +
          "and for an actor that is unknown or erased. Absent in exports",
      }),
    actor_type: z.enum(ACTOR_TYPES),
    action: z.string(),
    resource_type: z.string(),
    resource_id: z.string().nullable(),
    resource_name: z.string().nullable(),
    old_value: JsonObject.nullable(),
    new_value: JsonObject.nullable(),
    reason: z.string().nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    request_id: z.string().nullable(),
    approval: AuditApproval.nullable().optional().meta({ description: "Only for changes of a protected environment" }),
    redacted: z
      .array(z.enum(REDACTABLE_PARTS))
      .optional()
      .meta({ description: "Parts whose content was erased, or is hidden from a caller below ADMIN" }),
  })
  .meta({ id: "AuditLogEntry" });
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

const text = z.string().min(1).max(320);

/** Filters of the audit trail. Values compare exactly; both dates are inclusive. */
export const auditFilters = {
  action: text.optional(),
  resource_type: text.optional(),
  resource_id: text.optional(),
  actor_id: text.optional(),
  start_date: TimestampInput.optional(),
  end_date: TimestampInput.optional(),
};

export const AuditFilter = z.object(auditFilters);
export type AuditFilter = z.infer<typeof AuditFilter>;

const counts = z.record(z.string(), z.int());

export const AuditStats = z
  .object({
    total: z.int(),
    by_action: counts,
    by_resource_type: counts,
    by_actor: counts.meta({
      description: "Number of entries by actor_id, or by actor_type if the id is null; the 1,000 most active actors",
    }),
    by_day: counts,
  })
  .meta({ id: "AuditStats" });
export type AuditStats = z.infer<typeof AuditStats>;

const reads = { auth: { user: "ANALYST" }, limit: "api" } as const;

export const auditLogs = defineArea({
  "GET /audit-logs": {
    ...reads,
    operationId: "auditLogs.list",
    summary: "List the entries of the audit trail, newest first",
    query: z.object({ ...auditFilters, ...paging(500, 100) }),
    response: page(AuditLogEntry),
  },
  "GET /audit-logs/stats": {
    ...reads,
    operationId: "auditLogs.stats",
    summary: "Count the entries by action, actor and day",
    query: AuditFilter,
    response: AuditStats,
  },
  "GET /audit-logs/stream": {
    ...reads,
    operationId: "auditLogs.stream",
    summary:
      "Stream the audit trail as server-sent events: `audit` is an entry; `gap` means that the reader was too slow, and ends the stream",
    produces: ["text/event-stream"],
    response: AuditLogEntry,
  },
  "GET /audit-logs/{id}": {
    ...reads,
    operationId: "auditLogs.get",
    summary: "Retrieve an entry of the audit trail",
    params: z.object({ id: Uuid }),
    response: AuditLogEntry,
  },
});
