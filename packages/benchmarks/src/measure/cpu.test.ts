import { expect, test } from "vitest";
import { cpuOf } from "./cpu.ts";

test("the CPU of a piece of work is measured until its end, in milliseconds", async () => {
  let isDone = false;
  const milliseconds = await cpuOf(async () => {
    await Promise.resolve();
    const end = process.cpuUsage().user + 20_000;
    while (process.cpuUsage().user < end);
    isDone = true;
  });
  expect(isDone).toBe(true);
  // The loop ends only once the process has taken 20 milliseconds of CPU, and no test takes a minute of it.
  expect(milliseconds).toBeGreaterThanOrEqual(20);
  expect(milliseconds).toBeLessThan(60_000);
});
