import { toInstant } from "@assay/core";

/**
 * Converts an ISO 8601 date or date-time (UTC without an offset) to UTC with milliseconds. Returns null if it is
 * invalid or outside of the years 0 to 9999.
 */
export function toTimestamp(text: string): string | null {
  const time = toInstant(text);
  const timestamp = time === null ? "" : new Date(time).toISOString();
  return timestamp.length === 24 ? timestamp : null;
}
