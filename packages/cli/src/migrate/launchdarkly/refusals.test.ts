import { describe, expect, test } from "vitest";
import { migrated } from "../mapping/equality.fixture.ts";
import { readLaunchDarkly } from "./read.ts";
import { clause, type Fields, flag, rollout, rule } from "./sdk.fixture.ts";

const impossible: [name: string, fields: Fields, reason: string][] = [
  ["an unknown operator", { rules: [rule(0, clause("a", "soundsLike", ["b"]))] }, "The operator soundsLike is unknown"],
  [
    "a nested attribute",
    { rules: [rule(0, clause("/address/city", "in", ["Bath"]))] },
    "The attribute /address/city is inside another one",
  ],
  ["the kind of a context", { rules: [rule(0, clause("kind", "in", ["user"]))] }, "A clause on the kind of a context"],
  [
    "not being anonymous",
    { rules: [rule(0, clause("anonymous", "in", [false]))] },
    "Only whether a user is anonymous has a counterpart",
  ],
  ["values of several types", { variations: ["a", 1] }, "Its variations have several types"],
  ["a null", { variations: [null, "a"] }, "One of its values is null"],
  ["a variation that is not there", { fallthrough: { variation: 7 } }, "It has no variation 7"],
  ["no fallthrough", { fallthrough: undefined }, "It has no fallthrough"],
  ["a rule that serves nothing", { rules: [{ clauses: [] }] }, "serves neither a variation nor a rollout"],
  [
    "a segment that is not there",
    { rules: [rule(0, clause("", "segmentMatch", ["x"]))] },
    "It uses the segment x: it is not in the source",
  ],
  [
    "a big segment",
    { rules: [rule(0, clause("", "segmentMatch", ["big"]))] },
    "It uses the segment big: A big segment keeps its members elsewhere",
  ],
  [
    "a segment that draws",
    { rules: [rule(0, clause("", "segmentMatch", ["part"]))] },
    "It uses the segment part: One of its rules draws a share of users",
  ],
  [
    "draws by two attributes",
    {
      rules: [{ clauses: [clause("a", "in", ["b"])], ...rollout([50_000, 50_000], { bucketBy: "email" }) }],
      fallthrough: rollout([50_000, 50_000]),
    },
    "It draws by several attributes: email, user_id",
  ],
  [
    "a prerequisite that is not there",
    { prerequisites: [{ key: "x", variation: 0 }] },
    "The flag x that it depends on is not in the source",
  ],
  ["a migration flag", { migration: { checkRatio: 1 } }, "Migration flags have no counterpart"],
  ["a look-ahead", { rules: [rule(0, clause("a", "matches", ["a(?=b)"]))] }, "Assay refuses rules.0"],
];

describe("not migrated", () => {
  test.each(impossible)("%s", (_, fields, reason) => {
    const segments = {
      big: { key: "big", unbounded: true },
      part: { key: "part", rules: [{ clauses: [], weight: 1_000 }] },
    };
    const { flags, skipped } = migrated(readLaunchDarkly, { flags: { f: flag("f", fields) }, segments });
    expect(flags).toEqual([]);
    expect(skipped).toContainEqual({ kind: "flag", key: "f", reason: expect.stringContaining(reason) });
  });

  test("experiments on rules, whose flags are migrated", () => {
    const rules = [{ clauses: [clause("a", "in", ["b"])], ...rollout([50_000, 50_000], { experimentAllocation: {} }) }];
    const { flags, skipped } = migrated(readLaunchDarkly, { flags: { f: flag("f", { rules }) } });
    expect(flags).toHaveLength(1);
    expect(skipped).toEqual([{ kind: "experiment", key: "f", reason: expect.stringContaining("It is on rule-1") }]);
  });
});

describe("the lists of the REST API", () => {
  // https://launchdarkly.com/docs/api/feature-flags and https://launchdarkly.com/docs/api/segments
  const {
    key: _,
    variations: __,
    ...settings
  } = flag("f", { rules: [rule(1, clause("", "segmentMatch", ["staff"]))], targets: [] });
  const item = {
    key: "checkout",
    name: "Checkout",
    description: "New checkout",
    kind: "multivariate",
    tags: ["shop"],
    variations: [
      { _id: "1", value: "a", name: "Old one" },
      { _id: "2", value: "b", name: "New" },
      { _id: "3", value: "c" },
    ],
    environments: { production: settings, test: { ...settings, on: false } },
  };
  const segments = {
    items: [{ key: "staff", name: "Staff", description: "Us", included: ["ada"], excluded: [], rules: [] }],
    totalCount: 1,
  };

  test("have names, tags and several environments", () => {
    const ours = migrated(readLaunchDarkly, [{ items: [item], totalCount: 1 }, segments], {
      environment: "production",
    });
    expect(ours.skipped).toEqual([]);
    expect(ours.segments).toEqual([{ name: "Staff", description: "Us", conditions: null, user_ids: ["ada"] }]);
    expect(ours.flag("checkout").body).toMatchObject({
      name: "Checkout",
      description: "New checkout",
      tags: ["shop"],
      status: "ACTIVE",
    });
    expect(ours.flag("checkout").body.variants.map(({ key }) => key)).toEqual(["a", "New", "c"]);
    expect(["ada", "bob"].map((targetingKey) => ours.evaluate("checkout", { targetingKey }).value)).toEqual(["b", "a"]);
    const off = migrated(readLaunchDarkly, [{ items: [item] }, segments], { environment: "test" });
    expect(off.evaluate("checkout", { targetingKey: "ada" }).value).toBe("c");
  });

  test("are refused without all pages, without a choice of environment, and in another format", () => {
    const read = (payload: unknown, environment?: string) => () => readLaunchDarkly([payload].flat(), { environment });
    expect(read({ items: [item], totalCount: 40 }, "test")).toThrow("The list has 1 of 40 items");
    expect(
      read(
        [
          { items: [item], totalCount: 2 },
          { items: [{ ...item, key: "second" }], totalCount: 2 },
        ],
        "test",
      ),
    ).not.toThrow();
    expect(read({ items: [item] })).toThrow("specify one with --environment: production, test");
    expect(read({ items: [item] }, "dev")).toThrow('The source has no environment "dev", only: production, test');
    expect(read({ items: [{ ...item, environments: undefined }] })).toThrow(
      "The list has no environments; request it with summary=0",
    );
    expect(read({ flags: {} }, "test")).toThrow("leave out --environment");
    expect(read({})).toThrow("This has neither flags nor segments of LaunchDarkly");
    expect(read({ items: 1, flags: [] })).toThrow("This is not a list of flags or segments of LaunchDarkly");
  });
});
