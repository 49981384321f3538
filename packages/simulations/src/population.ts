import type { Random } from "./random.ts";

/** The mean of `spend`, and its standard deviation. */
export const SPEND = { mean: 0.3, standardDeviation: Math.sqrt(0.51) };

/** Draws the spending of a user. Three in ten pay, an exponential amount of mean 1; the skewness is 3.6. */
export function spend(random: Random): number {
  return random.uniform() < 0.3 ? random.exponential() : 0;
}

/** The ratio of the sums of `sessions`. */
export const CLICKS_PER_SESSION = 0.2;

/** Draws a user's [clicks, sessions]. Click rates differ between users, so sessions are not independent. */
export function sessions(random: Random): [clicks: number, sessions: number] {
  const visits = 1 + random.poisson(2);
  return [random.binomial(visits, random.beta(1, 4)), visits];
}

/** The correlation of the two values of `beforeAndAfter`. */
const CORRELATION = 0.7;

/**
 * Draws a user's [outcome, covariate]. Both are skewed, of mean 1 and variance 1, and `correlation` is 0.7 by default.
 */
export function beforeAndAfter(random: Random, correlation = CORRELATION): [after: number, before: number] {
  const before = random.exponential();
  const noise = random.exponential() - 1;
  return [1 + correlation * (before - 1) + Math.sqrt(1 - correlation ** 2) * noise, before];
}

/** The observations of an arm, several per user, and the index of each one's user. */
export interface Latencies {
  values: number[];
  users: number[];
}

/**
 * Draws the latencies of `n` users with 1 to 3 requests each. Half of the variance on the log scale is between users.
 */
export function latencies(random: Random, n: number, shift = 0): Latencies {
  const answer: Latencies = { values: [], users: [] };
  for (let user = 0; user < n; user++) {
    const own = random.normal();
    const requests = 1 + Math.floor(3 * random.uniform());
    for (let i = 0; i < requests; i++) {
      answer.values.push(Math.exp(0.5 * (own + random.normal())) + shift);
      answer.users.push(user);
    }
  }
  return answer;
}

/** Draws a Pareto value with this shape, 1 or more, rounded so that values tie. */
const pareto = (random: Random, shape: number) => Math.round(10 * random.uniform() ** (-1 / shape)) / 10;

/** Skewed distributions of a metric, by a description. */
export const LAWS = {
  counts: (random: Random) => random.poisson(0.3),
  "log-normal spending": (random: Random) => Math.exp(1.5 * random.normal()),
  "Pareto 2.5 with ties": (random: Random) => pareto(random, 2.5),
  "revenue, 2 % buy": (random: Random) => (random.uniform() < 0.02 ? Math.exp(random.normal()) : 0),
  "revenue, 20 % buy": (random: Random) => (random.uniform() < 0.2 ? Math.exp(random.normal()) : 0),
} as const satisfies Record<string, (random: Random) => number>;
