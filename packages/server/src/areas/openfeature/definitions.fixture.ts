import type { Condition, Definitions, EvaluationContext, FlagDefinition, Operator, TargetingRules } from "@assay/core";
import * as fc from "fast-check";

/** The flags of {@link anyDefinitions}. */
export const FLAG_KEYS = ["one", "two", "three"] as const;
export const EXPERIMENT_KEYS = ["over-one", "alone"] as const;
/** Names of users. No attribute, key or value below has them. */
export const USERS = Array.from({ length: 12 }, (_, index) => `person-${index}`);

/** Generates `other` in one of `times` cases, otherwise `common`. */
const rarely = <T, U>(other: fc.Arbitrary<U>, common: fc.Arbitrary<T>, times = 5): fc.Arbitrary<T | U> =>
  fc.oneof({ arbitrary: common, weight: times - 1 }, { arbitrary: other, weight: 1 });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const users = fc.uniqueArray(fc.constantFrom(...USERS), { maxLength: 4 });
const segmentNames = fc.uniqueArray(fc.constantFrom("s1", "staff", "s2", "missing"), { minLength: 1, maxLength: 2 });

/** Values by operators that can read them. There are few of each, so that contexts match them. */
const VALUES: [Operator[], unknown[]][] = [
  [
    ["EQUALS", "NOT_EQUALS", "IN", "NOT_IN"],
    ["DE", "de", 3, "3", true, ["DE", 3]],
  ],
  [
    ["CONTAINS", "STARTS_WITH", "ENDS_WITH"],
    ["D", "e", ["x", "1"], 3],
  ],
  [["MATCHES"], ["^[A-Z]+$", "\\d", "\\be", ["e$", "^$"], "^[a-z]{2,3}$"]],
  [
    ["GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL"],
    [3, "3", [2, 10]],
  ],
  [
    ["BEFORE", "AFTER"],
    ["2026-03-01T12:00:00Z", "2026-02-01"],
  ],
  [
    ["SEMVER_EQUALS", "SEMVER_NOT_EQUALS", "SEMVER_GREATER_THAN", "SEMVER_LESS_THAN_OR_EQUAL"],
    ["1.2.3", "1.2.3-beta.1", ["2.0.0", "1.0.0"]],
  ],
  [
    ["SEMVER_EQUALS", "SEMVER_NOT_EQUALS"],
    ["~1.2.0", "^1.0.0", ["2.0.0", "~1.2.3-beta.1"]],
  ],
  [
    ["IN_CIDR", "NOT_IN_CIDR"],
    ["10.0.0.0/8", ["192.0.2.7", "2001:db8::/32"], "::/0"],
  ],
  [["EXISTS"], [true, false]],
];
const attribute = fc.constantFrom("country", "plan", "age", "since", "app");
const comparison: fc.Arbitrary<Condition> = fc.oneof(
  ...VALUES.map(([operators, values]) =>
    fc.record({ attribute, operator: fc.constantFrom(...operators), value: fc.constantFrom(...values) }),
  ),
  fc.record({
    attribute,
    operator: fc.constantFrom("EQUALS", "NOT_IN", "CONTAINS", "STARTS_WITH", "ENDS_WITH"),
    value: fc.constantFrom("DE", "Pro", ["x", "E"]),
    case_insensitive: fc.boolean(),
  }),
  segmentNames.map((value) => ({ operator: "IN_SEGMENT" as const, value })),
) as fc.Arbitrary<Condition>;
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    comparison,
    fc.array(tie("condition"), { maxLength: 2 }).map((all) => ({ all })),
    fc.array(tie("condition"), { maxLength: 2 }).map((any) => ({ any })),
    tie("condition").map((not) => ({ not })),
    fc.array(tie("condition"), { maxLength: 2 }).map((not) => ({ not })),
  ),
}));

const days = fc.constantFrom<("sunday" | "monday")[]>(["sunday"], ["monday", "sunday"], []);
const timeRules = fc.record(
  {
    start_date: fc.constantFrom("2026-02-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"),
    end_date: fc.constantFrom("2026-03-01T12:00:00.000Z", "2026-05-01T00:00:00.000Z"),
    day_of_week: days,
    hour_of_day: fc.constantFrom({ start: 9, end: 17 }, { start: 22, end: 6 }),
    // No runtime knows the last operator, so flags with it are invalid.
    timezone: fc.constantFrom("UTC", "Asia/Tokyo", "America/New_York", "Mars/Base"),
  },
  { requiredKeys: [] },
);
const targeting = fc.record(
  {
    countries: rarely(fc.constantFrom(["de"], ["FR", "DE"]), fc.constant([])),
    browsers: rarely(fc.constant(["firefox"]), fc.constant([])),
    user_attributes: rarely(fc.record({ plan: fc.constantFrom(["pro"], [3, "x1"]) }), fc.constant({})),
    user_segments: rarely(segmentNames, fc.constant([])),
    time_rules: rarely(timeRules, fc.constant({})),
    rollout_percentage: fc.constantFrom(0, 40, 100, 100),
    excluded_users: users,
    included_users: users,
    sticky_assignment: fc.boolean(),
  },
  { requiredKeys: ["countries", "browsers", "user_attributes", "user_segments", "time_rules"] },
) as fc.Arbitrary<TargetingRules>;

const percentage = rarely(fc.constant(0), fc.constantFrom(33.3, 50, 100));
const arms = fc.constantFrom<FlagDefinition["variants"]>(
  [],
  [
    { key: "a", weight: 20, value: "A" },
    { key: "b", weight: 80, value: null },
  ],
  [
    { key: "a", weight: 1, value: 1.5 },
    { key: "b", weight: 0, value: { deep: ["x"] } },
  ],
);
const bucketBy = rarely(fc.constantFrom("country", "plan"), fc.constant(null));

const flag = (key: string): fc.Arbitrary<FlagDefinition> =>
  arms.chain((variants) => {
    const keys = variants.length > 0 ? variants.map((variant) => variant.key) : ["on", "off"];
    const serve = fc.oneof(
      fc.constantFrom(...keys).map((variant) => ({ variant })),
      percentage.map((rollout_percentage) => ({ rollout_percentage })),
      percentage.map((rollout_percentage) => ({ rollout_percentage, variants: [{ key: keys[0]!, weight: 100 }] })),
    );
    const rule = fc.record({ id: fc.constantFrom("r1", "r2"), when: condition, serve });
    const other = fc.constantFrom(...FLAG_KEYS, "missing");
    const prerequisite = fc.oneof(
      other.map((flag_key) => ({ flag_key })),
      other.map((flag_key) => ({ flag_key, variant: "a" })),
      other.map((flag_key) => ({ flag_key, value: true })),
    );
    return fc.record({
      key: fc.constant(key),
      enabled: rarely(fc.constant(false), fc.constant(true), 9),
      rollout_percentage: percentage,
      variants: fc.constant(variants),
      rules: fc.array(rule, { maxLength: 2 }),
      rules_enabled: rarely(fc.constant(false), fc.constant(true)),
      targeting_rules: fc.option(targeting),
      prerequisites: rarely(fc.tuple(prerequisite), fc.constant([])),
      bucket_by: bucketBy,
      default_value: variants.length > 0 ? fc.constantFrom("fallback", null) : fc.boolean(),
      version: fc.nat(9),
    });
  });

const experiment = (key: string, feature_flag_key: string | null) =>
  fc.record({
    id: fc.constant(`id-of-${key}`),
    key: fc.constant(key),
    status: rarely(fc.constant("PAUSED"), fc.constant("ACTIVE")),
    experiment_type: fc.constant("AB_TEST"),
    variants: fc.constant([
      { key: "a", weight: 0.5, is_control: true },
      { key: "b", weight: 0.5, is_control: false },
    ]),
    targeting_rules: fc.option(targeting),
    rules: feature_flag_key === null ? fc.constant([]) : fc.constant(undefined),
    overrides: some(
      fc.constantFrom(
        [{ user_id: "person-3", value: "b" }],
        [
          { user_segment: "staff", value: true },
          { user_id: "person-4", value: "none" },
        ],
      ),
    ),
    feature_flag_key: fc.constant(feature_flag_key),
    mutual_exclusion_group_id: fc.constantFrom(null, "group"),
    bucket_by: bucketBy,
  });

/** Sets of definitions that use every feature, including flags that evaluators do not understand. */
export const anyDefinitions = fc
  .record({
    schema_version: fc.constant(1),
    flag_set_id: fc.constant("default"),
    flags: fc.tuple(...FLAG_KEYS.map(flag)),
    segments: fc.tuple(
      fc.record({ id: fc.constant("s1"), name: fc.constant("staff"), user_ids: users, when: fc.option(condition) }),
      fc.record({ id: fc.constant("s2"), name: fc.constant("second"), user_ids: users, when: fc.option(condition) }),
    ),
    groups: fc.constantFrom(
      [],
      [
        {
          id: "group",
          slots: [
            { experiment_key: "over-one", slot_start: 0, slot_end: 0.5 },
            { experiment_key: "alone", slot_start: 0.5, slot_end: 0.8 },
          ],
        },
      ],
    ),
    holdout: rarely(fc.constant({ id: "holdout", percentage: 30 }), fc.constant(null), 3),
    experiments: fc.tuple(experiment("over-one", "one"), experiment("alone", null)),
  })
  .map((definitions): Definitions => JSON.parse(JSON.stringify(definitions)));

/** Evaluation contexts: users with few and many attributes, and none. */
export const CONTEXTS: EvaluationContext[] = [
  ...USERS.map((targetingKey, index) => ({
    targetingKey,
    ...(index % 2 === 0
      ? { country: ["DE", "fr", "d"][(index / 2) % 3]!, plan: ["pro", 3, "x1", "10.1.2.3"][(index / 2) % 4]! }
      : {}),
    ...(index % 3 === 0 ? { age: [3, "10", 2.5][(index / 3) % 3]!, browser: "Firefox" } : {}),
    ...(index % 4 === 0 ? { since: "2026-03-01T12:00:00Z", app: ["1.2.3", "v2.0", "1.2.3-beta.1"][index / 4]! } : {}),
    ...(index % 5 === 0 ? { user_segments: ["staff", "missing"] } : {}),
  })),
  { country: "DE", plan: ["pro", null, 3] },
];
