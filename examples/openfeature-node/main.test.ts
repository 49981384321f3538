import { afterEach, expect, test } from "vitest";
import { runExample, stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("the stock OpenFeature SDK evaluates locally, with rollout and targeting", async () => {
  expect(await runExample("openfeature-node")).toEqual({
    code: 0,
    output: "ada DE false SPLIT\ngrace FR true SPLIT\nedsger NL false DEFAULT\n",
  });
});
