import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

async function entryOf(action: string) {
  const { items } = await server.admin.request("GET /audit-logs", { query: { action } });
  expect(items).toHaveLength(1);
  return items[0]!;
}

test("the trail records the test of a warehouse connection, stored or not, and its result", async () => {
  const developer = await server.as("DEVELOPER");
  const body = { type: "POSTGRES", host: "127.0.0.1", database: "d", username: "u", password: "hunter2" } as const;
  const { success } = await developer.request("POST /warehouse/connections/test", { body });
  expect(success).toBe(false);
  const entry = await entryOf("warehouse_connection.test");
  expect(entry).toMatchObject({
    actor_id: developer.user.id,
    resource_id: null,
    new_value: { success: false, type: "POSTGRES", host: "127.0.0.1", database: "d" },
  });
  expect(JSON.stringify(entry)).not.toContain("hunter2");
});

test("the trail records the test of an integration, and its result", async () => {
  const developer = await server.as("DEVELOPER");
  const config = { base_url: "https://127.0.0.1:9", username: "bot", api_token: "t", allow_unsigned: true };
  const { id } = await developer.request("POST /integrations", {
    body: { name: "Tracker", integration_type: "TRACKER", description: "", config },
  });
  await developer.request("POST /integrations/{id}/test", { params: { id } });
  expect(await entryOf("integration.test")).toMatchObject({
    actor_id: developer.user.id,
    resource_id: id,
    resource_name: "Tracker",
    new_value: { success: false },
  });
});

test("the trail records a join of two ids once, by the key, with hashes instead of the ids", async () => {
  const key = await server.withKey(["write"]);
  const body = { anonymous_id: "phone-17", user_id: "ada" };
  for (let repeat = 0; repeat < 2; repeat++) await key.request("POST /tracking/identify", { body });
  const entry = await entryOf("person.identify");
  expect(entry).toMatchObject({
    actor_type: "API_KEY",
    actor_id: key.id,
    resource_type: "person",
    resource_id: hashOf("ada"),
    new_value: { anonymous: hashOf("phone-17") },
  });
  expect(JSON.stringify(entry)).not.toMatch(/phone-17|"ada"/);
});
