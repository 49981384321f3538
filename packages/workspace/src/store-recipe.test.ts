import { afterAll, expect, test } from "vitest";
import { createScratch, readSnippets } from "./recipe.fixture.ts";

/** A package that may import `@assay/store`. The recipe does not name the package of the adapter. */
const HOME = "packages/lmdb/src";

const [adapter, conformance] = readSnippets("A storage adapter") as [string, string];
const scratch = createScratch();
afterAll(() => scratch.remove());

test("the adapter that the recipe prints compiles and passes the conformance suite", { timeout: 60_000 }, async () => {
  scratch.write(`${HOME}/file-store.ts`, adapter);
  scratch.write(`${HOME}/file-store.test.ts`, conformance);
  expect(scratch.diagnose(`${HOME}/file-store.ts`, `${HOME}/file-store.test.ts`)).toEqual([]);
  await scratch.test("lmdb", `${HOME}/file-store.test.ts`);
});
