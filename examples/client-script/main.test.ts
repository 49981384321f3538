import { afterEach, expect, test } from "vitest";
import { runExample, stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("the typed client makes a flag and an experiment, sends events and reads results", async () => {
  const { code, output } = await runExample("client-script");
  expect(output.split("\n")).toEqual([
    "new-checkout for ada: false SPLIT",
    "Bought 0.194 0.586 p = 0.005 { control: 31, treatment: 29 }",
    "FORBIDDEN [POST /experiments/] 403 Not enough permissions: scope admin required",
    "",
  ]);
  expect(code).toBe(0);
});
