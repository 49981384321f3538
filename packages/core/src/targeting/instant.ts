const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 time with offset, a naive one (taken as UTC), a date (its first
 * instant in UTC), a number (already milliseconds) or a Date; null for anything else. Own code because engines
 * disagree on naive times, and on 30 February.
 */
export function toInstant(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.getTime() : null;
  const match = typeof value === "string" ? ISO.exec(value.trim()) : null;
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((group) => Number(match[group] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return null;
  const milliseconds = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  const offset = toOffset(match[8]);
  if (offset === null) return null;
  return midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
}

/** Minutes east of UTC; null where there is no such offset. */
function toOffset(text: string | undefined): number | null {
  if (text === undefined || text === "Z" || text === "z") return 0;
  const digits = text.slice(1).replace(":", "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || 0);
  if (hours > 23 || minutes > 59) return null;
  return (text[0] === "-" ? -1 : 1) * (hours * 60 + minutes);
}
