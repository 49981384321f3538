/** The time on the wall clock of a zone: day of the week in English, lower case, and hour from 0 to 23. */
export interface WallClock {
  day: string;
  hour: number;
}

const MINUTE = 60_000;
const clocks = /* @__PURE__ */ new Map<string, (now: number) => WallClock>();

/**
 * Creates the wall clock of an IANA zone, a function of milliseconds since the epoch. Formatting takes microseconds, so
 * each zone caches the result of the last minute.
 *
 * @throws RangeError for a zone that this runtime does not know.
 */
export function wallClock(timeZone: string): (now: number) => WallClock {
  const cached = clocks.get(timeZone);
  if (cached !== undefined) return cached;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long", hour: "2-digit", hourCycle: "h23" });
  let minute: number | undefined;
  let wall: WallClock;
  const clock = (now: number) => {
    const currentMinute = Math.floor(now / MINUTE);
    if (currentMinute !== minute) {
      minute = currentMinute;
      // For example "Thursday, 09".
      const [, day, hour] = /(\w+)\D+(\d+)/.exec(format.format(currentMinute * MINUTE))!;
      wall = { day: day!.toLowerCase(), hour: Number(hour) };
    }
    return wall;
  };
  clocks.set(timeZone, clock);
  return clock;
}
