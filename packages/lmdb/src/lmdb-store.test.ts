import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkSequence, isApplicable, runStoreCase, type StoreHarness, storeCases } from "@assay/store/conformance";
import fc from "fast-check";
import { describe, test } from "vitest";
import { damage } from "./damage.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";

const harness: StoreHarness = {
  create: () => mkdtemp(join(tmpdir(), "assay-lmdb-")),
  open: (path) => lmdbStore({ path }),
  remove: (path) => rm(path, { recursive: true }),
  damage,
  reopens: true,
  inOrder: true,
  multiProcess: true,
  child: { script: new URL("./lmdb-store.child.ts", import.meta.url) },
};

describe("lmdbStore", () => {
  for (const storeCase of storeCases.filter((one) => isApplicable(one, harness))) {
    test(storeCase.title, () => runStoreCase(storeCase, harness));
  }

  test("answers any sequence of operations as the model does", { timeout: 120_000 }, async () => {
    const codes = fc.array(fc.nat(), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(codes, (sequence) => checkSequence(harness, sequence)),
      { numRuns: 60 },
    );
  });
});
