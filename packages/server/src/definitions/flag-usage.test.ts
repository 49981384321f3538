import { expect, test } from "vitest";
import { createTestServer } from "../testing.fixture.ts";

test("a host evaluates with the server's engine, and cannot replace its definitions", async () => {
  const { assay, admin } = await createTestServer();
  await admin.request("POST /feature-flags/", { body: { key: "a", name: "A", status: "ACTIVE" } });
  expect(assay.engine.evaluate("a", { targetingKey: "u" }, null)).toMatchObject({ enabled: true });
  // @ts-expect-error The engine of a server has no `update`: its definitions come from the store.
  expect(assay.engine.update).toBeUndefined();
  await assay.close();
});
