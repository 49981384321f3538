/** Slots lie on a grid with this many steps, so that shares add up exactly. */
const STEPS = 1_000_000;

/** A range of the hash line in fractions: start inclusive, end exclusive. */
export interface Range {
  slot_start: number;
  slot_end: number;
}

/** A range in grid steps. */
type Steps = readonly [from: number, to: number];

const toSteps = ({ slot_start, slot_end }: Range): Steps => [
  Math.round(slot_start * STEPS),
  Math.round(slot_end * STEPS),
];

/** Returns the uncovered ranges up to `end`, in order. */
function gapsIn(taken: readonly Range[], end: number): Steps[] {
  const gaps: Steps[] = [];
  let free = 0;
  for (const [from, to] of taken.map(toSteps).sort(([a], [b]) => a - b)) {
    if (Math.min(from, end) > free) gaps.push([free, Math.min(from, end)]);
    free = Math.max(free, to);
  }
  if (free < end) gaps.push([free, end]);
  return gaps;
}

const stepsOf = (percentage: number) => Math.round((percentage / 100) * STEPS);
const largestOf = (gaps: readonly Steps[]) => gaps.reduce((most, [from, to]) => Math.max(most, to - from), 0);

/** Returns the largest gap, as a percentage of the line. */
export function largestFree(taken: readonly Range[], trafficPercentage: number): number {
  return (largestOf(gapsIn(taken, stepsOf(trafficPercentage))) * 100) / STEPS;
}

/**
 * Returns the first free range of this size, or null. By default half of the largest gap, so that there is always room
 * for another. Reuses previously used ranges only if nothing else is free.
 * @param taken ranges in use
 * @param used ranges no longer in use
 */
export function findSlot(
  { taken, used }: { taken: readonly Range[]; used: readonly Range[] },
  trafficPercentage: number,
  slotPercentage?: number,
): Range | null {
  const end = stepsOf(trafficPercentage);
  const free = gapsIn(taken, end);
  const size = slotPercentage === undefined ? Math.ceil(largestOf(free) / 2) : stepsOf(slotPercentage);
  const fits = ([from, to]: Steps) => size > 0 && to - from >= size;
  const gap = gapsIn([...taken, ...used], end).find(fits) ?? free.find(fits);
  return gap ? { slot_start: gap[0] / STEPS, slot_end: (gap[0] + size) / STEPS } : null;
}
