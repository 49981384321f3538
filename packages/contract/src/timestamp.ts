const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Reads any ISO 8601 date or date-time (naive is UTC) and returns it as UTC with milliseconds; null if invalid. */
export function toTimestamp(text: string): string | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Number(`0.${match[7] ?? "0"}`) * 1000;
  // Date.UTC rolls 30 February over to March; a date that changes in the round trip is invalid.
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(match[8]);
  if (offset === null) return null;
  const time = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + Math.floor(milliseconds);
  const result = new Date(time).toISOString();
  return result.length === 24 ? result : null;
}

function offsetMinutes(zone: string | undefined): number | null {
  if (!zone || zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes);
}
