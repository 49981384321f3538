import { randomUUID } from "node:crypto";
import { checkSequence, isApplicable, runStoreCase, type StoreHarness, storeCases } from "@assay/store/conformance";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFixture } from "./redis-store.fixture.ts";
import { IS_INSTALLED, type Server, startServer } from "./server.fixture.ts";

let server: Server;

const harness: StoreHarness = {
  create: () => `${server.url} test-${randomUUID().slice(0, 20)}`,
  open: openFixture,
  reopens: true,
  multiProcess: true,
  child: { script: new URL("./redis-store.child.ts", import.meta.url) },
};

test("CI has Redis installed", () => {
  if (process.env.CI === "true") expect(IS_INSTALLED).toBe(true);
});

describe.skipIf(!IS_INSTALLED)("redisStore", () => {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());

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
