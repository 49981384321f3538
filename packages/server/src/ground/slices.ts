import { setImmediate as nextTurn } from "node:timers/promises";
import type { Awaitable } from "./awaitable.ts";

/** Maximum time in milliseconds that long work keeps other requests waiting. */
const SLICE_MS = 10;
/** A look at the clock takes as long as a short part, so three parts follow unseen after one that took less than this. */
const SHORT_MS = 0.1;
const UNSEEN_PARTS = 3;

/** Divides long work into slices, so that the server handles other requests between them. */
export interface Slices {
  /** Whether the current slice has used up its time. */
  isOver(): boolean;
  /** Lets other work run, then begins the next slice. */
  next(): Promise<void>;
}

/**
 * Begins the first slice of long work. Call `if (slices.isOver()) await slices.next()` between its parts, each of which
 * must be short. The check is cheap, and short work never waits.
 */
export function createSlices(): Slices {
  let began = performance.now();
  let looked = began;
  let unseen = 0;
  return {
    isOver() {
      if (unseen > 0) {
        unseen--;
        return false;
      }
      const now = performance.now();
      if (now - looked < SHORT_MS) unseen = UNSEEN_PARTS;
      looked = now;
      return now - began > SLICE_MS;
    },
    async next() {
      await nextTurn();
      began = performance.now();
      looked = began;
      unseen = 0;
    },
  };
}

/** Visits a list in slices. Returns a promise only if the list takes longer than one slice. */
export function visitInSlices<T>(items: readonly T[], visit: (item: T) => void): Awaitable<void> {
  const slices = createSlices();
  for (let index = 0; index < items.length; ) {
    visit(items[index++]!);
    if (slices.isOver()) return slices.next().then(() => visitInSlices(items.slice(index), visit));
  }
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

/** Long work as a generator: yields between its parts, each of which is short, and returns the result. */
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
