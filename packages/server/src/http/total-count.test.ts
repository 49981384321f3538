import { afterEach, beforeEach, expect, test } from "vitest";
import { ADMIN, createTestServer, type TestServer } from "../testing.fixture.ts";

let server: TestServer;
let headers: Record<string, string>;
beforeEach(async () => {
  server = await createTestServer();
  const { json } = await server.send("POST", "/auth/login", { body: ADMIN });
  headers = { authorization: `Bearer ${json.access_token}` };
});
afterEach(() => server.assay.close());

const count = async (path: string) => {
  const { headers: answered, json } = await server.send("GET", path, { headers });
  return [answered.get("x-total-count"), (json.items ?? json).length];
};

test("lists and pages count all items in X-Total-Count", async () => {
  for (const key of ["a", "b", "c"]) {
    await server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE" } });
    await server.admin.request("POST /experiments/", { body: { key, name: key } });
    await server.admin.request("POST /segments", { body: { name: key } });
    await server.admin.request("POST /api-keys", { body: { name: key } });
    await server.as("VIEWER", `viewer-${key}`);
  }
  expect(await count("/feature-flags/?limit=2")).toEqual(["3", 2]);
  expect(await count("/feature-flags/?skip=2")).toEqual(["3", 1]);
  expect(await count("/feature-flags/?search=b")).toEqual(["1", 1]);
  expect(await count("/experiments/?limit=2")).toEqual(["3", 2]);
  expect(await count("/segments?limit=1")).toEqual(["3", 1]);
  expect(await count("/api-keys?limit=1")).toEqual(["3", 1]);
  expect(await count("/users/?limit=1")).toEqual(["4", 1]);
  expect(await count("/integrations")).toEqual(["0", 0]);
});

test("a list without pages counts its items, and one resource has no count", async () => {
  const { key } = await server.withKey(["read"]);
  const { headers: answered } = await server.send("GET", "/tracking/assignments/ada", {
    headers: { "x-api-key": key },
  });
  expect(answered.get("x-total-count")).toBe("0");
  expect((await server.send("GET", "/users/me", { headers })).headers.get("x-total-count")).toBeNull();
});
