import { describe, expect, test } from "vitest";
import { migrated } from "../mapping/equality.fixture.ts";
import { readFlagsmith } from "./read.ts";
import { condition, document, type Fields, rule, segment, state } from "./sdk.fixture.ts";

const made = (...list: Fields[]) =>
  document([state("f", false)], [segment(1, [rule("ALL", list)], [state("f", true)])]);
const impossible: [name: string, document: Fields, reason: string][] = [
  [
    "a segment that draws",
    made(condition(null, "PERCENTAGE_SPLIT", "50")),
    "It has a state for a segment: A segment that draws a share of users",
  ],
  ["a modulo", made(condition("age", "MODULO", "2|0")), "The operator MODULO has no counterpart"],
  ["the environment", made(condition("$.environment.name", "EQUAL", "x")), "A condition on $.environment.name"],
  ["an order of text", made(condition("age", "GREATER_THAN", "old")), "which is not a number"],
  ["a version that is none", made(condition("v", "EQUAL", "1:semver")), '"1" is not a version with three parts'],
  ["another version", made(condition("v", "NOT_EQUAL", "1.0.0:semver")), "NOT_EQUAL with a version"],
  ["a field of a later version", made({ ...condition("a", "EQUAL", "b"), negate: true }), 'Unrecognized key: "negate"'],
  ["true and false as values", document([state("f", true, false)]), "It has the values true and false"],
  [
    "values of several types",
    document([state("f", true, "a")], [segment(1, [], [state("f", true, 1)])]),
    "Its values have several types",
  ],
  [
    "an enabled state without a value beside others",
    document([state("f", true)], [segment(1, [], [state("f", true, "a")])]),
    "enabled without a value",
  ],
  ["a key that Assay refuses", document([state("my flag", true)]), 'Assay accepts no key "my flag"'],
];

describe("not migrated", () => {
  test.each(impossible)("%s", (_, payload, reason) => {
    const { flags, skipped } = migrated(readFlagsmith, payload);
    expect(flags).toEqual([]);
    expect(skipped).toContainEqual({ kind: "flag", key: expect.any(String), reason: expect.stringContaining(reason) });
  });
});

test("another format, another environment and a second payload are refused", () => {
  expect(() => readFlagsmith([{}], {})).toThrow("This is not an environment document of Flagsmith");
  expect(() => readFlagsmith([document([])], { environment: "Staging" })).toThrow(
    'The source has no environment "Staging", only: Production',
  );
  expect(() => readFlagsmith([document([]), {}], {})).toThrow("leave out --with");
  expect(readFlagsmith([document([])], { environment: "Production" }).flags).toEqual([]);
});
