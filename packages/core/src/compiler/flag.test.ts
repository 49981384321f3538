import { describe, expect, it } from "vitest";
import { bucket } from "../bucketing/bucket.ts";
import { compileFlag, type Environment } from "../engine/compilation.ts";
import { createEngine } from "../engine/engine.ts";
import type { FlagDefinition } from "../format/definition.ts";
import type { EvaluationContext } from "../format/result.ts";
import { evaluate } from "../runtime/evaluate.ts";
import type { LinkedFlag } from "../runtime/flag.ts";

const boolean: FlagDefinition = { key: "flag", enabled: true, rollout_percentage: 100, variants: [], rules: [] };
const colours: FlagDefinition = {
  ...boolean,
  key: "colour",
  value_type: "STRING",
  default_value: "grey",
  variants: [
    { key: "red", weight: 50, value: "#f00" },
    { key: "blue", weight: 50, value: "#00f" },
  ],
};
const isGerman = { attribute: "country", operator: "EQUALS", value: "DE" } as const;

const ask = (
  definition: FlagDefinition,
  context: EvaluationContext = { targetingKey: "ada" },
  environment?: Environment,
) => evaluate(compileFlag(definition, environment), context);
const users = Array.from({ length: 2_000 }, (_, index) => `user-${index}`);

describe("a boolean flag", () => {
  it("is on exactly if the hash is below the rollout", () => {
    for (const rollout_percentage of [0.5, 12.5, 50, 99]) {
      const compiled = compileFlag({ ...boolean, rollout_percentage });
      for (const targetingKey of users) {
        const hash = bucket(targetingKey, "flag");
        const on = hash < rollout_percentage / 100;
        expect(evaluate(compiled, { targetingKey })).toEqual({
          value: on,
          variant: on ? "on" : "off",
          reason: "SPLIT",
          enabled: on,
          rule_id: null,
          bucket: hash,
          forced: false,
        });
      }
    }
  });

  it("is STATIC at 100 % for all users, with or without a key", () => {
    expect(ask(boolean, {})).toMatchObject({ value: true, variant: "on", reason: "STATIC", bucket: null });
  });

  it("is off for all users at 0 %, without a key, by default and not by a draw", () => {
    const off = { value: false, variant: "off", reason: "DEFAULT", rule_id: null, bucket: null };
    expect(ask({ ...boolean, rollout_percentage: 0 }, {})).toMatchObject(off);
    const rules = [{ id: "none", when: { all: [] }, serve: { rollout_percentage: 0 } }];
    expect(ask({ ...boolean, rules }, {})).toMatchObject({ ...off, rule_id: "none" });
  });

  it("that defers serves the caller's default where nothing is drawn", () => {
    const defers = { ...boolean, defer_to_caller: true };
    const deferred = { value: null, variant: null, enabled: false };
    expect(ask({ ...defers, rollout_percentage: 0 })).toMatchObject({ ...deferred, reason: "DEFAULT" });
    expect(ask({ ...defers, enabled: false })).toMatchObject({ ...deferred, reason: "DISABLED" });
    expect(ask({ ...defers, targeting_rules: { excluded_users: ["ada"] } }, { targetingKey: "ada" })).toMatchObject({
      ...deferred,
      reason: "DEFAULT",
    });
    expect(ask({ ...defers, rollout_percentage: 1e-9 })).toMatchObject({
      value: false,
      variant: "off",
      reason: "SPLIT",
    });
    expect(ask(defers)).toMatchObject({ value: true, variant: "on", reason: "STATIC" });
    expect(ask({ ...boolean, defer_to_caller: false, rollout_percentage: 0 })).toMatchObject({ value: false });
    const definitions = { schema_version: 1, segments: [], groups: [], holdout: null, experiments: [] };
    const engine = createEngine({ ...definitions, flags: [{ ...defers, enabled: false }] });
    expect([true, false].map((asked) => engine.evaluate(boolean.key, {}, asked).value)).toEqual([true, false]);
  });

  it("serves the default to all users while it is disabled", () => {
    const included = { targeting_rules: { included_users: ["ada"] } };
    expect(ask({ ...boolean, ...included, enabled: false })).toMatchObject({
      value: false,
      variant: null,
      reason: "DISABLED",
    });
    expect(ask({ ...boolean, enabled: false, default_value: true })).toMatchObject({ value: true, enabled: true });
  });
});

describe("a flag with variants", () => {
  it("splits by weight; the default has no variant", () => {
    const compiled = compileFlag({ ...colours, rollout_percentage: 40 });
    const counts: Record<string, number> = {};
    for (const targetingKey of users) {
      const { variant, value, enabled } = evaluate(compiled, { targetingKey });
      counts[`${variant} ${value} ${enabled}`] = (counts[`${variant} ${value} ${enabled}`] ?? 0) + 1;
    }
    expect(Object.keys(counts).sort()).toEqual(["blue #00f true", "null grey false", "red #f00 true"]);
    expect(counts["red #f00 true"]! / users.length).toBeCloseTo(0.2, 1);
    expect(counts["null grey false"]! / users.length).toBeCloseTo(0.6, 1);
  });

  it("is STATIC if one variant has all the weight", () => {
    const variants = colours.variants.map((variant) => ({ ...variant, weight: variant.key === "blue" ? 1 : 0 }));
    expect(ask({ ...colours, variants }, {})).toMatchObject({ variant: "blue", reason: "STATIC", bucket: null });
  });

  it("hashes the attribute in bucket_by", () => {
    const definition = { ...colours, bucket_by: "company" };
    expect(ask(definition, { company: "acme" }).bucket).toBe(bucket("acme", "colour"));
    expect(ask(definition, { company: 7 }).bucket).toBe(bucket("7", "colour"));
    expect(ask(definition)).toMatchObject({ reason: "ERROR", error_code: "TARGETING_KEY_MISSING", value: "grey" });
  });

  it("reports a missing targeting key only if it is needed", () => {
    for (const targetingKey of [undefined, ""]) {
      expect(ask(colours, { targetingKey })).toMatchObject({
        reason: "ERROR",
        error_code: "TARGETING_KEY_MISSING",
        value: "grey",
        variant: null,
      });
    }
    expect(ask({ ...colours, enabled: false }, {}).reason).toBe("DISABLED");
  });
});

describe("targeting", () => {
  it("serves the default if the blocks do not match", () => {
    const definition = { ...boolean, targeting_rules: { countries: ["DE"] } };
    expect(ask(definition, {})).toMatchObject({ value: false, variant: null, reason: "DEFAULT" });
    expect(ask(definition, { country: "de" })).toMatchObject({ value: true, reason: "TARGETING_MATCH", forced: false });
  });

  it("uses the smaller of both rollouts", () => {
    const definition = { ...boolean, rollout_percentage: 60, targeting_rules: { rollout_percentage: 30 } };
    for (const targetingKey of users.slice(0, 500)) {
      expect(ask(definition, { targetingKey }).value).toBe(bucket(targetingKey, "flag") < 0.3);
    }
  });

  it("checks exclusions first, then inclusions, then everything else", () => {
    const targeting_rules = { countries: ["DE"], included_users: ["ada", "bob"], excluded_users: ["bob"] };
    const definition = { ...colours, rollout_percentage: 0, targeting_rules };
    const hash = bucket("ada", "colour");
    expect(ask(definition)).toMatchObject({
      variant: hash < 0.5 ? "red" : "blue",
      reason: "TARGETING_MATCH",
      forced: true,
      bucket: hash,
    });
    expect(ask(definition, { targetingKey: "bob", country: "DE" })).toMatchObject({ reason: "DEFAULT", value: "grey" });
  });
});

describe("rules", () => {
  it("serve the variant of the first match, as forced", () => {
    const rules: FlagDefinition["rules"] = [
      { id: "de", when: isGerman, serve: { variant: "blue" } },
      { id: "all", when: { all: [] }, serve: { variant: "red" } },
    ];
    expect(ask({ ...colours, rules }, { country: "DE" })).toMatchObject({
      variant: "blue",
      rule_id: "de",
      reason: "TARGETING_MATCH",
      forced: true,
      bucket: null,
    });
    expect(ask({ ...colours, rules }, {})).toMatchObject({ variant: "red", rule_id: "all" });
  });

  it("use their own rollout and weights on the same hash", () => {
    const serve = {
      rollout_percentage: 50,
      variants: [
        { key: "blue", weight: 0.8 },
        { key: "red", weight: 0.2 },
      ],
    };
    const compiled = compileFlag({ ...colours, rollout_percentage: 0, rules: [{ id: "r", when: isGerman, serve }] });
    for (const targetingKey of users.slice(0, 500)) {
      const hash = bucket(targetingKey, "colour");
      const expected = hash < 0.4 ? "blue" : hash >= 0.8 && hash < 0.9 ? "red" : null;
      expect(evaluate(compiled, { targetingKey, country: "DE" })).toMatchObject({
        variant: expected,
        rule_id: "r",
        forced: true,
        reason: "SPLIT",
        bucket: hash,
      });
    }
  });

  it("fall through to the flag's own rollout", () => {
    const rules: FlagDefinition["rules"] = [{ id: "de", when: isGerman, serve: { variant: "off" } }];
    expect(ask({ ...boolean, rules }, {})).toMatchObject({ value: true, reason: "SPLIT", rule_id: null });
    expect(ask({ ...boolean, rules }, { country: "DE" })).toMatchObject({
      value: false,
      variant: "off",
      rule_id: "de",
    });
  });

  it("are off after a rollback, together with included users, so that no user gets the flag", () => {
    const definition: FlagDefinition = {
      ...boolean,
      rollout_percentage: 0,
      rules_enabled: false,
      rules: [{ id: "all", when: { all: [] }, serve: { variant: "on" } }],
      targeting_rules: { included_users: ["ada"] },
    };
    expect(ask(definition)).toMatchObject({ value: false, variant: "off", rule_id: null });
    expect(ask({ ...definition, rules_enabled: true })).toMatchObject({ value: true });
  });
});

describe("prerequisites", () => {
  const lookup = (...definitions: FlagDefinition[]) => {
    const environment: Environment = { flag: (key) => compiled.get(key) };
    const compiled: Map<string, LinkedFlag> = new Map(
      definitions.map((each) => [each.key, compileFlag(each, environment)]),
    );
    return (key: string, context: EvaluationContext = { targetingKey: "ada" }) => evaluate(compiled.get(key)!, context);
  };
  const needs = (key: string, ...prerequisites: NonNullable<FlagDefinition["prerequisites"]>) => ({
    ...boolean,
    key,
    prerequisites,
  });

  it("hold if the other flag served the variant or the value", () => {
    const german: FlagDefinition = {
      ...colours,
      rules: [{ id: "de", when: isGerman, serve: { variant: "blue" } }],
      rollout_percentage: 0,
    };
    const evaluateFlag = lookup(
      german,
      needs("variant", { flag_key: "colour", variant: "blue" }),
      needs("value", { flag_key: "colour", value: "grey" }),
      needs("on", { flag_key: "colour" }),
    );
    expect(evaluateFlag("variant", { country: "DE" })).toMatchObject({ value: true, bucket: null });
    expect(evaluateFlag("variant", {})).toMatchObject({ value: false, reason: "PREREQUISITE_FAILED", variant: null });
    expect(evaluateFlag("value", {}).value).toBe(true);
    expect(evaluateFlag("on", {}).value).toBe(false);
    expect(evaluateFlag("on", { country: "DE" }).value).toBe(true);
  });

  it("fail if the other flag answers an error, even if its default is on", () => {
    const broken: FlagDefinition = {
      ...boolean,
      key: "broken",
      default_value: true,
      rollout_percentage: 50,
      bucket_by: "company",
    };
    const evaluateFlag = lookup(
      broken,
      needs("on", { flag_key: "broken" }),
      needs("value", { flag_key: "broken", value: true }),
    );
    expect(evaluateFlag("broken")).toMatchObject({ reason: "ERROR", value: true });
    expect(evaluateFlag("on").reason).toBe("PREREQUISITE_FAILED");
    expect(evaluateFlag("value").reason).toBe("PREREQUISITE_FAILED");
  });

  it("fail for a missing flag and in a cycle, in any order of evaluation", () => {
    const evaluateFlag = lookup(
      needs("lost", { flag_key: "missing" }),
      needs("a", { flag_key: "b", value: false }),
      needs("b", { flag_key: "a", value: false }),
      needs("c", { flag_key: "a", value: false }),
    );
    for (const key of ["lost", "a", "b", "c", "b", "a"]) expect(evaluateFlag(key).reason).toBe("PREREQUISITE_FAILED");
  });

  it("do not affect the hash of the flag", () => {
    const evaluateFlag = lookup(
      { ...boolean, key: "half", rollout_percentage: 50 },
      needs("next", { flag_key: "half", value: true }),
    );
    for (const targetingKey of users.slice(0, 20)) expect(evaluateFlag("next", { targetingKey }).bucket).toBeNull();
  });
});

const RED = { key: "red", weight: 50, value: "#f00" };

describe("an invalid flag", () => {
  it.each<[string, Partial<FlagDefinition>]>([
    ["a rule over an unknown variant", { rules: [{ id: "r", when: isGerman, serve: { variant: "green" } }] }],
    [
      "a split over an unknown variant",
      {
        rules: [
          { id: "r", when: isGerman, serve: { rollout_percentage: 50, variants: [{ key: "green", weight: 1 }] } },
        ],
      },
    ],
    ["two variants with one key", { variants: [RED, RED] }],
    ["hours that are equal", { targeting_rules: { time_rules: { hour_of_day: { start: 8, end: 8 } } } }],
  ])("with %s answers an error", (_, fields) => {
    expect(ask({ ...colours, ...fields })).toMatchObject({ reason: "ERROR", error_code: "PARSE_ERROR", value: "grey" });
  });
});

describe("holdout and groups", () => {
  const experiment = {
    id: "1",
    key: "exp",
    status: "ACTIVE",
    experiment_type: "AB_TEST",
    variants: [],
    feature_flag_key: "flag",
    mutual_exclusion_group_id: "g",
  } as const;
  const environment: Environment = {
    holdout: { id: "h", percentage: 20 },
    group: (id) => (id === "g" ? { id, slots: [{ experiment_key: "exp", slot_start: 0, slot_end: 0.5 }] } : undefined),
    experiment: (flagKey) => (flagKey === "flag" ? { ...experiment, variants: [] } : undefined),
  };

  it("exclude users only from flags under an active experiment", () => {
    const bound = compileFlag(boolean, environment);
    const release = compileFlag({ ...boolean, key: "release" }, environment);
    for (const targetingKey of users) {
      const held = bucket(targetingKey, "holdout:h") < 0.2;
      const excluded = bucket(targetingKey, "group:g") >= 0.5;
      const expected = held ? "HOLDOUT" : excluded ? "DEFAULT" : "SPLIT";
      expect(evaluate(bound, { targetingKey }).reason).toBe(expected);
      expect(evaluate(release, { targetingKey }).reason).toBe("STATIC");
    }
  });

  it("need a key only before something is served", () => {
    const reasonOf = (fields: Partial<FlagDefinition>, context: EvaluationContext = {}) => {
      const { reason, error_code } = ask({ ...boolean, ...fields }, context, environment);
      return error_code ?? reason;
    };
    const rules = [{ id: "germans", when: isGerman, serve: { variant: "on" } }];
    const targeting_rules = { countries: ["DE"] };
    expect(reasonOf({})).toBe("TARGETING_KEY_MISSING");
    expect(reasonOf({}, { targetingKey: "" })).toBe("TARGETING_KEY_MISSING");
    expect(reasonOf({ rollout_percentage: 1e-9 })).toBe("TARGETING_KEY_MISSING");
    expect(reasonOf({ rollout_percentage: 0 })).toBe("DEFAULT");
    expect(reasonOf({ targeting_rules })).toBe("DEFAULT");
    expect(reasonOf({ targeting_rules }, { country: "DE" })).toBe("TARGETING_KEY_MISSING");
    expect(reasonOf({ targeting_rules: { rollout_percentage: 0 } })).toBe("DEFAULT");
    expect(reasonOf({ rollout_percentage: 0, rules }, { country: "DE" })).toBe("TARGETING_KEY_MISSING");
    expect(reasonOf({ rollout_percentage: 0, rules, rules_enabled: false }, { country: "DE" })).toBe("DEFAULT");
    const held = users.filter((user) => bucket(user, "holdout:h") < 0.2);
    expect(new Set(held.map((targetingKey) => reasonOf({ rollout_percentage: 0 }, { targetingKey })))).toEqual(
      new Set(["HOLDOUT"]),
    );
  });

  it("are checked after prerequisites", () => {
    const needing = compileFlag({ ...boolean, prerequisites: [{ flag_key: "missing" }] }, environment);
    const reasons = users.map((targetingKey) => evaluate(needing, { targetingKey }).reason);
    expect(new Set(reasons)).toEqual(new Set(["PREREQUISITE_FAILED"]));
  });

  it("exclude no user while the experiment does not run", () => {
    const paused = { ...environment, experiment: () => ({ ...experiment, variants: [], status: "PAUSED" as const }) };
    expect(new Set(users.map((targetingKey) => ask(boolean, { targetingKey }, paused).reason))).toEqual(
      new Set(["STATIC"]),
    );
  });
});
