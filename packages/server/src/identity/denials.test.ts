import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const denied = async () =>
  (await server.admin.request("GET /audit-logs", { query: { action: "access.denied" } })).items.reverse();
const isDenied = { status: 403 };

describe("the audit trail contains a denied request", () => {
  test("with who tried what, and the missing right", async () => {
    const { user, ...viewer } = await server.as("VIEWER");
    expect(await refusal(viewer.request("POST /experiments/", { body: { name: "A" } }))).toMatchObject(isDenied);
    const key = await server.withKey(["read"]);
    expect(await refusal(key.request("POST /feature-flags/", { body: { key: "f", name: "F" } }))).toMatchObject(
      isDenied,
    );
    expect(await denied()).toMatchObject([
      {
        actor_type: "USER",
        actor_id: user.id,
        resource_type: "operation",
        resource_id: "experiments.create",
        new_value: { detail: "Not enough permissions: DEVELOPER required" },
        request_id: expect.any(String),
      },
      {
        actor_type: "API_KEY",
        actor_id: key.id,
        resource_id: "featureFlags.create",
        new_value: { detail: "Not enough permissions: scope admin required" },
      },
    ]);
    const { items } = await server.admin.request("GET /compliance/audit-events", {
      query: { action: "access.denied" },
    });
    expect(items.map(({ outcome }) => outcome)).toEqual(["FAILURE", "FAILURE"]);
  });

  test("of a caller who is not the owner, also with an idempotency key", async () => {
    const developer = await server.as("DEVELOPER");
    await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
    const [params, body] = [{ id: "f" }, { name: "G" }];
    expect(await refusal(developer.request("PUT /feature-flags/{id}", { params, body }))).toMatchObject(isDenied);
    const key = await server.withKey(["admin"]);
    const { status } = await server.send("POST", "/users/", {
      headers: { "x-api-key": key.key, "idempotency-key": "once" },
      body: { username: "sue", email: "sue@example.org", password: "long enough", is_superuser: true },
    });
    expect(status).toBe(403);
    expect((await denied()).map(({ resource_id, new_value }) => [resource_id, new_value])).toEqual([
      ["featureFlags.update", { detail: 'Not enough permissions: owner or ADMIN required for feature flag "f"' }],
      ["users.create", { detail: "Not enough permissions: superuser required" }],
    ]);
  });

  test("on the routes of another protocol", async () => {
    const key = await server.withKey(["write"]);
    const { status } = await server.send("POST", "/ofrep/v1/evaluate/flags", {
      headers: { "x-api-key": key.key },
      body: { context: { targetingKey: "u" } },
    });
    expect(status).toBe(403);
    expect(await denied()).toMatchObject([{ actor_id: key.id, resource_id: "ofrep.evaluateAll" }]);
  });

  test("once for each caller, operation and minute, and the others as a count", async () => {
    const [viewer, other] = [await server.as("VIEWER", "one"), await server.as("VIEWER", "other")];
    const attempt = (who: typeof viewer) => refusal(who.request("POST /experiments/", { body: { name: "A" } }));
    for (let index = 0; index < 4; index++) await attempt(viewer);
    await attempt(other);
    await refusal(viewer.request("GET /holdout/all"));
    expect((await denied()).map(({ actor_id, resource_id }) => [actor_id, resource_id])).toEqual([
      [viewer.user.id, "experiments.create"],
      [other.user.id, "experiments.create"],
      [viewer.user.id, "holdout.list"],
    ]);
    const since = new Date(server.now()).toISOString();
    server.advance(60_000);
    await attempt(viewer);
    expect((await denied()).slice(3)).toMatchObject([
      { actor_id: viewer.user.id, resource_id: "experiments.create", new_value: { count: 3, from: since } },
      { actor_id: viewer.user.id, resource_id: "experiments.create", new_value: { detail: expect.any(String) } },
    ]);
  });
});

test("but not a VIEWER's request for a draft, or a request without credentials", async () => {
  const viewer = await server.as("VIEWER");
  const { id: experiment_id } = await server.admin.request("POST /experiments/", { body: { name: "A" } });
  expect(
    await refusal(viewer.request("GET /experiments/{experiment_id}", { params: { experiment_id } })),
  ).toMatchObject({ status: 404 });
  expect((await server.send("GET", "/users/me", { headers: {} })).status).toBe(401);
  expect(await denied()).toEqual([]);
});
