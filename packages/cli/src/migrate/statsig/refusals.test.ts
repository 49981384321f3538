import { describe, expect, test } from "vitest";
import { migrated } from "../mapping/equality.fixture.ts";
import { bucket, condition, config, everyone, type Fields, field, gate, rule } from "./generated.fixture.ts";
import { readStatsig } from "./read.ts";

const document = (more: Fields = {}) => ({ feature_gates: [], dynamic_configs: [], layer_configs: [], ...more });
const read = (more: Fields, environment?: string) => migrated(readStatsig, document(more), { environment });
const when = (...conditions: Fields[]) => [gate("f", [rule("r", conditions)])];

const impossible: [name: string, gates: Fields[], reason: string][] = [
  ["an unknown type of condition", when(condition("moon", "any", ["full"])), "A condition of the type moon"],
  ["an unknown operator", when(field("a", "sounds_like", "b")), "The operator sounds_like has no counterpart"],
  ["a list of ids", when(condition("unit_id", "in_segment_list", "big")), "The operator in_segment_list"],
  ["a pattern of another language", when(field("a", "str_matches", "a(?=b)")), 'The pattern "a(?=b)"'],
  ["an order with a text", when(field("a", "gt", "many")), 'gt with "many", which is not a number'],
  ["a version of four numbers", when(field("a", "version_gt", "1.2.3.4")), 'version_gt with "1.2.3.4"'],
  ["a time that is none", when(field("a", "before", "soon")), '"soon" is not a time'],
  ["a list that is none", when(field("a", "any", "b")), 'A condition needs a list, not "b"'],
  ["a comparison with an object", when(field("a", "eq", { b: 1 })), "A comparison of a with"],
  ["the environment, if none is named", when(condition("environment_field", "any", ["production"])), "specify one"],
  ["a gate that is not there", when(condition("pass_gate", null, "x")), "It uses the gate x: it is not in the source"],
  [
    "a gate that draws",
    [gate("part", [rule("r", [everyone], 50)]), ...when(condition("pass_gate", null, "part"))],
    "It uses the gate part: it draws a share of users",
  ],
  ["a gate of itself", when(condition("pass_gate", null, "f")), "It uses the gate f: it refers to itself"],
  ["a gate that serves false by a rule", [gate("f", [rule("r", [everyone], 100, false)])], "serve true"],
  [
    "draws by two ids",
    [gate("f", [{ ...rule("r", [field("a", "eq", "b")], 50), idType: "companyID" }, rule("s", [everyone], 50)])],
    "It draws by several attributes: companyID, user_id",
  ],
];

describe("not migrated", () => {
  test.each(impossible)("%s", (_, feature_gates, reason) => {
    const { skipped } = read({ feature_gates });
    expect(skipped).toContainEqual({ kind: "flag", key: "f", reason: expect.stringContaining(reason) });
  });

  test.each<[string, Fields, string]>([
    ["autotune", config("f", [], { entity: "autotune" }), "Autotune changes its shares by itself"],
    [
      "a layer that an experiment fills",
      config("f", [{ ...rule("r", [everyone]), configDelegate: "e" }]),
      "serves the parameters of the experiment e",
    ],
    [
      "values that are no objects",
      config("f", [rule("r", [everyone], 100, "a")], { defaultValue: "b" }),
      "Its values are no objects",
    ],
    [
      "a draw that leads to another rule",
      config("f", [rule("r", [bucket("lt", 300)], 100, { arm: "a" }), rule("s", [everyone], 100, { arm: "b" })]),
      "r draws a share of users, outside of which they come to the next rule",
    ],
    [
      "groups that are the same",
      config("f", [
        rule("r", [bucket("lt", 300)], 100, { arm: "a" }),
        rule("r", [bucket("lt", 1_000)], 100, { arm: "a" }),
      ]),
      "Two groups of a draw are the same",
    ],
  ])("%s", (_, spec, reason) => {
    const { flags, skipped } = read({ dynamic_configs: [spec] });
    expect(flags).toEqual([]);
    expect(skipped).toEqual([{ kind: "flag", key: "f", reason: expect.stringContaining(reason) }]);
  });

  test("a segment that needs what is not there, and the gates that use it", () => {
    const staff = gate("segment:staff", [rule("r", [field("a", "sounds_like", "b")])], { entity: "segment" });
    const { segments, skipped } = read({
      feature_gates: [staff, ...when(condition("fail_gate", null, "segment:staff"))],
    });
    expect(segments).toEqual([]);
    const reason = "The operator sounds_like has no counterpart";
    expect(skipped).toEqual([
      { kind: "segment", key: "staff", reason },
      { kind: "flag", key: "f", reason: `It uses the gate segment:staff: ${reason}` },
    ]);
  });

  test("an experiment on some users, whose flag is migrated", () => {
    const german = field("country", "eq", "DE");
    const rules = [
      rule("control", [german, bucket("lt", 500)], 100, { arm: "control" }),
      rule("test", [german, bucket("lt", 1_000)], 100, { arm: "test" }),
    ];
    const { flags, experiments, skipped } = read({ dynamic_configs: [config("f", rules, { entity: "experiment" })] });
    expect(flags).toHaveLength(1);
    expect(experiments).toEqual([]);
    expect(skipped).toEqual([{ kind: "experiment", key: "f", reason: expect.stringContaining("It is on some users") }]);
  });

  test("documents of another form", () => {
    expect(() => migrated(readStatsig, { flags: {} })).toThrow("a document of config specs of Statsig");
  });
});

describe("migrated by hand", () => {
  test("a gate that is disabled serves false, and a config its default", () => {
    const { evaluate } = read({
      feature_gates: [gate("g", [rule("r", [everyone])], { enabled: false })],
      dynamic_configs: [config("c", [rule("r", [everyone], 100, { arm: "a" })], { enabled: false })],
    });
    expect(evaluate("g", { targetingKey: "ada" }).value).toBe(false);
    expect(evaluate("c", { targetingKey: "ada" }).value).toEqual({ arm: "none" });
  });

  test("specs by name, with conditions that rules share", () => {
    const { name: _, ...adults } = gate("adults", [{ ...rule("r", []), conditions: ["1"] }]);
    const { flags, evaluate } = read({ feature_gates: { adults }, condition_map: { 1: field("age", "gte", 18) } });
    expect(flags.map(({ body }) => body.key)).toEqual(["adults"]);
    expect(evaluate("adults", { targetingKey: "ada", age: 18 }).value).toBe(true);
    expect(evaluate("adults", { targetingKey: "ada", age: 17 }).value).toBe(false);
    expect(read({ feature_gates: { adults } }).reason("adults")).toBe("The condition 1 is not in the source");
  });

  test("conditions on the environment become what they are there", () => {
    const feature_gates = when(condition("environment_field", "any", ["Production"], { field: "tier" }));
    expect(read({ feature_gates }, "production").evaluate("f", { targetingKey: "ada" }).value).toBe(true);
    expect(read({ feature_gates }, "staging").evaluate("f", { targetingKey: "ada" }).value).toBe(false);
  });

  test("what Statsig reads from the user agent is an attribute, and a difference", () => {
    const { flag, evaluate } = read({
      feature_gates: when(condition("ua_based", "any", ["Firefox"], { field: "browser_name" })),
    });
    expect(flag("f").differences).toEqual(["Statsig reads browser_name from the user agent; pass it as an attribute"]);
    expect(evaluate("f", { targetingKey: "ada", browser_name: "firefox" }).value).toBe(true);
  });

  test("other ids draw by their attribute", () => {
    const { flag } = read({ feature_gates: [gate("f", [{ ...rule("r", [everyone], 50), idType: "companyID" }])] });
    expect(flag("f").body.bucket_by).toBe("companyID");
    expect(flag("f").draws).toHaveLength(1);
  });
});
