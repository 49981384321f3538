import { afterEach, expect, test } from "vitest";
import { runExample, stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("a worker redirects, evaluates, and goes on when the server is gone", async () => {
  expect(await runExample("edge-worker")).toEqual({
    code: 0,
    output: [
      "ada DE 302 https://shop.example/prices/month?utm_source=mail exp_pricing=month",
      "grace FR 302 https://shop.example/prices/year?from=split&utm_source=mail exp_pricing=year",
      "edsger NL 302 https://shop.example/prices/month?utm_source=mail no cookie",
      "free-shipping true TARGETING_MATCH",
      "with the cookie: 302 https://shop.example/prices/year?from=split",
      "",
    ].join("\n"),
  });
});
