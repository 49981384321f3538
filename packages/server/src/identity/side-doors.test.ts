import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../testing.fixture.ts";

type Person = Awaited<ReturnType<TestServer["as"]>>;

let server: TestServer;
/** Two DEVELOPERs: the owner, and another one. */
let ada: Person;
let bob: Person;

const VARIANTS = [{ key: "a" }, { key: "b" }];

beforeEach(async () => {
  server = await createTestServer();
  ada = await server.as("DEVELOPER", "ada");
  bob = await server.as("DEVELOPER", "bob");
  await ada.request("POST /feature-flags/", {
    body: {
      key: "checkout",
      name: "Checkout",
      status: "ACTIVE",
      rollout_percentage: 10,
      rules: [{ id: "staff", when: { attribute: "staff", operator: "EQUALS", value: true }, serve: { variant: "on" } }],
    },
  });
});
afterEach(() => server.assay.close());

const denied = (detail: string) => ({ status: 403, detail: `Not enough permissions: ${detail}` });
const onFlag = denied('owner or ADMIN required for feature flag "checkout"');

const flag = () => server.admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
const experiment = (experiment_id: string) =>
  server.admin.request("GET /experiments/{experiment_id}", { params: { experiment_id } });
/** Counts the changes in the audit trail, without denials and the use of credentials. */
const changes = async () => {
  const { items } = await server.admin.request("GET /audit-logs", { query: { limit: 500 } });
  return items.filter(({ action }) => !/^(access|token|auth|api_key|session)\./.test(action)).length;
};
const setRole = (person: Person, role: "VIEWER" | "DEVELOPER" | "ADMIN") =>
  server.admin.request("PATCH /admin/users/{user_id}", { params: { user_id: person.user.id }, body: { role } });
const grant = (person: Person, resource: string) =>
  server.admin.request("POST /users/{user_id}/grants", {
    params: { user_id: person.user.id },
    body: {
      resource,
      actions: ["CREATE", "UPDATE", "DELETE"],
      expires_at: new Date(server.now() + 3_600_000).toISOString(),
      reason: "Holidays",
    },
  });

/** Checks that the server refuses a request as expected, and changes nothing. */
async function isRefused(ask: () => Promise<unknown>, expected: object): Promise<void> {
  const before = await changes();
  expect(await refusal(ask())).toMatchObject(expected);
  expect(await changes()).toBe(before);
}

describe("an experiment on another user's flag", () => {
  const body = { key: "mine", name: "Mine", feature_flag_key: "checkout" };

  test("cannot be created, bound later, or cloned", async () => {
    await isRefused(() => bob.request("POST /experiments/", { body }), onFlag);
    await isRefused(() => bob.request("POST /experiments/", { body: { ...body, status: "ACTIVE" } }), onFlag);
    await bob.request("POST /experiments/", { body: { key: "own", name: "Own", variants: VARIANTS } });
    const params = { experiment_id: "own" };
    const bind = { params, body: { feature_flag_key: "checkout" } };
    await isRefused(() => bob.request("PUT /experiments/{experiment_id}", bind), onFlag);
    await isRefused(() => bob.request("PATCH /experiments/{experiment_id}", bind), onFlag);
    await ada.request("POST /experiments/", { body: { ...body, key: "hers" } });
    const hers = { params: { experiment_id: "hers" } };
    await isRefused(() => bob.request("POST /experiments/{experiment_id}/clone", hers), onFlag);
    await ada.request("POST /experiments/{experiment_id}/clone", hers);
  });

  test("cannot be created with the caller's API key", async () => {
    const { key } = await bob.request("POST /api-keys", { body: { name: "mine", scopes: ["admin"] } });
    await isRefused(() => server.connect({ apiKey: key! }).request("POST /experiments/", { body }), onFlag);
  });

  test("cannot be submitted by the wizard, whose validation reports the reason", async () => {
    const draft = await bob.request("POST /wizard/drafts", { body: { data: body } });
    const params = { id: draft.id };
    expect(await bob.request("POST /wizard/drafts/{id}/validate", { params })).toMatchObject({
      valid: false,
      errors: [{ step: "CHOOSE_TYPE", loc: ["feature_flag_key"], msg: onFlag.detail }],
    });
    await isRefused(() => bob.request("POST /wizard/drafts/{id}/submit", { params }), onFlag);
  });

  test("that was bound with more rights than its owner has now neither starts nor serves a winner", async () => {
    await setRole(bob, "ADMIN");
    await bob.request("POST /experiments/", { body });
    await setRole(bob, "DEVELOPER");
    const params = { experiment_id: "mine" };
    await isRefused(() => bob.request("POST /experiments/{experiment_id}/start", { params }), onFlag);
    const status = { params, body: { status: "ACTIVE" as const } };
    await isRefused(() => bob.request("PUT /experiments/{experiment_id}", status), onFlag);
    const soon = { params, body: { start_date: new Date(server.now() + 60_000).toISOString() } };
    await isRefused(() => bob.request("PUT /experiments/{experiment_id}", soon), onFlag);
    await bob.request("PUT /experiments/{experiment_id}", { params, body: { description: "Words" } });

    await server.admin.request("POST /experiments/{experiment_id}/start", { params });
    const winner = { params, body: { winner: "on" } };
    await isRefused(() => bob.request("POST /experiments/{experiment_id}/complete", winner), onFlag);
    expect(await experiment("mine")).toMatchObject({ status: "ACTIVE", winner: null });
    expect(await flag()).toMatchObject({ rollout_percentage: 10, rules: [{ id: "staff" }] });
    await bob.request("POST /experiments/{experiment_id}/pause", { params });
    await isRefused(() => bob.request("POST /experiments/{experiment_id}/start", { params }), onFlag);
    expect(await bob.request("POST /experiments/{experiment_id}/complete", { params })).toMatchObject({ winner: null });
  });

  test.each(["its owner", "an ADMIN", "who is granted the flags"])("is allowed for %s", async (who) => {
    const person = who === "its owner" ? ada : who === "an ADMIN" ? await server.as("ADMIN") : bob;
    if (person === bob) await grant(bob, "feature-flags");
    await person.request("POST /experiments/", { body: { ...body, status: "ACTIVE" } });
    const winner = { params: { experiment_id: "mine" }, body: { winner: "on" } };
    await person.request("POST /experiments/{experiment_id}/complete", winner);
    expect(await flag()).toMatchObject({ rollout_percentage: 100, rules: [] });
  });

  test.each(["VIEWER", "ANALYST"] as const)("is not allowed for a %s with a grant on experiments", async (role) => {
    const person = await server.as(role);
    await grant(person, "experiments");
    await isRefused(() => person.request("POST /experiments/", { body }), onFlag);
    await person.request("POST /experiments/", { body: { name: "Without a flag" } });
  });

  test("is not allowed for a former DEVELOPER who owns the flag", async () => {
    await setRole(ada, "VIEWER");
    await grant(ada, "experiments");
    await isRefused(() => ada.request("POST /experiments/", { body }), onFlag);
  });
});

describe("another user's draft and an exclusion group", () => {
  const name = 'owner or ADMIN required for experiment "draft"';
  let group: string;
  beforeEach(async () => {
    await ada.request("POST /experiments/", { body: { key: "draft", name: "Draft", variants: VARIANTS } });
    group = (await bob.request("POST /mutual-exclusion-groups", { body: { name: "Mine" } })).id;
  });
  const add = (person: Pick<Person, "request">) =>
    person.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
      params: { group_id: group },
      body: { experiment_id: "draft", slot_percentage: 100 },
    });
  const leave = (person: Pick<Person, "request">) =>
    person.request("DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}", {
      params: { group_id: group, eid: "draft" },
    });

  test("cannot be joined", async () => {
    await isRefused(() => add(bob), denied(name));
    expect((await experiment("draft")).mutual_exclusion_group_id).toBeNull();
    expect(await bob.request("GET /mutual-exclusion-groups/{group_id}", { params: { group_id: group } })).toMatchObject(
      {
        free_percentage: 100,
        experiments: [],
      },
    );
  });

  test("cannot be separated", async () => {
    await add(ada);
    await isRefused(() => leave(bob), denied(name));
    expect((await experiment("draft")).mutual_exclusion_group_id).toBe(group);
    await leave(ada);
    expect((await experiment("draft")).mutual_exclusion_group_id).toBeNull();
  });

  test("cannot be separated once it is ACTIVE", async () => {
    await add(ada);
    await ada.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: "draft" } });
    await isRefused(() => leave(bob), denied(name));
    await isRefused(() => leave(ada), { status: 400 });
    expect((await experiment("draft")).mutual_exclusion_group_id).toBe(group);
  });

  test("can be joined by an ADMIN, and with a grant on experiments, not with one on groups alone", async () => {
    await add(await server.as("ADMIN"));
    await leave(server.admin);
    await grant(bob, "mutual-exclusion-groups");
    await isRefused(() => add(bob), denied(name));
    await grant(bob, "experiments");
    await add(bob);
  });

  test("cannot be joined by a VIEWER with a grant on the experiment", async () => {
    const viewer = await server.as("VIEWER");
    await grant(viewer, "experiments");
    const body = { mutual_exclusion_group_id: group };
    const params = { experiment_id: "draft" };
    await isRefused(
      () => viewer.request("PUT /experiments/{experiment_id}", { params, body }),
      denied('DEVELOPER required for mutual-exclusion group "Mine"'),
    );
    await isRefused(() => viewer.request("POST /experiments/", { body: { name: "New", ...body } }), { status: 403 });
    await add(ada);
    await viewer.request("DELETE /experiments/{experiment_id}", { params });
  });
});

describe("a rollout schedule on another user's flag", () => {
  let params: { id: string };
  const stages = [{ target_percentage: 50, trigger: "MANUAL" as const }];

  beforeEach(async () => {
    await setRole(bob, "ADMIN");
    const body = { name: "Slowly", feature_flag_id: "checkout", stages };
    params = { id: (await bob.request("POST /rollout-schedules", { body })).id };
    await setRole(bob, "DEVELOPER");
  });

  test("does not continue with former rights of its owner, who may still stop it", async () => {
    await isRefused(() => bob.request("POST /rollout-schedules/{id}/activate", { params }), onFlag);
    await isRefused(() => bob.request("PUT /rollout-schedules/{id}", { params, body: { stages: [] } }), onFlag);
    const { id, status } = await ada.request("POST /rollout-schedules/{id}/activate", { params });
    expect(status).toBe("ACTIVE");
    const [stage] = (await ada.request("GET /rollout-schedules/{id}", { params: { id } })).stages;
    const advance = { params: { stage_id: stage!.id } };
    await isRefused(() => bob.request("POST /rollout-schedules/stages/{stage_id}/advance", advance), onFlag);
    expect((await flag()).rollout_percentage).toBe(10);
    await bob.request("POST /rollout-schedules/{id}/pause", { params });
    await isRefused(() => bob.request("POST /rollout-schedules/{id}/activate", { params }), onFlag);
    await bob.request("POST /rollout-schedules/{id}/cancel", { params });
    await bob.request("DELETE /rollout-schedules/{id}", { params });
  });

  test("cannot be created or activated with a grant on schedules alone", async () => {
    const viewer = await server.as("VIEWER");
    await grant(viewer, "rollout-schedules");
    await isRefused(() => viewer.request("POST /rollout-schedules/{id}/activate", { params }), onFlag);
    await grant(viewer, "feature-flags");
    await viewer.request("POST /rollout-schedules/{id}/activate", { params });
  });

  test("is paused by a rollback, which requires DEVELOPER", async () => {
    await ada.request("POST /rollout-schedules/{id}/activate", { params });
    const [carl, anne] = [await server.as("DEVELOPER", "carl"), await server.as("ANALYST", "anne")];
    const rollback = { params: { flag_id: "checkout" }, body: { percentage: 0 } };
    await isRefused(() => anne.request("POST /safety/rollback/{flag_id}", rollback), denied("DEVELOPER required"));
    expect(await carl.request("POST /safety/rollback/{flag_id}", rollback)).toMatchObject({
      new_percentage: 0,
      paused_schedules: [params.id],
    });
    expect(await flag()).toMatchObject({ rollout_percentage: 0, rules_enabled: false });
    const back = { params: { id: "checkout" }, body: { rollout_percentage: 10 } };
    await isRefused(() => carl.request("PUT /feature-flags/{id}", back), onFlag);
  });
});

test("a sync from a warehouse cannot replace the results of another user's experiment", async () => {
  const body = { key: "run", name: "Run", status: "ACTIVE" as const, variants: VARIANTS };
  await ada.request("POST /experiments/", { body });
  const { id } = await bob.request("POST /warehouse/connections", {
    body: { name: "Made up", type: "DUCKDB", database: "/nowhere/none.duckdb" },
  });
  const source = { connection_id: id, assignments_table: "a", events_table: "e" };
  const sync = (person: Pick<Person, "request">) =>
    person.request("POST /warehouse/sync/{experiment_id}", { params: { experiment_id: "run" }, body: source });
  await isRefused(() => sync(bob), denied('owner or ADMIN required for the results of experiment "run"'));
  expect((await sync(ada)).status).toBe("FAILED");
  await grant(bob, "warehouse");
  expect((await sync(bob)).status).toBe("FAILED");
});

test("every DEVELOPER updates a bandit from its events; only ADMINs set its weights", async () => {
  const body = { key: "bandit", name: "Bandit", status: "ACTIVE" as const, variants: VARIANTS };
  await ada.request("POST /experiments/", {
    body: { ...body, allocation: "THOMPSON", metrics: [{ name: "Bought", event_type: "purchase" }] },
  });
  const key = await server.withKey(["write"]);
  const events = Array.from({ length: 600 }, (_, index) => {
    const user_id = `user-${index}`;
    const variant_id = server.assay.engine.assign("bandit", user_id)!.variant_key;
    const event_type = variant_id === "b" ? "purchase" : "exposure";
    return { event_type, user_id, experiment_id: "bandit", variant_id };
  });
  await key.request("POST /tracking/events", { body: { events } });
  const params = { experiment_id: "bandit" };
  await bob.request("POST /bandit/{experiment_id}/update", { params });
  expect((await experiment("bandit")).current_weights?.b).toBeGreaterThan(0.5);
  const weights = { params, body: { weights: { a: 1, b: 0 } } };
  await isRefused(() => bob.request("PUT /bandit/{experiment_id}/weights", weights), denied("ADMIN required"));
});

test("the trail records a denial with its resource", async () => {
  await refusal(bob.request("POST /experiments/", { body: { name: "Mine", feature_flag_key: "checkout" } }));
  const { items } = await server.admin.request("GET /audit-logs", { query: { action: "access.denied" } });
  expect(items).toMatchObject([
    { actor_id: bob.user.id, resource_id: "experiments.create", new_value: { detail: onFlag.detail } },
  ]);
});
