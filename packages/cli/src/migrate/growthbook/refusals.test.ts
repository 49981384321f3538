import { describe, expect, test } from "vitest";
import { migrated } from "../mapping/equality.fixture.ts";
import { readGrowthBook } from "./read.ts";
import { force } from "./sdk.fixture.ts";

const partial = force("red", { country: "US" }, { coverage: 0.5 });
const impossible: [name: string, feature: { defaultValue: unknown; rules?: object[] }, reason: string][] = [
  [
    "a share before other rules",
    { defaultValue: "none", rules: [partial, force("blue")] },
    "Users outside of the share of rule-1 come to the next rule",
  ],
  [
    "a namespace",
    { defaultValue: false, rules: [{ variations: [false, true], namespace: ["n", 0, 0.5] }] },
    "rule-1 is in a namespace",
  ],
  [
    "filters",
    { defaultValue: false, rules: [{ variations: [false, true], filters: [{ seed: "n", ranges: [[0, 0.5]] }] }] },
    "rule-1 is in a namespace",
  ],
  [
    "ranges",
    {
      defaultValue: false,
      rules: [
        {
          variations: [false, true],
          ranges: [
            [0, 0.5],
            [0.5, 1],
          ],
        },
      ],
    },
    "rule-1 has ranges of its own",
  ],
  [
    "a holdout",
    { defaultValue: false, rules: [{ variations: [false, true], meta: [{ passthrough: true }, {}] }] },
    "rule-1 passes users on",
  ],
  [
    "a bandit by context",
    { defaultValue: false, rules: [{ contextualVariations: [false, true] }] },
    'rules.0: Unrecognized key: "contextualVariations"',
  ],
  [
    "a parent of one rule",
    {
      defaultValue: false,
      rules: [force(true, undefined, { parentConditions: [{ id: "g", condition: { value: true } }] })],
    },
    "rule-1 depends on another feature",
  ],
  [
    "a parent that is no flag here",
    {
      defaultValue: false,
      rules: [{ parentConditions: [{ id: "g", condition: { value: true }, gate: true }] }, force(true)],
    },
    "It depends on the flag g, which is not migrated",
  ],
  [
    "a parent by an operator",
    { defaultValue: false, rules: [{ parentConditions: [{ id: "g", condition: { value: { $ne: 1 } }, gate: true }] }] },
    'It needs {"value":{"$ne":1}} of the feature g',
  ],
  ["values of several types", { defaultValue: "none", rules: [force(1)] }, "Its values have several types"],
  ["no value", { defaultValue: null }, "One of its values is null"],
  [
    "an operator on lists",
    { defaultValue: false, rules: [force(true, { tags: { $all: ["a"] } })] },
    "The operator $all has no counterpart",
  ],
  [
    "a pattern without letter case",
    { defaultValue: false, rules: [force(true, { country: { $regexi: "u" } })] },
    "The operator $regexi has no counterpart",
  ],
  [
    "an order of text",
    { defaultValue: false, rules: [force(true, { country: { $gt: "M" } })] },
    "$gt with text is an order of letters",
  ],
  [
    "a nested attribute",
    { defaultValue: false, rules: [force(true, { "company.plan": "pro" })] },
    "The attribute company.plan is inside another one",
  ],
  [
    "an unknown group",
    { defaultValue: false, rules: [force(true, { id: { $inGroup: "x" } })] },
    "The saved group x is not in the source",
  ],
  [
    "a group inside itself",
    { defaultValue: false, rules: [force(true, { $savedGroup: { id: "loop" } })] },
    "The saved group loop refers to itself",
  ],
  [
    "draws by two attributes",
    {
      defaultValue: "none",
      rules: [
        { variations: ["a", "b"], condition: { country: "US" }, hashAttribute: "company" },
        { variations: ["a", "b"] },
      ],
    },
    "It draws by several attributes",
  ],
  [
    "a look-behind",
    { defaultValue: false, rules: [force(true, { country: { $regex: "(?<=a)b" } })] },
    "Assay refuses rules.0",
  ],
];

describe("not migrated", () => {
  test.each(impossible)("%s", (_, feature, reason) => {
    const loop = { type: "condition", condition: { $savedGroup: { id: "loop" } } };
    const { flags, skipped } = migrated(readGrowthBook, { features: { f: feature }, savedGroups: { loop } });
    expect(flags).toEqual([]);
    expect(skipped).toContainEqual({ kind: "flag", key: "f", reason: expect.stringContaining(reason) });
  });
});

describe("the list of the REST API", () => {
  // https://docs.growthbook.io/api/features/operation/listFeatures
  const definition = JSON.stringify({ defaultValue: true, rules: [force(false, { country: "US" })] });
  const listed = {
    features: [
      {
        id: "checkout",
        description: "New checkout",
        archived: false,
        valueType: "boolean",
        tags: ["shop"],
        environments: { production: { enabled: true, definition }, dev: { enabled: false, definition } },
      },
    ],
    hasMore: false,
    total: 1,
  };

  test("has the features of one environment; a disabled one serves false or the caller's default", () => {
    const on = migrated(readGrowthBook, listed, { environment: "production" });
    expect(on.flag("checkout").body).toMatchObject({ description: "New checkout", tags: ["shop"], status: "ACTIVE" });
    expect(["US", "DE"].map((country) => on.evaluate("checkout", { country }).value)).toEqual([false, true]);
    const off = migrated(readGrowthBook, listed, { environment: "dev" });
    expect(off.flag("checkout").body).toMatchObject({ status: "INACTIVE", default_value: false });
    expect(off.evaluate("checkout", {}).value).toBe(false);
  });

  test("takes saved groups from their own list", () => {
    const rules = [
      { condition: { id: { $inGroup: "staff" } }, force: false },
      { condition: { $savedGroup: { id: "adults" } }, force: false },
    ];
    const features = [
      { id: "f", environments: { dev: { enabled: true, definition: JSON.stringify({ defaultValue: true, rules }) } } },
    ];
    const savedGroups = [
      { id: "staff", name: "Staff", type: "list", attributeKey: "id", values: ["ada"] },
      { id: "adults", name: "Adults", type: "condition", condition: '{"age":{"$gte":18}}' },
    ];
    const ours = migrated(readGrowthBook, [{ features }, { savedGroups, hasMore: false }]);
    expect(ours.skipped).toEqual([]);
    const contexts = [{ targetingKey: "ada" }, { age: 18 }, { age: 17 }];
    expect(contexts.map((context) => ours.evaluate("f", context).value)).toEqual([false, false, true]);
    expect(() => readGrowthBook([{ features }, { savedGroups, hasMore: true }], {})).toThrow("not all saved groups");
  });

  test("is refused without all pages, without a choice of environment, and in another format", () => {
    expect(() => readGrowthBook([{ ...listed, hasMore: true, total: 3 }], { environment: "dev" })).toThrow(
      "The list has 1 of 3 features",
    );
    expect(() => readGrowthBook([listed], {})).toThrow("specify one with --environment: production, dev");
    expect(() => readGrowthBook([listed], { environment: "test" })).toThrow(
      'The source has no environment "test", only: production, dev',
    );
    expect(() => readGrowthBook([{ features: {} }], { environment: "dev" })).toThrow("leave out --environment");
    expect(() => readGrowthBook([{ features: {}, encryptedFeatures: "x" }], {})).toThrow("The payload is encrypted");
    expect(() => readGrowthBook([{}], {})).toThrow(
      "This is not the answer of /api/features/{clientKey} or /api/v1/features of GrowthBook",
    );
  });
});
