import fc from "fast-check";
import type { Context } from "unleash-client";
import { afterEach, describe, expect, test } from "vitest";
import { idsOf, migrated } from "../equality.fixture.ts";
import { readUnleash } from "./read.ts";
import { constraint, everyone, feature, rollout, startUnleash, variant } from "./sdk.fixture.ts";

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** Reads features into both engines. */
async function both(payload: { features: object[]; segments?: object[] }) {
  const theirs = await startUnleash(payload);
  stop = theirs.stop;
  return { theirs, ours: migrated(readUnleash, { version: 2, ...payload }) };
}

/** The context of Assay for a context of Unleash. */
function toContext({ userId, sessionId, remoteAddress, properties }: Context) {
  const given = { targetingKey: userId, sessionId, remoteAddress, ...properties };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const oneOf = (...values: string[]) => fc.constantFrom(...values);
const COUNTRIES = ["US", "us", "DE", "Deutschland", "true", ""];
const VERSIONS = ["1.2.3", "1.2.4", "1.10.0", "2.0.0-rc.1", "2.0.0", "v2.0.0", "2.0", "none"];
const ADDRESSES = ["10.1.2.3", "10.9.0.1", "192.168.0.1", "2001:db8::1", "::ffff:10.1.2.3", "nowhere"];
const users: fc.Arbitrary<Context> = fc.record(
  {
    userId: oneOf("1", "2", "ada", "bob"),
    sessionId: oneOf("s1", "s2"),
    remoteAddress: oneOf(...ADDRESSES),
    properties: fc.record(
      {
        country: oneOf(...COUNTRIES),
        plan: oneOf("pro", "PRO", "free"),
        age: fc.oneof(fc.integer({ min: -1, max: 60 }), oneOf("18", "18.5", "old")),
        version: oneOf(...VERSIONS),
        address: oneOf(...ADDRESSES),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const isInverted = fc.record({ inverted: fc.boolean() });
const listed = (values: string[]) => fc.array(oneOf(...values), { maxLength: 3 });
const constraints = fc.oneof(
  fc
    .tuple(
      oneOf("country", "plan", "userId", "sessionId"),
      oneOf("IN", "NOT_IN"),
      listed([...COUNTRIES, "pro", "ada", "s1"]),
      isInverted,
    )
    .map(([name, operator, values, more]) => constraint(name, operator, values, more)),
  fc
    .tuple(
      oneOf("country", "plan"),
      oneOf("STR_CONTAINS", "STR_STARTS_WITH", "STR_ENDS_WITH"),
      listed(["U", "s", "pro", "RO", "e"]),
      fc.record({ inverted: fc.boolean(), caseInsensitive: fc.boolean() }),
    )
    .map(([name, operator, values, more]) => constraint(name, operator, values, more)),
  fc
    .tuple(oneOf("NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE"), oneOf("18", "18.5", "0", "x"), isInverted)
    .map(([operator, value, more]) => constraint("age", operator, value, more)),
  fc
    .tuple(
      oneOf("SEMVER_EQ", "SEMVER_GT", "SEMVER_LT", "SEMVER_GTE", "SEMVER_LTE"),
      oneOf("1.2.3", "2.0.0", "2.0.0-rc.1"),
      isInverted,
    )
    .map(([operator, value, more]) => constraint("version", operator, value, more)),
  fc
    .tuple(listed(["10.0.0.0/8", "10.1.2.3", "2001:db8::/32", "::/0"]), isInverted)
    .map(([values, more]) => constraint("address", "IN_CIDR", values, more)),
  fc
    .tuple(oneOf("^U", "s$", "^[a-z]+$", "D.*d"), isInverted)
    .map(([value, more]) => constraint("country", "REGEX", value, more)),
);
/** Strategies that draw nothing, so that both engines answer the same. */
const strategies = fc.oneof(
  fc.array(constraints, { maxLength: 3 }).map((list) => everyone(...list)),
  fc
    .tuple(constraints, oneOf("userId", "sessionId", "country", "random"))
    .map(([one, stickiness]) => rollout(100, { stickiness, constraints: [one] })),
  fc.constant(rollout(0)),
  fc.array(constraints, { maxLength: 1 }).map((list) => ({ name: "default", constraints: list })),
  oneOf("ada", "ada, bob", "1,2", "").map((userIds) => ({ name: "userWithId", parameters: { userIds } })),
  oneOf("10.1.2.3", "10.0.0.0/8, nowhere", "2001:db8::1").map((IPs) => ({
    name: "remoteAddress",
    parameters: { IPs },
  })),
  fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 2 }).map((segments) => ({ ...everyone(), segments })),
);

describe("exactly", () => {
  test("generated features without a draw are on for the same generated users", async () => {
    const lists = fc.sample(fc.array(strategies, { maxLength: 4 }), 400);
    const people = fc.sample(users, 250);
    const segments = fc
      .sample(fc.array(constraints, { maxLength: 2 }), 2)
      .map((list, index) => ({ id: index + 1, name: `Segment ${index + 1}`, constraints: list }));
    const features = lists.map((list, index) => feature(`f${index}`, list, { enabled: index % 10 > 0 }));
    const { theirs, ours } = await both({ features, segments });
    expect(ours.skipped).toEqual([]);
    let on = 0;
    for (const { name, strategies } of features) {
      for (const user of people) {
        const expected = theirs.isEnabled(name, user);
        const { value } = ours.evaluate(name, toContext(user));
        if (value !== expected) expect({ name, strategies, segments, user, value }).toEqual(expected);
        on += expected ? 1 : 0;
      }
    }
    expect(on).toBeGreaterThan(10_000);
    expect(on).toBeLessThan(90_000);
    expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
  });

  test("overrides of variants, and a single variant", async () => {
    const overrides = [
      { contextName: "plan", values: ["pro"] },
      { contextName: "userId", values: ["ada"] },
    ];
    const green = [variant("green", 1000), variant("blue", 0, { overrides })];
    const features = [
      feature("colour", [everyone(constraint("country", "IN", ["US"]))], { variants: green }),
      feature("own", [{ ...everyone(), variants: green }]),
      feature("off", [everyone()], { variants: green, enabled: false }),
    ];
    const { theirs, ours } = await both({ features });
    for (const user of fc.sample(users, 200)) {
      for (const { name } of features) {
        expect(ours.evaluate(name, toContext(user)).variant).toBe(theirs.variant(name, user));
      }
    }
    expect(ours.evaluate("colour", { targetingKey: "ada", country: "US" }).variant).toBe("blue");
    expect(ours.flag("own")).toMatchObject({ differences: [], draws: [] });
  });

  test("a feature that depends on others is on with them, on their variant, or on their being off", async () => {
    const parents = [
      feature("on", [everyone(constraint("plan", "IN", ["pro"]))]),
      feature("none", [everyone()], { enabled: false }),
      feature("varied", [everyone(constraint("country", "IN", ["US"]))], { variants: [variant("a", 1000)] }),
    ];
    const features = [
      feature("with", [everyone()], { dependencies: [{ feature: "on" }] }),
      feature("without", [everyone()], { dependencies: [{ feature: "on", enabled: false }] }),
      feature("with-off", [everyone()], { dependencies: [{ feature: "none", enabled: false }] }),
      feature("with-variant", [everyone()], {
        dependencies: [{ feature: "varied", variants: ["a"] }, { feature: "on" }],
      }),
    ];
    // A dependent flag comes before its parents, as it may in a payload.
    const { theirs, ours } = await both({ features: [...features, ...parents] });
    for (const user of fc.sample(users, 200)) {
      for (const { name } of features)
        expect(ours.evaluate(name, toContext(user)).value).toBe(theirs.isEnabled(name, user));
    }
    expect(ours.flags.map(({ body }) => body.key).indexOf("with")).toBeGreaterThan(
      ours.flags.map(({ body }) => body.key).indexOf("on"),
    );
  });

  test("a period is on between its ends, to the millisecond", async () => {
    const at = "2026-03-01T12:00:00.000Z";
    const until = "2026-04-01T12:00:00.000Z";
    const features = [
      feature("after", [everyone(constraint("currentTime", "DATE_AFTER", at))]),
      feature("before", [everyone(constraint("currentTime", "DATE_BEFORE", at))]),
      feature("between", [
        everyone(
          constraint("currentTime", "DATE_BEFORE", at, { inverted: true }),
          constraint("currentTime", "DATE_AFTER", until, { inverted: true }),
        ),
      ]),
    ];
    const { theirs, ours } = await both({ features });
    for (const time of [at, until].flatMap((one) => [-1, 0, 1].map((step) => Date.parse(one) + step))) {
      for (const { name } of features) {
        const expected = theirs.isEnabled(name, { currentTime: new Date(time) });
        expect([name, time, ours.evaluate(name, {}, time).value]).toEqual([name, time, expected]);
      }
    }
  });

  test("payloads become values: numbers, objects, text, and the name without one", async () => {
    const payload = (type: string, value: string) => ({ payload: { type, value } });
    const features = [
      feature("number", [everyone()], { variants: [variant("a", 1000, payload("number", "12.5"))] }),
      feature("object", [everyone()], { variants: [variant("a", 1000, payload("json", '{"b":1}'))] }),
      feature("text", [everyone()], { variants: [variant("a", 1000, payload("csv", "x,y")), variant("b", 0)] }),
      feature("broken", [everyone()], { variants: [variant("a", 1000, payload("json", "{"))] }),
    ];
    const { ours } = await both({ features });
    expect(features.map(({ name }) => ours.evaluate(name, { targetingKey: "ada" }).value)).toEqual([
      12.5,
      { b: 1 },
      "x,y",
      "{",
    ]);
    expect(ours.flag("text").body.variants[1]).toEqual({ key: "b", weight: 0, value: "b" });
  });
});

describe("nearly", () => {
  const colours = [variant("red", 300), variant("green", 500), variant("blue", 200)];
  const features = [
    feature("gradual", [rollout(25)]),
    feature("gradual-user", [{ name: "gradualRolloutUserId", parameters: { percentage: "40", groupId: "g" } }]),
    feature("colours", [rollout(60)], { variants: colours }),
    feature("own-colours", [rollout(60, { variants: colours })]),
    feature("fractional", [rollout(12.9)]),
  ];

  test("draws are those of Unleash's own SDK, so that users who change arms are counted rightly", async () => {
    const { theirs, ours } = await both({ features });
    for (const { name } of features) {
      const { draws, body } = ours.flag(name);
      expect(draws).toHaveLength(1);
      for (const id of [...idsOf(1_000), "ada"]) {
        const arm =
          body.variants.length > 0
            ? theirs.variant(name, { userId: id })
            : theirs.isEnabled(name, { userId: id })
              ? "on"
              : null;
        expect(draws[0]!.armOf(id) ?? null).toBe(arm);
      }
    }
  });

  test("shares stay, and are never larger", async () => {
    const { ours } = await both({ features });
    const share = (name: string) =>
      idsOf(4_000).filter((id) => ours.evaluate(name, { targetingKey: id }).enabled).length / 4_000;
    expect(share("gradual")).toBeCloseTo(0.25, 1);
    expect(ours.flag("gradual").body).toMatchObject({ rollout_percentage: 25, rules: [], value_type: "BOOLEAN" });
    // Unleash draws whole percent.
    expect(ours.flag("fractional").body.rollout_percentage).toBe(12);
    expect(ours.flag("colours").body.variants.map(({ weight }) => weight)).toEqual([30, 50, 20]);
  });

  test("of several shares the largest applies, and a strategy for everyone comes before them", async () => {
    const pro = constraint("plan", "IN", ["pro"]);
    const { ours } = await both({
      features: [
        feature("several", [
          rollout(10),
          rollout(50, { constraints: [pro] }),
          everyone(constraint("country", "IN", ["US"])),
        ]),
      ],
    });
    const { body, differences } = ours.flag("several");
    expect(differences).toEqual([]);
    expect([...body.rules.map(({ serve }) => serve), body.rollout_percentage]).toEqual([
      { rollout_percentage: 100 },
      { rollout_percentage: 50 },
      10,
    ]);
  });

  test("says what else differs", async () => {
    const several = [
      rollout(10, { groupId: "a" }),
      rollout(50, { groupId: "b", constraints: [constraint("plan", "IN", ["pro"])] }),
    ];
    const ordered = [
      rollout(10, { variants: colours, constraints: [constraint("plan", "IN", ["pro"])] }),
      { ...everyone(), variants: colours },
    ];
    const { ours } = await both({
      features: [
        feature("groups", several),
        feature("ordered", ordered),
        feature("random", [rollout(10, { stickiness: "random" })]),
        feature("default", [rollout(10, { stickiness: "default" })]),
        feature("session", [rollout(10, { stickiness: "sessionId" })]),
      ],
    });
    expect(ours.flag("groups").differences).toEqual([
      expect.stringContaining("drawn once in Assay, at the largest share"),
    ]);
    expect(ours.flag("ordered").differences).toEqual([expect.stringContaining("do not come to the next strategy")]);
    expect(ours.flag("random").differences).toEqual([expect.stringContaining("Unleash draws at each evaluation")]);
    expect(ours.flag("default").differences).toEqual([expect.stringContaining("Without a user id")]);
    expect(ours.flag("session")).toMatchObject({ body: { bucket_by: "sessionId" }, differences: [] });
  });
});

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
