/** The wall clock of a zone: day of the week (0 is Sunday) and hour (0 to 23). */
export interface WallClock {
  day: number;
  hour: number;
}

/** Day names by number. */
export const DAYS: readonly string[] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const MINUTE = 60_000;
const clocks = new Map<string, (now: number) => WallClock>();

/**
 * The wall clock of an IANA zone as a function of milliseconds since the epoch. Formatting takes microseconds, so
 * each zone keeps the answer for the minute it was asked about last.
 *
 * @throws RangeError for a zone that this runtime does not know.
 */
export function wallClock(zone: string): (now: number) => WallClock {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "long",
    hour: "2-digit",
    hourCycle: "h23",
  });
  let minute = Number.NaN;
  let wall: WallClock = { day: 0, hour: 0 };
  const clock = (now: number) => {
    const asked = Math.floor(now / MINUTE);
    if (asked !== minute) {
      wall = { day: 0, hour: 0 };
      for (const { type, value } of format.formatToParts(asked * MINUTE)) {
        if (type === "weekday") wall.day = DAYS.indexOf(value.toLowerCase());
        if (type === "hour") wall.hour = Number(value);
      }
      minute = asked;
    }
    return wall;
  };
  clocks.set(zone, clock);
  return clock;
}
