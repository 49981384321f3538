import type { ComplianceEvent } from "@assay/contract";
import { type Options, stringify } from "csv-stringify/sync";

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
  "approval",
  "previous_hash",
  "hash",
  "signature",
] as const satisfies readonly (keyof ComplianceEvent)[];

const OPTIONS = {
  // Spreadsheets run cells that start with characters such as `=` as formulas, so those get a leading apostrophe.
  escape_formulas: true,
  record_delimiter: "windows",
  // Without these options, a lone line feed stays unquoted, and true and false become 1 and an empty cell.
  quoted_match: /[\r\n]/,
  cast: { boolean: String },
} satisfies Options;

/** The header line of every part. */
export const CSV_HEADER = stringify([COLUMNS], OPTIONS);

/** One event as a line of CSV (RFC 4180). */
export function toCsvLine(event: ComplianceEvent): string {
  return stringify([COLUMNS.map((column) => event[column])], OPTIONS);
}
