import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Condition, Operator } from "../format/definition.ts";
import type { EvaluationContext } from "../format/result.ts";
import { linkPredicate } from "../runtime/predicate.ts";
import { toPredicate } from "./condition.ts";
import { OPERATORS } from "./operator.ts";

const links = { flag: () => undefined, segment: () => undefined, now: Date.now };
const holds = (condition: Condition, context: EvaluationContext) =>
  linkPredicate(toPredicate(condition, { references: [] }), links)(context, 0);
const check = (operator: Operator, value: Parameters<typeof toCondition>[1], actual: unknown) =>
  holds(toCondition(operator, value), { x: actual });
const toCondition = (operator: Operator, value: Extract<Condition, { operator: Operator }>["value"]): Condition => ({
  attribute: "x",
  operator,
  value,
});

describe("case_insensitive", () => {
  const cased = (
    operator: Operator,
    value: string | string[],
    actual: unknown,
    fields: object = { case_insensitive: true },
  ) => holds({ attribute: "x", operator, value, ...fields }, { x: actual });

  it.each<[Operator, string | string[], string]>([
    ["EQUALS", "Pro", "pRO"],
    ["IN", ["Free", "Pro"], "PRO"],
    ["CONTAINS", "eLL", "Hello"],
    ["STARTS_WITH", "HE", "hello"],
    ["ENDS_WITH", "lo", "HELLO"],
  ])("%s %j passes %j only in any letter case", (operator, value, actual) => {
    expect(cased(operator, value, actual)).toBe(true);
    expect(cased(operator, value, actual, {})).toBe(false);
    expect(cased(operator, value, actual, { case_insensitive: false })).toBe(false);
  });

  it("applies to complements, and can be false for a country", () => {
    expect(cased("NOT_EQUALS", "Pro", "PRO")).toBe(false);
    expect(cased("NOT_IN", ["Pro"], "PRO")).toBe(false);
    const german = { attribute: "country", operator: "EQUALS", value: "DE" } as const;
    expect(holds(german, { country: "de" })).toBe(true);
    expect(holds({ ...german, case_insensitive: false }, { country: "de" })).toBe(false);
  });

  it.each<[Operator, Extract<Condition, { operator: Operator }>["value"]]>([
    ["MATCHES", "^a"],
    ["GREATER_THAN", 3],
    ["SEMVER_EQUALS", "1.2.3"],
    ["BEFORE", "2026-01-01"],
    ["EXISTS", true],
    ["IN_CIDR", "10.0.0.0/8"],
    ["IN_SEGMENT", "staff"],
  ])("is refused with %s", (operator, value) => {
    const condition = { ...toCondition(operator, value), case_insensitive: true };
    expect(() => toPredicate(condition, { references: [] })).toThrow(`${operator} has no case_insensitive`);
  });

  it("is refused if it is neither true nor false", () => {
    const condition = { ...toCondition("EQUALS", "a"), case_insensitive: "yes" as never };
    expect(() => toPredicate(condition, { references: [] })).toThrow("EQUALS has no case_insensitive");
  });
});

describe("operators", () => {
  it.each<[Operator, Parameters<typeof toCondition>[1], unknown, boolean]>([
    ["EQUALS", "a", "a", true],
    ["EQUALS", "a", "A", false],
    ["EQUALS", 5, "5.0", true],
    ["EQUALS", "5", 5, true],
    ["EQUALS", "05", "5", false],
    ["EQUALS", true, true, true],
    ["EQUALS", true, "true", false],
    ["EQUALS", "a", ["b", "a"], true],
    ["NOT_EQUALS", "a", ["b", "a"], false],
    ["NOT_EQUALS", "a", "b", true],
    ["IN", ["a", 2], "2", true],
    ["IN", [], "a", false],
    ["NOT_IN", ["a", "b"], "c", true],
    ["NOT_IN", ["a", "b"], "b", false],
    ["CONTAINS", "ell", "hello", true],
    ["CONTAINS", ["x", "lo"], "hello", true],
    ["CONTAINS", "beta", ["alpha", "beta"], true],
    ["CONTAINS", "undefined", undefined, false],
    ["CONTAINS", "undefined", [undefined], false],
    ["CONTAINS", "null", [null], false],
    ["STARTS_WITH", "he", "hello", true],
    ["STARTS_WITH", "lo", "hello", false],
    ["ENDS_WITH", "lo", "hello", true],
    ["GREATER_THAN", 10, 11, true],
    ["GREATER_THAN", 10, "9", false],
    ["GREATER_THAN", "10", "9.5e1", true],
    ["GREATER_THAN", 10, "eleven", false],
    ["GREATER_THAN", 10, true, false],
    ["GREATER_THAN_OR_EQUAL", 10, 10, true],
    ["LESS_THAN", 10, 10, false],
    ["LESS_THAN_OR_EQUAL", 10, "10", true],
    ["MATCHES", "@example\\.com$", "a@example.com", true],
    ["MATCHES", "^[0-9]+$", 42, true],
    ["EXISTS", true, "", true],
    ["EXISTS", false, 0, false],
    ["SEMVER_EQUALS", "1.2", "v1.2.0", true],
    ["SEMVER_NOT_EQUALS", "1.2", "1.2.1", true],
    ["SEMVER_EQUALS", "~1.2.3", "1.2.9", true],
    ["SEMVER_EQUALS", "~1.2.3", "1.3.0", false],
    ["SEMVER_EQUALS", "^1.2.3", "1.9.0", true],
    ["SEMVER_NOT_EQUALS", "^1.2.3", "2.0.0", true],
    ["SEMVER_NOT_EQUALS", "^1.2.3", "1.2.3", false],
    ["SEMVER_EQUALS", ["3.1.4", "~1.2"], "3.1.4", true],
    ["SEMVER_EQUALS", ["3.1.4", "~1.2"], "1.2.7", true],
    ["SEMVER_EQUALS", ["3.1.4", "~1.2"], "3.1.5", false],
    ["SEMVER_EQUALS", ["~1.2", "~3.4"], "3.4.1", true],
    // No single version of the list is in the range.
    ["SEMVER_EQUALS", "^2.0.0", ["1.0.0", "3.0.0"], false],
    ["SEMVER_EQUALS", "^2.0.0", ["1.0.0", "2.5.0"], true],
    ["SEMVER_EQUALS", "^2.0.0", "nonsense", false],
    ["SEMVER_GREATER_THAN", "1.2.3", "1.10.0", true],
    ["SEMVER_GREATER_THAN", "1.2.3", "1.2.3-rc.1", false],
    ["SEMVER_GREATER_THAN_OR_EQUAL", "2", "2.0.0", true],
    ["SEMVER_LESS_THAN", "2.0.0", "2.0.0-beta", true],
    ["SEMVER_LESS_THAN_OR_EQUAL", "2.0.0", "nonsense", false],
    ["BEFORE", "2024-06-01", "2024-05-31T23:59:59Z", true],
    ["BEFORE", "2024-06-01", "2024-06-01T01:00:00+02:00", true],
    ["AFTER", "2024-06-01", Date.UTC(2024, 5, 2), true],
    ["AFTER", "2024-06-01", "2024-06-01", false],
  ])("%s %j of %j is %s", (operator, value, actual, expected) => {
    expect(check(operator, value, actual)).toBe(expected);
  });

  it("are known only if they are listed", () => {
    const parts = [
      "NOT_",
      "SEMVER_",
      "EQUALS",
      "IN",
      "GREATER_THAN",
      "_OR_EQUAL",
      "MATCHES",
      "EXISTS",
      "_SEGMENT",
      "_CIDR",
      "BEFORE",
    ];
    const words = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((word) => word.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom<string>(...OPERATORS), words, fc.string()), (operator) => {
        const value = operator.endsWith("CIDR") ? "::1" : "1";
        const compile = () => toPredicate({ attribute: "x", operator, value }, { references: [] });
        const isListed = OPERATORS.some((known) => known === operator);
        if (operator === "BEFORE" || operator === "AFTER") expect(compile).toThrow("is not an ISO 8601 time");
        else if (isListed) expect(compile).not.toThrow();
        else expect(compile).toThrow(`Unknown operator ${JSON.stringify(operator)}`);
      }),
      { numRuns: 1_000 },
    );
  });

  it("match an absent attribute only if they are negated", () => {
    const values: Partial<Record<Operator, string>> = {
      IN_SEGMENT: "s",
      BEFORE: "2024-01-01",
      AFTER: "2024-01-01",
      IN_CIDR: "10.0.0.0/8",
      NOT_IN_CIDR: "10.0.0.0/8",
    };
    const negated = OPERATORS.filter((operator) => {
      const numeric = operator.includes("THAN") || operator.includes("SEMVER");
      const condition = toCondition(
        operator,
        operator === "EXISTS" ? undefined : (values[operator] ?? (numeric ? "1" : "a")),
      );
      const absent = [{}, { x: undefined }, { x: null }, Object.create({ x: "a" })].map((context) =>
        holds(condition, context),
      );
      expect(new Set(absent).size).toBe(1);
      return absent[0];
    });
    expect(negated).toEqual(["NOT_EQUALS", "NOT_IN", "SEMVER_NOT_EQUALS", "NOT_IN_CIDR"]);
    expect(check("EXISTS", false, undefined)).toBe(true);
    expect(holds({ not: toCondition("EQUALS", "a") }, {})).toBe(true);
  });

  it("ignore case for countries, browsers and device types only", () => {
    for (const attribute of ["country", "browser", "device_type"]) {
      expect(holds({ attribute, operator: "IN", value: ["De"] }, { [attribute]: "dE" })).toBe(true);
      expect(holds({ attribute, operator: "STARTS_WITH", value: "D" }, { [attribute]: "de" })).toBe(true);
    }
    expect(holds({ attribute: "plan", operator: "IN", value: ["Pro"] }, { plan: "pro" })).toBe(false);
  });

  it("read own properties only", () => {
    for (const attribute of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(holds({ attribute, operator: "EXISTS" }, {})).toBe(false);
      expect(holds({ attribute, operator: "NOT_EQUALS", value: "a" }, {})).toBe(true);
    }
    expect(holds({ attribute: "__proto__", operator: "EQUALS", value: "a" }, JSON.parse('{"__proto__":"a"}'))).toBe(
      true,
    );
  });

  it("read the user id under both its names", () => {
    for (const attribute of ["targetingKey", "user_id"]) {
      expect(holds({ attribute, operator: "ENDS_WITH", value: "@x.io" }, { targetingKey: "a@x.io" })).toBe(true);
    }
  });
});

describe("IN_CIDR and NOT_IN_CIDR", () => {
  const office = ["10.0.0.0/8", "2001:db8::/32", "203.0.113.7"];

  it.each([
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["2001:DB8::1", true],
    ["203.0.113.7", true],
    ["203.0.113.8", false],
    ["2001:db9::1", false],
    ["localhost", false],
    ["10.1.2", false],
    ["", false],
    [167772161, false],
    [true, false],
    [{}, false],
    [Object.create(null), false],
    [[], false],
    [["192.0.2.1", "10.0.0.1"], true],
    [["192.0.2.1", null], false],
  ])("of a list of ranges, %j: %s", (actual, expected) => {
    expect(check("IN_CIDR", office, actual)).toBe(expected);
    expect(check("NOT_IN_CIDR", office, actual)).toBe(!expected);
  });

  it("take one range, and no range of an empty list matches", () => {
    expect(check("IN_CIDR", "10.0.0.0/8", "10.0.0.1")).toBe(true);
    expect(check("IN_CIDR", [], "10.0.0.1")).toBe(false);
    expect(check("IN_CIDR", "::/0", "no address")).toBe(false);
  });

  it("refuse what is no range", () => {
    const compile = (value: Parameters<typeof toCondition>[1]) => () =>
      toPredicate(toCondition("IN_CIDR", value), { references: [] });
    expect(compile(["10.0.0.0/8", "10.0.0.0/40"])).toThrow('"10.0.0.0/40" is not an IP range like 10.0.0.0/8');
    expect(compile(10)).toThrow("10 is not an IP range like 10.0.0.0/8");
    expect(compile([["10.0.0.0/8"]])).toThrow("Expected a list of strings, numbers or booleans");
    expect(compile(null)).toThrow("IN_CIDR needs a value");
  });

  it("lower to the first and the last address of each range", () => {
    expect(toPredicate(toCondition("IN_CIDR", ["192.0.2.0/25"]), { references: [] })).toEqual([
      "address",
      "x",
      [["00000000000000000000ffffc0000200", "00000000000000000000ffffc000027f"]],
    ]);
  });
});

describe("condition trees", () => {
  const leaf = fc.record({
    attribute: fc.constantFrom("x", "y"),
    operator: fc.constantFrom<Operator[]>("EQUALS", "NOT_EQUALS", "GREATER_THAN", "CONTAINS", "EXISTS"),
    value: fc.constantFrom("1", "2", 3),
  });
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf.map((condition): Condition => (condition.operator === "EXISTS" ? { ...condition, value: true } : condition)),
      fc.array(tie("tree"), { maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie("tree"), { maxLength: 3 }).map((any) => ({ any })),
      tie("tree").map((not) => ({ not })),
      fc.array(tie("tree"), { maxLength: 3 }).map((not) => ({ not })),
    ),
  }));
  const context = fc.dictionary(fc.constantFrom("x", "y"), fc.constantFrom<unknown>("1", "2", 3, null, ["1", 3]));

  it("negate, conjoin and disjoin exactly", () => {
    fc.assert(
      fc.property(tree, tree, context, (one, other, attributes) => {
        const [a, b] = [holds(one, attributes), holds(other, attributes)];
        expect(holds({ not: one }, attributes)).toBe(!a);
        expect(holds({ not: [one, other] }, attributes)).toBe(!(a || b));
        expect(holds({ all: [one, other] }, attributes)).toBe(a && b);
        expect(holds({ any: [one, other] }, attributes)).toBe(a || b);
      }),
    );
    expect(holds({ all: [] }, {})).toBe(true);
    expect(holds({ any: [] }, {})).toBe(false);
  });
});
