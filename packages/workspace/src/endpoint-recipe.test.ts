import { afterAll, expect, test } from "vitest";
import { createScratch, readSnippets } from "./recipe.fixture.ts";

const CONTRACT = "packages/contract/src/areas/feature-flags.ts";
const ROUTES = "packages/server/src/areas/feature-flags/routes.ts";
const TEST = "packages/server/src/areas/feature-flags/variants.test.ts";

const [route, handler, endpoint, behaviour] = readSnippets("An endpoint") as [string, string, string, string];
const scratch = createScratch();
afterAll(() => scratch.remove());

test("a route without a handler does not compile", { timeout: 60_000 }, () => {
  scratch.insert(CONTRACT, route, '  "PUT /feature-flags/{id}": {');
  expect(scratch.diagnose(ROUTES).join()).toContain(`Property '"GET /feature-flags/{id}/variants"' is missing`);
});

test("with all that the recipe prints it compiles, is documented, and answers", { timeout: 120_000 }, async () => {
  scratch.insert(ROUTES, handler, '  "PUT /feature-flags/{id}": update');
  scratch.insert("packages/contract/endpoints.tsv", endpoint, "feature-flags\tPUT\t/feature-flags/{id}\t");
  scratch.write(TEST, behaviour);
  await scratch.generate();
  expect(scratch.read("docs/api.md")).toContain("### `GET /feature-flags/{id}/variants`");
  expect(scratch.diagnose(CONTRACT, ROUTES, TEST)).toEqual([]);
  await scratch.test("server", TEST);
  await scratch.test("contract", "packages/contract/src/contract.test.ts");
});
