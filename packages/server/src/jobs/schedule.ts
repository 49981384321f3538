import { Cron } from "croner";

/**
 * When a schedule is due next, strictly after an instant; both in milliseconds since 1970.
 * @param schedule five fields of cron, UTC
 * @throws TypeError where it is no schedule, RangeError where it never comes
 */
export function nextRun(schedule: string, after: number): number {
  const next = new Cron(schedule, { timezone: "UTC", mode: "5-part", paused: true }).nextRun(new Date(after));
  if (!next) throw new RangeError(`The schedule "${schedule}" never comes`);
  return next.getTime();
}
