import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Reader = Pick<TestServer["admin"], "request">;
const create = (key: string, body: object = {}, client: Reader = server.admin) =>
  client.request("POST /feature-flags/", { body: { key, name: key, ...body } });
const list = (query: object = {}, client: Reader = server.admin) => client.request("GET /feature-flags/", { query });
const keys = async (query: object, client?: Reader) => (await list(query, client)).map(({ key }) => key);

describe("a list of flags is filtered by", () => {
  test("a tag, exactly", async () => {
    await create("a", { tags: ["checkout", "web"] });
    await create("b", { tags: ["check"] });
    expect(await keys({ tag: "checkout" })).toEqual(["a"]);
    expect(await keys({ tag: "check" })).toEqual(["b"]);
    expect(await keys({ tag: "none" })).toEqual([]);
  });

  test("the user who created them", async () => {
    const developer = await server.as("DEVELOPER");
    await create("theirs", {}, developer);
    await create("mine");
    expect(await keys({ owner_id: developer.user.id })).toEqual(["theirs"]);
  });

  test("an experiment by id or key, unless the reader may not see it", async () => {
    await create("bound");
    await create("free");
    const body = { key: "exp", name: "Exp", feature_flag_key: "bound", experiment_type: "FEATURE_FLAG" } as const;
    const { id } = await server.admin.request("POST /experiments/", { body });
    for (const experiment_id of [id, "exp"]) expect(await keys({ experiment_id })).toEqual(["bound"]);
    expect(await keys({ experiment_id: "unknown" })).toEqual([]);
    expect(await keys({ experiment_id: "exp" }, await server.as("VIEWER"))).toEqual([]);
  });
});

describe("a list of flags is sorted", () => {
  beforeEach(async () => {
    await create("b", { name: "apple", status: "ACTIVE" });
    server.advance(1000);
    await create("C", { name: "Cherry", status: "ACTIVE" });
    server.advance(1000);
    await create("a", { name: "Banana", status: "ACTIVE" });
  });

  test.each([
    [undefined, ["a", "C", "b"]],
    ["created_at", ["b", "C", "a"]],
    ["-created_at", ["a", "C", "b"]],
    ["key", ["a", "b", "C"]],
    ["-key", ["C", "b", "a"]],
    ["name", ["b", "a", "C"]],
    ["-name", ["C", "a", "b"]],
  ])("by %s", async (sort, expected) => {
    expect(await keys({ sort })).toEqual(expected);
  });

  test("by the last change and the last evaluation, never evaluated ones first", async () => {
    server.advance(60_000);
    await server.admin.request("PATCH /feature-flags/{id}", { params: { id: "C" }, body: { description: "new" } });
    expect(await keys({ sort: "-updated_at" })).toEqual(["C", "a", "b"]);
    server.assay.engine.evaluate("C", { targetingKey: "u" }, false);
    server.advance(120_000);
    server.assay.engine.evaluate("b", { targetingKey: "u" }, false);
    expect(await keys({ sort: "last_evaluated_at" })).toEqual(["a", "C", "b"]);
    expect(await keys({ sort: "-last_evaluated_at" })).toEqual(["b", "C", "a"]);
  });

  test("by no other field", async () => {
    expect(await refusal(list({ sort: "status" }))).toMatchObject({ status: 422 });
  });
});

describe("a summary", () => {
  test("has the rollout, the tags and the last change with its author", async () => {
    const { user, ...developer } = await server.as("DEVELOPER", "grace");
    const created = await create("flag", { tags: ["web"], rollout_percentage: 25 }, developer);
    expect(await list()).toMatchObject([
      {
        rollout_percentage: 25,
        tags: ["web"],
        last_changed_at: created.updated_at,
        last_changed_by: { id: user.id, name: "grace" },
      },
    ]);
    server.advance(1000);
    await server.admin.request("PUT /users/{user_id}", {
      params: { user_id: user.id },
      body: { full_name: "Grace H" },
    });
    expect(await list()).toMatchObject([{ last_changed_by: { name: "Grace H" } }]);
    const key = await server.withKey(["write"], { name: "deployer" });
    const body = { rollout_percentage: 50 };
    await key.request("PATCH /feature-flags/{id}/rollout", { params: { id: "flag" }, body });
    expect(await list()).toMatchObject([
      { last_changed_at: new Date(server.now()).toISOString(), last_changed_by: { id: key.id, name: "deployer" } },
    ]);
  });

  test("does not count the author as a change in the history", async () => {
    await create("flag");
    await server.admin.request("PATCH /feature-flags/{id}", { params: { id: "flag" }, body: { description: "x" } });
    const { items } = await server.admin.request("GET /feature-flags/{id}/history", { params: { id: "flag" } });
    expect(items[0]!.diff).toMatchObject([{ op: "REPLACE", new_value: "x" }]);
    expect(JSON.stringify(items)).not.toContain("changed_by");
  });

  test("shows e-mail addresses in names only to ADMIN, and no names to API keys", async () => {
    const email = "ada@example.org";
    const body = { username: email, email, password: "a-password-of-tests", role: "DEVELOPER" } as const;
    await server.admin.request("POST /users/", { body });
    await create("flag", {}, server.connect({ username: email, password: body.password }));
    const nameFor = async (client: Reader) => (await list({}, client))[0]!.last_changed_by!.name;
    expect(await nameFor(server.admin)).toBe(email);
    expect(await nameFor(await server.as("DEVELOPER"))).toBe("[hidden]");
    expect(await nameFor(await server.withKey(["read"]))).toBeNull();
  });
});
