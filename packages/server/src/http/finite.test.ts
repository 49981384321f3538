import { type Area, contract } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { parseAnswer } from "./finite.ts";

const Answer = z.object({
  value: z.number().nullable(),
  size: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  rows: z.array(z.object({ p: z.number(), inner: z.object({ mean: z.number(), error: z.number() }).nullable() })),
  analysis_warnings: z.array(z.string()),
});
const answer = (): z.infer<typeof Answer> => ({
  value: 1,
  size: 2,
  interval: [3, 4],
  rows: [{ p: 5, inner: { mean: 6, error: 7 } }],
  analysis_warnings: ["ONE_LOOK"],
});

describe("a number that is not finite", () => {
  test.each([
    ["is null where it may be", { value: Number.NaN }, { value: null }, "value"],
    ["is 0 where nothing around it may be null", { size: -Infinity }, { size: 0 }, "size"],
    ["takes its interval with it", { interval: [1, Infinity] as const }, { interval: null }, "interval.1"],
    [
      "takes what it is a part of with it",
      { rows: [{ p: 5, inner: { mean: Infinity, error: Number.NaN } }] },
      { rows: [{ p: 5, inner: null }] },
      "rows.0.inner.mean,rows.0.inner.error",
    ],
    [
      "takes no row of a list with it",
      { rows: [{ p: Number.NaN, inner: null }] },
      { rows: [{ p: 0, inner: null }] },
      "rows.0.p",
    ],
  ])("%s", (_, wrong, right, where) => {
    const holes: string[] = [];
    const parsed = parseAnswer(Answer, { ...answer(), ...wrong }, (paths) => holes.push(...paths));
    expect(parsed).toEqual({ ...answer(), ...right, analysis_warnings: ["ONE_LOOK", "NOT_FINITE"] });
    expect(holes.join()).toBe(where);
  });

  test("does not change the original value", () => {
    const made = { ...answer(), value: Number.NaN };
    parseAnswer(Answer, made, () => {});
    expect(made).toEqual({ ...answer(), value: Number.NaN });
  });
});

test("keeps a valid answer unchanged, and any other defect is an error", () => {
  const never = () => expect.unreachable();
  expect(parseAnswer(Answer, answer(), never)).toEqual(answer());
  expect(() => parseAnswer(Answer, { ...answer(), value: "1" }, never)).toThrow(z.ZodError);
  expect(() => parseAnswer(Answer, { ...answer(), size: "2", value: Number.NaN }, () => {})).toThrow(z.ZodError);
});

/** Returns a value that a schema accepts, with every number present and not null. */
function full(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod as unknown as { def: Record<string, never> & { type: string } };
  switch (def.type as string) {
    case "object":
      return Object.fromEntries(
        Object.entries(def.shape as unknown as Record<string, z.core.$ZodType>).map(([name, one]) => [name, full(one)]),
      );
    case "nullable":
    case "optional":
      return full(def.innerType as unknown as z.core.$ZodType);
    case "array":
      return [full(def.element as unknown as z.core.$ZodType)];
    case "tuple":
      return (def.items as unknown as z.core.$ZodType[]).map(full);
    case "record":
      return { key: full(def.valueType as unknown as z.core.$ZodType) };
    case "enum":
      return Object.values(def.entries as unknown as Record<string, string>)[0];
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return "2026-03-01T12:00:00.000Z";
  }
}

const ANALYSES = /^GET \/(results|bandit|interactions|holdout\/\{id\}|ai\/sample-size)/;
const analyses = Object.entries(contract as Area).filter(([key, { response }]) => response && ANALYSES.test(key));

test.each(analyses)("every number of %s may be missing", (_, { response }) => {
  const schema = response!;
  const whole = full(schema);
  expect(schema.safeParse(whole).error?.issues ?? []).toEqual([]);
  const size = [...JSON.stringify(whole).matchAll(/[:[,]1(?=[,\]}])/g)].length;
  expect(size).toBeGreaterThan(5);
  const some = fc.uniqueArray(fc.nat(size - 1), { minLength: 1 });
  const property = fc.property(some, fc.constantFrom(Number.NaN, Infinity, -Infinity), (places, none) => {
    let at = 0;
    const broken = JSON.parse(JSON.stringify(whole), (_key, value) =>
      value === 1 && places.includes(at++) ? none : value,
    );
    parseAnswer(schema, broken, () => {});
  });
  fc.assert(property, { numRuns: 50 });
});
