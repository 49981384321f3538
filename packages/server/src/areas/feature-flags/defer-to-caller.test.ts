import { expect, test } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";

test("a boolean flag that defers answers no value where nothing is drawn, until it no longer defers", async () => {
  const { admin, assay } = await createTestServer();
  const params = { id: "banner" };
  const body = {
    key: "banner",
    name: "Banner",
    status: "ACTIVE",
    rollout_percentage: 0,
    defer_to_caller: true,
  } as const;
  expect(await admin.request("POST /feature-flags/", { body })).toMatchObject({ defer_to_caller: true });
  const { key: apiKey } = await admin.request("POST /api-keys", { body: { name: "server" } });
  const ofrep = async () => {
    const request = new Request("http://assay.test/ofrep/v1/evaluate/flags/banner", {
      method: "POST",
      headers: { "x-api-key": apiKey!, "content-type": "application/json" },
      body: JSON.stringify({ context: {} }),
    });
    return (await assay.fetch(request)).json() as Promise<object>;
  };
  expect(await ofrep()).toMatchObject({ reason: "UNKNOWN", metadata: { evaluationReason: "DEFAULT" } });
  expect(await ofrep()).not.toHaveProperty("value");
  const changed = await admin.request("PUT /feature-flags/{id}", { params, body: { defer_to_caller: false } });
  expect(changed.defer_to_caller).toBe(false);
  expect(await ofrep()).toMatchObject({ value: false, variant: "off" });
  await assay.close();
});

test.each(["STRING", "NUMBER", "OBJECT"] as const)("only boolean flags can defer: %s", async (value_type) => {
  const { admin, assay } = await createTestServer();
  const variants = [{ key: "a", value: { STRING: "a", NUMBER: 1, OBJECT: {} }[value_type] }];
  const body = { key: "text", name: "Text", value_type, variants, defer_to_caller: true };
  await expect(admin.request("POST /feature-flags/", { body })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining("Only for boolean flags"),
  });
  await assay.close();
});
