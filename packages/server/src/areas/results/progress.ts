import type { Results } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";

const DAY = 86_400_000;
/** Days of which the rate of new users is the mean: each day of the week counts as much. */
const DAYS_OF_RATE = 7;

/** The users of all arms at the end of a day, `2026-01-31`. */
export interface UsersByDay {
  date: string;
  users: number;
}

/**
 * Users of an experiment beside those that were planned, and the days left at the present rate; null where that is unknown.
 *
 * @param days oldest first; null where they are not known
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

/** The mean of the last whole days, at most seven: the latest day may not be over. Null without a whole day. */
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
