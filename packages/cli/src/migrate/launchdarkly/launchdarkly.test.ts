import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf, migrated } from "../mapping/equality.fixture.ts";
import { readLaunchDarkly } from "./read.ts";
import { clause, DEFAULT, type Fields, flag, rollout, rule, toContext, type User, withBoth } from "./sdk.fixture.ts";

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const COUNTRIES = ["US", "us", "DE"];
const VERSIONS = ["1.2.3", "1.2", "2", "v2.0.0", "2.0.0-rc.1", "none"];
const TIMES = ["2026-01-01T00:00:00Z", "2026-02-01T12:30:00.5+02:00", 1_767_225_600_000];
const users: fc.Arbitrary<User> = fc.record(
  {
    key: oneOf("ada", "bob", "1"),
    country: oneOf(...COUNTRIES),
    age: oneOf(17, 18, 18.5, 40),
    beta: fc.boolean(),
    version: oneOf(...VERSIONS),
    seen: oneOf<string | number>(...TIMES),
    groups: fc.array(oneOf("a", "b"), { maxLength: 2 }),
    organization: fc.record({ key: oneOf("acme", "umbrella"), plan: oneOf("pro", "free") }),
  },
  { requiredKeys: ["key"] },
);
const listed = <T>(values: T[]) => fc.array(oneOf(...values), { minLength: 1, maxLength: 2 });
const plain = fc.oneof(
  fc
    .tuple(oneOf("in", "contains", "startsWith", "endsWith", "matches"), listed([...COUNTRIES, "U", "^u", "s$"]))
    .map(([op, values]) => clause("country", op, values)),
  fc
    .tuple(oneOf("in", "lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"), listed([17, 18, 20]))
    .map(([op, values]) => clause("age", op, values)),
  listed([true, false]).map((values) => clause("beta", "in", values)),
  fc
    .tuple(oneOf("semVerEqual", "semVerLessThan", "semVerGreaterThan"), listed(["1.2.3", "1.2.0", "2.0.0", "2"]))
    .map(([op, values]) => clause("version", op, values)),
  fc.tuple(oneOf("before", "after"), listed<string | number>(TIMES)).map(([op, values]) => clause("seen", op, values)),
  listed(["a", "b"]).map((values) => clause("groups", "in", values)),
  listed(["ada", "1"]).map((values) => clause("key", "in", values)),
  listed(["pro", "free"]).map((values) => clause("plan", "in", values, { contextKind: "organization" })),
  listed(["acme"]).map((values) => clause("key", "in", values, { contextKind: "organization" })),
);
const negated = (clauses: fc.Arbitrary<Fields>) =>
  fc.tuple(clauses, fc.boolean()).map(([one, negate]) => ({ ...one, negate }));
const clauses = negated(
  fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 1, arbitrary: listed(["staff", "adults"]).map((keys) => clause("", "segmentMatch", keys)) },
  ),
);
const target = (variation: number) => listed(["ada", "bob"]).map((values) => ({ values, variation }));

describe("exactly", () => {
  test("generated flags without a draw serve the same generated users the same", async () => {
    const drawn = fc.sample(
      fc.record({
        on: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
        targets: fc.oneof(
          { weight: 4, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.tuple(target(1), target(2)) },
        ),
        rules: fc.array(
          fc
            .tuple(fc.integer({ min: 0, max: 2 }), fc.array(clauses, { maxLength: 3 }))
            .map(([variation, list]) => rule(variation, ...list)),
          { maxLength: 3 },
        ),
        fallthrough: fc.oneof(
          fc.integer({ min: 0, max: 2 }).map((variation) => ({ variation })),
          fc.constant(rollout([0, 100_000, 0])),
        ),
        offVariation: fc.integer({ min: 0, max: 2 }),
      }),
      300,
    );
    const flags = Object.fromEntries(drawn.map((fields, index) => [`f${index}`, flag(`f${index}`, fields)]));
    const segment = (rules: Fields[][]) => ({
      version: 1,
      salt: "s",
      included: ["1"],
      excluded: ["bob"],
      rules: rules.map((list, index) => ({ id: String(index), clauses: list })),
    });
    const [staff = [], adults = []] = fc.sample(
      fc.array(fc.array(negated(plain), { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      2,
    );
    const nested = {
      ...segment([...adults, [clause("", "segmentMatch", ["staff"])]]),
      includedContexts: [{ contextKind: "organization", values: ["acme"] }],
      excludedContexts: [{ contextKind: "organization", values: ["umbrella"] }],
    };
    const segments: Record<string, Fields> = {
      adults: { key: "adults", ...nested },
      staff: { key: "staff", ...segment(staff) },
    };
    await withBoth({ flags, segments }, async ({ theirs, ours }) => {
      expect(ours.skipped).toEqual([]);
      const counts: Record<string, number> = {};
      for (const user of fc.sample(users, 150)) {
        for (const [key, fields] of Object.entries(flags)) {
          const expected = String(await theirs(key, user));
          const { value } = ours.evaluate(key, toContext(user));
          if (value !== expected) expect({ fields, segments, user, value }).toEqual(expected);
          counts[expected] = (counts[expected] ?? 0) + 1;
        }
      }
      for (const value of ["red", "green", "blue"]) expect(counts[value]).toBeGreaterThan(3_000);
      expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
    });
  });

  test("prerequisites ask for a variation of a flag that is on", async () => {
    const flags = {
      child: flag("child", { prerequisites: [{ key: "parent", variation: 1 }] }),
      blocked: flag("blocked", { prerequisites: [{ key: "off", variation: 2 }] }),
      parent: flag("parent", { rules: [rule(1, clause("country", "in", ["US"]))] }),
      off: flag("off", { on: false }),
    };
    await withBoth({ flags }, async ({ theirs, ours }) => {
      for (const country of COUNTRIES) {
        for (const key of Object.keys(flags)) {
          const user = { key: "ada", country };
          expect(ours.evaluate(key, toContext(user)).value).toBe(await theirs(key, user));
        }
      }
      expect(ours.evaluate("child", { targetingKey: "ada", country: "US" }).value).toBe("red");
      expect(ours.evaluate("blocked", { targetingKey: "ada" }).value).toBe("blue");
    });
  });

  test("targets of several kinds apply in their order", async () => {
    const targets = [{ values: ["ada"], variation: 1 }];
    const contextTargets = [
      { contextKind: "organization", values: ["acme"], variation: 2 },
      { contextKind: "user", values: [], variation: 1 },
    ];
    const flags = { f: flag("f", { targets, contextTargets }) };
    await withBoth({ flags }, async ({ theirs, ours }) => {
      for (const user of [
        { key: "ada" },
        { key: "ada", organization: { key: "acme" } },
        { key: "bob", organization: { key: "acme" } },
        { key: "bob" },
      ]) {
        expect(ours.evaluate("f", toContext(user)).value).toBe(await theirs("f", user));
      }
    });
  });

  test("values keep their types, also true and false, numbers and objects", async () => {
    const flags = {
      boolean: flag("boolean", {
        variations: [true, false],
        offVariation: 1,
        rules: [rule(1, clause("country", "in", ["DE"]))],
      }),
      number: flag("number", { variations: [1, 2, 3] }),
      object: flag("object", { variations: [{ a: 1 }, { a: 2 }, []] }),
      silent: flag("silent", { on: false, offVariation: undefined }),
    };
    await withBoth({ flags }, async ({ theirs, ours }) => {
      for (const key of Object.keys(flags)) {
        for (const country of COUNTRIES)
          expect(ours.evaluate(key, { targetingKey: "ada", country }).value).toEqual(
            await theirs(key, { key: "ada", country }),
          );
      }
      expect(ours.flag("boolean").body.variants.map(({ key }) => key)).toEqual(["on", "off"]);
      expect(ours.evaluate("silent", {}).value).toBe(DEFAULT);
    });
  });
});

describe("nearly", () => {
  const flags = {
    gradual: flag("gradual", { variations: [true, false], offVariation: 1, fallthrough: rollout([25_000, 75_000]) }),
    seeded: flag("seeded", { fallthrough: rollout([20_000, 30_000, 50_000], { kind: "experiment", seed: 61 }) }),
    ruled: flag("ruled", { rules: [{ id: "r", clauses: [], ...rollout([60_000, 40_000]) }] }),
    short: flag("short", { fallthrough: rollout([10_000, 20_000]) }),
  };

  test("draws are those of LaunchDarkly's own SDK, so that users who change arms are counted rightly", async () => {
    await withBoth({ flags }, async ({ theirs, ours }) => {
      expect(ours.skipped).toEqual([]);
      for (const key of Object.keys(flags)) {
        const { draws, body } = ours.flag(key);
        expect(draws).toHaveLength(1);
        for (const id of [...idsOf(500), "用户-1"]) {
          const arm = draws[0]!.armOf(id);
          expect(body.variants.find((one) => one.key === arm)!.value).toBe(await theirs(key, { key: id }));
        }
      }
    });
  });

  test("shares stay, and an experiment on the default rule becomes a DRAFT", () => {
    const ours = migrated(readLaunchDarkly, { flags });
    expect(ours.flag("gradual").body.variants).toEqual([
      { key: "on", weight: 25, value: true },
      { key: "off", weight: 75, value: false },
    ]);
    expect(ours.flag("short").body.variants.map(({ weight }) => weight)).toEqual([10, 90, 0]);
    expect(ours.experiments).toEqual([{ key: "seeded", name: "seeded", description: "", feature_flag_key: "seeded" }]);
    const share = idsOf(4_000).filter((id) => ours.evaluate("gradual", { targetingKey: id }).value).length / 4_000;
    expect(share).toBeCloseTo(0.25, 1);
  });

  test("a rollout by an attribute or another kind hashes that attribute", () => {
    const by = (more: Fields) =>
      migrated(readLaunchDarkly, { flags: { f: flag("f", { fallthrough: rollout([50_000, 50_000], more) }) } }).flag(
        "f",
      ).body.bucket_by;
    expect(by({ bucketBy: "email" })).toBe("email");
    expect(by({ contextKind: "organization" })).toBe("organization.key");
    expect(by({ bucketBy: "key" })).toBeNull();
  });

  test("a boolean flag without an off variation says that it serves false", () => {
    const ours = migrated(readLaunchDarkly, {
      flags: { f: flag("f", { variations: [true, false], offVariation: undefined }) },
    });
    expect(ours.flag("f").differences).toEqual([expect.stringContaining("It has no off variation")]);
  });
});
