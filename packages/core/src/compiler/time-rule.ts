import type { TimeRules } from "../format/definition.ts";
import { checkKeys, isAbsent, refuse, toStrings } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";
import { readOrdered } from "../values/order.ts";
import { wallClock } from "../values/zone.ts";

const DAY = /^(sun|mon|tues|wednes|thurs|fri|satur)day$/;

/**
 * Lowers `time_rules`: from `start_date` (in) to `end_date` (out), naive times in UTC; on the named days and from hour
 * `start` (in) to `end` (out), wrapping over midnight, on the wall clock of `timezone`. The part of a wrapped range
 * after midnight belongs to the next day of the week.
 *
 * @throws DefinitionError for invalid rules, RangeError for an invalid time zone
 */
export function toTimePredicate(rules: TimeRules): Predicate {
  checkKeys(rules, ["start_date", "end_date", "timezone", "day_of_week", "hour_of_day"]);
  const { hour_of_day } = rules;
  const { start, end } = hour_of_day ?? { start: 0, end: 24 };
  const [from, until] = [readInstant(rules.start_date), readInstant(rules.end_date)];
  const days = toStrings(rules.day_of_week).map((day) => day.toLowerCase());
  for (const day of days) if (!DAY.test(day)) refuse(`Unknown day ${JSON.stringify(day)}`);
  if (!isHour(start) || !isHour(end) || start === end) refuse("Expected two different hours from 0 to 24");
  const zone = rules.timezone ?? "UTC";
  // Throws for an unknown time zone.
  wallClock(zone);
  return ["time", from, until, zone, days, start, end];
}

function readInstant(value: unknown): number | null {
  return isAbsent(value) ? null : (readOrdered("time", value) as number);
}

function isHour(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 24;
}
