/** Slots lie on a grid of so many steps, so that shares add up exactly. */
const STEPS = 1_000_000;

/** A range of the hash line, in fractions of it: start in, end out. */
export interface Range {
  slot_start: number;
  slot_end: number;
}

/** A range in steps of the grid. */
type Steps = readonly [from: number, to: number];

const toSteps = ({ slot_start, slot_end }: Range): Steps => [
  Math.round(slot_start * STEPS),
  Math.round(slot_end * STEPS),
];

/** What of the line up to `end` no range covers, in order. */
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

/** The percentage of the line in the largest gap. */
export function largestFree(taken: readonly Range[], trafficPercentage: number): number {
  return (largestOf(gapsIn(taken, stepsOf(trafficPercentage))) * 100) / STEPS;
}

/**
 * The first free range of this size, null where none is left; by default of half the largest one, so that there is
 * always room for another. What has been used before is used again only where nothing else is left.
 * @param taken ranges that must not be touched
 * @param used ranges that nobody needs any more
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
