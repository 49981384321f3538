import { expect, test } from "vitest";
import { interleave } from "./interleave.ts";

test("subjects take turns, one after the other, and each keeps its own figures", async () => {
  const order: string[] = [];
  let running = 0;
  const subject = (name: string) => ({
    name,
    async measure() {
      expect(++running).toBe(1);
      await Promise.resolve();
      running--;
      return order.push(name);
    },
  });
  const figures = await interleave([subject("a"), subject("b"), subject("c")], 3);
  expect(order.join("")).toBe("abcabcabc");
  expect(Object.fromEntries(figures)).toEqual({ a: [1, 4, 7], b: [2, 5, 8], c: [3, 6, 9] });
});

test("figures need no promise", async () => {
  expect(await interleave([{ name: "a", measure: () => 5 }], 2)).toEqual(new Map([["a", [5, 5]]]));
});

test("two subjects of one name are refused, for their figures would mix", async () => {
  const subject = { name: "a", measure: () => 1 };
  await expect(interleave([subject, subject], 1)).rejects.toThrow(RangeError);
});

test("a subject that fails ends the measurement", async () => {
  const broken = { name: "broken", measure: () => Promise.reject(new Error("It answers wrongly")) };
  await expect(interleave([broken], 1)).rejects.toThrow("It answers wrongly");
});
