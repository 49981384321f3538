import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, inOrder } from "./comparison.ts";
import type { Definition, Fields, Kind, StoredDefinition } from "./definition.ts";
import { isSame } from "./equality.ts";
import { listReferences } from "./references.ts";
import { neededBy, takeSteps } from "./steps.ts";

const define = (kind: Kind, key: string, fields: Fields = {}): Definition => ({ kind, key, fields });
const store = (one: Definition): StoredDefinition => ({ ...one, id: `id of ${one.key}`, version: 3, status: "DRAFT" });
const testers = define("segment", "testers", { user_ids: ["ada"] });
const checkout = define("flag", "checkout", { rules: [{ when: { operator: "IN_SEGMENT", value: "testers" } }] });
const words = { isChanged: "changed", needs: (name: string, isProposed: boolean) => `${name} ${isProposed}` };

describe("JSON values are the same", () => {
  test.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: undefined }, {}, false],
    [{}, [], false],
    [null, {}, false],
    ["1", 1, false],
  ])("%j and %j: %s", (a, b, expected) => {
    expect([isSame(a, b), isSame(b, a)]).toEqual([expected, expected]);
  });

  test("exactly if they are equal after a copy, and a changed part is noticed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        expect(isSame(value, structuredClone(value))).toBe(true);
        expect(isSame({ [name]: value }, { [name]: [value] })).toBe(false);
      }),
    );
  });
});

test("a comparison says which fields differ, and leaves what only the target has", () => {
  const there = [store({ ...checkout, fields: { name: "Old", tags: [] } }), store(define("flag", "other"))];
  expect(compare([{ ...checkout, fields: { name: "New", tags: [] } }, testers], there)).toEqual([
    {
      ...{ kind: "segment", key: "testers", action: "create", refusal: null, target: null },
      changes: [{ field: "user_ids", to: ["ada"] }],
    },
    {
      ...{ kind: "flag", key: "checkout", action: "update", refusal: null },
      target: { id: "id of checkout", version: 3 },
      changes: [{ field: "name", from: "Old", to: "New" }],
    },
  ]);
});

test("definitions come after those of their kind that they name, segments first", () => {
  const needs = define("flag", "a", { prerequisites: [{ flag_key: "b" }] });
  const all = [define("experiment", "e"), needs, define("flag", "b"), testers];
  expect(inOrder(all).map(({ key }) => key)).toEqual(["testers", "b", "a", "e"]);
});

test("references are found in targeting, rules, conditions, overrides, prerequisites and the flag of an experiment", () => {
  const leaf = (value: unknown) => ({ operator: "IN_SEGMENT", value });
  const fields = {
    targeting_rules: { user_segments: ["one"] },
    rules: [{ when: { any: [leaf(["two", "three"]), { not: leaf("four") }, { operator: "IN", value: "no" }] } }],
    conditions: { all: [leaf("five")] },
    overrides: [{ user_segment: "six" }, { user_id: "ada" }],
    prerequisites: [{ flag_key: "base" }],
    feature_flag_key: "checkout",
  };
  const named = (kind: string) =>
    listReferences(fields)
      .filter((one) => one.kind === kind)
      .flatMap(({ names }) => names);
  expect(named("segment")).toEqual(["one", "two", "three", "four", "five", "six"]);
  expect(named("flag")).toEqual(["base", "checkout"]);
  expect(listReferences(fields)[1]!.path).toEqual(["rules", 0, "when", "any", 0, "value"]);
});

test("what needs a step that is only proposed waits, and the others are done", async () => {
  const steps = compare([testers, checkout, define("flag", "free", { name: "Free" })], []);
  expect(neededBy(steps[1]!, steps).map(({ key }) => key)).toEqual(["testers"]);
  const seen: number[] = [];
  const done = await takeSteps(steps, {
    reason: "why",
    words,
    act: async () => ({ id: "42", is_new: true }),
    onStep: (_, index) => seen.push(index),
  });
  expect(done.map(({ refusal, proposal }) => [refusal, proposal?.id])).toEqual([
    [null, "42"],
    ["segment testers true", undefined],
    [null, "42"],
  ]);
  expect(seen).toEqual([0, 1, 2]);
});

test("a failure that is no refusal ends the steps", async () => {
  const act = () => Promise.reject(new Error("The network is down"));
  await expect(takeSteps(compare([testers], []), { reason: "why", words, act })).rejects.toThrow("network is down");
});
