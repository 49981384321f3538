import { createEngine, type Definitions } from "@assay/core";
import { StoreUnavailable } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

type Client = Awaited<ReturnType<TestServer["withKey"]>>;

const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);
const experiment_id = "trial";

let server: TestServer;
let key: Client;
beforeEach(async () => {
  server = await createTestServer();
  key = await server.withKey(["read", "write"]);
});
afterEach(() => server.assay.close());

const flag = (body: object = {}) =>
  server.admin.request("POST /feature-flags/", {
    body: { key: "f", name: "F", status: "ACTIVE", rollout_percentage: 50, client_side: true, ...body },
  });
const run = (body: object = { feature_flag_key: "f" }) =>
  server.admin.request("POST /experiments/", { body: { key: "trial", name: "Trial", status: "ACTIVE", ...body } });
const complete = (winner?: string, client = server.admin) =>
  client.request("POST /experiments/{experiment_id}/complete", {
    params: { experiment_id },
    body: winner === undefined ? {} : { winner },
  });
const assign = (user_id: string, peek = false) =>
  key.request("POST /tracking/assign", { body: { experiment_key: "trial", user_id }, query: { peek } });
const assignAll = (peek = false, who = users) => Promise.all(who.map((user) => assign(user, peek)));
const armsOf = async (who = users) => new Set((await assignAll(false, who)).map(({ variant_key }) => variant_key));

/** Returns the values that users get, over HTTP and by local evaluation in the server and browser providers. */
async function served(): Promise<Set<string | null>> {
  const context = users.map((targetingKey) => ({ targetingKey }));
  const remote = await Promise.all(
    users.map((user_id) =>
      key.request("POST /feature-flags/{key}/evaluate", { params: { key: "f" }, body: { user_id } }),
    ),
  );
  const browser = await server.withKey(["read"], { kind: "CLIENT" });
  const fetched: Definitions[] = [];
  for (const client of [key, browser]) {
    fetched.push((await client.request("GET /openfeature/flags")) as unknown as Definitions);
  }
  const local = fetched.flatMap((definitions) => {
    const engine = createEngine(definitions, { now: server.now });
    return context.map((one) => engine.evaluate("f", one, null).variant);
  });
  return new Set([...remote.map(({ variant }) => variant as string | null), ...local]);
}

describe("assign and the flag both serve the winner to all users", () => {
  test.each(["on", "off"])("if it is %s of a boolean flag", async (winner) => {
    await flag();
    await run();
    expect((await armsOf()).size).toBe(2);
    await complete(winner);
    expect(await served()).toEqual(new Set([winner]));
    const late = ["late-1", "late-2", "late-3"];
    for (const answer of [...(await assignAll()), ...(await assignAll(true)), ...(await assignAll(false, late))]) {
      expect(answer).toMatchObject({
        variant_key: winner,
        assigned: false,
        reason: "NOT_RUNNING",
        configuration: winner === "on",
      });
    }
  });

  test("if it is a variant of the flag, with or without rules", async () => {
    const variants = ["a", "b", "c"].map((name) => ({ key: name, value: name }));
    const rules = [
      { id: "some", when: { attribute: "staff", operator: "EQUALS", value: true }, serve: { variant: "a" } },
    ];
    await flag({ value_type: "STRING", variants, rules, targeting_rules: { included_users: ["user-1"] } });
    await run();
    expect((await armsOf()).size).toBe(3);
    await complete("b");
    expect(await served()).toEqual(new Set(["b"]));
    expect(await armsOf()).toEqual(new Set(["b"]));
  });

  test("if the experiment has its own arms", async () => {
    await run({ variants: [{ key: "a" }, { key: "b", configuration: { color: "green" } }] });
    expect((await armsOf()).size).toBe(2);
    await complete("b");
    const answers = await assignAll(false, [...users, "late"]);
    const winner = { variant_key: "b", configuration: { color: "green" }, assigned: false, reason: "NOT_RUNNING" };
    for (const answer of answers) expect(answer).toMatchObject({ ...winner, assignment_date: null });
    const stored = await key.request("GET /tracking/assignments/{user_id}", {
      params: { user_id: "late" },
      query: { active_only: false },
    });
    expect(stored).toEqual([]);
  });

  test("after the experiment was archived", async () => {
    await flag();
    await run();
    await armsOf();
    await complete("off");
    await server.admin.request("POST /experiments/{experiment_id}/archive", { params: { experiment_id } });
    expect(await armsOf()).toEqual(new Set(["off"]));
  });
});

test("once an experiment is over, assign follows every change of the flag", async () => {
  await flag();
  await run();
  await armsOf();
  await complete("on");
  const params = { flag_id: "f" };
  await server.admin.request("POST /safety/rollback/{flag_id}", { params });
  expect([await armsOf(), await served()]).toEqual([new Set(["off"]), new Set(["off"])]);
  const body = { rollout_percentage: 30 };
  await server.admin.request("PUT /feature-flags/{id}", { params: { id: "f" }, body });
  for (const { user_id, variant_key } of await assignAll()) {
    expect(variant_key).toBe(server.assay.engine.evaluate("f", { targetingKey: user_id }, false).variant);
  }
  expect((await armsOf()).size).toBe(2);
  await server.admin.request("PUT /feature-flags/{id}", { params: { id: "f" }, body: { status: "INACTIVE" } });
  expect(await armsOf()).toEqual(new Set(["off"]));
});

test("without a winner all users keep their arm", async () => {
  await run({ variants: [{ key: "a" }, { key: "b" }] });
  const before = await assignAll();
  await complete();
  expect(await assignAll()).toEqual(before);
  expect(await assign("late")).toMatchObject({ variant_key: "a", assigned: false, reason: "NOT_RUNNING" });
});

test("writes the completion and what the flag serves together, so that no node can stop in between", async () => {
  const storage = sharedStore();
  await server.assay.close();
  let isDead = false;
  const dying = await createTestServer({
    storage: {
      ...storage,
      async batch(operations) {
        if (isDead) throw new StoreUnavailable("The process is gone");
        const result = await storage.batch(operations);
        isDead = operations.some(
          (one) => one.type === "put" && one.key.startsWith("experiments/doc/") && (one.ifVersion ?? 0) > 0,
        );
        return result;
      },
    },
  });
  server = dying;
  await flag();
  await run();
  await complete("on").catch(() => {});
  await dying.assay.close().catch(() => {});
  server = await createTestServer({ storage });
  expect(await server.admin.request("GET /feature-flags/{id}", { params: { id: "f" } })).toMatchObject({
    rollout_percentage: 100,
  });
});

test("a node that has not received a change of the flag completes with the current flag", async () => {
  const storage = sharedStore();
  await server.assay.close();
  server = await createTestServer({ storage });
  await flag();
  await run();
  const other = await createTestServer({ storage: { ...storage, subscribe: async () => async () => {} } });
  await server.admin.request("PUT /feature-flags/{id}", { params: { id: "f" }, body: { name: "Renamed" } });
  expect(await complete("on", other.admin)).toMatchObject({ status: "COMPLETED", winner: "on" });
  const after = await other.admin.request("GET /feature-flags/{id}", { params: { id: "f" } });
  expect(after).toMatchObject({ name: "Renamed", rollout_percentage: 100 });
  await other.assay.close();
});
