import { normalQuantile } from "@assay/core/stats";
import { type Bound, estimateFinding, type Finding } from "./finding.ts";

const POWER = 0.8;
/** The number of groups of simulations. The Monte Carlo error leaves out each group once. */
const GROUPS = 20;

/** The rejections of each method at each size, by simulation, method and size. */
export type Rejections = readonly (readonly (readonly boolean[])[])[];

/** Returns the users for 80 % power from the powers at several sizes. */
export type UsersFor = (sizes: readonly number[], powers: readonly number[], simulations: number) => number;

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Finds the users by a line of the probit of power over the root of the size, as for an estimate that is about normal.
 */
export const byProbit: UsersFor = (sizes, powers, simulations) => {
  const least = 0.5 / simulations;
  const x = sizes.map(Math.sqrt);
  const y = powers.map((power) => normalQuantile(Math.min(1 - least, Math.max(least, power))));
  const [mx, my] = [meanOf(x), meanOf(y)];
  const slope =
    x.reduce((sum, one, i) => sum + (one - mx) * (y[i]! - my), 0) / x.reduce((sum, one) => sum + (one - mx) ** 2, 0);
  return (mx + (normalQuantile(POWER) - my) / slope) ** 2;
};

/** Finds the users by the first size with 80 % power, where power only rises. Between two sizes it takes a line. */
export const byFirst: UsersFor = (sizes, powers) => {
  const index = powers.findIndex((power) => power >= POWER);
  if (index < 1) return index < 0 ? Number.NaN : sizes[0]!;
  const [before, after] = [powers[index - 1]!, powers[index]!];
  return sizes[index - 1]! + ((sizes[index]! - sizes[index - 1]!) * (POWER - before)) / (after - before);
};

/** A method and its rival, by their numbers, and the rejections of all methods. */
export interface Compared {
  sizes: readonly number[];
  rejections: Rejections;
  own: number;
  rival: number;
  usersFor: UsersFor;
}

/**
 * Returns the users that a method needs for 80 % power, as a share of those of its rival. The error comes from leaving
 * out each of 20 groups of simulations (jackknife). Both methods have the same data, so most of the error cancels.
 */
export function priceFinding(
  claim: string,
  { sizes, rejections, own, rival, usersFor }: Compared,
  bound: Bound,
): Finding {
  const ratioOf = (runs: Rejections) => {
    const [users, others] = [own, rival].map((method) => {
      const powers = sizes.map((_, size) => meanOf(runs.map((methods) => (methods[method]![size] ? 1 : 0))));
      return usersFor(sizes, powers, runs.length);
    });
    return users! / others!;
  };
  const parts = Array.from({ length: GROUPS }, (_, left) =>
    ratioOf(rejections.filter((_, run) => run % GROUPS !== left)),
  );
  const mean = meanOf(parts);
  const square = parts.reduce((sum, part) => sum + (part - mean) ** 2, 0);
  const error = Math.sqrt(((GROUPS - 1) / GROUPS) * square);
  return estimateFinding(claim, ratioOf(rejections), error, rejections.length, bound);
}
