import { setImmediate as nextTurn } from "node:timers/promises";

/** How long other requests may have to wait for a part of long work. */
const SLICE_MS = 10;

/** Long work, taken apart so that the server does other things meanwhile. */
export interface Slices {
  /** Whether it is time to let others go first. */
  isOver(): boolean;
  /** Resolves when they had their turn. */
  next(): Promise<void>;
}

/**
 * Begins to slice work: `if (slices.isOver()) await slices.next()` between its parts, none of which may be long itself.
 * Asking costs next to nothing, so that short work, which is most, does not wait for anything.
 */
export function createSlices(): Slices {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began > SLICE_MS,
    async next() {
      await nextTurn();
      began = performance.now();
    },
  };
}

/** Maps a list in slices. */
export async function mapInSlices<T, R>(items: readonly T[], toResult: (item: T) => R): Promise<R[]> {
  const slices = createSlices();
  const results: R[] = [];
  for (const item of items) {
    results.push(toResult(item));
    if (slices.isOver()) await slices.next();
  }
  return results;
}

/** Runs the steps of a generator in slices. */
export async function runInSlices(steps: Iterable<void>): Promise<void> {
  const slices = createSlices();
  for (const _ of steps) if (slices.isOver()) await slices.next();
}
