import { contract } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createSharedWriter, SharedAnswer } from "./shared-answer.ts";

const Answer = z.object({
  name: z.string(),
  size: z.number().min(0).nullable(),
  note: z.string().optional(),
  rest: z.json(),
});
const parse = (schema: z.ZodType, part: unknown) => schema.parse(part);
const write = createSharedWriter(Answer, parse);

describe("a shared answer", () => {
  test("has the text of the whole answer, for every number", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", '"', "\\", "null", '"size":null', "}", "ß") });
    const answer = fc.record(
      { name: texts, size: fc.constant(null), note: texts, rest: fc.jsonValue() },
      { requiredKeys: ["name", "size", "rest"] },
    );
    const sizes = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1 });
    fc.assert(
      fc.property(answer, sizes, (shared, numbers) => {
        for (const size of numbers) {
          const text = write(new SharedAnswer(shared, "size", size));
          expect(text).toBe(JSON.stringify(Answer.parse({ ...shared, size })));
        }
        const whole = createSharedWriter(Answer, parse);
        expect(whole(new SharedAnswer(shared))).toBe(JSON.stringify(Answer.parse(shared)));
      }),
    );
  });

  test("has only fields of the schema", () => {
    const shared = { name: "a", size: null, rest: 1, secret: "b" };
    expect(write(new SharedAnswer(shared, "size", 2))).toBe('{"name":"a","size":2,"rest":1}');
  });

  test("is checked by the schema, and so is its number each time", () => {
    expect(() => write(new SharedAnswer({ name: 1, size: null, rest: 1 }, "size", 1))).toThrow(z.ZodError);
    const shared = { name: "a", size: null, rest: 1 };
    expect(write(new SharedAnswer(shared, "size", 0))).toContain('"size":0');
    expect(() => write(new SharedAnswer(shared, "size", -1))).toThrow(z.ZodError);
    expect(write(new SharedAnswer(shared, "size", 1))).toContain('"size":1');
  });

  test("is checked once, until another object has the answer", () => {
    let checks = 0;
    const counting = createSharedWriter(Answer, (schema, part) => {
      if (schema === Answer) checks++;
      return schema.parse(part);
    });
    const shared = { name: "a", size: null, rest: 1 };
    for (const size of [1, 2, 3]) counting(new SharedAnswer(shared, "size", size));
    expect(checks).toBe(1);
    counting(new SharedAnswer({ ...shared }, "size", 1));
    expect(checks).toBe(2);
  });

  test("of an evaluation varies by its bucket", () => {
    const { response } = contract["POST /feature-flags/{key}/evaluate"];
    const shared = {
      key: "f",
      enabled: true,
      value: { a: [1] },
      variant: "on",
      reason: "SPLIT",
      rule_id: null,
      bucket: null,
    };
    const text = createSharedWriter(response, parse)(new SharedAnswer(shared, "bucket", 0.25));
    expect(JSON.parse(text)).toEqual({ ...shared, bucket: 0.25 });
  });
});
