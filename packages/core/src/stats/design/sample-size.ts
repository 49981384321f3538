import { normalQuantile, normalSf, twoSidedNormalQuantile } from "../normal.ts";
import type { MarginSampleSizeOptions } from "../planning/margin-sample-size.ts";
import { tTestPower } from "../planning/noncentral-t.ts";
import type { SampleSize } from "../planning/sample-size.ts";
import { findRoot } from "../quadrature.ts";
import { type Design, planDesign } from "./design.ts";

/** The users that a design needs. */
export interface DesignSize {
  alphaPerComparison: number;
  /** The variance as a multiple of the variance without adjustment and clusters. */
  varianceFactor: number;
  /** The users of all arms before rounding up. */
  totalExact: number;
  /** The users of control and of each treatment, rounded up. */
  arms: number[];
  total: number;
}

/** Beyond this many users or clusters an expansion replaces the search by the noncentral t. */
const MANY_UNITS = 100_000;

/**
 * A pair of arms. Its control needs `normal` users by the normal distribution; `units` is the number of units per user
 * of control.
 */
interface NormalSize {
  normal: number;
  units: number;
  alpha: number;
  /** The power of each test. */
  power: number;
}

/**
 * Returns the users of control by the noncentral t with units - 2 degrees of freedom, from those by the normal
 * distribution.
 */
function byStudent({ normal, units, alpha, power }: NormalSize): number {
  if (!Number.isFinite(normal)) return normal;
  const critical = twoSidedNormalQuantile(alpha);
  const shift = critical + normalQuantile(power);
  if (normal * units > MANY_UNITS) {
    const twoTailed = (x: number) => normalSf(critical - x) + normalSf(critical + x) - power;
    const both = findRoot(0, 2 * (critical + Math.abs(normalQuantile(power))), twoTailed);
    return normal * (both / shift) ** 2 + critical ** 2 / (2 * units);
  }
  // The test needs at least one degree of freedom.
  const least = 3 / units;
  return findRoot(
    Math.max(least, 0.5 * normal),
    2 * Math.max(least, normal) + 40 / units,
    (n) => tTestPower(n * units - 2, shift * Math.sqrt(n / normal), { alpha }) - power,
  );
}

/**
 * Returns the users that a design needs, so that each treatment has the power against control.
 *
 * `sizeOf` returns a sample size by the normal distribution for users who are assigned one by one and arms of any size.
 * Examples are `(options) => proportionSampleSize(0.1, 0.12, options)` and a sample size against a margin. It receives
 * `hypothesis`.
 *
 * Source: {@link designPower}; W. C. Guenther, The American Statistician 35 (1981), for more than 100,000 units.
 *
 * @throws RangeError if an option is out of range.
 */
export function designSampleSize(
  sizeOf: (options: MarginSampleSizeOptions) => Pick<SampleSize, "controlExact">,
  { hypothesis, ...design }: Design & Pick<MarginSampleSizeOptions, "hypothesis"> = {},
): DesignSize {
  const { shares, pair, factor, power, alphaPerComparison } = planDesign(design);
  const { control, treatment, freedom } = pair;
  const options = { alpha: alphaPerComparison, power, allocationRatio: treatment / control };
  const normal = factor * sizeOf({ ...options, ...(hypothesis && { hypothesis }) }).controlExact;
  const size = {
    normal,
    units: (freedom?.(1 / control) ?? 0) + 2,
    alpha: alphaPerComparison,
    // Equivalence can miss by either border, so each border gets half of the misses.
    power: hypothesis === "EQUIVALENCE" ? (1 + power) / 2 : power,
  };
  const totalExact = (freedom ? byStudent(size) : normal) / control;
  const arms = shares.map((share) => Math.ceil(share * totalExact));
  const total = arms.reduce((sum, users) => sum + users, 0);
  return { alphaPerComparison, varianceFactor: factor, totalExact, arms, total };
}
