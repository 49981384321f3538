import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { run, stopAll } from "../cli.fixture.ts";
import { toTable } from "./table.ts";

afterEach(stopAll);

test("demo evaluates a flag, imports the real experiment and prints the published results", async () => {
  const { code, output } = await run(["demo"]);
  expect(output).toMatch(/ada {5}true \(variant on\)/);
  expect(output).toMatch(/retention_1 +44\.82 % +44\.23 % +−0\.59 pp .* 0\.0755 +no difference shown/);
  expect(output).toMatch(/retention_7 \* +19\.02 % +18\.20 % +−0\.82 pp .* 0\.0016 +worse/);
  expect(output).toMatch(/rounds +52\.456 +51\.299 +−1\.157/);
  expect(output).toContain("Users: 90,189 (gate_30 44,700, gate_40 45,489)");
  expect(output).toContain("Sample ratio: p = 0.0086, no mismatch");
  expect(output).toContain("The server is stopped and its data removed");
  expect(code).toBe(0);
}, 120_000);

test("the data of the demo is the data of the example", async () => {
  const digest = async (path: string) =>
    createHash("sha256")
      .update(await readFile(new URL(path, import.meta.url)))
      .digest("hex");
  expect(await digest("../../data/cookie_cats.csv")).toBe(
    await digest("../../../../examples/cookie-cats/cookie_cats.csv"),
  );
});

test("a table aligns its first column to the left and the others to the right", () => {
  expect(
    toTable(
      ["name", "n"],
      [
        ["a", "1,000"],
        ["bcdef", "2"],
      ],
    ),
  ).toBe(["name       n", "─────  ─────", "a      1,000", "bcdef      2"].join("\n"));
});
