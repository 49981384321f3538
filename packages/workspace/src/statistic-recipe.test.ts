import { afterAll, expect, test } from "vitest";
import { createScratch, readSnippets } from "./recipe.fixture.ts";

const STATS = "packages/core/src/stats";
const USE = "packages/workspace/src/use-of-statistic.ts";

const [statistic, exported, behaviour] = readSnippets("A statistic") as [string, string, string];
const scratch = createScratch();
afterAll(() => scratch.remove());

test("a statistic that the recipe prints compiles, passes its test and can be imported", {
  timeout: 60_000,
}, async () => {
  scratch.write(`${STATS}/cohens-h.ts`, statistic);
  scratch.insert(`${STATS}/index.ts`, exported, "export {\n  type ArmEstimate,");
  scratch.write(`${STATS}/cohens-h.test.ts`, behaviour);
  scratch.write(
    USE,
    `import { cohensH } from "@assay/core/stats";
    const h: number | null = cohensH({ successes: 0, n: 3 }, { successes: 5, n: 5 });
    if (h !== Math.PI) throw new Error(String(h));`,
  );
  expect(scratch.diagnose(`${STATS}/cohens-h.ts`, `${STATS}/cohens-h.test.ts`, USE)).toEqual([]);
  await scratch.test("core", `${STATS}/cohens-h.test.ts`);
  await scratch.run(USE);
});
