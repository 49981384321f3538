import { type ArmEstimate, type Interval, tQuantile } from "@assay/core/stats";

/** Steps in which the degrees of freedom of an end settle; each changes the end by a small share of the step before. */
const MAX_STEPS = 50;
/** The change of an end, as a share of it, below which it has settled. */
const SETTLED = 1e-12;

/**
 * Widens the interval of a lift to the lifts that Welch's t-test of the treatment against a multiple of the control does not
 * reject: of few clusters, the normal distribution of Fieller's set promises too much. The degrees of freedom are those
 * at each end, as in the test of a margin, so that the two agree.
 *
 * Source: E. C. Fieller, Journal of the Royal Statistical Society B 16 (1954), with Satterthwaite's degrees of freedom.
 *
 * @param interval of (treatment - control) / |control|, by `compareArms`
 * @returns null where the set is unbounded: the control may be 0
 */
export function clusterLiftInterval(
  interval: Interval,
  control: ArmEstimate,
  treatment: ArmEstimate,
  alpha: number,
): Interval | null {
  const sign = control.value < 0 ? -1 : 1;
  const ends = ([0, 1] as const).map((side) => {
    // The upper end of the lift is the lower one of the ratio where the control is negative.
    const isUpper = (side === 1) === (sign === 1);
    const ratio = settle(1 + sign * interval[side], (at) => ratioEnd(control, treatment, critical(at), isUpper));
    return sign * (ratio - 1);
  });

  /** Returns the value of t at the degrees of freedom of the treatment less so many times the control. */
  function critical(ratio: number): number {
    const [vc, vt] = [ratio ** 2 * errorOf(control), errorOf(treatment)];
    const df = (vc + vt) ** 2 / (vc ** 2 / (control.n - 1) + vt ** 2 / (treatment.n - 1));
    return -tQuantile(alpha / 2, df);
  }

  return ends.every(Number.isFinite) ? [Math.min(interval[0], ends[0]!), Math.max(interval[1], ends[1]!)] : null;
}

/** Returns the squared error of an arm. */
function errorOf({ n, variance }: ArmEstimate): number {
  return (variance ?? 0) / n;
}

/** An end of Fieller's set of ratios by each arm's own variance; NaN where it is unbounded. */
function ratioEnd(control: ArmEstimate, treatment: ArmEstimate, critical: number, isUpper: boolean): number {
  const share = (arm: ArmEstimate) => errorOf(arm) * (critical / control.value) ** 2;
  const [ratio, c, t] = [treatment.value / control.value, share(control), share(treatment)];
  const left = 1 - c;
  const root = Math.sqrt(t * left + c * ratio * ratio);
  return left > 0 ? (ratio + (isUpper ? root : -root)) / left : Number.NaN;
}

function settle(start: number, next: (at: number) => number): number {
  let at = start;
  for (let step = 0; step < MAX_STEPS; step++) {
    const then = next(at);
    // Not a number is no change either.
    if (!(Math.abs(then - at) > SETTLED * Math.abs(at))) return then;
    at = then;
  }
  return at;
}
