import { afterEach, expect, test } from "vitest";
import { runExample, stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("the real experiment gives the numbers that are known of it", async () => {
  const { code, output } = await runExample("cookie-cats");
  expect(output).toContain("users { control: 44700, treatment: 45489 } sample ratio p 0.0086\n");
  expect(output).toContain("Back after a day: 0.448188 and 0.442283\n");
  expect(output).toContain("Back after a week: 0.190201 and 0.182000\n");
  expect(output).toContain("Rounds played: 52.456264 and 51.298776\n");
  expect(code).toBe(0);
}, 120_000);
