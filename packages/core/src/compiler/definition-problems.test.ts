import { describe, expect, it } from "vitest";
import type { Condition, ExperimentDefinition, FlagDefinition, TargetingRules } from "../format/definition.ts";
import { createConditionCheck } from "./condition-problems.ts";
import { validateExperiment, validateFlag, validateSegment } from "./definition-problems.ts";
import type { Problem } from "./problem.ts";
import { checkTargeting } from "./targeting-problems.ts";

/** Input from the wire, which may not match its type. */
const wire = <T>(value: unknown): T => JSON.parse(JSON.stringify(value));
const flag: FlagDefinition = { key: "flag", enabled: true, rollout_percentage: 50, variants: [], rules: [] };
const leaf: Condition = { attribute: "a", operator: "EQUALS", value: 1 };
const nest = (depth: number): Condition => (depth === 1 ? leaf : { not: nest(depth - 1) });

function validateCondition(condition: Condition): Problem[] {
  const problems: Problem[] = [];
  createConditionCheck(problems)(condition, []);
  return problems;
}

function validateTargetingRules(rules: TargetingRules | null): Problem[] {
  const problems: Problem[] = [];
  checkTargeting(problems, rules, []);
  return problems;
}

describe("validation of conditions", () => {
  it.each<[unknown, (string | number)[], string]>([
    [
      { all: [leaf, { attribute: "a", operator: "LIKE", value: 1 }] },
      ["all", 1, "operator"],
      'Unknown operator "LIKE"',
    ],
    [
      { any: [{ not: { attribute: "a", operator: "MATCHES", value: "a{x}" } }] },
      ["any", 0, "not", "value"],
      "Unsupported pattern: { at position 2",
    ],
    [{ not: [{ operator: "EQUALS", value: 1 }] }, ["not", 0, "attribute"], "EQUALS needs an attribute"],
    [{ attribute: "a", operator: "EQUALS" }, ["value"], "EQUALS needs a value"],
    [{ attribute: "a", operator: "IN", value: [{}] }, ["value"], "Expected a list of strings, numbers or booleans"],
    [{ attribute: "a", operator: "GREATER_THAN", value: "many" }, ["value"], '"many" is not a number'],
    [{ attribute: "a", operator: "BEFORE", value: "soon" }, ["value"], '"soon" is not an ISO 8601 time'],
    [{ attribute: "a", operator: "SEMVER_EQUALS", value: "x" }, ["value"], '"x" is not a version'],
    [{ operator: "IN_SEGMENT" }, ["value"], "Expected the id or name of a segment"],
    [{ attribute: "a", operator: "EXISTS", valeu: 1 }, ["valeu"], 'Unknown key "valeu"'],
    [{ all: [], any: [] }, ["any"], "Unexpected beside all"],
    [{ all: leaf }, ["all"], "Expected a list of conditions"],
    [{}, ["operator"], "Unknown operator undefined"],
    [7, [], "Expected a condition"],
    [nest(9), ["not", "not", "not", "not", "not", "not", "not", "not"], "Conditions may nest 8 deep"],
    [{ any: Array.from({ length: 100 }, () => leaf) }, ["any", 99], "At most 100 conditions"],
    [
      { attribute: "a", operator: "IN", value: Array.from({ length: 10_001 }, (_, index) => index) },
      ["value"],
      "At most 10000 values, not 10001",
    ],
    [
      {
        all: [
          { attribute: "a", operator: "MATCHES", value: Array.from({ length: 10 }, () => "a".repeat(1_000)) },
          { attribute: "a", operator: "MATCHES", value: "a" },
          { attribute: "a", operator: "MATCHES", value: "{" },
        ],
      },
      ["all", 1, "value"],
      "At most 10000 characters in all patterns",
    ],
  ])("names the path and the reason of %#", (condition, path, message) => {
    expect(validateCondition(wire(condition))).toEqual([{ path, message }]);
  });

  it("accepts definitions within every limit", () => {
    expect(validateCondition(nest(8))).toEqual([]);
    expect(validateCondition({ any: Array.from({ length: 99 }, () => leaf) })).toEqual([]);
    const repeated = (count: number) =>
      validateCondition({ attribute: "a", operator: "MATCHES", value: Array(count).fill("a{1000}") });
    expect(repeated(10)).toEqual([]);
    expect(repeated(11)).toEqual([{ path: ["value"], message: "At most 10000 characters in all patterns" }]);
    const patterns = Array.from({ length: 10 }, () => "a".repeat(1_000));
    expect(validateCondition({ attribute: "a", operator: "MATCHES", value: patterns })).toEqual([]);
    expect(
      validateCondition({ attribute: "a", operator: "IN", value: Array.from({ length: 10_000 }, (_, index) => index) }),
    ).toEqual([]);
  });

  it("does not fail on extreme nesting", () => {
    expect(validateCondition(JSON.parse(`${'{"not":'.repeat(5_000)}{}${"}".repeat(5_000)}`))).toHaveLength(1);
  });
});

describe("validation of targeting blocks", () => {
  it.each<[unknown, (string | number)[], string]>([
    [{ countrys: ["DE"] }, ["countrys"], 'Unknown key "countrys"'],
    [{ countries: "DE" }, ["countries"], "Expected a list of strings, numbers or booleans"],
    [
      { user_attributes: { plan: "pro" } },
      ["user_attributes", "plan"],
      "Expected a list of strings, numbers or booleans",
    ],
    [{ time_rules: { timezone: "Mars/Base" } }, ["time_rules", "timezone"], "Invalid time zone specified: Mars/Base"],
    [{ time_rules: { day_of_week: ["someday"] } }, ["time_rules", "day_of_week"], 'Unknown day "someday"'],
    [
      { time_rules: { hour_of_day: { start: 9, end: 25 } } },
      ["time_rules", "hour_of_day"],
      "Expected two different hours from 0 to 24",
    ],
    [{ time_rules: { end_date: "2023-02-30" } }, ["time_rules", "end_date"], '"2023-02-30" is not an ISO 8601 time'],
    [{ rollout_percentage: 101 }, ["rollout_percentage"], "Expected a percentage from 0 to 100"],
    [{ excluded_users: [1] }, ["excluded_users"], "Expected a list of strings"],
    [[], [], "Expected targeting blocks"],
  ])("names the path and the reason of %j", (rules, path, message) => {
    expect(validateTargetingRules(wire(rules))).toEqual([{ path, message }]);
  });

  it("reports all problems at once", () => {
    expect(
      validateTargetingRules(
        wire<TargetingRules>({ countries: 1, browsers: 2, time_rules: { timezone: "X", end_date: "Y" } }),
      ),
    ).toHaveLength(4);
    expect(validateTargetingRules(null)).toEqual([]);
  });
});

describe("validation of definitions", () => {
  it("reports the path of problems in flags", () => {
    const rule = { id: "r", when: leaf, serve: { variant: "on" } };
    const problems = validateFlag(
      wire({
        ...flag,
        targeting_rules: { browsers: {} },
        rules: [
          rule,
          { ...rule, when: { not: { operator: "?" } } },
          { ...rule, serve: { variant: "blue" } },
          { when: leaf },
        ],
      }),
    );
    expect(problems.map(({ path }) => path.join("."))).toEqual([
      "targeting_rules.browsers",
      "rules.1.when.not.operator",
      "rules.2.serve",
      "rules.3.id",
    ]);
    expect(validateFlag({ ...flag, rules: Array.from({ length: 51 }, () => wire(rule)) })).toEqual([
      { path: ["rules"], message: "At most 50 rules, not 51" },
    ]);
    expect(validateFlag({ ...flag, bucket_by: wire(7) })[0]?.message).toContain("bucket_by");
    expect(validateFlag(flag)).toEqual([]);
  });

  it("counts the conditions of all rules together", () => {
    const rules = Array.from({ length: 40 }, (_, index) => ({
      id: `${index}`,
      when: { all: [leaf, leaf] },
      serve: { variant: "on" },
    }));
    expect(validateFlag({ ...flag, rules })).toEqual([
      { path: ["rules", 33, "when", "all", 0], message: "At most 100 conditions" },
    ]);
  });

  it("reports problems in experiments and segments", () => {
    const experiment: ExperimentDefinition = {
      id: "1",
      key: "e",
      status: "DRAFT",
      experiment_type: "AB_TEST",
      variants: [
        { key: "a", weight: 70 },
        { key: "b", weight: 70 },
      ],
    };
    expect(validateExperiment(experiment)).toEqual([
      { path: ["variants"], message: "Weights must sum to 1, or to 100 as percentages, not to 140" },
    ]);
    expect(validateSegment({ id: "1", name: "s", user_ids: wire([1]) })[0]?.message).toContain(
      "Expected a list of strings",
    );
    expect(validateSegment({ id: "1", name: "s", when: wire({ operator: "?" }) })[0]?.path).toEqual([
      "when",
      "operator",
    ]);
  });
});
