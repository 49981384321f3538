import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Reader = Pick<TestServer["admin"], "request">;
const find = async (q: string, query: object = {}, client: Reader = server.admin) =>
  (await client.request("GET /search", { query: { q, ...query } })).results;
const flag = (key: string, name: string) => server.admin.request("POST /feature-flags/", { body: { key, name } });

test("finds flags, experiments, segments and people by key or name, in any letter case", async () => {
  const { id } = await flag("new-checkout", "Basket");
  const experiment = await server.admin.request("POST /experiments/", { body: { key: "x", name: "Checkout colours" } });
  const segment = await server.admin.request("POST /segments", { body: { name: "checkout testers" } });
  const { user } = await server.as("DEVELOPER", "checkout-owner");
  await flag("other", "Other");
  const found = await find("CHECKOUT");
  expect(found).toHaveLength(4);
  expect(found).toEqual(
    expect.arrayContaining([
      { type: "flag", id, key: "new-checkout", name: "Basket" },
      { type: "experiment", id: experiment.id, key: "x", name: "Checkout colours" },
      { type: "segment", id: segment.id, key: "checkout testers", name: "checkout testers" },
      { type: "person", id: user.id, key: "checkout-owner", name: "checkout-owner" },
    ]),
  );
  expect(await find("nothing")).toEqual([]);
});

test("exact matches come first, then beginnings, and the list is limited", async () => {
  await flag("my-web", "c");
  await flag("web-shop", "b");
  await flag("web", "a");
  expect((await find("web")).map(({ key }) => key)).toEqual(["web", "web-shop", "my-web"]);
  expect((await find("web", { limit: 2 })).map(({ key }) => key)).toEqual(["web", "web-shop"]);
});

test("finds only what the caller may see", async () => {
  await server.admin.request("POST /experiments/", { body: { key: "secret-plan", name: "Plan" } });
  const viewer = await server.as("VIEWER", "viewer-plan");
  await server.as("ANALYST", "analyst-plan");
  expect((await find("plan", {}, viewer)).map(({ key }) => key)).toEqual(["viewer-plan"]);
  const analyst = await server.as("ANALYST", "other");
  expect((await find("plan", {}, analyst)).map(({ key }) => key)).toEqual(["secret-plan"]);
  expect((await find("plan")).map(({ key }) => key)).toEqual(["secret-plan", "viewer-plan", "analyst-plan"]);
});

test("rejects an empty text, a long list, keys and anonymous callers", async () => {
  expect(await refusal(find(" "))).toMatchObject({ status: 422 });
  expect(await refusal(find("x", { limit: 101 }))).toMatchObject({ status: 422 });
  expect(await refusal(find("x", {}, await server.withKey(["read", "admin"])))).toMatchObject({ status: 401 });
  expect(await refusal(find("x", {}, server.anonymous))).toMatchObject({ status: 401 });
});
