const HALF_LOG_TWO_PI = 0.9189385332046728;

/**
 * Returns the error of Stirling's formula, ln Γ(x) - ((x - 1/2) ln x - x + ln(2π)/2), for x > 0.
 *
 * Source: Binet's function, NIST DLMF 5.11.1. The recurrence shifts x up until the series has double precision.
 */
export function stirlingError(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 12; z++) shift += (z + 0.5) * Math.log1p(1 / z) - 1;
  const q = 1 / (z * z);
  return shift + (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q * (1 / 1188 - (q * 691) / 360360))))) / z;
}

/** Returns ln Γ(x) for x > 0, by Stirling's formula and its error. */
export function logGamma(x: number): number {
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingError(x);
}

/** Returns ln B(a, b) for positive a and b, without differences of large log-gammas. */
export function logBeta(a: number, b: number): number {
  const n = a + b;
  return (
    HALF_LOG_TWO_PI +
    (a - 0.5) * Math.log(a / n) +
    (b - 0.5) * Math.log(b / n) -
    0.5 * Math.log(n) +
    stirlingError(a) +
    stirlingError(b) -
    stirlingError(n)
  );
}

/**
 * Returns the deviance of a count `x` from its expectation `mean`: x ln(x / mean) + mean - x.
 *
 * `excess` is x - mean. A caller who knows it exactly loses nothing to cancellation.
 *
 * Source: C. Loader, Fast and accurate computation of binomial probabilities (2000), function bd0.
 */
export function deviance(x: number, mean: number, excess: number): number {
  const r = excess / mean;
  if (Math.abs(r) > 0.1) return x * Math.log(x / mean) - excess;
  // (1 + r) ln(1 + r) - r as a series: the closed form cancels where r is small.
  let sum = 0;
  let power = r * r;
  for (let k = 2; Math.abs(power) > 1e-18 * Math.abs(sum) && k < 60; k++) {
    sum += power / (k * (k - 1));
    power *= -r;
  }
  return mean * sum;
}

/**
 * Returns ln(x^a y^b / B(a, b)), given y = 1 - x as well: the log density of a beta variable on the logit scale.
 *
 * Source: Loader's saddle-point form (2000), for real shapes.
 */
export function logBetaDensity(x: number, y: number, a: number, b: number): number {
  if (x === 0 || y === 0) return -Infinity;
  const n = a + b;
  const excess = a * y - b * x;
  return (
    0.5 * Math.log(a * (b / n)) -
    HALF_LOG_TWO_PI +
    (stirlingError(n) - stirlingError(a) - stirlingError(b)) -
    deviance(a, n * x, excess) -
    deviance(b, n * y, -excess)
  );
}

/**
 * Returns ln(x^a e^-x / Γ(a)): the log density of a gamma variable on the log scale.
 *
 * Source: Loader's saddle-point form (2000), for real shapes.
 */
export function logGammaDensity(x: number, a: number): number {
  if (x === 0) return -Infinity;
  return 0.5 * Math.log(a) - HALF_LOG_TWO_PI - stirlingError(a) - deviance(a, x, a - x);
}
