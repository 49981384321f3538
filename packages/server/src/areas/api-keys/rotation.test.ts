import type { ApiKeyCreate } from "@assay/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const DAY = 24 * 3600 * 1000;
const UNKNOWN = "018f0000-0000-7000-8000-000000000000";
const rotate = (id: string, by: Pick<TestServer["admin"], "request"> = server.admin) =>
  by.request("POST /api-keys/{id}/rotate", { params: { id } });
const reads = (apiKey: string) => server.connect({ apiKey }).request("GET /feature-flags/");

test("a rotated key has a successor with the same rights and lifetime, and both are valid", async () => {
  const body: ApiKeyCreate = {
    ...{ name: "shop", description: "the shop's", kind: "CLIENT", scopes: ["read", "write"] },
    ...{ allowed_origins: ["https://shop.example"], rate_limit_per_minute: 500 },
    expires_at: new Date(server.now() + 10 * DAY).toISOString(),
  };
  const old = await server.admin.request("POST /api-keys", { body });
  server.advance(4 * DAY);
  const created = await rotate(old.id);
  expect(created).toMatchObject({
    ...body,
    expires_at: new Date(server.now() + 10 * DAY).toISOString(),
    replaces: old.id,
    last_used_at: null,
  });
  expect(created.key).not.toBe(old.key);
  const listed = await server.admin.request("GET /api-keys");
  expect(listed.map(({ id, replaces, is_active }) => [id, replaces, is_active])).toEqual([
    [created.id, old.id, true],
    [old.id, null, true],
  ]);
});

test("the old key works until it is revoked, and the trail has both steps", async () => {
  const old = await server.admin.request("POST /api-keys", { body: { name: "shop" } });
  const created = await rotate(old.id);
  await reads(old.key!);
  await reads(created.key!);
  await server.admin.request("DELETE /api-keys/{id}", { params: { id: old.id } });
  expect(await refusal(reads(old.key!))).toMatchObject({ status: 401 });
  await reads(created.key!);
  const { items } = await server.admin.request("GET /audit-logs", { query: { resource_type: "api_key" } });
  const steps = items.filter(({ action }) => ["api_key.rotate", "api_key.revoke"].includes(action));
  expect(steps).toMatchObject([
    { action: "api_key.revoke", resource_id: old.id },
    { action: "api_key.rotate", resource_id: created.id, new_value: { name: "shop", replaces: old.id } },
  ]);
  expect(JSON.stringify(items)).not.toContain(created.key!.split("_").slice(2).join("_"));
});

test("only active keys rotate", async () => {
  const old = await server.admin.request("POST /api-keys", { body: { name: "shop" } });
  await server.admin.request("DELETE /api-keys/{id}", { params: { id: old.id } });
  expect(await refusal(rotate(old.id))).toMatchObject({
    status: 409,
    detail: "The API key is revoked; create another one",
  });
  expect(await refusal(rotate(UNKNOWN))).toMatchObject({ status: 404 });
  expect(await refusal(rotate("shop"))).toMatchObject({ status: 422 });
});

test("DEVELOPER and ADMIN rotate keys, and only an ADMIN one with a rate limit of its own", async () => {
  const old = await server.admin.request("POST /api-keys", { body: { name: "shop" } });
  for (const role of ["VIEWER", "ANALYST"] as const) {
    expect(await refusal(rotate(old.id, await server.as(role)))).toMatchObject({
      status: 403,
      detail: "Not enough permissions: DEVELOPER required",
    });
  }
  expect(await refusal(rotate(old.id, await server.withKey(["admin"])))).toMatchObject({ status: 401 });
  const developer = await server.as("DEVELOPER");
  const { created_by } = await rotate(old.id, developer);
  expect(created_by).toBe(developer.user.id);
  const fast = await server.admin.request("POST /api-keys", { body: { name: "fast", rate_limit_per_minute: 9000 } });
  expect(await refusal(rotate(fast.id, developer))).toMatchObject({ status: 403 });
  expect(await rotate(fast.id)).toMatchObject({ rate_limit_per_minute: 9000 });
});
