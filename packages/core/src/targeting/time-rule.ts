import type { TimeRules } from "../evaluation/definition.ts";
import { checkKeys, isAbsent, refuse, toStrings } from "./definition-error.ts";
import { toInstant } from "./instant.ts";
import type { Scope, Test } from "./scope.ts";
import { wallClock } from "./zone.ts";

const DAY = /^(?:sun|mon|tues|wednes|thurs|fri|satur)day$/;

/**
 * Compiles `time_rules`: from `start_date` (in) to `end_date` (out), naive times in UTC; on the named days and
 * from hour `start` (in) to `end` (out), wrapping over midnight, on the wall clock of `timezone`. What is past
 * midnight of a wrapped range belongs to the next day of the week.
 *
 * @throws DefinitionError, or RangeError for a time zone, for what is not understood.
 */
export function compileTimeRules(rules: TimeRules, scope: Scope): Test {
  checkKeys(rules, ["start_date", "end_date", "timezone", "day_of_week", "hour_of_day"]);
  const { start, end } = rules.hour_of_day ?? { start: 0, end: 24 };
  const from = readInstant(rules.start_date, -Infinity);
  const until = readInstant(rules.end_date, Infinity);
  const days = toStrings(rules.day_of_week).map((day) => day.toLowerCase());
  for (const day of days) if (!DAY.test(day)) refuse(`Unknown day ${JSON.stringify(day)}`);
  if (!isHour(start) || !isHour(end) || start === end) refuse("Expected two different hours from 0 to 24");
  const clock = wallClock(rules.timezone ?? "UTC");
  return (_context, asked) => {
    const now = asked ?? (scope.now ?? Date.now)();
    if (!(now >= from && now < until)) return false;
    const { day, hour } = clock(now);
    if (days.length > 0 && !days.includes(day)) return false;
    return start < end ? hour >= start && hour < end : hour >= start || hour < end;
  };
}

function readInstant(value: unknown, otherwise: number): number {
  return isAbsent(value) ? otherwise : (toInstant(value) ?? refuse(`${JSON.stringify(value)} is not an ISO 8601 time`));
}

function isHour(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 24;
}
