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

/** Long work that yields between its parts and returns what came of it; none of the parts is long. */
export type Steps<T> = Generator<void, T>;

/** Runs the steps of long work in slices. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  const slices = createSlices();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slices.isOver()) await slices.next();
  }
}

/** Maps a list, with a step after each member. */
export function* mapSteps<T, R>(items: readonly T[], toResult: (item: T, index: number) => R): Steps<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(toResult(item, index));
    yield;
  }
  return results;
}
