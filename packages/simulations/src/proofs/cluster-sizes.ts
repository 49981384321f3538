import type { Random } from "../random.ts";

/** The mean number of users per cluster. */
export const USERS = 20;

/** How to draw the number of users of a cluster. */
export const SIZES = {
  equal: () => USERS,
  geometric: (random: Random) => 1 + Math.floor(Math.log(random.uniform()) / Math.log(1 - 1 / USERS)),
} as const satisfies Record<string, (random: Random) => number>;
export type Size = keyof typeof SIZES;
