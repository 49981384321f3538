import type { ComplianceEvent } from "@assay/contract";

const COLUMNS = [
  "sequence",
  "timestamp",
  "id",
  "actor_type",
  "actor_id",
  "action",
  "outcome",
  "resource_type",
  "resource_id",
  "resource_name",
  "old_value",
  "new_value",
  "reason",
  "ip",
  "user_agent",
  "request_id",
  "previous_hash",
  "hash",
  "signature",
] as const satisfies readonly (keyof ComplianceEvent)[];

/** The header line of every part. */
export const CSV_HEADER = `${COLUMNS.join(",")}\r\n`;

/** One event as a line of CSV (RFC 4180). */
export function toCsvLine(event: ComplianceEvent): string {
  return `${COLUMNS.map((column) => toCell(event[column])).join(",")}\r\n`;
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // Spreadsheets run cells that start with these characters as formulas.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
