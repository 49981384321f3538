import { describe, expect, it } from "vitest";
import { bucket } from "../bucketing/bucket.ts";
import { createEngine } from "../engine/engine.ts";
import type { Definitions, FlagDefinition, SegmentDefinition } from "../format/definition.ts";
import type { EvaluationContext } from "../format/result.ts";

const flag = (key: string, fields: Partial<FlagDefinition> = {}): FlagDefinition => ({
  key,
  enabled: true,
  rollout_percentage: 100,
  variants: [],
  rules: [],
  ...fields,
});

const definitionsOf = (definition: FlagDefinition): Definitions => ({
  schema_version: 1,
  flags: [definition],
  segments: [],
  groups: [],
  holdout: null,
  experiments: [],
});

function explain(
  definition: FlagDefinition,
  context: EvaluationContext = { targetingKey: "ada" },
  others: FlagDefinition[] = [],
  segments: SegmentDefinition[] = [],
): string[] {
  const definitions = { schema_version: 1, flags: [definition, ...others], segments, groups: [], holdout: null };
  const engine = createEngine({ ...definitions, experiments: [] });
  const { trace } = engine.evaluate(definition.key, context, null, { trace: true });
  return trace!.map(({ step, subject, matched, detail }) => `${step} ${subject} ${matched}: ${detail}`);
}

describe("an explanation", () => {
  it("lists each step up to the deciding one", () => {
    const definition = flag("flag", {
      rollout_percentage: 50,
      targeting_rules: { countries: ["DE"], excluded_users: ["eve"] },
      rules: [{ id: "vip", when: { attribute: "plan", operator: "IN", value: ["pro"] }, serve: { variant: "on" } }],
    });
    const hash = bucket("user-123", "flag");
    expect(explain(definition, { targetingKey: "user-123", country: "DE" })).toEqual([
      "STATUS flag true: enabled",
      "EXCLUDED_USERS excluded_users false: does not hold",
      "BLOCK countries true: holds",
      'CONDITION plan IN ["pro"] false: does not hold',
      "RULE vip false: does not hold",
      `ROLLOUT flag ${hash < 0.5}: bucket ${hash.toFixed(6)} at 50 %`,
    ]);
  });

  it("says if nothing had to be drawn", () => {
    expect(explain(flag("all"))).toEqual(["STATUS all true: enabled", "ROLLOUT all true: 100 % of everyone"]);
    expect(explain(flag("none", { rollout_percentage: 0 }))).toContain("ROLLOUT none false: 0 % of everyone");
    expect(explain(flag("off", { enabled: false }))).toEqual(["STATUS off false: disabled"]);
    const given = [{ id: "ada", when: { all: [] }, serve: { variant: "on" } }];
    expect(explain(flag("given", { rules: given }))).toEqual(["STATUS given true: enabled", "RULE ada true: holds"]);
  });

  it("names the values of required flags, but not their own steps", () => {
    const prerequisites = [{ flag_key: "first" }, { flag_key: "gone" }];
    expect(explain(flag("last", { prerequisites }), {}, [flag("first")])).toEqual([
      "STATUS last true: enabled",
      "PREREQUISITE first true: served true (STATIC)",
      "PREREQUISITE gone false: no such flag",
    ]);
  });

  it("goes into segments, and into every kind of block", () => {
    const when = { any: [{ attribute: "age", operator: "EXISTS" as const }] };
    const targeting_rules = { user_attributes: { plan: ["pro"] }, user_segments: ["adults"], time_rules: {} };
    const included_users = ["eve"];
    const definition = flag("flag", { targeting_rules: { ...targeting_rules, included_users } });
    const context = { targetingKey: "ada", plan: "pro", age: 40 };
    expect(explain(definition, context, [], [{ id: "s", name: "adults", when }]).slice(1, -1)).toEqual([
      "INCLUDED_USERS included_users false: does not hold",
      "BLOCK user_attributes.plan true: holds",
      "CONDITION age EXISTS true: holds",
      "BLOCK user_segments true: holds",
      "BLOCK time_rules true: holds",
    ]);
  });

  it("ends a cycle of segments where an evaluation ends it, by whichever name a segment is asked", () => {
    const inSegment = (value: string) => ({ operator: "IN_SEGMENT" as const, value });
    // The API refuses a segment that contains itself. Definitions of other origins may have one.
    const when = { any: [{ not: inSegment("Loop") }, { attribute: "plan", operator: "IN" as const, value: ["pro"] }] };
    const rule = (value: string) =>
      flag("flag", { rules: [{ id: "r", when: inSegment(value), serve: { variant: "on" } }] });
    for (const asked of ["loop-id", "Loop"]) {
      for (const plan of ["pro", "free"]) {
        const engine = createEngine({
          ...definitionsOf(rule(asked)),
          segments: [{ id: "loop-id", name: "Loop", when }],
        });
        const context = { targetingKey: "ada", plan };
        const { trace, ...explained } = engine.evaluate("flag", context, null, { trace: true });
        expect(explained).toEqual(engine.evaluate("flag", context, null));
        expect(trace!.length).toBeGreaterThan(1);
      }
    }
  });

  it("says on which side of the holdout and of a group the user is", () => {
    const experiment = { id: "1", key: "exp", status: "ACTIVE", experiment_type: "AB_TEST", variants: [] } as const;
    const engine = createEngine({
      schema_version: 1,
      flags: [flag("flag")],
      segments: [],
      groups: [{ id: "g", slots: [{ experiment_key: "exp", slot_start: 0, slot_end: 0.5 }] }],
      holdout: { id: "h", percentage: 50 },
      experiments: [{ ...experiment, variants: [], feature_flag_key: "flag", mutual_exclusion_group_id: "g" }],
    });
    const seen = new Set<string>();
    for (const targetingKey of ["ada", "bob", "eve", "grace", "linus", "ken"]) {
      const [held, slot] = [bucket(targetingKey, "holdout:h"), bucket(targetingKey, "group:g")];
      const steps = [
        { step: "HOLDOUT", subject: "h", matched: held < 0.5, detail: `bucket ${held}`, bucket: held },
        { step: "BLOCK", subject: "group g", matched: slot < 0.5, detail: `bucket ${slot}`, bucket: slot },
      ].slice(0, held < 0.5 ? 1 : 2);
      const { trace, reason } = engine.evaluate("flag", { targetingKey }, null, { trace: true });
      expect(trace!.slice(1, 1 + steps.length)).toEqual(steps);
      seen.add(reason);
    }
    expect(seen).toEqual(new Set(["HOLDOUT", "DEFAULT", "SPLIT"]));
  });

  it("names the attributes that conditions and blocks read", () => {
    const conditions = [
      { attribute: "plan", operator: "NOT_IN" as const, value: ["free"] },
      { attribute: "age", operator: "EXISTS" as const, value: false },
      { attribute: "app", operator: "SEMVER_EQUALS" as const, value: "^1.0.0" },
      { operator: "IN_SEGMENT" as const, value: "staff" },
    ];
    const definition = flag("flag", {
      targeting_rules: { countries: ["DE"], user_segments: ["staff"] },
      rules: [{ id: "rule", when: { all: conditions }, serve: { variant: "on" } }],
    });
    const engine = createEngine(definitionsOf(definition));
    const context = { targetingKey: "ada", country: "de", app: "1.2.0", user_segments: "staff" };
    const { trace } = engine.evaluate("flag", context, null, { trace: true });
    expect(trace!.map(({ step, attribute }) => [step, attribute])).toEqual([
      ["STATUS", undefined],
      ["BLOCK", "country"],
      ["BLOCK", undefined],
      ["CONDITION", "plan"],
      ["CONDITION", "age"],
      ["CONDITION", "app"],
      ["CONDITION", undefined],
      ["RULE", undefined],
    ]);
  });

  it("shows the bucket beside the rollout and the interval of the variant", () => {
    const variants = [
      { key: "a", weight: 50, value: "A" },
      { key: "b", weight: 50, value: "B" },
    ];
    const engine = createEngine(definitionsOf(flag("flag", { rollout_percentage: 50, variants })));
    const seen = new Set<string | null>();
    for (const targetingKey of Array.from({ length: 30 }, (_, index) => `user-${index}`)) {
      const hash = bucket(targetingKey, "flag");
      const { trace, variant } = engine.evaluate("flag", { targetingKey }, null, { trace: true });
      const [, rollout, ...split] = trace!;
      const shown = { bucket: hash, rollout_percentage: 50, matched: variant !== null };
      expect(rollout).toMatchObject({ step: "ROLLOUT", ...shown });
      const interval = `bucket from ${variant === "a" ? "0 to 0.25" : "0.5 to 0.75"}`;
      const step = { step: "VARIANT", subject: variant, matched: true, detail: interval, bucket: hash };
      expect(split).toEqual(variant === null ? [] : [step]);
      seen.add(variant);
    }
    expect(seen).toEqual(new Set(["a", "b", null]));
  });
});
