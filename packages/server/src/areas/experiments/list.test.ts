import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Reader = Pick<TestServer["admin"], "request">;
const create = (key: string, body: object = {}, client: Reader = server.admin) =>
  client.request("POST /experiments/", { body: { key, name: key, ...body } });
const keys = async (query: object) =>
  (await server.admin.request("GET /experiments/", { query })).items.map(({ key }) => key);

test("is filtered by the user who created them", async () => {
  const developer = await server.as("DEVELOPER");
  await create("theirs", {}, developer);
  await create("mine");
  expect(await keys({ owner_id: developer.user.id })).toEqual(["theirs"]);
});

test("is filtered by the flag, by id or key", async () => {
  const { id } = await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
  await create("on-flag", { feature_flag_key: "f", experiment_type: "FEATURE_FLAG" });
  await create("alone");
  for (const flag of ["f", id]) expect(await keys({ flag })).toEqual(["on-flag"]);
  expect(await keys({ flag: "unknown" })).toEqual([]);
});

test.each([
  ["key", ["a", "B", "c"]],
  ["-key", ["c", "B", "a"]],
  ["name", ["c", "a", "B"]],
  ["created_at", ["c", "a", "B"]],
  ["-created_at", ["B", "a", "c"]],
])("is sorted by %s, before sort_by", async (sort, expected) => {
  await create("c", { name: "first" });
  server.advance(1000);
  await create("a", { name: "Second" });
  server.advance(1000);
  await create("B", { name: "third" });
  expect(await keys({ sort, sort_by: "status", sort_order: "asc" })).toEqual(expected);
});

test("is sorted by no other field", async () => {
  expect(await refusal(keys({ sort: "hypothesis" }))).toMatchObject({ status: 422 });
});
