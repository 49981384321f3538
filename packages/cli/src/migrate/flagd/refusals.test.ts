import { describe, expect, test } from "vitest";
import { migrated } from "../mapping/equality.fixture.ts";
import { readFlagd } from "./read.ts";
import { attribute, type Fields, flag } from "./sdk.fixture.ts";

const when = (condition: unknown) => flag({ if: [condition, "green"] });
const impossible: [name: string, made: Fields, reason: string][] = [
  ["another operation", when({ "%": [attribute("age"), 2] }), "The operation % has no counterpart"],
  ["a variable as a condition", when(attribute("beta")), "The operation var has no counterpart"],
  ["two attributes", when({ "==": [attribute("a"), attribute("b")] }), "A comparison with"],
  ["the time", when({ ">": [{ var: "$flagd.timestamp" }, 1] }), "A comparison with $flagd.timestamp"],
  [
    "a nested attribute",
    when({ "==": [attribute("user.plan"), "pro"] }),
    "The attribute user.plan is inside another one",
  ],
  ["a default of a variable", when({ "==": [{ var: ["a", "b"] }, "b"] }), "A variable has a default"],
  ["an order of text", when({ "<": [attribute("a"), "b"] }), "which is not a number"],
  ["a range", when({ "<": [1, attribute("a"), 5] }), "< of 3 values"],
  ["a version that is none", when({ sem_ver: [attribute("a"), ">", "one"] }), '"one" is not a version'],
  ["an operator on versions", when({ sem_ver: [attribute("a"), "?", "1.0.0"] }), "sem_ver with ?"],
  ["a missing evaluator", when({ $ref: "x" }), "The evaluator x is not in the source"],
  ["an evaluator inside itself", when({ $ref: "loop" }), "nested too deep"],
  [
    "draws by two attributes",
    flag({
      if: [
        { "==": [attribute("a"), "b"] },
        { fractional: [["red"], ["blue"]] },
        { fractional: [attribute("email"), ["red"], ["blue"]] },
      ],
    }),
    "It draws by several attributes",
  ],
  [
    "a computed variant",
    flag({
      fractional: [
        [{ if: [true, "red"] }, 1],
        ["blue", 1],
      ],
    }),
    "A variant of a fractional operation is computed",
  ],
  [
    "a computed weight",
    flag({
      fractional: [
        ["red", attribute("age")],
        ["blue", 1],
      ],
    }),
    "A weight of a fractional operation is computed",
  ],
  [
    "a hash of several attributes",
    flag({ fractional: [{ cat: [attribute("a"), attribute("b")] }, ["red"], ["blue"]] }),
    "hashes several attributes",
  ],
  ["values of several types", flag(undefined, { variants: { red: "red", one: 1 } }), "Its variants have several types"],
  ["a variant that is not there", flag({ if: [true, "purple"] }), 'No variant "purple"'],
  ["a default that is not there", flag(undefined, { defaultVariant: "purple" }), "It has no variant purple"],
  [
    "no variant for some users",
    flag({ if: [{ "==": [attribute("a"), "b"] }, "red"] }, { defaultVariant: null }),
    "Some users get no variant",
  ],
  [
    "a key of a variant that Assay refuses",
    flag(undefined, { variants: { "dark red": "x" }, defaultVariant: "dark red" }),
    'Assay accepts no key "dark red"',
  ],
  ["a field of a later version", flag(undefined, { prerequisites: [] }), 'Unrecognized key: "prerequisites"'],
];

describe("not migrated", () => {
  test.each(impossible)("%s", (_, made, reason) => {
    const { flags, skipped } = migrated(readFlagd, {
      flags: { f: made },
      $evaluators: { loop: { "!": { $ref: "loop" } } },
    });
    expect(flags).toEqual([]);
    expect(skipped).toEqual([{ kind: "flag", key: "f", reason: expect.stringContaining(reason) }]);
  });
});

test("a list of flags is read like an object of them, and other JSON is refused", () => {
  expect(migrated(readFlagd, { flags: [{ key: "f", ...flag() }] }).evaluate("f", {}).value).toBe("red");
  expect(() => readFlagd([{}], {})).toThrow("This is not a file of flags of flagd");
  expect(() => readFlagd([{ flags: {} }], { environment: "production" })).toThrow("leave out --environment");
});
