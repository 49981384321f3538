import { TEXT } from "../text.ts";

const LOCALE = "en-GB";
const DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });
const UTC_DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" });
const UTC_DAY_AND_YEAR = new Intl.DateTimeFormat(LOCALE, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const MINUTE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });
const COUNT = new Intl.NumberFormat(LOCALE);
const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
] as const;

/** A day, with its year unless it is this one. */
export function toDay(time: string): string {
  const date = new Date(time);
  return (date.getFullYear() === new Date().getFullYear() ? DAY : DAY_AND_YEAR).format(date);
}

/** A date without a time, such as `2026-03-07`, which is the same day everywhere. */
export function toDate(date: string): string {
  const isThisYear = date.startsWith(String(new Date().getFullYear()));
  return (isThisYear ? UTC_DAY : UTC_DAY_AND_YEAR).format(new Date(date));
}

export function toMinute(time: string): string {
  return MINUTE.format(new Date(time));
}

/** How long ago: "5 minutes ago"; a day after a week. */
export function toAgo(time: string | null, now = Date.now()): string {
  if (time === null) return TEXT.never;
  let amount = (Date.parse(time) - now) / 1_000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return RELATIVE.format(Math.round(amount), unit);
    amount /= size;
  }
  return toDay(time);
}

export const toCount = (count: number) => COUNT.format(count);

/** 12.5 becomes "12.5 %". */
export const toPercent = (percent: number, digits = 2) =>
  `${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(percent)} %`;

/** A value as people read it: text in quotes, on and off for booleans. */
export function toValue(value: unknown): string {
  if (value === true) return TEXT.words.on;
  if (value === false) return TEXT.words.off;
  if (typeof value === "string") return `“${value}”`;
  return JSON.stringify(value);
}

/** An action in words: "feature_flag.update" becomes "Feature flag: update". */
export function toAction(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ").replace("api key", "API key");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
