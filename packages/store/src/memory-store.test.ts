import fc from "fast-check";
import { describe, test } from "vitest";
import { checkSequence, isApplicable, runStoreCase, type StoreHarness, storeCases } from "./conformance/index.ts";
import { memoryStore } from "./memory-store.ts";
import { namespaced } from "./namespaced.ts";

const harnesses: Record<string, StoreHarness> = {
  memoryStore: { create: () => "", open: () => memoryStore(), inOrder: true },
  "memoryStore under a namespace": {
    create: () => "",
    open: () => namespaced(memoryStore(), "Staging é"),
    inOrder: true,
  },
};

describe.each(Object.entries(harnesses))("%s", (_, harness) => {
  for (const storeCase of storeCases.filter((one) => isApplicable(one, harness))) {
    test(storeCase.title, () => runStoreCase(storeCase, harness));
  }

  test("gives the results of the model for any sequence of operations", { timeout: 120_000 }, async () => {
    const codes = fc.array(fc.nat(), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(codes, (sequence) => checkSequence(harness, sequence)),
      { numRuns: 200 },
    );
  });
});
