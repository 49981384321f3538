const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 time with offset, a naive one (taken as UTC), a date (its first
 * instant in UTC), a number (already milliseconds) or a Date; null for anything else.
 */
export function toInstant(value: unknown): number | null {
  const milliseconds =
    typeof value === "string" ? parse(value.trim()) : value instanceof Date ? value.getTime() : value;
  return typeof milliseconds === "number" && Number.isFinite(milliseconds) ? milliseconds : null;
}

function parse(text: string): number {
  const [, date, time = "00:00", offset = "Z"] = ISO.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00Z`);
  // Engines disagree on 30 February: some read 1 March.
  if (!Number.isFinite(midnight) || !new Date(midnight).toISOString().startsWith(`${date}`)) return Number.NaN;
  return Date.parse(`${date}T${time}${offset.toUpperCase().replace(/(\d\d)(\d\d)/, "$1:$2")}`);
}
