import type { TrackingEvent } from "@assay/client";
import { expect, test } from "vitest";
import { createUserCheck } from "./repeated-users.ts";

const events = (user_id: string, variant_id: string, value: number): TrackingEvent[] => [
  { user_id, event_type: "exposure", variant_id, event_id: `${user_id}-exposure` },
  { user_id, event_type: "spent", value, event_id: `${user_id}-spent` },
];

test("rows of different users, and equal rows of a user, are fine", () => {
  const check = createUserCheck();
  check(2, events("ada", "a", 1));
  check(3, events("bob", "b", 2));
  check(4, events("ada", "a", 1));
  check(5, events("ADA", "b", 1));
});

test.each([
  ["another arm", events("ada", "b", 1)],
  ["another value", events("ada", "a", 2)],
  ["a missing value", events("ada", "a", 1).slice(0, 1)],
])("reports %s of a user, with the earlier row", (_, other) => {
  const check = createUserCheck();
  check(2, events("bob", "a", 1));
  check(3, events("ada", "a", 1));
  const message = 'user "ada" has another arm or other values in row 3; a user needs one row';
  expect(() => check(9, other)).toThrow(message);
});
