import { toInstant } from "./instant.ts";
import { checkKeys, isAbsent, isRecord, isString, own, type Path, readList } from "./problem.ts";
import { never, type Scope, type Test } from "./scope.ts";
import { DAYS, type WallClock, wallClock } from "./zone.ts";

const KEYS = ["start_date", "end_date", "timezone", "day_of_week", "hour_of_day"];

/**
 * Compiles `time_rules`: from `start_date` (in) to `end_date` (out), naive times in UTC; on the named days and
 * from hour `start` (in) to `end` (out), wrapping over midnight, on the wall clock of `timezone`. After midnight
 * a wrapped range is on the next day of the week.
 */
export function compileTimeRules(rules: unknown, scope: Scope, path: Path): Test {
  const refuse = (message: string, ...below: string[]) => {
    scope.problems.push({ path: [...path, ...below], message });
    return null;
  };
  if (!isRecord(rules)) {
    refuse("Expected an object of time rules");
    return never;
  }
  checkKeys(rules, KEYS, path, scope.problems);
  const instant = (key: string) => {
    const value = own(rules, key);
    return isAbsent(value) ? null : (toInstant(value) ?? refuse("Expected an ISO 8601 time", key));
  };
  const start = instant("start_date") ?? -Infinity;
  const end = instant("end_date") ?? Infinity;
  const days = readDays(own(rules, "day_of_week"), scope, [...path, "day_of_week"]);
  const hours = readHours(own(rules, "hour_of_day"));
  if (hours === undefined) refuse("Expected hours from 0 to 24 that differ", "hour_of_day");
  const zone = own(rules, "timezone");
  let clock: ((now: number) => WallClock) | null = null;
  if (isAbsent(zone) || isString(zone)) {
    try {
      clock = wallClock(zone ?? "UTC");
    } catch {
      refuse(`Unknown time zone ${JSON.stringify(zone)}`, "timezone");
    }
  } else {
    refuse("Expected the name of a time zone", "timezone");
  }

  return (_context, asked) => {
    const now = asked ?? scope.now();
    if (!(now >= start && now < end)) return false;
    if (clock === null || (days === null && !hours)) return true;
    const { day, hour } = clock(now);
    if (days !== null && !days.has(DAYS[day]!)) return false;
    if (!hours) return true;
    return hours.start < hours.end ? hour >= hours.start && hour < hours.end : hour >= hours.start || hour < hours.end;
  };
}

function readDays(value: unknown, scope: Scope, path: Path): ReadonlySet<string> | null {
  const days = readList(value, isString, "days of the week", path, scope.problems).map((day) => day.toLowerCase());
  days.forEach((day, index) => {
    if (DAYS.includes(day)) return;
    scope.problems.push({ path: [...path, index], message: `Unknown day ${JSON.stringify(day)}` });
  });
  return days.length > 0 ? new Set(days) : null;
}

/** Null where absent, undefined where wrong. */
function readHours(value: unknown): { start: number; end: number } | null | undefined {
  if (isAbsent(value)) return null;
  if (!isRecord(value)) return undefined;
  const [start, end] = [own(value, "start"), own(value, "end")];
  if (!isHour(start) || !isHour(end) || start === end) return undefined;
  return { start, end };
}

function isHour(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 24;
}
