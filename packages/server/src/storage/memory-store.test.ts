import { describe, test } from "vitest";
import { isApplicable, runStoreCase, type StoreHarness, storeCases } from "./conformance/index.ts";
import { memoryStore } from "./memory-store.ts";
import { namespaced } from "./namespaced.ts";

const harnesses: Record<string, StoreHarness> = {
  memoryStore: { create: () => "", open: () => memoryStore() },
  "memoryStore under a namespace": { create: () => "", open: () => namespaced(memoryStore(), "Staging é") },
};

describe.each(Object.entries(harnesses))("%s", (_, harness) => {
  for (const storeCase of storeCases) {
    test.runIf(isApplicable(storeCase, harness))(storeCase.title, () => runStoreCase(storeCase, harness));
  }
});
