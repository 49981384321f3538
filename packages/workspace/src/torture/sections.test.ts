import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SECTIONS } from "./sections.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const files = SECTIONS.flatMap((section) => section.files);

test("every file of a section exists, and is in one section only", () => {
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files).toEqual([...new Set(files)]);
});

test("the sections contain every test of a promise in docs/reliability.md", () => {
  const promises = readFileSync(join(root, "docs/reliability.md"), "utf8").match(/packages\/\S+\.test\.ts/g) ?? [];
  expect(promises.length).toBeGreaterThan(10);
  expect(promises.filter((file) => !files.some((one) => file.startsWith(one)))).toEqual([]);
});
