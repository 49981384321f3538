/** The unit of a quantity. */
export type Unit =
  /** A share, 0 to 1: `4 %`, `4 in 100`, `a third`. */
  | "RATE"
  /** A difference of shares: `2 points`, `50 bps`. */
  | "POINTS"
  /** A multiple: `twice`, `1.5x`. */
  | "FACTOR"
  | "MONEY"
  | "TIME"
  /** A bare number. */
  | "PLAIN";

export interface UnitOf {
  unit: Unit;
  /** Factor of the number: `%` is 0.01, cents are 0.01. */
  scale: number;
  /** For TIME: the length of one unit in seconds. */
  seconds?: number;
}

const time = (seconds: number): UnitOf => ({ unit: "TIME", scale: 1, seconds });
const DAY = 86_400;
const UNITS: readonly (readonly [words: string, UnitOf])[] = [
  ["% percent", { unit: "RATE", scale: 0.01 }],
  ["points", { unit: "POINTS", scale: 0.01 }],
  ["bps", { unit: "POINTS", scale: 0.0001 }],
  ["x times fold", { unit: "FACTOR", scale: 1 }],
  ["€ $ £ ¥ eur usd gbp chf dollar dollars euro euros pound pounds", { unit: "MONEY", scale: 1 }],
  ["cent cents pence", { unit: "MONEY", scale: 0.01 }],
  ["ms msec millisecond milliseconds", time(0.001)],
  ["s sec secs second seconds", time(1)],
  ["min mins minute minutes", time(60)],
  ["h hr hrs hour hours", time(3600)],
  ["day days", time(DAY)],
  ["week weeks", time(7 * DAY)],
  ["fortnight", time(14 * DAY)],
  ["month months", time(30 * DAY)],
  ["year years", time(365 * DAY)],
];

/** Units by their word or mark. */
export const UNIT_WORDS: ReadonlyMap<string, UnitOf> = new Map(
  UNITS.flatMap(([words, unit]) => words.split(" ").map((word) => [word, unit] as const)),
);

/** Seconds of a period, by its noun or adverb. */
export const PERIODS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    hour: 3600,
    hourly: 3600,
    day: DAY,
    daily: DAY,
    week: 7 * DAY,
    weekly: 7 * DAY,
    month: 30 * DAY,
    monthly: 30 * DAY,
    year: 365 * DAY,
    yearly: 365 * DAY,
    annually: 365 * DAY,
  }),
);

export const SECONDS_A_DAY = DAY;
