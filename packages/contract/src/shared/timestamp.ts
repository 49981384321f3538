import { toInstant } from "@assay/core";

/**
 * Reads any ISO 8601 date or date-time (naive is UTC) and returns it as UTC with milliseconds; null if it is invalid or
 * outside the years 0 to 9999.
 */
export function toTimestamp(text: string): string | null {
  const time = toInstant(text);
  const timestamp = time === null ? "" : new Date(time).toISOString();
  return timestamp.length === 24 ? timestamp : null;
}
