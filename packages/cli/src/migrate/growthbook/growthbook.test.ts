import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { idsOf } from "../mapping/equality.fixture.ts";
import { type Attributes, both, type Features, force, toContext } from "./sdk.fixture.ts";

const COUNTRIES = ["US", "us", "DE", "null"];
const VERSIONS = ["1.2.3", "1.10.0", "v1.2.3", "1.2.3-rc.1", "2.0.0+build"];
const oneOf = (...values: string[]) => fc.constantFrom(...values);
const users: fc.Arbitrary<Attributes> = fc.record(
  {
    id: oneOf("1", "ada", "bob"),
    country: oneOf(...COUNTRIES),
    age: fc.integer({ min: -20, max: 60 }),
    beta: fc.boolean(),
    version: oneOf(...VERSIONS),
    tags: fc.array(oneOf("a", "b", "c"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const listed = fc.array(oneOf(...COUNTRIES), { maxLength: 3 });
const values = fc.oneof(
  oneOf(...COUNTRIES).map((value) => ({ country: value })),
  fc.boolean().map((beta) => ({ beta })),
  fc.constantFrom(0, 18, -5).map((age) => ({ age })),
  fc.constant({ country: null }),
  fc
    .tuple(oneOf("$lt", "$lte", "$gt", "$gte", "$eq", "$ne"), fc.constantFrom(-5, 0, 18))
    .map(([name, value]) => ({ age: { [name]: value } })),
  fc.tuple(oneOf("$in", "$nin", "$ini", "$nini"), listed).map(([name, list]) => ({ country: { [name]: list } })),
  fc
    .tuple(oneOf("$in", "$nin"), fc.array(oneOf("a", "b"), { minLength: 1, maxLength: 2 }))
    .map(([name, list]) => ({ tags: { [name]: list } })),
  fc
    .tuple(oneOf("$veq", "$vne", "$vgt", "$vgte", "$vlt", "$vlte"), oneOf("1.2.3", "2.0.0"))
    .map(([name, value]) => ({ version: { [name]: value } })),
  fc.boolean().map((value) => ({ country: { $exists: value } })),
  oneOf("^U", "l$", "[a-z]").map((value) => ({ country: { $regex: value } })),
  fc
    .tuple(oneOf("$inGroup", "$notInGroup"), oneOf("staff", "countries"))
    .map(([name, id]) => (id === "staff" ? { id: { [name]: id } } : { country: { [name]: id } })),
  fc.constantFrom({ $savedGroup: { id: "adults" } }, { $savedGroup: { id: "people" } }),
  fc.integer({ min: 0, max: 40 }).map((age) => ({ age: { $gte: age, $not: { $gt: 50 } }, country: { $ne: "US" } })),
);
const conditions: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: values },
  {
    weight: 1,
    arbitrary: fc
      .tuple(oneOf("$and", "$or", "$nor"), fc.array(values, { maxLength: 3 }))
      .map(([name, list]) => ({ [name]: list })),
  },
  { weight: 1, arbitrary: values.map((value) => ({ $not: value })) },
);
const GROUPS = {
  staff: ["ada", "1"],
  countries: { type: "list", attributeKey: "country", values: ["DE"] },
  people: { type: "list", attributeKey: "id", values: ["bob"] },
  adults: { type: "condition", condition: { age: { $gte: 18 }, id: { $inGroup: "staff" } } },
};

describe("exactly", () => {
  test("generated features without a draw have the same values for the same generated users", () => {
    const rules = fc.array(fc.tuple(conditions, oneOf("red", "green", "blue"), fc.constantFrom(undefined, 1)), {
      maxLength: 4,
    });
    const lists = fc.sample(rules, 400);
    const features: Features = Object.fromEntries(
      lists.map((list, index) => [
        `f${index}`,
        {
          defaultValue: "none",
          rules: list.map(([condition, value, coverage]) =>
            force(value, condition, coverage === undefined ? {} : { coverage, hashAttribute: "id" }),
          ),
        },
      ]),
    );
    const { theirs, ours } = both(features, GROUPS);
    expect(ours.skipped).toEqual([]);
    const counts: Record<string, number> = {};
    for (const user of fc.sample(users, 250)) {
      for (const key of Object.keys(features)) {
        const expected = theirs(key, user) as string;
        const { value } = ours.evaluate(key, toContext(user));
        if (value !== expected) expect({ feature: features[key], user, value }).toEqual(expected);
        counts[expected] = (counts[expected] ?? 0) + 1;
      }
    }
    for (const value of ["none", "red", "green", "blue"]) expect(counts[value]).toBeGreaterThan(5_000);
    expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
  });

  test("a feature that is blocked by another one is off with it", () => {
    const gate = (id: string, value: unknown) => ({ parentConditions: [{ id, condition: { value }, gate: true }] });
    const features: Features = {
      child: { defaultValue: false, rules: [gate("parent", true), force(true)] },
      named: {
        defaultValue: "none",
        rules: [gate("colour", "red"), gate("parent", true), force("some", { country: "US" })],
      },
      parent: { defaultValue: false, rules: [force(true, { age: { $gt: 18 } })] },
      colour: { defaultValue: "red", rules: [force("blue", { country: "DE" })] },
    };
    const { theirs, ours } = both(features);
    expect(ours.skipped).toEqual([]);
    for (const user of fc.sample(users, 200)) {
      for (const key of Object.keys(features)) {
        // GrowthBook has no value for a blocked feature: applications get their own default.
        const expected = theirs(key, user) ?? (key === "child" ? false : "the caller's default");
        expect([key, user, ours.evaluate(key, toContext(user)).value]).toEqual([key, user, expected]);
      }
    }
  });

  test("values become variants, and a simple boolean feature stays simple", () => {
    const { ours } = both({
      simple: { defaultValue: false, rules: [force(true)] },
      object: { defaultValue: { a: 1 }, rules: [force({ a: 2 }, { country: "US" })] },
      number: { defaultValue: 1, rules: [force(2, { country: "US" })] },
      empty: { defaultValue: true },
    });
    expect(ours.flag("simple").body).toMatchObject({
      value_type: "BOOLEAN",
      variants: [],
      rules: [],
      rollout_percentage: 100,
    });
    expect(ours.evaluate("object", { country: "US" }).value).toEqual({ a: 2 });
    expect(ours.evaluate("object", {}).value).toEqual({ a: 1 });
    expect(ours.flag("number").body.variants.map(({ key, value }) => [key, value])).toEqual([["variant-2", 2]]);
    expect(ours.evaluate("empty", {}).value).toBe(true);
  });
});

describe("nearly", () => {
  const experiment = {
    key: "colour-test",
    name: "Colours",
    variations: ["none", "red", "blue"],
    weights: [0.5, 0.3, 0.2],
    coverage: 0.6,
    hashAttribute: "id",
    hashVersion: 2,
    meta: [{ key: "control" }, { key: "red" }, { key: "blue" }],
    phase: "1",
  };
  const features: Features = {
    rollout: { defaultValue: false, rules: [force(true, undefined, { coverage: 0.25, hashAttribute: "id" })] },
    "rollout-2": {
      defaultValue: false,
      rules: [force(true, { country: "US" }, { coverage: 0.25, hashVersion: 2, seed: "s" })],
    },
    colours: { defaultValue: "none", rules: [force("red", { id: "ada" }), experiment] },
    equal: { defaultValue: "none", rules: [{ variations: ["a", "b"], weights: [0.1, 0.1] }] },
  };

  test("draws are those of GrowthBook's own SDK, so that users who change arms are counted rightly", () => {
    // The SDK reports weights that do not sum to 1, and uses equal ones.
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { theirs, ours } = both(features);
    expect(ours.skipped).toEqual([]);
    for (const key of Object.keys(features)) {
      const { draws, body } = ours.flag(key);
      expect(draws).toHaveLength(1);
      for (const id of idsOf(1_000)) {
        const arm = draws[0]!.armOf(id);
        const value =
          arm === undefined
            ? body.default_value
            : arm === "on"
              ? true
              : body.variants.find((one) => one.key === arm)!.value;
        expect(value).toBe(theirs(key, { id, country: "US" }));
      }
    }
  });

  test("an experiment on everyone becomes a DRAFT on its flag, with its arms and its share", () => {
    const { ours } = both(features);
    expect(ours.experiments.map(({ key, name, feature_flag_key }) => [key, name, feature_flag_key])).toEqual([
      ["colour-test", "Colours", "colours"],
      ["equal", "equal", "equal"],
    ]);
    const { body } = ours.flag("colours");
    expect(body).toMatchObject({ rollout_percentage: 60, default_value: "none", bucket_by: null });
    expect(body.variants.filter(({ weight }) => weight > 0).map(({ key, weight }) => [key, weight])).toEqual([
      ["control", 50],
      ["red", 30],
      ["blue", 20],
    ]);
    expect(ours.evaluate("colours", { targetingKey: "ada" }).value).toBe("red");
    expect(ours.flag("equal").body.variants.map(({ weight }) => weight)).toEqual([50, 50]);
    const shares = idsOf(4_000).map((id) => ours.evaluate("colours", { targetingKey: id }).variant);
    expect(shares.filter((one) => one === "control").length / 4_000).toBeCloseTo(0.3, 1);
  });

  test("an experiment for some users becomes a rule, and is listed", () => {
    const { ours } = both({ f: { defaultValue: "none", rules: [{ ...experiment, condition: { country: "US" } }] } });
    expect(ours.flag("f").body.rules).toHaveLength(1);
    expect(ours.experiments).toEqual([]);
    expect(ours.skipped).toEqual([
      { kind: "experiment", key: "colour-test", reason: expect.stringContaining("It is part of the rules of f") },
    ]);
  });
});
