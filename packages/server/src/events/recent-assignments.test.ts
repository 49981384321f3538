import { expect, test } from "vitest";
import { createRecentAssignments } from "./recent-assignments.ts";

test("knows the pairs that were added, and no others", () => {
  const recent = createRecentAssignments(() => 0);
  recent.add("ada", "first");
  recent.add("bob", "second");
  expect([recent.has("ada", "first"), recent.has("bob", "second")]).toEqual([true, true]);
  expect([recent.has("ada", "second"), recent.has("bob", "first"), recent.has("first", "ada")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("forgets everything an hour after the last time it did", () => {
  let now = 0;
  const recent = createRecentAssignments(() => now);
  recent.add("ada", "first");
  now = 3_599_999;
  expect(recent.has("ada", "first")).toBe(true);
  now = 3_600_000;
  expect(recent.has("ada", "first")).toBe(false);
  recent.add("ada", "first");
  now = 7_199_999;
  expect(recent.has("ada", "first")).toBe(true);
  now = 7_200_000;
  expect(recent.has("ada", "first")).toBe(false);
});

test("holds 200,000 pairs, however often each is added, and then starts anew", () => {
  const recent = createRecentAssignments(() => 0);
  for (let user = 0; user < 200_000; user++) {
    recent.add(`user-${user}`, `experiment-${user % 3}`);
    recent.add(`user-${user}`, `experiment-${user % 3}`);
  }
  expect([recent.has("user-0", "experiment-0"), recent.has("user-199999", "experiment-1")]).toEqual([true, true]);
  recent.add("one more", "experiment-0");
  expect([recent.has("user-0", "experiment-0"), recent.has("one more", "experiment-0")]).toEqual([false, true]);
});

test("forgets everything when it is cleared", () => {
  const recent = createRecentAssignments(() => 0);
  recent.add("ada", "first");
  recent.clear();
  expect(recent.has("ada", "first")).toBe(false);
});
