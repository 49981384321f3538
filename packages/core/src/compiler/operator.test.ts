import { expect, test } from "vitest";
import { DefinitionError } from "../format/definition-error.ts";
import { toPredicate } from "./condition.ts";
import { createConditionCheck } from "./condition-problems.ts";
import type { Problem } from "./problem.ts";

test("rejects an unknown operator", () => {
  const condition = { attribute: "age", operator: "DIVISIBLE_BY", value: 3 };
  expect(() => toPredicate(condition, { references: [] })).toThrow(
    new DefinitionError('Unknown operator "DIVISIBLE_BY"'),
  );
  const problems: Problem[] = [];
  createConditionCheck(problems)(condition as never, []);
  expect(problems).toEqual([{ path: ["operator"], message: 'Unknown operator "DIVISIBLE_BY"' }]);
});

test.each(["toString", "constructor", "__proto__"])(
  "rejects the operator %s, which every object has as a property",
  (operator) => {
    expect(() => toPredicate({ attribute: "age", operator, value: 3 }, { references: [] })).toThrow(DefinitionError);
  },
);
