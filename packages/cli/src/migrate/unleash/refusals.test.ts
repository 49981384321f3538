import { describe, expect, test } from "vitest";
import { migrated } from "../mapping/equality.fixture.ts";
import { readUnleash } from "./read.ts";
import { constraint, everyone, feature, rollout, variant } from "./sdk.fixture.ts";

const colour = [variant("red", 1000)];
const pattern = constraint("country", "REGEX", "a", { caseInsensitive: true });
const later = constraint("currentTime", "DATE_AFTER", "2026-03-01T12:00:00.000Z");
const impossible: [name: string, made: object, reason: string][] = [
  [
    "a custom strategy",
    feature("f", [{ name: "byTenant" }]),
    "The strategy byTenant is computed by your application's own code",
  ],
  [
    "an operator of a later version",
    feature("f", [everyone(constraint("a", "STR_SOUNDS_LIKE", ["b"]))]),
    "The operator STR_SOUNDS_LIKE is unknown",
  ],
  [
    "a field of a later version",
    feature("f", [{ ...everyone(), unless: "x" }]),
    'strategies.0: Unrecognized key: "unless"',
  ],
  [
    "a pattern without letter case",
    feature("f", [everyone(pattern)]),
    "A pattern that ignores letter case has no counterpart",
  ],
  [
    "a pattern in another dialect",
    feature("f", [everyone(constraint("a", "REGEX", "[[:alpha:]]"))]),
    "may mean something else in Assay",
  ],
  ["a look-ahead", feature("f", [everyone(constraint("a", "REGEX", "a(?=b)"))]), "may mean something else in Assay"],
  ["two strategies, one by time", feature("f", [everyone(later), everyone(constraint("plan", "IN", ["pro"]))]), "only"],
  [
    "draws by two fields",
    feature("f", [rollout(10), rollout(20, { stickiness: "sessionId", constraints: [constraint("a", "IN", ["b"])] })]),
    "It draws by several context fields (sessionId, userId)",
  ],
  ["a key that Assay refuses", feature("my flag", [everyone()]), 'Assay accepts no key "my flag"'],
  [
    "a key of a variant that Assay refuses",
    feature("f", [everyone()], { variants: [variant("dark red", 1000)] }),
    'Assay accepts no key "dark red"',
  ],
  [
    "variants of some strategies",
    feature("f", [{ ...everyone(), variants: colour }, everyone()]),
    "Some of its strategies have variants",
  ],
  [
    "payloads that contradict",
    feature("f", [
      { ...everyone(constraint("a", "IN", ["b"])), variants: colour },
      { ...everyone(), variants: [variant("red", 1000, { payload: { type: "string", value: "x" } })] },
    ]),
    "different payloads",
  ],
  ["only disabled strategies", feature("f", [{ ...everyone(), disabled: true }]), "All of its strategies are disabled"],
  [
    "a segment that is not there",
    feature("f", [{ ...everyone(), segments: [9] }]),
    "It uses segment 9: its constraints are not in the source",
  ],
  [
    "a dependency that is not there",
    feature("f", [everyone()], { dependencies: [{ feature: "g" }] }),
    "The feature g that it depends on is not in the source",
  ],
  [
    "an attribute that Assay reserves",
    feature("f", [everyone(constraint("user_segments", "IN", ["a"]))]),
    "Assay has its own meaning for the attribute user_segments",
  ],
];

describe("not migrated", () => {
  test.each(impossible)("%s", (_, made, reason) => {
    const { flags, skipped } = migrated(readUnleash, { version: 2, features: [made] });
    expect(flags).toEqual([]);
    expect(skipped).toEqual([
      { kind: "flag", key: (made as { name: string }).name, reason: expect.stringContaining(reason) },
    ]);
  });

  test("nor what depends on something that is not migrated, nor its segments", () => {
    const segments = [{ id: 1, name: "Sounds", constraints: [constraint("a", "STR_SOUNDS_LIKE", ["b"])] }];
    const features = [
      feature("custom", [{ name: "byTenant" }]),
      feature("child", [everyone()], { dependencies: [{ feature: "custom" }] }),
      feature("segmented", [{ ...everyone(), segments: [1] }]),
    ];
    const { flags, skipped } = migrated(readUnleash, { features, segments });
    expect(flags).toEqual([]);
    expect(skipped.map(({ kind, key, reason }) => `${kind} ${key}: ${reason}`)).toEqual([
      "segment Sounds: The operator STR_SOUNDS_LIKE is unknown",
      expect.stringContaining("flag custom: The strategy byTenant"),
      "flag segmented: It uses segment 1: The operator STR_SOUNDS_LIKE is unknown",
      "flag child: It depends on the flag custom, which is not migrated",
    ]);
  });
});

test("a segment whose name is too long is not migrated, nor is a flag that uses it", () => {
  const segments = [{ id: 1, name: "s".repeat(256), constraints: [constraint("a", "IN", ["b"])] }];
  const { flags, skipped } = migrated(readUnleash, {
    features: [feature("f", [{ ...everyone(), segments: [1] }])],
    segments,
  });
  expect(flags).toEqual([]);
  expect(skipped.map(({ reason }) => reason)).toEqual([
    "Assay accepts names of 1 to 255 characters",
    expect.stringContaining("which is not migrated"),
  ]);
});

describe("an export of an environment", () => {
  // https://docs.getunleash.io/concepts/import-export
  const exported = {
    features: [
      {
        name: "checkout",
        description: "New checkout",
        type: "release",
        project: "default",
        stale: false,
        archived: false,
      },
      { name: "dark", type: "release" },
    ],
    featureStrategies: [
      {
        name: "flexibleRollout",
        id: "1",
        featureName: "checkout",
        title: "Staff",
        parameters: { rollout: "100", stickiness: "default", groupId: "checkout" },
        constraints: [],
        segments: [7],
        disabled: false,
      },
      { name: "default", id: "2", featureName: "dark", parameters: {}, constraints: [], disabled: false },
    ],
    featureEnvironments: [
      { name: "checkout", featureName: "checkout", environment: "production", enabled: true, variants: [] },
      { name: "dark", featureName: "dark", environment: "production", enabled: false, variants: [] },
    ],
    featureTags: [{ featureName: "checkout", tagType: "simple", tagValue: "shop" }],
    contextFields: [],
    segments: [{ id: 7, name: "Staff" }],
    tagTypes: [],
  };
  const segments = { segments: [{ id: 7, name: "Staff", constraints: [constraint("userId", "IN", ["ada"])] }] };

  test("has its flags, tags and states, and takes segments from the answer of /api/admin/segments", () => {
    const ours = migrated(readUnleash, [exported, segments], { environment: "production" });
    expect(ours.skipped).toEqual([]);
    expect(ours.flag("checkout").body).toMatchObject({
      description: "New checkout",
      status: "ACTIVE",
      tags: ["simple:shop"],
      rules: [{ id: "strategy-1: Staff", when: { operator: "IN_SEGMENT", value: "Staff" } }],
    });
    expect(ours.flag("dark").body.status).toBe("INACTIVE");
    expect(["ada", "bob"].map((targetingKey) => ours.evaluate("checkout", { targetingKey }).value)).toEqual([
      true,
      false,
    ]);
  });

  test("is refused for another environment, for several without a choice, and in another format", () => {
    expect(() => readUnleash([exported], { environment: "staging" })).toThrow(
      'The source has no environment "staging", only: production',
    );
    const two = {
      ...exported,
      featureEnvironments: [
        ...exported.featureEnvironments,
        { featureName: "dark", environment: "staging", enabled: true },
      ],
    };
    expect(() => readUnleash([two], {})).toThrow(
      "The export has several environments; specify one with --environment: production, staging",
    );
    expect(migrated(readUnleash, [two, segments], { environment: "staging" }).flag("dark").body.status).toBe("ACTIVE");
    expect(() => readUnleash([[]], {})).toThrow(
      "This is not the answer of /api/client/features, or an export of Unleash",
    );
    expect(() => readUnleash([{ toggles: [] }], {})).toThrow("This has neither features nor segments of Unleash");
  });
});
