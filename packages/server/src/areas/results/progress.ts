import type { Results } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";

const DAY = 86_400_000;
/** Days over which the rate of new users is a mean, so that each day of the week counts equally. */
const DAYS_OF_RATE = 7;

/** The users of all arms at the end of a day, `2026-01-31`. */
export interface UsersByDay {
  date: string;
  users: number;
}

/**
 * Returns the users of an experiment, the planned users, and the days left at the current rate. Unknown values are
 * null.
 *
 * @param days users by day, oldest first; null if unknown
 */
export function toProgress(
  record: ExperimentRecord,
  users: number,
  days: readonly UsersByDay[] | null,
): Results["progress"] {
  const planned = plannedUsers(record);
  const rate = record.status === "ACTIVE" && days ? usersPerDay(days) : null;
  return {
    users,
    planned_users: planned,
    users_per_day: rate,
    days_left: planned === null ? null : daysLeft(planned - users, rate),
  };
}

/**
 * Returns the mean of the last whole days, at most seven, or null without a whole day. The latest day does not count,
 * because it may not be over.
 */
function usersPerDay(days: readonly UsersByDay[]): number | null {
  const numberOf = ({ date }: UsersByDay) => Date.parse(date) / DAY;
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || first === last) return null;
  const end = numberOf(last);
  const start = Math.max(numberOf(first), end - DAYS_OF_RATE);
  const before = (day: number) => days.findLast((one) => numberOf(one) < day)?.users ?? 0;
  return (before(end) - before(start)) / (end - start);
}

function daysLeft(missing: number, rate: number | null): number | null {
  if (missing <= 0) return 0;
  return rate ? Math.ceil(missing / rate) : null;
}
