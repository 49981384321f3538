import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf } from "../mapping/equality.fixture.ts";
import {
  answer,
  both,
  condition,
  document,
  type Fields,
  option,
  rule,
  segment,
  state,
  type User,
} from "./sdk.fixture.ts";

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const VERSIONS = ["1.2.3", "1.10.0", "2.0.0-rc.1", "v1.2.3", "1.2", "none"];
const users: fc.Arbitrary<User> = fc.record({
  id: oneOf("ada", "bob", "carol"),
  traits: fc.record(
    {
      country: oneOf("US", "us", "DE"),
      plan: oneOf("pro", "free"),
      age: oneOf(-1, 0.5, 18, 40),
      beta: fc.boolean(),
      version: oneOf(...VERSIONS),
    },
    { requiredKeys: [] },
  ),
});
const conditions = fc.oneof(
  fc
    .tuple(oneOf("EQUAL", "NOT_EQUAL", "CONTAINS", "NOT_CONTAINS"), oneOf("US", "U", "DE"))
    .map(([operator, value]) => condition("country", operator, value)),
  fc
    .tuple(oneOf("EQUAL", "NOT_EQUAL"), oneOf("true", "false"))
    .map(([operator, value]) => condition("beta", operator, value)),
  fc
    .tuple(
      oneOf("EQUAL", "NOT_EQUAL", "GREATER_THAN", "GREATER_THAN_INCLUSIVE", "LESS_THAN", "LESS_THAN_INCLUSIVE"),
      oneOf("18", "0.5", "-1"),
    )
    .map(([operator, value]) => condition("age", operator, value)),
  fc
    .tuple(
      oneOf("EQUAL", "GREATER_THAN", "GREATER_THAN_INCLUSIVE", "LESS_THAN", "LESS_THAN_INCLUSIVE"),
      oneOf("1.2.3:semver", "2.0.0:semver"),
    )
    .map(([operator, value]) => condition("version", operator, value)),
  oneOf("US,DE", "US", '["us"]', "").map((value) => condition("country", "IN", value)),
  oneOf("^U", "s$", "[A-Z]").map((value) => condition("country", "REGEX", value)),
  fc
    .tuple(oneOf("plan", "$.identity.traits.age", "$.identity.traits['beta']"), oneOf("IS_SET", "IS_NOT_SET"))
    .map(([name, operator]) => condition(name, operator, null)),
  oneOf("ada,bob", "carol").map((value) => condition("$.identity.identifier", "IN", value)),
);
const type = oneOf("ALL", "ANY", "NONE");
const inner = fc.tuple(type, fc.array(conditions, { maxLength: 3 })).map(([one, list]) => rule(one, list));
const rules = fc.array(
  fc
    .tuple(type, fc.array(inner, { maxLength: 2 }), fc.array(conditions, { maxLength: 1 }))
    .map(([one, list, own]) => rule(one, own, list)),
  { maxLength: 2 },
);

describe("exactly", () => {
  test("generated features without a draw are on, and have their values, for the same generated users", async () => {
    const drawn = fc.sample(
      fc.tuple(rules, rules, fc.boolean(), fc.boolean(), fc.boolean(), oneOf(1, 2), fc.boolean()),
      250,
    );
    const features: Fields[] = [];
    const segments: Fields[] = [];
    const identity_features: Fields[] = [];
    for (const [index, [first, second, base, one, two, priority, isValued]] of drawn.entries()) {
      const name = `f${index}`;
      const value = (text: string) => (isValued ? text : null);
      features.push(state(name, base, value("base")));
      segments.push(
        segment(2 * index + 1, first, [state(name, one, value("first"), { feature_segment: { priority } })]),
      );
      segments.push(
        segment(2 * index + 2, second, [state(name, two, value("second"), { feature_segment: { priority: 1 } })]),
      );
      if (index % 5 === 0) identity_features.push(state(name, true, value("own")));
    }
    const { theirs, ours } = await both(
      document(features, segments, { identity_overrides: [{ identifier: "ada", identity_features }] }),
    );
    expect(ours.skipped).toEqual([]);
    const counts: Record<string, number> = {};
    for (const user of fc.sample(users, 150)) {
      const expectedOf = await theirs(user);
      for (let index = 0; index < drawn.length; index++) {
        const expected = expectedOf(`f${index}`);
        const actual = answer(ours, `f${index}`, user);
        if (actual !== expected) expect({ drawn: drawn[index], user, actual }).toEqual(expected);
        counts[String(expected)] = (counts[String(expected)] ?? 0) + 1;
      }
    }
    for (const value of ["null", "true", "base", "first", "second", "own"]) expect(counts[value]).toBeGreaterThan(100);
    expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
  });

  test("values keep their types, and those of disabled states are named as left out", async () => {
    const { ours } = await both(
      document([state("number", true, 12), state("text", true, "x"), state("off", false, "x")]),
    );
    expect(["number", "text"].map((name) => ours.evaluate(name, { targetingKey: "ada" }).value)).toEqual([12, "x"]);
    expect(ours.evaluate("off", {})).toMatchObject({ enabled: false, value: false });
    expect(ours.flag("off").notes).toEqual(["Values of states that are disabled"]);
  });
});

describe("nearly", () => {
  const multivariate_feature_state_values = [option(2, "red", 30), option(1, "green", 20)];
  const features = [
    state("colours", true, "blue", { multivariate_feature_state_values }),
    state("full", true, null, { multivariate_feature_state_values: [option(1, "a", 50), option(2, "b", 50)] }),
  ];

  test("draws are those of Flagsmith's own SDK, so that users who change arms are counted rightly", async () => {
    const { theirs, ours } = await both(document(features));
    for (const name of ["colours", "full"]) {
      const { draws, body } = ours.flag(name);
      expect(draws).toHaveLength(1);
      for (const id of [...idsOf(500), "用户-1"]) {
        const arm = draws[0]!.armOf(id);
        expect(body.variants.find(({ key }) => key === arm)!.value).toBe((await theirs({ id, traits: {} }))(name));
      }
    }
  });

  test("shares stay; the rest is that of the control value", async () => {
    const { ours } = await both(document(features));
    expect(ours.flag("colours").body.variants.map(({ key, weight }) => [key, weight])).toEqual([
      ["blue", 50],
      ["green", 20],
      ["red", 30],
    ]);
    const share =
      idsOf(4_000).filter((targetingKey) => ours.evaluate("colours", { targetingKey }).value === "red").length / 4_000;
    expect(share).toBeCloseTo(0.3, 1);
  });
});
