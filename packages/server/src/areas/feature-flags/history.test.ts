import { memoryStore, type Store } from "@assay/store";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { toDifferences } from "./difference.ts";

describe("the history of a flag", () => {
  let storage: Store;
  let server: TestServer;
  beforeEach(async () => {
    storage = { ...memoryStore(), close: async () => {} };
    server = await createTestServer({ storage });
  });
  afterEach(() => server.assay.close());

  const create = (key: string) => server.admin.request("POST /feature-flags/", { body: { key, name: "A flag" } });
  const update = (id: string, body: object) =>
    server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: body as never });
  const history = (id: string, query: object = {}, client: TestServer["admin"] = server.admin) =>
    client.request("GET /feature-flags/{id}/history", { params: { id }, query });

  test("lists who changed what, when and why, newest first, by id or key", async () => {
    const { id, created_by } = await create("a");
    server.advance(1000);
    await update("a", { targeting_rules: { countries: ["DE"] }, reason: "Germany first" });
    server.advance(1000);
    await update("a", { targeting_rules: { countries: ["AT"] }, rollout_percentage: 20 });
    const answer = await history("a");
    expect(answer).toMatchObject({ total: 3, skip: 0, limit: 100 });
    expect(answer.items[0]).toEqual({
      id: expect.any(String),
      timestamp: "2026-03-01T12:00:02.000Z",
      actor_id: created_by,
      actor_type: "USER",
      action: "feature_flag.update",
      old_value: { targeting_rules: { countries: ["DE"] }, rollout_percentage: 100 },
      new_value: { targeting_rules: { countries: ["AT"] }, rollout_percentage: 20 },
      diff: [
        { path: "/rollout_percentage", op: "REPLACE", old_value: 100, new_value: 20 },
        { path: "/targeting_rules/countries/0", op: "REPLACE", old_value: "DE", new_value: "AT" },
      ],
      reason: null,
    });
    expect(answer.items[1]).toMatchObject({ reason: "Germany first", action: "feature_flag.update" });
    expect(answer.items[2]).toMatchObject({ action: "feature_flag.create", old_value: null });
    expect(await history(id)).toEqual(answer);
    expect((await history("a", { skip: 1, limit: 1 })).items).toEqual([answer.items[1]]);
  });

  test("contains one flag only", async () => {
    await create("a");
    await create("b");
    expect((await history("a")).total).toBe(1);
  });

  test("outlives the flag under its id; its key belongs to the next flag", async () => {
    const { id } = await create("a");
    await server.admin.request("DELETE /feature-flags/{id}", { params: { id } });
    expect(await refusal(history("a"))).toMatchObject({ status: 404 });
    const { items } = await history(id);
    expect(items.map(({ action }) => action)).toEqual(["feature_flag.delete", "feature_flag.create"]);
    expect(items[0]).toMatchObject({ new_value: null, old_value: { key: "a" } });
    await create("a");
    expect((await history("a")).total).toBe(1);
  });

  test("survives a restart", async () => {
    await create("a");
    await server.assay.close();
    server = await createTestServer({ storage });
    expect((await history("a")).total).toBe(1);
  });

  test("requires ANALYST or above", async () => {
    await create("a");
    expect(await refusal(history("a", {}, await server.as("VIEWER")))).toMatchObject({
      status: 403,
      detail: "Not enough permissions: ANALYST required",
    });
    expect((await history("a", {}, await server.as("ANALYST"))).total).toBe(1);
  });
});

describe("differences", () => {
  test("escape names as JSON Pointer does", () => {
    expect(toDifferences({ "a/b": { "~": 1 } }, { "a/b": { "~": 2 } })).toEqual([
      { path: "/a~1b/~0", op: "REPLACE", old_value: 1, new_value: 2 },
    ]);
  });

  test("replace a grown list as a whole, and list additions and removals", () => {
    expect(toDifferences({ tags: ["a"], gone: 1 }, { tags: ["a", "b"], come: 2 })).toEqual([
      { path: "/tags", op: "REPLACE", old_value: ["a"], new_value: ["a", "b"] },
      { path: "/gone", op: "REMOVE", old_value: 1, new_value: null },
      { path: "/come", op: "ADD", old_value: null, new_value: 2 },
    ]);
  });

  test("applied to the old value give the new one", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (old, next) => {
        expect(apply(old, toDifferences(old as never, next as never))).toEqual(next);
      }),
    );
  });
});

function apply(old: unknown, differences: ReturnType<typeof toDifferences>): unknown {
  const root = { "": structuredClone(old) } as Record<string, unknown>;
  for (const { path, op, new_value } of differences) {
    const names = path.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop()!;
    const parent = names.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, root);
    if (op === "REMOVE") delete parent[last];
    else
      Object.defineProperty(parent, last, { value: new_value, enumerable: true, writable: true, configurable: true });
  }
  return root[""];
}
