import { toNumber } from "./equality.ts";

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)\s?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * Converts a time to milliseconds since the epoch: ISO 8601 with an offset or without one (UTC), a date (its first
 * instant in UTC), a number (already milliseconds) or a Date. Null for anything else. Digits beyond milliseconds are
 * cut.
 */
export function toInstant(value: unknown): number | null {
  return toNumber(typeof value === "string" ? parse(value.trim()) : value instanceof Date ? Number(value) : value);
}

function parse(text: string): number | null {
  const [, date, time = "00:00", hours = "+00", minutes = "00"] = ISO.exec(text) ?? [];
  // Engines disagree on 30 February: some read 1 March. An invalid date is null in JSON.
  if (!new Date(`${date}T00:00Z`).toJSON()?.startsWith(date!)) return null;
  return Date.parse(`${date}T${time.replace(",", ".")}${hours}:${minutes}`);
}
