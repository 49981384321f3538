import { murmur3 } from "../mapping/murmur3.ts";
import type { Variant } from "./payload.ts";

/** The seed of the hash that selects variants. */
const VARIANT_SEED = 86_028_157;

/** Returns whether an id is inside a rollout: https://docs.getunleash.io/concepts/stickiness */
export function isInside(groupId: string, id: string, percentage: number): boolean {
  return (murmur3(`${groupId}:${id}`) % 100) + 1 <= percentage;
}

/** Returns the name of the variant that an id draws. */
export function variantOf(groupId: string, id: string, variants: readonly Variant[]): string | undefined {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const target = (murmur3(`${groupId}:${id}`, VARIANT_SEED) % total) + 1;
  let sum = 0;
  for (const { name, weight } of variants) {
    sum += weight;
    if (weight > 0 && sum >= target) return name;
  }
  return undefined;
}
