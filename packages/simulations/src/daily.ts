import {
  type AnytimeOptions,
  compareMeansAnytime,
  compareProportionsAnytime,
  type Moments,
  rateEstimate,
} from "@assay/core/stats";
import type { Random } from "./random.ts";

const DAYS = 60;
/** The users that each arm needs before a look counts, as in the server. */
const MIN_USERS = 10;

/** One arm with a conversion rate, whose users come day by day. */
export interface RateArm {
  successes: number;
  n: number;
}

/** Returns an arm before its first day. */
export const emptyArm = (): RateArm => ({ successes: 0, n: 0 });

/** Adds the users of a day to an arm with this conversion rate. */
export function come(random: Random, arm: RateArm, users: number, rate: number): void {
  arm.n += users;
  arm.successes += random.binomial(users, rate);
}

/** Returns the users that come to an arm on one of the days, if `users` come on all days. */
export const onDay = (users: number, day: number) =>
  Math.floor((users * day) / DAYS) - Math.floor((users * (day - 1)) / DAYS);

/** Returns whether the look of any day rejects. */
export function anyDay(look: (day: number) => boolean): boolean {
  for (let day = 1; day <= DAYS; day++) if (look(day)) return true;
  return false;
}

/** Whether both arms have enough users for a look. */
export const counts = (control: { n: number }, treatment: { n: number }) =>
  Math.min(control.n, treatment.n) >= MIN_USERS;

/** The methods that are valid at any time. */
export type Method = "msprt" | "always_valid";

/**
 * Creates the test of an experiment. Its mixing variance is that of a lift of 10 % at the first look at which the control
 * is not 0.
 */
function createTest<Arm extends { n: number }>(
  method: Method,
  controlValue: (arm: Arm) => number,
  compare: (control: Arm, treatment: Arm, options: AnytimeOptions) => { pValue: number | null },
) {
  let mixingVariance: number | undefined;
  return (control: Arm, treatment: Arm): number => {
    if (!counts(control, treatment)) return 1;
    if (method === "always_valid") return compare(control, treatment, {}).pValue ?? 1;
    mixingVariance ??= (0.1 * controlValue(control)) ** 2 || undefined;
    return mixingVariance === undefined ? 1 : (compare(control, treatment, { mixingVariance }).pValue ?? 1);
  };
}

/** Creates the test of an experiment on a conversion rate, which returns its p-value. */
export const createRateTest = (method: Method) =>
  createTest<RateArm>(method, (arm) => rateEstimate(arm).value, compareProportionsAnytime);
/** Creates the test of an experiment on a mean, which returns its p-value. */
export const createMeanTest = (method: Method) => createTest<Moments>(method, ({ mean }) => mean, compareMeansAnytime);
