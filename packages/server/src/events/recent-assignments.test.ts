import { expect, test } from "vitest";
import { createRecentAssignments } from "./recent-assignments.ts";

test("knows the pairs that were added, and no others", () => {
  const recent = createRecentAssignments(0);
  recent.add("ada", "first");
  recent.add("bob", "second");
  expect([recent.has("ada", "first", 0), recent.has("bob", "second", 0)]).toEqual([true, true]);
  expect([recent.has("ada", "second", 0), recent.has("bob", "first", 0), recent.has("first", "ada", 0)]).toEqual([
    false,
    false,
    false,
  ]);
});

test("forgets everything an hour after the last time it did", () => {
  const recent = createRecentAssignments(1_000);
  recent.add("ada", "first");
  expect(recent.has("ada", "first", 3_600_999)).toBe(true);
  expect(recent.has("ada", "first", 3_601_000)).toBe(false);
  recent.add("ada", "first");
  expect(recent.has("ada", "first", 7_200_999)).toBe(true);
  expect(recent.has("ada", "first", 7_201_000)).toBe(false);
});

test("holds 200,000 pairs, however often each is added, and then starts anew", () => {
  const recent = createRecentAssignments(0);
  for (let user = 0; user < 200_000; user++) {
    recent.add(`user-${user}`, `experiment-${user % 3}`);
    recent.add(`user-${user}`, `experiment-${user % 3}`);
  }
  expect([recent.has("user-0", "experiment-0", 0), recent.has("user-199999", "experiment-1", 0)]).toEqual([true, true]);
  recent.add("one more", "experiment-0");
  expect([recent.has("user-0", "experiment-0", 0), recent.has("one more", "experiment-0", 0)]).toEqual([false, true]);
});

test("forgets everything when it is cleared", () => {
  const recent = createRecentAssignments(0);
  recent.add("ada", "first");
  recent.clear();
  expect(recent.has("ada", "first", 0)).toBe(false);
});
