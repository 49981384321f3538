/** The FNV-1a hash with 32 bits over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Returns the number in [0, 1) by which GrowthBook draws: https://docs.growthbook.io/lib/build-your-own#hashing */
export function hash(seed: string, value: string, version: 1 | 2): number {
  if (version === 2) return (fnv1a(String(fnv1a(seed + value))) % 10_000) / 10_000;
  return (fnv1a(value + seed) % 1_000) / 1_000;
}

/** Returns the weights of variations: equal ones if they are missing or invalid. */
export function weightsOf(count: number, weights: readonly number[] | undefined): number[] {
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? 0;
  const isValid = weights?.length === count && total >= 0.99 && total <= 1.01;
  return isValid ? [...weights] : Array.from({ length: count }, () => 1 / count);
}

/** Returns the place of the variation that a hash draws; -1 outside of the coverage. */
export function variationOf(hashed: number, weights: readonly number[], coverage: number): number {
  let start = 0;
  return weights.findIndex((weight) => {
    const from = start;
    start += weight;
    return hashed >= from && hashed < from + coverage * weight;
  });
}
