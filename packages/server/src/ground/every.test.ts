import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { every } from "./every.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("work starts after each interval, until it is stopped", async () => {
  let count = 0;
  const stop = every(10, () => void count++);
  expect(count).toBe(0);
  await vi.advanceTimersByTimeAsync(30);
  expect(count).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(30);
  expect(count).toBe(3);
});

test.each([
  ["rejects", () => Promise.reject(new Error("no store"))],
  [
    "throws",
    () => {
      throw new Error("no store");
    },
  ],
])("work that %s is reported, and repeated", async (_, work) => {
  const failures: unknown[] = [];
  const stop = every(10, work, (error) => failures.push(String(error)));
  await vi.advanceTimersByTimeAsync(20);
  expect(failures).toEqual(["Error: no store", "Error: no store"]);
  stop();
});
