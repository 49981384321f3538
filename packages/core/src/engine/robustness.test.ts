import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucket } from "../bucketing/bucket.ts";
import { validateFlag } from "../compiler/definition-problems.ts";
import { toProgram } from "../compiler/lowered-definitions.ts";
import type { FlagDefinition } from "../format/definition.ts";
import { parseProgram } from "../format/program-body.ts";
import type { EvaluationContext } from "../format/result.ts";
import { evaluate } from "../runtime/evaluate.ts";
import { compileFlag } from "./compilation.ts";
import { createEngine } from "./engine.ts";
import { createProgramEngine } from "./program-engine.ts";

/** Definitions with the right names and any content: what a broken or newer server might send. */
const anything = fc.jsonValue({ maxDepth: 3 });
const definition: fc.Arbitrary<FlagDefinition> = fc
  .record(
    {
      key: fc.oneof(fc.constant("flag"), anything),
      enabled: fc.oneof(fc.constant(true), anything),
      rollout_percentage: fc.oneof(fc.constant(50), anything),
      variants: fc.oneof(fc.constant([]), fc.constant([{ key: "a", weight: 1, value: 1 }]), anything),
      rules: fc.oneof(
        fc.array(
          fc.record({
            id: fc.constant("r"),
            when: fc.oneof(
              fc.record(
                {
                  attribute: fc.string(),
                  operator: fc.constantFrom("IN", "MATCHES", "BEFORE", "SEMVER_EQUALS", "NEW"),
                  value: fc.oneof(anything, fc.constant({ toString: false })),
                  case_insensitive: fc.oneof(fc.constant(true), anything),
                },
                { requiredKeys: ["attribute", "operator", "value"] },
              ),
              anything,
            ),
            serve: anything,
          }),
        ),
        anything,
      ),
      targeting_rules: fc.oneof(
        fc.record({ countries: anything, time_rules: anything }, { requiredKeys: [] }),
        anything,
      ),
      prerequisites: fc.oneof(fc.constant([{ flag_key: "flag" }]), anything),
      bucket_by: anything,
      default_value: anything,
      value_type: fc.oneof(fc.constant("BOOLEAN"), anything),
    },
    { requiredKeys: [] },
  )
  // The type is wrong on purpose.
  .map((fields) => JSON.parse(JSON.stringify(fields)));
const context: fc.Arbitrary<EvaluationContext> = fc
  .dictionary(fc.oneof(fc.constantFrom("targetingKey", "country", "user_segments", "__proto__"), fc.string()), anything)
  .map((fields) => JSON.parse(JSON.stringify(fields)));

const broken: FlagDefinition = JSON.parse(
  '{"key":"flag","enabled":true,"rollout_percentage":100,"variants":[],"rules":[]}',
);

describe("evaluation", () => {
  it("never throws for any definition and context", () => {
    fc.assert(
      fc.property(
        fc.oneof(definition, fc.constantFrom<FlagDefinition>(JSON.parse("null"), JSON.parse("7"), JSON.parse("[]"))),
        context,
        (flag, asked) => {
          const result = evaluate(compileFlag(flag), asked);
          expect(result).toHaveProperty("reason");
          if (result.error_code === "PARSE_ERROR") expect(result.variant).toBeNull();
          createEngine({
            schema_version: 1,
            flags: [flag],
            segments: [],
            groups: [],
            holdout: null,
            experiments: [],
          }).evaluateAll(asked);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("answers a parse error exactly if validation reports a problem, apart from limits", () => {
    fc.assert(
      fc.property(definition, (flag) => {
        expect(validateFlag(flag).length > 0).toBe(compileFlag(flag).lowered.error !== null);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(["MATCHES", "IN", "SEMVER_EQUALS", "BEFORE"])(
    "%s reports an object whose toString is not a function",
    (operator) => {
      const rule = {
        id: "r",
        when: { attribute: "a", operator, value: { toString: false } },
        serve: { variant: "on" },
      };
      const flag: FlagDefinition = JSON.parse(JSON.stringify({ ...broken, rules: [rule] }));
      expect(validateFlag(flag)).toContainEqual(expect.objectContaining({ path: ["rules", 0, "when", "value"] }));
    },
  );

  it.each<[Partial<Record<keyof FlagDefinition, unknown>>, string]>([
    [
      { rules: [{ id: "r", when: { attribute: "a", operator: "SOUNDS_LIKE", value: "b" }, serve: { variant: "on" } }] },
      "SOUNDS_LIKE",
    ],
    [
      { rules: [{ id: "r", when: { attribute: "a", operator: "MATCHES", value: "(?=a)" }, serve: { variant: "on" } }] },
      "Unsupported pattern",
    ],
    [{ rules: [{ id: "r", when: { all: [] }, serve: { variant: "blue" } }] }, "blue"],
    [{ targeting_rules: { continents: ["EU"] } }, "continents"],
    [{ targeting_rules: { time_rules: { timezone: "Mars/Base" } } }, "Mars/Base"],
    [{ variants: [{ key: "a", weight: 0.5, value: 1 }] }, "sum"],
  ])("serves the default to all users and reports the invalid part: %j", (fields, named) => {
    const result = evaluate(compileFlag({ ...broken, ...JSON.parse(JSON.stringify(fields)) }), { targetingKey: "ada" });
    expect(result).toMatchObject({
      reason: "ERROR",
      error_code: "PARSE_ERROR",
      value: "variants" in fields ? null : false,
    });
    expect(result.error_message).toContain(named);
  });

  it("answers an error for a context that throws", () => {
    const flag: FlagDefinition = { ...broken, targeting_rules: { countries: ["DE"] } };
    const hostile = {
      get country(): string {
        throw new Error("no");
      },
    };
    expect(evaluate(compileFlag(flag), hostile)).toMatchObject({
      reason: "ERROR",
      error_code: "GENERAL",
      error_message: "no",
    });
  });

  it("never moves a user between arms as a rollout rises", () => {
    const variants = ["a", "b", "c"].map((key, index) => ({ key, weight: [20, 30, 50][index]!, value: key }));
    fc.assert(
      fc.property(fc.string(), fc.nat(100), fc.nat(100), (user, one, other) => {
        const targetingKey = `u${user}`;
        const arm = (rollout_percentage: number) =>
          evaluate(compileFlag({ ...broken, variants, rollout_percentage }), { targetingKey }).variant;
        const before = arm(Math.min(one, other));
        if (before !== null) expect(arm(Math.max(one, other))).toBe(before);
        expect(arm(100)).toBe(["a", "b", "c"][[0.2, 0.5, 1].findIndex((end) => bucket(targetingKey, "flag") < end)]);
      }),
    );
  });

  it("shares frozen answers if no hash decided", () => {
    const compiled = compileFlag(broken);
    expect(evaluate(compiled, { targetingKey: "a" })).toBe(evaluate(compiled, { targetingKey: "b" }));
    expect(Object.isFrozen(evaluate(compiled, {}))).toBe(true);
    const half = compileFlag({ ...broken, rollout_percentage: 50 });
    const options = { bucket: false };
    expect(evaluate(half, { targetingKey: "a" }, options)).toBe(evaluate(half, { targetingKey: "a" }, options));
  });
});

describe("a program", () => {
  const { flags, experiments, segments, ...head } = toProgram({
    schema_version: 1,
    flags: [
      { ...broken, rules: [{ id: "r", when: { operator: "IN_SEGMENT", value: "s" }, serve: { variant: "on" } }] },
    ],
    segments: [{ id: "s", name: "s", user_ids: ["ada"] }],
    groups: [],
    holdout: null,
    experiments: [
      {
        id: "e",
        key: "exp",
        status: "ACTIVE",
        experiment_type: "AB_TEST",
        variants: [
          { key: "a", weight: 1 },
          { key: "b", weight: 1 },
        ],
      },
    ],
  });
  const predicate = fc.oneof(
    anything,
    fc.tuple(
      fc.constantFrom(
        "all",
        "any",
        "not",
        "in",
        "text",
        "matches",
        "order",
        "segment",
        "users",
        "time",
        "slots",
        "requires",
      ),
      anything,
      anything,
      anything,
      anything,
    ),
  );
  const decision = fc.oneof(
    fc.record({ steps: fc.oneof(fc.array(fc.tuple(predicate, anything)), anything), otherwise: anything }),
    anything,
  );

  it("never makes an evaluation throw, for any flag, experiment or segment", () => {
    fc.assert(
      fc.property(
        decision,
        decision,
        predicate,
        fc.dictionary(fc.string(), anything),
        context,
        (a, b, when, rest, asked) => {
          const program = JSON.parse(
            JSON.stringify({
              ...head,
              flags: flags.flatMap<unknown>((flag) => [
                { ...flag, ...rest, key: "flag", decision: a },
                { ...flag, key: "sound" },
              ]),
              experiments: experiments.map((each) => ({ ...each, ...rest, key: "exp", decision: b })),
              segments: segments.map((each) => ({ ...each, when })),
            }),
          );
          const engine = createProgramEngine(parseProgram(program));
          for (const key of ["flag", "sound"]) expect(engine.evaluate(key, asked, null)).toHaveProperty("reason");
          expect(engine.assign("exp", "ada", asked)).toHaveProperty("reason");
          engine.update(parseProgram(program));
          expect(engine.evaluate("sound", asked, null)).toHaveProperty("reason");
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
