import { toInstant } from "@assay/core";

const TIMESTAMP_LENGTH = 24;
const DAY_MS = 86_400_000;

/**
 * Parses the form of a time that JavaScript writes, `2026-01-31T09:30:15.250Z`, with or without milliseconds. Returns
 * milliseconds since 1970; null for any other form and for days that do not exist. Events have a time each, and this
 * takes a tenth of the time of `toInstant` (`pnpm --filter @assay/server bench:ingest`).
 */
export function parseUtc(text: string): number | null {
  const end = text.length - 1;
  if (end !== 19 && end !== 23) return null;
  if (text[4] !== "-" || text[7] !== "-" || text[10] !== "T" || text[13] !== ":" || text[16] !== ":") return null;
  if (text[end] !== "Z" || (end === 23 && text[19] !== ".")) return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const millisecond = end === 23 ? digits(text, 20, 23) : 0;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || millisecond < 0) return null;
  return daysSince1970(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
}

/** Reads decimal digits; -1 if there is another character. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Days of the Gregorian calendar, counted in years that begin in March, so that the leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const before =
    365 * marchYear + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const monthsSinceMarch = (month + 9) % 12;
  return before + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1 - DAYS_BEFORE_1970;
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const DAYS_BEFORE_1970 = 719_468;

/**
 * Converts an ISO 8601 date or date-time (UTC without an offset) to UTC with milliseconds. Returns null if it is
 * invalid or outside of the years 0 to 9999.
 */
export function toTimestamp(text: string): string | null {
  if (text.length === TIMESTAMP_LENGTH && parseUtc(text) !== null) return text;
  const time = toInstant(text);
  const timestamp = time === null ? "" : new Date(time).toISOString();
  return timestamp.length === TIMESTAMP_LENGTH ? timestamp : null;
}
