import { Cron } from "croner";

/**
 * Returns the next time of a schedule, strictly after an instant, both in milliseconds since 1970.
 * @param schedule cron expression with five fields, UTC
 * @throws TypeError for an invalid schedule, RangeError if it never occurs
 */
export function nextRun(schedule: string, after: number): number {
  // An offset, because the time zone "UTC" loads the time zones of the world.
  const next = new Cron(schedule, { utcOffset: 0, mode: "5-part", paused: true }).nextRun(new Date(after));
  if (!next) throw new RangeError(`The schedule "${schedule}" never occurs`);
  return next.getTime();
}
