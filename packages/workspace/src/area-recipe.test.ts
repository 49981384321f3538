import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSnippets } from "./recipe.fixture.ts";

const AREA = "../../server/src/areas/mutual-exclusion-groups/index.ts";

test("the index.ts that the recipe prints is that of an area", () => {
  const [index] = readSnippets("An area");
  expect(readFileSync(new URL(AREA, import.meta.url), "utf8")).toContain(index);
});
