import { describe, expect, test } from "vitest";
import { misspeltName } from "./fields.ts";

const KNOWN = ["key", "name", "tags", "status", "rollout_percentage"];

describe("a misspelt name", () => {
  test.each([
    ["rolout_percentage", "rollout_percentage"],
    ["rolloutPercentage", "rollout_percentage"],
    ["rollout-percent-age", "rollout_percentage"],
    ["rollout_persentaje", "rollout_percentage"],
    ["Status", "status"],
    ["statsu", "status"],
    ["tag", "tags"],
    ["keys", "key"],
  ])("%s is meant to be %s", (name, meant) => {
    expect(misspeltName(name, KNOWN)).toBe(meant);
  });

  test.each(["rollout_persantajes", "kay5", "game5", "owner", "", "x".repeat(256), "__proto__"])(
    "is not every unknown one: %s",
    (name) => {
      expect(misspeltName(name, KNOWN)).toBeUndefined();
    },
  );

  test("is not found among no names", () => {
    expect(misspeltName("name", [])).toBeUndefined();
  });
});
