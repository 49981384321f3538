import * as z from "zod";
import { queryInteger, Timestamp } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { AuditLogEntry, auditFilters, REDACTABLE_PARTS } from "./audit-logs.ts";

const Hash = z.string().meta({ description: "64 hexadecimal digits" });

/** An entry of the audit trail with its seal: the hash that links it to the previous entry, and its signature. */
export const ComplianceEvent = AuditLogEntry.extend({
  outcome: z.enum(["SUCCESS", "FAILURE"]),
  previous_hash: Hash.nullable(),
  hash: Hash.nullable().meta({ description: "Null until the entry is sealed, shortly after it was written" }),
  signature: Hash.nullable().meta({ description: "HMAC-SHA256 of `hash`" }),
  part_hashes: z
    .partialRecord(z.enum(REDACTABLE_PARTS), Hash)
    .optional()
    .meta({ description: "Hashes of the redacted parts, whose content was erased" }),
}).meta({ id: "ComplianceEvent" });
export type ComplianceEvent = z.infer<typeof ComplianceEvent>;

export const INTEGRITY_PROBLEMS = ["CHANGED", "REMOVED", "REORDERED", "CUT_OFF", "FORGED", "UNKNOWN_KEY"] as const;

/** The result of checking the seals of the whole trail. */
export const Integrity = z
  .object({
    valid: z.boolean(),
    checked: z.int().meta({ description: "Number of entries compared with their seals" }),
    redacted: z.int(),
    unsealed: z.int().meta({ description: "Number of entries that are not sealed yet" }),
    head: z.object({ sequence: z.int(), hash: Hash, signature: Hash }).nullable(),
    problems: z.array(z.object({ sequence: z.int(), kind: z.enum(INTEGRITY_PROBLEMS), detail: z.string() })),
  })
  .meta({ id: "Integrity" });
export type Integrity = z.infer<typeof Integrity>;

export const ComplianceReport = z
  .object({
    framework: z.enum(["SOC2", "ISO27001"]),
    generated_at: Timestamp,
    period: z.object({ start: Timestamp, end: Timestamp, days: z.int() }),
    controls: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        evidence_count: z.int(),
        evidence: z.record(z.string(), z.int()).meta({ description: "Number of entries in the period, by action" }),
        status: z.enum(["EVIDENCED", "NO_EVIDENCE"]),
      }),
    ),
    total_events: z.int(),
    integrity: Integrity,
  })
  .meta({ id: "ComplianceReport" });
export type ComplianceReport = z.infer<typeof ComplianceReport>;

const { resource_id: _, ...filters } = auditFilters;
const reports = { auth: { user: "ADMIN" }, limit: "admin", signed: true } as const;

export const compliance = defineArea({
  "GET /compliance/audit-events": {
    auth: { user: "ANALYST" },
    limit: "api",
    signed: true,
    operationId: "compliance.auditEvents",
    summary: "List the audit trail with its seals, oldest first",
    query: z.object({
      ...filters,
      page: queryInteger(1, 1_000_000_000).default(1),
      page_size: queryInteger(1, 500).default(50),
    }),
    response: z.object({ items: z.array(ComplianceEvent), total: z.int(), page: z.int(), page_size: z.int() }),
  },
  "GET /compliance/reports/soc2": {
    ...reports,
    operationId: "compliance.soc2",
    summary: "Report evidence for SOC 2 controls over the last 365 days",
    response: ComplianceReport,
  },
  "GET /compliance/reports/iso27001": {
    ...reports,
    operationId: "compliance.iso27001",
    summary: "Report evidence for ISO 27001 controls over the last 730 days",
    response: ComplianceReport,
  },
  "GET /compliance/export": {
    ...reports,
    operationId: "compliance.export",
    summary:
      "Export the sealed audit trail as JSON or CSV, in signed parts of at most 10 MB; the `Link` header leads to the next part",
    query: z.object({
      ...filters,
      format: z.enum(["json", "csv"]).default("json"),
      after: queryInteger(0, Number.MAX_SAFE_INTEGER)
        .default(0)
        .meta({ description: "Sequence number after which the export starts" }),
      through: queryInteger(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .meta({ description: "Sequence number of the last entry to export" }),
    }),
    produces: ["application/json", "text/csv"],
    response: z.object({ items: z.array(ComplianceEvent), after: z.int(), through: z.int() }),
  },
});
