import { expect, test, vi } from "vitest";
import { OPERATORS } from "../format/definition.ts";
import { DefinitionError } from "../format/definition-error.ts";
import { toPredicate } from "./condition.ts";
import { createConditionCheck } from "./condition-problems.ts";
import type { Problem } from "./problem.ts";

const ADDED = "DIVISIBLE_BY";

vi.mock(import("../format/definition.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, OPERATORS: [...original.OPERATORS, "DIVISIBLE_BY"] as unknown as typeof original.OPERATORS };
});

test("rejects a listed operator without an implementation", () => {
  expect(OPERATORS).toContain(ADDED);
  const condition = { attribute: "age", operator: ADDED, value: 3 };
  expect(() => toPredicate(condition, { references: [] })).toThrow(
    new DefinitionError('Unknown operator "DIVISIBLE_BY"'),
  );
  const problems: Problem[] = [];
  createConditionCheck(problems)({ ...condition, operator: ADDED as (typeof OPERATORS)[number] }, []);
  expect(problems).toEqual([{ path: ["operator"], message: 'Unknown operator "DIVISIBLE_BY"' }]);
});

test.each(["toString", "constructor", "__proto__"])(
  "rejects the operator %s, which every object has as a property",
  (operator) => {
    expect(() => toPredicate({ attribute: "age", operator, value: 3 }, { references: [] })).toThrow(DefinitionError);
  },
);
