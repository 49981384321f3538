import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { memoryStore } from "@assay/store";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createFolder, perform } from "./areas/etl/etl.fixture.ts";
import { createAssay } from "./create.ts";
import type { AssayOptions } from "./options.ts";
import { sharedStore } from "./storage/shared-store.fixture.ts";
import { ADMIN, createTestServer, ORIGIN, refusal, type TestServer } from "./testing.fixture.ts";

const environments = ["production", "staging"];
const servers: TestServer[] = [];
afterEach(async () => {
  for (const { assay } of servers.splice(0)) await assay.close();
});

/** Starts a server with two environments, and clients of the administrator in each. */
async function start(options: AssayOptions = {}) {
  const server = await createTestServer({ environments, ...options });
  servers.push(server);
  const within = (environment: string, credentials: object = ADMIN) => server.connect({ ...credentials, environment });
  return { ...server, within, production: within("production"), staging: within("staging") };
}

const flag = (key: string) => ({ body: { key, name: key, status: "ACTIVE", rollout_percentage: 100 } as const });
const keyOf = async (client: TestServer["admin"], body: object = {}) =>
  client.request("POST /api-keys", { body: { name: "k", scopes: ["read", "write"], ...body } });
const keysIn = async (client: TestServer["admin"]) =>
  (await client.request("GET /feature-flags/")).map(({ key }) => key);
const NOWHERE = (name: string) => ({ status: 400, detail: `X-Assay-Environment: there is no environment "${name}"` });

describe("the environment of a request", () => {
  test("is the one that the header names, and the first without it", async () => {
    const { admin, production, staging } = await start();
    await staging.request("POST /feature-flags/", flag("new"));
    expect([await keysIn(admin), await keysIn(production), await keysIn(staging)]).toEqual([[], [], ["new"]]);
    await production.request("POST /feature-flags/", flag("old"));
    expect([await keysIn(admin), await keysIn(production), await keysIn(staging)]).toEqual([["old"], ["old"], ["new"]]);
  });

  test("must exist", async () => {
    const { within, anonymous, send } = await start();
    for (const name of ["stagin", "Staging", "staging,production"]) {
      expect(await refusal(within(name).request("GET /feature-flags/"))).toMatchObject(NOWHERE(name));
    }
    const { status, headers } = await send("GET", "/feature-flags/", {
      headers: { "x-assay-environment": "x".repeat(1000), "x-request-id": "mine" },
    });
    expect([status, headers.get("x-request-id")]).toEqual([400, "mine"]);
    expect(await refusal(anonymous.request("GET /feature-flags/"))).toMatchObject({ status: 401 });
  });

  test("of a server without environments is the one with its name, so that no request meant for another gets in", async () => {
    const { within } = await start({ environments: undefined });
    const { production } = await start({ environments: undefined, namespace: "production" });
    expect(await keysIn(within("default"))).toEqual([]);
    expect(await keysIn(production)).toEqual([]);
    expect(await refusal(within("staging").request("GET /feature-flags/"))).toMatchObject(NOWHERE("staging"));
  });

  test("is the one of its API key", async () => {
    const { connect, staging, within } = await start();
    await staging.request("POST /feature-flags/", flag("new"));
    const { key: apiKey } = await keyOf(staging);
    expect(await keysIn(connect({ apiKey }))).toEqual(["new"]);
    expect(await keysIn(within("staging", { apiKey }))).toEqual(["new"]);
    const refused = refusal(within("production", { apiKey }).request("GET /feature-flags/"));
    expect(await refused).toMatchObject({ status: 401, detail: "Invalid API key" });
  });

  test("of a key that another server created a moment ago is known", async () => {
    const storage = { ...sharedStore(), subscribe: async () => async () => {} };
    const [one, two] = [await start({ storage }), await start({ storage })];
    await one.staging.request("POST /feature-flags/", flag("new"));
    const { key: apiKey } = await keyOf(one.staging);
    expect(await keysIn(two.connect({ apiKey }))).toEqual(["new"]);
    expect(await refusal(keysIn(two.connect({ apiKey: `${apiKey}x` })))).toMatchObject({ status: 401 });
  });

  test("is the one of its stream token", async () => {
    const { assay, staging } = await start();
    const { key } = await keyOf(staging);
    const bulk = await assay.fetch(
      new Request(`${ORIGIN}/ofrep/v1/evaluate/flags`, {
        method: "POST",
        headers: { "x-api-key": key!, "content-type": "application/json" },
        body: JSON.stringify({ context: { targetingKey: "u" } }),
      }),
    );
    const { eventStreams } = await bulk.json();
    const stream = await assay.fetch(new Request(ORIGIN + eventStreams[0].endpoint.requestUri));
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await stream.body?.cancel();
  });

  test("is the one of its webhook", async () => {
    const { staging, send } = await start();
    const config = { base_url: "https://third.example", username: "bot", api_token: "t", allow_unsigned: true };
    const { id } = await staging.request("POST /integrations", {
      body: { name: "Tracker", integration_type: "TRACKER", description: "", config },
    });
    const sent = (to: string) => send("POST", `/integrations/${to}/webhook/tracker`, { body: { issue_key: "A-1" } });
    expect((await sent(id)).status).not.toBe(404);
    expect((await sent("018f0000-0000-7000-8000-000000000000")).status).toBe(404);
  });
});

test("GET /environments lists the environments, for signed-in people", async () => {
  const { staging, as, anonymous, connect, admin } = await start();
  const production = { name: "production", is_default: true, is_current: false, is_protected: false };
  const listed = [production, { name: "staging", is_default: false, is_current: true, is_protected: false }];
  expect(await staging.request("GET /environments")).toEqual(listed);
  expect(await (await as("VIEWER")).request("GET /environments")).toMatchObject([{ is_current: true }, {}]);
  expect(await refusal(anonymous.request("GET /environments"))).toMatchObject({ status: 401 });
  const { key: apiKey } = await keyOf(admin);
  expect(await refusal(connect({ apiKey }).request("GET /environments"))).toMatchObject({ status: 401 });
  const single = await start({ environments: undefined });
  const only = { name: "default", is_default: true, is_current: true, is_protected: false };
  expect(await single.admin.request("GET /environments")).toEqual([only]);
});

test("an evaluation uses the definitions of its environment, which names the flag set", async () => {
  const { staging, production, connect, assay } = await start();
  await staging.request("POST /feature-flags/", flag("checkout"));
  await production.request("POST /feature-flags/", { body: { key: "checkout", name: "Off" } });
  const ask = async (client: TestServer["admin"]) => {
    const { key: apiKey } = await keyOf(client);
    const body = { user_id: "u" };
    const { value } = await connect({ apiKey }).request("POST /feature-flags/{key}/evaluate", {
      params: { key: "checkout" },
      body,
    });
    return [value, (await connect({ apiKey }).request("GET /openfeature/flags")).flag_set_id];
  };
  expect(await ask(staging)).toEqual([true, "staging"]);
  expect(await ask(production)).toEqual([false, "production"]);
  const inProcess = (name: string) =>
    assay.environment(name).engine.evaluate("checkout", { targetingKey: "u" }, null).value;
  expect([inProcess("production"), inProcess("staging")]).toEqual([false, true]);
  expect(assay.engine.evaluate("checkout", { targetingKey: "u" }, null).value).toBe(false);
  expect(() => assay.environment("test")).toThrow('There is no environment "test"');
});

test("events and results are those of the environment", async () => {
  const { staging, production, connect, assay } = await start();
  const variants = [{ key: "a" }, { key: "b" }];
  const experiment = { body: { key: "x", name: "X", status: "ACTIVE", variants } as const };
  const counts = async (client: TestServer["admin"]) =>
    (await client.request("GET /counters/{experiment_id}", { params: { experiment_id: "x" } })).totals;
  for (const client of [staging, production]) await client.request("POST /experiments/", experiment);
  const { key: apiKey } = await keyOf(staging);
  const assign = { body: { experiment_key: "x", user_id: "u" } };
  await connect({ apiKey }).request("POST /tracking/assign", assign);
  const event = { event_type: "exposure", experiment_key: "x", user_id: "v", variant_key: "a" } as const;
  await assay.environment("staging").track(event);
  await expect.poll(() => counts(staging)).toEqual({ assignments: 1, events: 1, conversions: 0 });
  expect(await counts(production)).toEqual({ assignments: 0, events: 0, conversions: 0 });
});

describe("people", () => {
  test("are the same in every environment, and their sessions too", async () => {
    const { anonymous, connect, staging, within } = await start();
    const user = {
      username: "ada",
      email: "ada@example.org",
      password: "a-password-of-tests",
      role: "VIEWER",
    } as const;
    const { id } = await staging.request("POST /users/", { body: user });
    const { access_token: accessToken } = await anonymous.request("POST /auth/login", { body: user });
    const ada = { everywhere: connect({ accessToken }), inStaging: within("staging", { accessToken }) };
    expect(await ada.inStaging.request("GET /users/me")).toMatchObject({ id, role: "viewer" });
    expect(await refusal(ada.inStaging.request("POST /feature-flags/", flag("f")))).toMatchObject({ status: 403 });
    await staging.request("PATCH /admin/users/{user_id}", { params: { user_id: id }, body: { role: "DEVELOPER" } });
    await ada.everywhere.request("POST /feature-flags/", flag("f"));
    await ada.inStaging.request("POST /feature-flags/", flag("f"));
    await ada.inStaging.request("POST /auth/logout");
    for (const client of Object.values(ada)) {
      expect(await refusal(client.request("GET /users/me"))).toMatchObject({ status: 401 });
    }
  });

  test("have the same custom roles and grants in every environment", async () => {
    const { as, admin, within } = await start();
    const viewer = await as("VIEWER", "vera");
    const inStaging = within("staging", { username: "vera", password: "a-password-of-tests" });
    const grant = { resource: "segments", actions: ["CREATE"], expires_at: "2026-03-02", reason: "r" } as const;
    const segment = { body: { name: "s", user_ids: ["u"] } };
    expect(await refusal(inStaging.request("POST /segments", segment))).toMatchObject({ status: 403 });
    await admin.request("POST /users/{user_id}/grants", {
      params: { user_id: viewer.user.id },
      body: { ...grant, actions: [...grant.actions] },
    });
    await inStaging.request("POST /segments", segment);
  });

  test("lose the keys of all environments when they are removed", async () => {
    const { as, admin, staging, within, connect } = await start();
    const { user } = await as("DEVELOPER", "dev");
    const { key: apiKey } = await keyOf(within("staging", { username: "dev", password: "a-password-of-tests" }));
    await keysIn(connect({ apiKey }));
    await admin.request("DELETE /admin/users/{user_id}", { params: { user_id: user.id } });
    expect(await staging.request("GET /api-keys")).toMatchObject([{ is_active: false }]);
    expect(await refusal(keysIn(connect({ apiKey })))).toMatchObject({ status: 401 });
  });

  test("are in the audit trail of the first environment, and changes in that of theirs", async () => {
    const { staging, production } = await start();
    await staging.request("POST /roles", {
      body: { name: "helper", description: "", permissions: [{ resource: "segments", actions: ["CREATE"] }] },
    });
    await staging.request("POST /feature-flags/", flag("f"));
    const actions = async (client: TestServer["admin"]) =>
      (await client.request("GET /audit-logs", { query: { limit: 500 } })).items.map(({ action }) => action);
    expect(await actions(production)).toEqual(expect.arrayContaining(["auth.login", "role.create"]));
    expect(await actions(production)).not.toContain("feature_flag.create");
    expect(await actions(staging)).toContain("feature_flag.create");
    expect(await actions(staging)).not.toContain("role.create");
  });

  test("share one rate limit over all environments", async () => {
    const { anonymous, within } = await start({ rateLimit: { admin: 3 } });
    const { access_token: accessToken } = await anonymous.request("POST /auth/login", { body: ADMIN });
    const left = async (name: string) =>
      (await within(name, { accessToken }).raw("GET /admin/users")).headers.get("ratelimit-remaining");
    expect([await left("staging"), await left("production")]).toEqual(["2", "1"]);
  });
});

describe("the data", () => {
  const kept = () => ({ ...memoryStore(), close: async () => {} });

  test("stays after a restart", async () => {
    const storage = kept();
    const before = await start({ storage });
    await before.staging.request("POST /feature-flags/", flag("new"));
    const { key: apiKey } = await keyOf(before.staging);
    await servers.pop()!.assay.close();
    const after = await start({ storage });
    expect(await keysIn(after.connect({ apiKey }))).toEqual(["new"]);
    expect([await keysIn(after.production), await keysIn(after.staging)]).toEqual([[], ["new"]]);
  });

  test("of a server without environments becomes that of the first, and back", async () => {
    const storage = kept();
    const run = async (options: AssayOptions) => {
      const server = await start({ storage, ...options });
      const keys = await keysIn(server.admin);
      if (keys.length === 0) await server.admin.request("POST /feature-flags/", flag("old"));
      await servers.pop()!.assay.close();
      return keys;
    };
    expect(await run({ environments: undefined })).toEqual([]);
    expect(await run({})).toEqual(["old"]);
    expect(await run({ environments: undefined })).toEqual(["old"]);
  });

  test("of servers with namespaces becomes that of the environments with the same names", async () => {
    const storage = kept();
    for (const namespace of environments) {
      const { admin } = await start({ storage, environments: undefined, namespace });
      await admin.request("POST /feature-flags/", flag(`of-${namespace}`));
      await servers.pop()!.assay.close();
    }
    const { production, staging } = await start({ storage, namespace: "production" });
    expect([await keysIn(production), await keysIn(staging)]).toEqual([["of-production"], ["of-staging"]]);
  });

  const changed: [names: string[], message: string][] = [
    [["staging", "production"], 'The data of the environment "staging" belongs to "production"'],
    [["live", "staging"], 'The data of the environment "live" belongs to "production"'],
  ];
  test.each(changed)("of one environment never becomes that of another: %j is refused", async (names, message) => {
    const storage = kept();
    await (await start({ storage })).assay.close();
    servers.pop();
    const assay = createAssay({ storage, environments: names });
    await expect(assay.ready).rejects.toThrow(message);
    await assay.close();
  });

  test("of an environment with the users of another server is refused", async () => {
    const storage = kept();
    await (await start({ storage })).assay.close();
    servers.pop();
    const assay = createAssay({ storage, namespace: "other", environments: ["other", "staging"] });
    await expect(assay.ready).rejects.toThrow('"production" must be the first, not "other"');
    await assay.close();
  });
});

const wrong: [options: AssayOptions, message: string][] = [
  [{ environments: [] }, "environments needs at least one name"],
  [{ environments: ["production", "production"] }, 'The environment "production" is listed twice'],
  [{ environments: ["Production"] }, 'The environment "Production" needs a name of 1 to 50 lower-case letters'],
  [{ environments: ["a b"] }, 'The environment "a b" needs a name'],
  [{ environments: ["a", "x".repeat(51)] }, "needs a name of 1 to 50"],
  [{ environments: ["a", "users"] }, 'The namespace "users" has the name of a part of Assay\'s own data'],
  [{ namespace: "b", environments: ["a", "b"] }, 'The environment "b" has the namespace of the first environment'],
];
test.each(wrong)("the options %j are refused", (options, message) => {
  expect(() => createAssay(options)).toThrow(message);
});

describe("operators", () => {
  test("see the metrics of all environments together", async () => {
    const { staging, assay, connect } = await start({ metrics: true });
    await staging.request("POST /feature-flags/", flag("f"));
    const { key: apiKey } = await keyOf(staging);
    const stream = await connect({ apiKey }).request("GET /openfeature/stream");
    const text = await (await assay.metrics()).text();
    expect(text).toContain('assay_streams_open{kind="definitions"} 1');
    expect(text).toContain("assay_store_writable 1");
    await (stream as unknown as ReadableStream).cancel();
  });

  test("find the exports of further environments in folders with their names", async () => {
    const { directory, remove } = await createFolder();
    const { admin, staging } = await start({ exports: { directory } });
    const [{ files: own }, { files: others }] = [
      await perform(admin, "events-export"),
      await perform(staging, "events-export"),
    ];
    expect((await readdir(directory)).sort()).toEqual([own[0]!.name, "staging"].sort());
    expect(await readdir(join(directory, "staging"))).toEqual([others[0]!.name]);
    await remove();
  });

  test("get the heads of each audit trail, with the environment", async () => {
    const anchor = vi.fn();
    const { staging } = await start({ audit: { anchor } });
    await staging.request("POST /feature-flags/", flag("f"));
    await expect.poll(() => anchor.mock.calls.map(([, name]) => name)).toContain("staging");
  });
});
