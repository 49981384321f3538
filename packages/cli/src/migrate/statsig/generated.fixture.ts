import { createHash } from "node:crypto";
import fc from "fast-check";

export type Fields = Record<string, unknown>;
export interface User {
  id: string;
  fields: Record<string, string | number | boolean | string[]>;
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
/** The same on every run, because the answers of Statsig's SDK are recorded. */
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) => fc.sample(arbitrary, { seed: 1, numRuns });

export const condition = (type: string, operator: string | null, targetValue: unknown, more: Fields = {}) => ({
  type,
  operator,
  targetValue,
  field: null,
  additionalValues: {},
  idType: "userID",
  ...more,
});
export const field = (name: string, operator: string, value: unknown) =>
  condition("user_field", operator, value, { field: name });
export const everyone = condition("public", null, null);
export const bucket = (operator: string, value: number, salt = "experiment") =>
  condition("user_bucket", operator, value, { additionalValues: { salt } });
export const rule = (id: string, conditions: Fields[], passPercentage = 100, returnValue: unknown = true) => ({
  id,
  name: id,
  groupName: id,
  salt: `salt-${id}`,
  idType: "userID",
  conditions,
  passPercentage,
  returnValue,
});
export const gate = (name: string, rules: Fields[], more: Fields = {}) => ({
  name,
  type: "feature_gate",
  entity: "feature_gate",
  salt: `salt-${name}`,
  idType: "userID",
  enabled: true,
  defaultValue: false,
  rules,
  ...more,
});
export const config = (name: string, rules: Fields[], more: Fields = {}) =>
  gate(name, rules, { type: "dynamic_config", entity: "dynamic_config", defaultValue: { arm: "none" }, ...more });

const TIMES = ["2026-01-01T00:00:00Z", "2026-02-01T12:30:00Z"];
const listed = <T>(...values: T[]) => fc.array(oneOf(...values), { minLength: 1, maxLength: 2 });
const on = <T>(name: string, operators: string[], value: fc.Arbitrary<T>) =>
  fc.tuple(oneOf(...operators), value).map(([operator, target]) => field(name, operator, target));
const conditions = fc.oneof(
  on("country", ["any", "none", "any_case_sensitive", "none_case_sensitive"], listed("US", "us", "DE")),
  on("plan", ["any", "none", "any_case_sensitive", "none_case_sensitive"], listed("pro", "PRO", "free")),
  on(
    "plan",
    ["str_starts_with_any", "str_ends_with_any", "str_contains_any", "str_contains_none"],
    listed("pr", "O", "e"),
  ),
  on("plan", ["str_matches"], oneOf("^p", "O$", "[a-f]r")),
  on("plan", ["eq", "neq"], oneOf("pro", "free")),
  on("age", ["gt", "gte", "lt", "lte", "eq", "neq"], oneOf(17, 18, 18.5)),
  on("beta", ["any", "none"], listed("true", "false")),
  on(
    "version",
    ["version_gt", "version_gte", "version_lt", "version_lte", "version_eq", "version_neq"],
    oneOf("1.2.3", "1.10.0", "2"),
  ),
  on("seen", ["before", "after"], oneOf(1_767_225_600_000, 1_768_000_000_000)),
  on(
    "groups",
    ["array_contains_any", "array_contains_none", "array_contains_all", "not_array_contains_all"],
    listed("a", "b"),
  ),
  fc.tuple(oneOf("any", "none"), listed("ada", "bob")).map(([operator, ids]) => condition("unit_id", operator, ids)),
  fc
    .tuple(oneOf("pass_gate", "fail_gate"), oneOf("segment:staff", "adults"))
    .map(([type, target]) => condition(type, null, target)),
);
const rules = (values: unknown[]) =>
  fc
    .array(fc.tuple(fc.array(conditions, { minLength: 1, maxLength: 2 }), oneOf(0, 100, 100), oneOf(...values)), {
      maxLength: 3,
    })
    .map((all) => all.map(([list, share, value], index) => rule(`r${index}`, list, share, value)));

export const users: User[] = sample(
  fc.record({
    id: oneOf("ada", "bob", "carol"),
    fields: fc.record(
      {
        country: oneOf("US", "us", "DE"),
        plan: oneOf("pro", "PRO", "free"),
        age: oneOf(-1, 17, 18, 18.5, 40),
        beta: fc.boolean(),
        version: oneOf("1.2.3", "1.2", "1.10.0", "2", "none", "v2"),
        seen: oneOf(...TIMES),
        groups: fc.array(oneOf("a", "b"), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  }),
  100,
);

const gates = sample(rules([true]), 150).map((list, index) =>
  gate(`g${index}`, index % 3 === 0 ? [...list, rule("rest", [everyone])] : list),
);
const configs = sample(rules([{ arm: "a" }, { arm: "b" }]), 100).map((list, index) => config(`c${index}`, list));

/** Specs without a draw. */
export const exact = {
  feature_gates: [
    gate("segment:staff", [rule("ids", [condition("unit_id", "any", ["ada"])])], { entity: "segment" }),
    gate("adults", [rule("minors", [field("age", "lt", 18)], 0), rule("rest", [field("age", "gt", 0)])]),
    ...gates,
  ],
  dynamic_configs: configs,
  layer_configs: [],
};

/** Specs with draws, whose users are `drawn`. */
export const drawing = {
  feature_gates: [gate("part", [rule("half", [everyone], 33.3)])],
  dynamic_configs: [
    config(
      "experiment",
      [
        rule("size", [bucket("gte", 600, "size")], 100, { arm: "none" }),
        rule("control", [bucket("lt", 300)], 100, { arm: "control" }),
        rule("test", [bucket("lt", 1_000)], 100, { arm: "test" }),
      ],
      { entity: "experiment" },
    ),
  ],
  layer_configs: [],
};
export const drawn: User[] = Array.from({ length: 300 }, (_, index) => ({ id: `user-${index}`, fields: {} }));
/** The hash of all that the answers are recorded of; `recorded.json` has it, too. */
export const asked = createHash("sha256")
  .update(JSON.stringify([exact, users, drawing, drawn]))
  .digest("hex");
