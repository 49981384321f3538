import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

async function get(headers: Record<string, string>) {
  const response = await server.assay.fetch(new Request(`${ORIGIN}/openfeature/v0/manifest`, { headers }));
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const create = (key: string, body: object) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: `The ${key}`, ...body } });

test("the manifest has the type and default of every flag, as the OpenFeature CLI reads them", async () => {
  const values = (...list: unknown[]) => ({ variants: list.map((value, index) => ({ key: `v${index}`, value })) });
  await create("switch", { description: "On or off" });
  await create("greeting", { ...values("hello", "hi"), default_value: "hello" });
  await create("limit", values(1, 2));
  await create("ratio", values(1, 2.5));
  await create("theme", values({ dark: true }));
  await create("old", { status: "ACTIVE" });
  await server.admin.request("PUT /feature-flags/{id}", { params: { id: "old" }, body: { status: "ARCHIVED" } });
  const { key } = await server.withKey(["read"]);
  const { status, headers, json } = await get({ authorization: `Bearer ${key}` });
  expect([status, headers.get("x-manifest-capabilities")]).toEqual([200, "read"]);
  const flag = (key: string, type: string, defaultValue: unknown, description = "") => ({
    key,
    name: `The ${key}`,
    description,
    type,
    defaultValue,
  });
  expect(json).toEqual({
    flags: [
      flag("greeting", "string", "hello"),
      flag("limit", "integer", 0),
      flag("ratio", "float", 0),
      flag("switch", "boolean", false, "On or off"),
      flag("theme", "object", {}),
    ],
  });
  expect((await get({ "x-api-key": key })).json).toEqual(json);
});

test("it is for SERVER keys that may read", async () => {
  expect(await get({})).toMatchObject({ status: 401, json: { error: { message: "Not authenticated", status: 401 } } });
  const client = await server.withKey(["read"], { kind: "CLIENT" });
  expect((await get({ "x-api-key": client.key })).status).toBe(403);
  const writer = await server.withKey(["write"]);
  expect((await get({ "x-api-key": writer.key })).status).toBe(403);
});
