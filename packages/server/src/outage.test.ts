import { memoryStore, type Store, StoreUnavailable } from "@assay/store";
import { afterEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "./testing.fixture.ts";

/** Creates a store that fails while `isDown`, like a database that goes away under a running server. */
function breakable(): Store & { isDown: boolean } {
  const inner = memoryStore();
  const state = { isDown: false };
  const fail = async (): Promise<never> => {
    throw new StoreUnavailable("connection refused");
  };
  return new Proxy(inner as Store & { isDown: boolean }, {
    get(target, name, receiver) {
      if (name === "isDown") return state.isDown;
      const value = Reflect.get(target, name, receiver);
      if (typeof value !== "function" || name === "close" || name === "quarantined") return value;
      return (...parameters: unknown[]) => (state.isDown ? fail() : value.apply(target, parameters));
    },
    set(_target, _name, value) {
      state.isDown = value;
      return true;
    },
  });
}

let server: TestServer;
afterEach(() => server.assay.close());

test("while the store is unavailable evaluation works, writes answer 503, and no data is lost", async () => {
  const store = breakable();
  server = await createTestServer({ storage: store });
  await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  const experiment = await server.admin.request("POST /experiments/", {
    body: { name: "E", status: "ACTIVE", variants: [{ key: "a" }, { key: "b" }] },
  });
  const client = await server.withKey(["read", "write", "admin"]);
  const evaluate = () =>
    client.request("POST /feature-flags/{key}/evaluate", { params: { key: "f" }, body: { user_id: "u" } });
  const track = (event_id: string) =>
    client.request("POST /tracking/track", {
      body: { user_id: "u", event_type: "purchase", event_id, experiment_id: experiment.id, variant_id: "a" },
    });
  await evaluate();

  store.isDown = true;
  expect((await evaluate()).value).toBe(true);
  expect((await client.request("GET /openfeature/flags")).flags).toHaveLength(1);
  expect(await client.request("GET /feature-flags/")).toHaveLength(1);
  for (const write of [
    () => client.request("POST /feature-flags/", { body: { key: "g", name: "G" } }),
    () => client.request("PATCH /feature-flags/{id}/rollout", { params: { id: "f" }, body: { rollout_percentage: 1 } }),
    () => track("one"),
  ]) {
    expect(await refusal(write())).toMatchObject({ status: 503, detail: "Storage is unavailable; try again shortly" });
  }
  const readyz = await server.assay.fetch(new Request("http://assay.test/readyz"));
  expect([readyz.status, readyz.headers.get("retry-after")]).toEqual([503, "5"]);

  store.isDown = false;
  expect(await track("one")).toMatchObject({ duplicate: false });
  expect(await track("one")).toMatchObject({ duplicate: true });
  await client.request("POST /feature-flags/", { body: { key: "g", name: "G" } });
  expect(
    (await client.request("GET /results/{experiment_id}", { params: { experiment_id: experiment.id } })).sample_size
      .control,
  ).toBe(1);
});

test("a store that cannot be opened gives 503 on every route and a rejected ready", async () => {
  const store = breakable();
  store.isDown = true;
  server = await createTestServer({ storage: memoryStore() });
  const { createAssay, silentLogger } = await import("./index.ts");
  const broken = createAssay({ storage: store, logger: silentLogger });
  await expect(broken.ready).rejects.toThrow("connection refused");
  expect((await broken.fetch(new Request("http://assay.test/api/v1/users/me"))).status).toBe(503);
  await broken.close();
});
