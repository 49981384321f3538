import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSlices, mapInSlices, visitInSlices } from "./slices.ts";

let now = 0;

beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Does parts of work that take so many milliseconds each, and returns whether the slice was over after each. */
function work(slices: { isOver(): boolean }, ...parts: number[]): boolean[] {
  return parts.map((ms) => {
    now += ms;
    return slices.isOver();
  });
}

test("a slice is over after more than 10 ms", () => {
  expect(work(createSlices(), 5, 5, 0.5)).toEqual([false, false, true]);
});

test("after a part of less than 0.1 ms, the clock is read again with the fourth part", () => {
  expect(work(createSlices(), 0.0625, 20, 20, 20, 0)).toEqual([false, false, false, false, true]);
  // Four short parts took 0.1 ms together, so each further part is seen.
  expect(work(createSlices(), 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 20)).toEqual([...Array(5).fill(false), true]);
});

test("the next slice begins after other work, and its first part is seen", async () => {
  const slices = createSlices();
  expect(work(slices, 10.5)).toEqual([true]);
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
    now += 50;
  });
  await slices.next();
  expect(hasRun).toBe(true);
  expect(work(slices, 10, 0.5)).toEqual([false, true]);
});

test("a short list is visited at once, and a long one in slices", async () => {
  const visited: number[] = [];
  expect(visitInSlices([1, 2, 3], (item) => void visited.push(item))).toBeUndefined();
  expect(visited).toEqual([1, 2, 3]);
  const rest = visitInSlices([4, 5, 6], (item) => {
    now += 11;
    visited.push(item);
  });
  expect(visited).toEqual([1, 2, 3, 4]);
  await rest;
  expect(visited).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a list is mapped in slices, in its order", async () => {
  const mapped = mapInSlices([1, 2, 3], (item) => {
    now += 11;
    return item * 2;
  });
  expect(await mapped).toEqual([2, 4, 6]);
});
