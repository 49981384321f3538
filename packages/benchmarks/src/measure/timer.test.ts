import { expect, test } from "vitest";
import { createTimer, INPUTS } from "./timer.ts";

const inputs = Array.from({ length: INPUTS }, (_, index) => index);

test("a timer calls a function with every input in turn, and reports a time for one call", async () => {
  const seen: number[] = [];
  const timer = await createTimer((input: number) => seen.push(input), inputs, 0);
  seen.length = 0;
  for (let round = 0; round < 3; round++) expect(await timer.measure()).toBeGreaterThanOrEqual(0);
  // A round of no length is one call.
  expect(seen).toEqual([0, 0, 0]);
});

test("a timer waits for each call of an asynchronous function before the next", async () => {
  let running = 0;
  const call = async () => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
  };
  const timer = await createTimer(call, inputs, 1);
  await timer.measure();
  expect(running).toBe(0);
});

test("a timer needs all inputs, for its loop does not look at their number", async () => {
  await expect(createTimer(() => 0, inputs.slice(1), 0)).rejects.toThrow(RangeError);
});
