import { checkSequence, isApplicable, runStoreCase, type StoreHarness, storeCases } from "@assay/store/conformance";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ADDRESS, dropSchema, newSchema, openFixture } from "./database.fixture.ts";

const harness: StoreHarness = {
  create: newSchema,
  open: openFixture,
  remove: dropSchema,
  reopens: true,
  multiProcess: true,
  child: { script: new URL("./postgres-store.child.ts", import.meta.url) },
};

test("CI has a database for these tests", () => {
  if (process.env.CI === "true") expect(ADDRESS).toBeDefined();
});

describe.skipIf(!ADDRESS)("postgresStore", () => {
  for (const storeCase of storeCases.filter((one) => isApplicable(one, harness))) {
    test(storeCase.title, () => runStoreCase(storeCase, harness));
  }

  test("answers any sequence of operations as the model does", { timeout: 120_000 }, async () => {
    const codes = fc.array(fc.nat(), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(codes, (sequence) => checkSequence(harness, sequence)),
      { numRuns: 25 },
    );
  });
});
