import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf } from "../mapping/equality.fixture.ts";
import { attribute, both, DEFAULT, type Fields, flag, type User } from "./sdk.fixture.ts";

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const EMAILS = ["ada@example.com", "bob@example.org", "AdA@example.com"];
const VERSIONS = ["1.2.3", "v1.2.3", "1.2", "1", "1.3.0-rc.1", "2.0.0", "2.0.0+build", "01.2.3", "none"];
const users: fc.Arbitrary<User> = fc.record(
  {
    targetingKey: oneOf("ada", "bob", "1"),
    email: oneOf(...EMAILS),
    country: oneOf("US", "us", "DE"),
    age: oneOf(-1, 0, 17, 18, 18.5),
    beta: fc.boolean(),
    version: oneOf(...VERSIONS),
  },
  { requiredKeys: [] },
);
const plain: fc.Arbitrary<Fields> = fc.oneof(
  fc
    .tuple(oneOf("==", "===", "!=", "!=="), oneOf("US", "DE", null))
    .map(([name, value]) => ({ [name]: [attribute("country"), value] })),
  fc
    .tuple(oneOf("==", "!=", "===", "!=="), oneOf(true, false, null))
    .map(([name, value]) => ({ [name]: [attribute("beta"), value] })),
  fc
    .tuple(oneOf("==", "!=="), oneOf("ada", "1"))
    .map(([name, value]) => ({ [name]: [value, attribute("targetingKey")] })),
  fc
    .tuple(oneOf("<", "<=", ">", ">="), oneOf(-1, 0, 18), fc.boolean())
    .map(([name, value, isLeft]) => ({ [name]: isLeft ? [attribute("age"), value] : [value, attribute("age")] })),
  fc.array(oneOf("US", "DE", "FR"), { maxLength: 2 }).map((list) => ({ in: [attribute("country"), list] })),
  oneOf("@example.com", "ada", "x").map((text) => ({ in: [text, attribute("email")] })),
  fc
    .tuple(oneOf("starts_with", "ends_with"), oneOf("ada", ".org", "A"))
    .map(([name, text]) => ({ [name]: [attribute("email"), text] })),
  fc
    .tuple(oneOf("=", "!=", "<", "<=", ">", ">=", "^", "~"), oneOf("1.2.3", "1.2.0", "1.0.0", "2.0.0", "v1.3"))
    .map(([operator, version]) => ({ sem_ver: [attribute("version"), operator, version] })),
  fc.constant({ $ref: "adult" }),
);
const conditions: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 4, arbitrary: plain },
  {
    weight: 1,
    arbitrary: fc
      .tuple(oneOf("and", "or"), fc.array(plain, { minLength: 1, maxLength: 3 }))
      .map(([name, list]) => ({ [name]: list })),
  },
  { weight: 1, arbitrary: plain.map((one) => ({ "!": [one] })) },
);
const served = oneOf<unknown>("red", "green", "blue", null);
const branches: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(conditions, served, served).map((args) => ({ if: args })) },
  { weight: 2, arbitrary: fc.tuple(conditions, served, conditions, served, served).map((args) => ({ if: args })) },
  { weight: 1, arbitrary: fc.tuple(conditions, served).map((args) => ({ if: args })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(conditions, conditions, served, served)
      .map(([outer, inner, left, right]) => ({ if: [outer, { if: [inner, left] }, right] })),
  },
);
const EVALUATORS = {
  adult: { and: [{ ">=": [attribute("age"), 18] }, { $ref: "known" }] },
  known: { "!=": [attribute("email"), null] },
};

describe("exactly", () => {
  test("generated flags without a draw have the same values for the same generated users", () => {
    const flags = Object.fromEntries(
      fc.sample(branches, 400).map((targeting, index) => [`f${index}`, flag(targeting)]),
    );
    const { theirs, ours } = both(flags, EVALUATORS);
    expect(ours.skipped).toEqual([]);
    const counts: Record<string, number> = {};
    for (const user of fc.sample(users, 250)) {
      for (const [key, { targeting }] of Object.entries(flags)) {
        const expected = theirs(key, user);
        const { value } = ours.evaluate(key, user);
        if (value !== expected) expect({ targeting, user, value }).toEqual(expected);
        counts[expected] = (counts[expected] ?? 0) + 1;
      }
    }
    for (const value of ["red", "green", "blue"]) expect(counts[value]).toBeGreaterThan(5_000);
    expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
  });

  test("a condition alone serves the variants true and false", () => {
    const booleans = { state: "ENABLED", variants: { true: "yes", false: "no" }, defaultVariant: "false" };
    const { theirs, ours } = both({ f: { ...booleans, targeting: { "==": [attribute("country"), "US"] } } });
    for (const user of fc.sample(users, 50)) expect(ours.evaluate("f", user).value).toBe(theirs("f", user));
    expect(ours.evaluate("f", { country: "US" }).value).toBe("yes");
  });

  test("a flag without targeting, without a default variant, or DISABLED", () => {
    const { theirs, ours } = both({
      static: flag(undefined, { defaultVariant: "blue" }),
      empty: flag({}, { metadata: { team: "shop" } }),
      none: flag(undefined, { defaultVariant: undefined }),
      off: flag({ if: [true, "green"] }, { state: "DISABLED" }),
    });
    for (const key of ["static", "empty", "none"])
      expect(ours.evaluate(key, { targetingKey: "ada" }).value).toBe(theirs(key, { targetingKey: "ada" }));
    expect(ours.evaluate("off", {}).value).toBe(DEFAULT);
    expect(ours.flag("off").body.status).toBe("INACTIVE");
    expect(ours.flag("empty").notes).toEqual(["Metadata"]);
  });

  test("values keep their types", () => {
    const typed = (values: Fields) => ({ state: "ENABLED", variants: values, defaultVariant: "a" });
    const { ours } = both({ number: typed({ a: 1.5 }), object: typed({ a: { b: 1 } }), boolean: typed({ a: true }) });
    expect(["number", "object", "boolean"].map((key) => ours.evaluate(key, {}).value)).toEqual([1.5, { b: 1 }, true]);
  });
});

describe("nearly", () => {
  const halves = [
    ["red", 50],
    ["green", 30],
    ["blue", 20],
  ];
  const flags = {
    split: flag({ fractional: halves }),
    ones: flag({ fractional: [["red"], ["green"]] }),
    seeded: flag({
      if: [
        { "!=": [attribute("email"), null] },
        { fractional: [{ cat: [{ var: "$flagd.flagKey" }, attribute("email")] }, ...halves] },
        "blue",
      ],
    }),
    plainly: flag(
      { fractional: [attribute("email"), ["red", 1], [null, 2], ["green", -5]] },
      { defaultVariant: "blue" },
    ),
  };

  test("draws are those of flagd's own engine, so that users who change arms are counted rightly", () => {
    const { theirs, ours } = both(flags);
    expect(ours.skipped).toEqual([]);
    for (const key of Object.keys(flags)) {
      const { draws } = ours.flag(key);
      expect(draws).toHaveLength(1);
      for (const id of [...idsOf(1_000), "ada"])
        expect(draws[0]!.armOf(id)).toBe(theirs(key, { targetingKey: id, email: id }));
    }
  });

  test("shares stay, and the hashed attribute is that of flagd", () => {
    const { ours } = both(flags);
    expect(ours.flag("split").body.variants.map(({ weight }) => weight)).toEqual([50, 30, 20]);
    expect(ours.flag("split").body).toMatchObject({ bucket_by: null, rules: [], rollout_percentage: 100 });
    expect(ours.flag("seeded").body.bucket_by).toBe("email");
    const share =
      idsOf(4_000).filter((id) => ours.evaluate("split", { targetingKey: id }).value === "red").length / 4_000;
    expect(share).toBeCloseTo(0.5, 1);
  });

  test("a boolean flag that has no value says that it serves false", () => {
    const { ours } = both({ f: { state: "DISABLED", variants: { on: true }, defaultVariant: "on" } });
    expect(ours.flag("f")).toMatchObject({
      body: { default_value: false },
      differences: [expect.stringContaining("Assay serves false")],
    });
  });
});
