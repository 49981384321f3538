import { expect, test } from "vitest";
import type { Condition } from "../format/definition.ts";
import { listSegmentReferences } from "./segment-reference.ts";

const within = (value: string | string[]) => ({ operator: "IN_SEGMENT", value }) as const;

test("every IN_SEGMENT condition is listed, with where it names its segments", () => {
  const plan = { attribute: "plan", operator: "EQUALS", value: "vip" } as const;
  const tree: Condition = { all: [plan, { any: [within("a"), { not: within(["b", "c"]) }] }, { not: [within("d")] }] };
  expect(listSegmentReferences(tree, ["when"])).toEqual([
    { names: ["a"], path: ["when", "all", 1, "any", 0, "value"] },
    { names: ["b", "c"], path: ["when", "all", 1, "any", 1, "not", "value"] },
    { names: ["d"], path: ["when", "all", 2, "not", 0, "value"] },
  ]);
});

test("no condition and an invalid one refer to no segment", () => {
  for (const condition of [null, undefined, {}, { all: [null, 1] }, { operator: "IN_SEGMENT", value: 3 }]) {
    expect(listSegmentReferences(condition as Condition)).toEqual([]);
  }
});
