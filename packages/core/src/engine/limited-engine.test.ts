import { describe, expect, it } from "vitest";
import { toProgram } from "../compiler/lowered-definitions.ts";
import type { Condition, Definitions, FlagDefinition } from "../format/definition.ts";
import type { EvaluationContext } from "../format/result.ts";
import { createStepLimit } from "../runtime/step-limit.ts";
import { compileSegment, isMember } from "./compilation.ts";
import { createEngine } from "./engine.ts";
import { createProgramEngine } from "./program-engine.ts";

function flagWith(more: Partial<FlagDefinition>): FlagDefinition {
  return { key: "flag", enabled: true, rollout_percentage: 0, variants: [], rules: [], ...more };
}

function flagFor(when: Condition): FlagDefinition {
  return flagWith({ rules: [{ id: "rule", when, serve: { variant: "on" } }] });
}

function definitionsOf(...flags: FlagDefinition[]): Definitions {
  return { schema_version: 1, flags, segments: [], groups: [], holdout: null, experiments: [] };
}

const MAX_STEPS = 1_000_000;
const limit = createStepLimit();

/** Asserts that an engine answers the same with and without explanations. */
function ask(definitions: Definitions, context: EvaluationContext) {
  const engine = createEngine(definitions, { limit });
  const { trace, ...explained } = engine.evaluate("flag", context, null, { trace: true });
  const answer = engine.evaluate("flag", context, null);
  expect(explained).toEqual(answer);
  return { answer, trace };
}

/** What an engine answers without a limit, and what a program of the same definitions answers: the same. */
function askUnlimited(definitions: Definitions, context: EvaluationContext) {
  const answer = createEngine(definitions).evaluate("flag", context, null);
  expect(createProgramEngine(toProgram(definitions)).evaluate("flag", context, null)).toEqual(answer);
  return answer;
}

const served = { reason: "TARGETING_MATCH", value: true };
const unserved = { reason: "DEFAULT", value: false };
const exhausted = { reason: "ERROR", error_code: "GENERAL", error_message: "Evaluation takes more than 1000000 steps" };

describe("patterns", () => {
  const flag = flagFor({ attribute: "text", operator: "MATCHES", value: "^a+$" });

  it.each([
    [4_096, served],
    [4_097, unserved],
  ])("match texts of at most 4,096 characters: of %i", (length, expected) => {
    const context = { targetingKey: "ada", text: "a".repeat(length) };
    expect(ask(definitionsOf(flag), context).answer).toMatchObject(expected);
    expect(askUnlimited(definitionsOf(flag), context)).toMatchObject(expected);
  });

  it("count characters as UTF-16 code units", () => {
    const faces = flagFor({ attribute: "text", operator: "MATCHES", value: "^😀+$" });
    const context = (count: number) => ({ targetingKey: "ada", text: "😀".repeat(count) });
    expect(ask(definitionsOf(faces), context(2_048)).answer).toMatchObject(served);
    expect(ask(definitionsOf(faces), context(2_049)).answer).toMatchObject(unserved);
  });

  it("match the short texts of a list", () => {
    const context = { targetingKey: "ada", text: ["a".repeat(5_000), "aa"] };
    expect(ask(definitionsOf(flag), context).answer).toMatchObject(served);
  });

  it("report in the explanation that they were not tried", () => {
    const detailFor = (text: unknown) =>
      ask(definitionsOf(flag), { targetingKey: "ada", text }).trace?.find(({ step }) => step === "CONDITION")?.detail;
    expect(detailFor("a".repeat(4_097))).toBe("does not hold (not tried on more than 4096 characters)");
    expect(detailFor("b")).toBe("does not hold");
  });
});

describe("an evaluation that takes too many steps", () => {
  const list = (count: number, text = "x") => Array.from({ length: count }, (_, index) => `${text}${index}`);
  const text = "a".repeat(4_096);

  it.each<[string, Condition, unknown]>([
    ["long patterns over long texts", { attribute: "a", operator: "MATCHES", value: `${"a?".repeat(400)}b` }, text],
    ["patterns over long lists", { attribute: "a", operator: "MATCHES", value: "^\\d+$" }, list(50_000, "long text")],
    ["many parts in a long text", { attribute: "a", operator: "CONTAINS", value: list(9_000) }, "a".repeat(9_000)],
    [
      "many beginnings over long lists",
      { attribute: "a", operator: "STARTS_WITH", value: list(1_000) },
      list(1_000, "y"),
    ],
    [
      "many numbers over long lists",
      { attribute: "a", operator: "GREATER_THAN", value: list(1_000, "9") },
      list(2_000),
    ],
    ["long numbers", { attribute: "a", operator: "LESS_THAN", value: 1 }, "1".repeat(1_000_001)],
    ["long lists over many values", { attribute: "a", operator: "IN", value: list(10) }, list(250_001, "y")],
    ["long lists of segments", { operator: "IN_SEGMENT", value: list(100) }, undefined],
  ])("answers an error: %s", (_, when, a) => {
    const context = { targetingKey: "ada", a, user_segments: list(10_000, "other") };
    expect(ask(definitionsOf(flagFor(when)), context).answer).toMatchObject({ ...exhausted, value: false });
  });

  it("does not reuse the steps of the previous one", () => {
    const engine = createEngine(definitionsOf(flagFor({ attribute: "a", operator: "EQUALS", value: 1 })), { limit });
    const a = "a".repeat(10_000_000);
    for (let times = 0; times < 3; times++) {
      expect(engine.evaluate("flag", { targetingKey: "ada", a }, null)).toMatchObject(unserved);
    }
  });

  it("has no limit by default", () => {
    const flag = flagFor({ attribute: "a", operator: "LESS_THAN", value: 1 });
    expect(askUnlimited(definitionsOf(flag), { targetingKey: "ada", a: "1".repeat(1_000_001) })).toMatchObject(
      unserved,
    );
  });

  it("may have another limit", () => {
    const flag = flagFor({ attribute: "a", operator: "EQUALS", value: "x".repeat(160) });
    const ten = createEngine(definitionsOf(flag), { limit: createStepLimit(14) });
    const error_message = "Evaluation takes more than 14 steps";
    expect(ten.evaluate("flag", { targetingKey: "ada", a: "x".repeat(160) }, null)).toMatchObject(served);
    expect(ten.evaluate("flag", { targetingKey: "ada", a: "x".repeat(161) }, null)).toMatchObject({ error_message });
  });

  it("answers an error if prerequisites branch without end", () => {
    const keys = (level: number) => (level === 0 ? ["flag"] : list(10, `level-${level}-`));
    const levels = Array.from({ length: 8 }, (_, level) =>
      keys(level).map((key) => {
        const prerequisites = level === 7 ? [] : keys(level + 1).map((flag_key) => ({ flag_key }));
        return flagWith({ key, rollout_percentage: 100, prerequisites });
      }),
    );
    expect(ask(definitionsOf(...levels.flat()), { targetingKey: "ada" }).answer).toMatchObject(exhausted);
  });

  it("answers an error if the required value is large", () => {
    const value = { list: list(5_000) };
    const required = flagWith({ key: "large", rollout_percentage: 100, variants: [{ key: "v", weight: 1, value }] });
    const prerequisites = Array.from({ length: 40 }, () => ({ flag_key: "large", value: structuredClone(value) }));
    expect(ask(definitionsOf(flagWith({ prerequisites }), required), { targetingKey: "ada" }).answer).toMatchObject(
      exhausted,
    );
  });

  it("answers an error if the hashed text is long", () => {
    const flag = flagWith({ bucket_by: "account", rollout_percentage: 50 });
    const context = (length: number) => ({ targetingKey: "ada", account: "a".repeat(length) });
    expect(ask(definitionsOf(flag), context(MAX_STEPS)).answer.reason).toBe("SPLIT");
    expect(ask(definitionsOf(flag), context(MAX_STEPS + 1)).answer).toMatchObject(exhausted);
  });

  it("assigns no user to an experiment, and reports no segment membership", () => {
    const when: Condition = { attribute: "a", operator: "MATCHES", value: `${"a?".repeat(400)}b` };
    const rules = [{ id: "rule", when, serve: { variant: "b" } }];
    const variants = ["a", "b"].map((key) => ({ key, weight: 50 }));
    const experiment = { id: "1", key: "e", status: "ACTIVE", experiment_type: "AB_TEST", variants, rules } as const;
    const engine = createEngine({ ...definitionsOf(), experiments: [{ ...experiment, variants, rules }] }, { limit });
    expect(engine.assign("e", "ada", { a: text })).toMatchObject({ assigned: false, reason: "ERROR" });
    const segment = compileSegment({ id: "1", name: "s", when }, { limit });
    expect(() => isMember(segment, { targetingKey: "ada", a: text })).toThrow(RangeError);
  });
});

describe("an explanation", () => {
  it("lists at most 1,000 steps", () => {
    const leaf: Condition = { attribute: "a", operator: "EQUALS", value: 1 };
    const segment = { id: "1", name: "s", when: { any: Array.from({ length: 99 }, () => leaf) } };
    const when: Condition = { any: Array.from({ length: 99 }, () => ({ operator: "IN_SEGMENT", value: "s" })) };
    const engine = createEngine({ ...definitionsOf(flagFor(when)), segments: [segment] });
    expect(engine.evaluate("flag", { targetingKey: "ada" }, null, { trace: true }).trace).toHaveLength(1_000);
  });

  it("repeats the first 500 characters of a condition", () => {
    const flag = flagFor({ attribute: "a", operator: "EQUALS", value: "x".repeat(1_000) });
    const { trace } = ask(definitionsOf(flag), { targetingKey: "ada" });
    expect(trace?.find(({ step }) => step === "CONDITION")?.subject).toBe(`a EQUALS "${"x".repeat(490)}…`);
  });
});
