import { chiSquareSf } from "./chi-square.ts";

/** The effect of a segment, a day or an experiment, and its standard error; `null` where undefined. */
export interface Effect {
  difference: number | null;
  standardError: number | null;
}

/** A test of whether effects differ from each other by more than their errors. */
export interface Heterogeneity {
  q: number | null;
  df: number;
  pValue: number | null;
  /** The inverse-variance weighted mean of the effects, and its standard error. */
  pooled: Effect;
  status: "OK" | "INSUFFICIENT_DATA";
}

interface KnownEffect {
  difference: number;
  standardError: number;
}

/** Returns the effects that are finite and have a finite, positive standard error. */
export function knownEffects<E extends Effect>(effects: readonly E[]): (E & KnownEffect)[] {
  return effects.filter(
    (effect): effect is E & KnownEffect =>
      Number.isFinite(effect.difference) && Number.isFinite(effect.standardError) && Number(effect.standardError) > 0,
  );
}

/**
 * Returns the inverse-variance weighted mean of the effects, and its standard error; `null` without any known effect.
 */
export function pooledEffect(effects: readonly Effect[]): Effect {
  const known = knownEffects(effects);
  // Weights relative to the smallest error cannot overflow.
  const least = Math.min(...known.map(({ standardError }) => standardError));
  let weights = 0;
  let sum = 0;
  for (const { difference, standardError } of known) {
    const weight = (least / standardError) ** 2;
    weights += weight;
    sum += weight * difference;
  }
  if (known.length === 0) return { difference: null, standardError: null };
  return { difference: sum / weights, standardError: least / Math.sqrt(weights) };
}

/**
 * Tests whether independent effects differ by more than their errors, by Cochran's Q. Undefined effects are left out.
 *
 * Source: W. G. Cochran, Biometrics 10 (1954).
 */
export function cochranQ(effects: readonly Effect[]): Heterogeneity {
  const known = knownEffects(effects);
  const pooled = pooledEffect(known);
  const df = Math.max(0, known.length - 1);
  if (df === 0 || pooled.difference === null) return { q: null, df, pValue: null, pooled, status: "INSUFFICIENT_DATA" };
  let q = 0;
  for (const { difference, standardError } of known) q += ((difference - pooled.difference) / standardError) ** 2;
  if (!Number.isFinite(q)) return { q: null, df, pValue: 0, pooled, status: "OK" };
  return { q, df, pValue: chiSquareSf(q, df), pooled, status: "OK" };
}
