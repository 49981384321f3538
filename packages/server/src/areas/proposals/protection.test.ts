import { PROPOSABLE_ROUTES, type ProposableRoute } from "@assay/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal } from "../../testing.fixture.ts";
import { CHECKOUT, createProtectedServer, type Person, type ProtectedServer } from "./proposals.fixture.ts";

const PROTECTED = {
  status: 403,
  detail: 'The environment "default" is protected: propose this change with POST /api/v1/proposals',
};
const EMERGENCY = { status: "EMERGENCY", proposal_id: null, approved_by: null };
const HOUR = 3_600_000;

let server: ProtectedServer;
beforeEach(async () => {
  server = await createProtectedServer();
});
afterEach(() => server.close());

const update = (by: Person, body: object) => by.request("PUT /feature-flags/{id}", { ...CHECKOUT, body });

describe("every proposable route", () => {
  /** Tries a change directly, which is refused, then proposes and approves it. Returns the id of the resource. */
  async function change(route: ProposableRoute, params: Record<string, string>, body?: unknown): Promise<string> {
    const { eva, admin, propose, approve } = server;
    const direct = eva.request(route, { params, ...(body !== undefined && { body }) } as never);
    expect(await refusal(direct), route).toMatchObject(PROTECTED);
    const { resource_id, status } = await approve(admin, await propose(eva, route, { params, body }));
    expect(status, route).toBe("APPLIED");
    done.add(route);
    return resource_id!;
  }
  const done = new Set<string>();

  test("is refused without a proposal, and does with one what it does elsewhere", async () => {
    const { admin } = server;
    const flag = (id: string) => admin.request("GET /feature-flags/{id}", { params: { id } });
    const experiment = (experiment_id: string) =>
      admin.request("GET /experiments/{experiment_id}", { params: { experiment_id } });
    const schedule = (id: string) => admin.request("GET /rollout-schedules/{id}", { params: { id } });

    const testers = await change("POST /segments", {}, { name: "testers", user_ids: ["ada"] });
    await change("PUT /segments/{id}", { id: "testers" }, { description: "Of the team" });
    const segment = await admin.request("GET /segments/{id}", { params: { id: testers } });
    expect(segment).toMatchObject({ name: "testers", description: "Of the team" });

    await change("POST /feature-flags/", {}, { key: "new", name: "New" });
    await change("PUT /feature-flags/{id}", { id: "new" }, { name: "Newer" });
    await change("PATCH /feature-flags/{id}", { id: "new" }, { status: "ACTIVE" });
    await change("PATCH /feature-flags/{id}/rollout", { id: "new" }, { rollout_percentage: 5 });
    expect(await flag("new")).toMatchObject({ name: "Newer", status: "ACTIVE", rollout_percentage: 5 });

    const stages = [20, 30, 40].map((target_percentage) => ({ target_percentage, trigger: "MANUAL" }));
    const plan = { name: "Plan", feature_flag_id: "new", stages };
    const id = await change("POST /rollout-schedules", {}, plan);
    await change("POST /rollout-schedules/{id}/stages", { id }, { target_percentage: 50, trigger: "MANUAL" });
    const [first, , , last] = (await schedule(id)).stages;
    await change("PUT /rollout-schedules/stages/{stage_id}", { stage_id: last!.id }, { target_percentage: 60 });
    expect((await schedule(id)).stages.map((stage) => stage.target_percentage)).toEqual([20, 30, 40, 60]);
    await change("DELETE /rollout-schedules/stages/{stage_id}", { stage_id: last!.id });
    await change("PUT /rollout-schedules/{id}", { id }, { name: "Plan of May" });
    await change("POST /rollout-schedules/{id}/activate", { id });
    await change("POST /rollout-schedules/stages/{stage_id}/advance", { stage_id: first!.id });
    expect(await flag("new")).toMatchObject({ rollout_percentage: 20 });
    await change("POST /rollout-schedules/{id}/pause", { id });
    await change("POST /rollout-schedules/{id}/cancel", { id });
    expect(await schedule(id)).toMatchObject({ name: "Plan of May", status: "CANCELLED", stages: { length: 3 } });
    await change("DELETE /rollout-schedules/{id}", { id });

    const x = { experiment_id: "x" };
    const variants = [{ key: "a" }, { key: "b" }];
    const metrics = [{ name: "Paid", event_type: "purchase", role: "PRIMARY" }];
    await change("POST /experiments/", {}, { key: "x", name: "X", variants, metrics });
    await change("PUT /experiments/{experiment_id}", x, { description: "First" });
    await change("PATCH /experiments/{experiment_id}", x, { name: "Ex" });
    await change("POST /experiments/{experiment_id}/clone", x, { key: "y", name: "Y" });
    await change("DELETE /experiments/{experiment_id}", { experiment_id: "y" });
    await change("POST /experiments/{experiment_id}/start", x);
    await change("POST /experiments/{experiment_id}/pause", x);
    await change("POST /experiments/{experiment_id}/complete", x, { winner: "b" });
    expect(await experiment("x")).toMatchObject({ name: "Ex", status: "COMPLETED", winner: "b" });
    await change("POST /experiments/{experiment_id}/archive", x);
    const bandit = { key: "z", name: "Z", status: "ACTIVE", allocation: "THOMPSON", variants, metrics };
    await change("POST /experiments/", {}, bandit);
    await change("PUT /bandit/{experiment_id}/weights", { experiment_id: "z" }, { weights: { a: 0.3, b: 0.7 } });
    expect(
      (await admin.request("GET /bandit/{experiment_id}", { params: { experiment_id: "z" } })).weights,
    ).toMatchObject([{ weight: 0.3 }, { weight: 0.7 }]);

    const group_id = await change("POST /mutual-exclusion-groups", {}, { name: "Buttons" });
    await change("PUT /mutual-exclusion-groups/{group_id}", { group_id }, { description: "All" });
    const inGroup = { key: "g", name: "G", variants, mutual_exclusion_group_id: group_id };
    await change("POST /experiments/", {}, inGroup);
    const group = await admin.request("GET /mutual-exclusion-groups/{group_id}", { params: { group_id } });
    expect(group).toMatchObject({ description: "All", experiments: [{ key: "g" }] });
    await change("DELETE /mutual-exclusion-groups/{group_id}", { group_id });
    const holdout = await change("POST /holdout", {}, { name: "2026", percentage: 5, status: "DRAFT" });
    await change("PUT /holdout/{id}", { id: holdout }, { percentage: 6 });
    expect(await admin.request("GET /holdout/all")).toMatchObject({ items: [{ percentage: 6 }] });

    await change("DELETE /segments/{id}", { id: "testers" });
    await change("DELETE /feature-flags/{id}", { id: "new" });
    expect(await refusal(flag("new"))).toMatchObject({ status: 404 });
    expect([...done].sort()).toEqual([...PROPOSABLE_ROUTES].sort());
  });
});

describe("other ways to change a flag or an experiment are closed:", () => {
  test("bulk toggles", async () => {
    const body = { flag_ids: ["checkout"], action: "ARCHIVE" as const, reason: "Old" };
    const { results } = await server.eva.request("POST /feature-flags/bulk-toggle", { body });
    expect(results).toMatchObject([{ flag_key: "checkout", success: false, error: PROTECTED.detail }]);
  });

  test("wizards", async () => {
    const { eva } = server;
    const data = { name: "W", variants: [{ key: "a" }, { key: "b" }] };
    const { id } = await eva.request("POST /wizard/drafts", { body: { data } as never });
    expect(await refusal(eva.request("POST /wizard/drafts/{id}/submit", { params: { id } }))).toMatchObject(PROTECTED);
  });

  test("members of exclusion groups, which leaves no slot behind", async () => {
    const { eva, admin, propose, approve } = server;
    const create = async (route: ProposableRoute, body: object) => approve(admin, await propose(eva, route, { body }));
    const { resource_id } = await create("POST /mutual-exclusion-groups", { name: "Buttons" });
    await create("POST /experiments/", { key: "x", name: "X", variants: [{ key: "a" }, { key: "b" }] });
    const params = { group_id: resource_id! };
    const path = "POST /mutual-exclusion-groups/{group_id}/experiments";
    expect(await refusal(eva.request(path, { params, body: { experiment_id: "x" } }))).toMatchObject(PROTECTED);
    const group = await admin.request("GET /mutual-exclusion-groups/{group_id}", { params });
    expect(group).toMatchObject({ experiments: [], free_percentage: 100 });
  });

  test("API keys", async () => {
    const { withKey, flag } = server;
    const key = await withKey(["admin"]);
    const changed = key.request("PUT /feature-flags/{id}", { ...CHECKOUT, body: { name: "Cart" } });
    expect(await refusal(changed)).toMatchObject(PROTECTED);
    expect(await flag()).toMatchObject({ name: "Checkout", version: 1 });
  });
});

test("who lacks the right to a change learns that, not that it needs approval", async () => {
  const { vera, dave } = server;
  const detail = 'Not enough permissions: owner or ADMIN required for feature flag "checkout"';
  expect(await refusal(update(vera, { name: "Cart" }))).toMatchObject({
    status: 403,
    detail: expect.stringMatching(/^Not enough/),
  });
  expect(await refusal(update(dave, { name: "Cart" }))).toMatchObject({ status: 403, detail });
});

test("the refusal names the environment in a header", async () => {
  const { admin, send } = server;
  const { key } = await admin.request("POST /api-keys", { body: { name: "k", scopes: ["admin"] } });
  const init = { headers: { "x-api-key": key! }, body: { name: "Cart" } };
  const { status, headers } = await send("PUT", "/feature-flags/checkout", init);
  expect([status, headers.get("x-assay-protected")]).toEqual([403, "default"]);
});

describe("an emergency needs no approval, and is marked in the trail:", () => {
  test("a kill with a reason", async () => {
    const { dora, flag, trail } = server;
    const off = { status: "INACTIVE" } as const;
    expect(await refusal(update(dora, off))).toMatchObject(PROTECTED);
    expect(await refusal(update(dora, { ...off, reason: " " }))).toMatchObject(PROTECTED);
    expect(await refusal(update(dora, { ...off, name: "Off", reason: "Errors" }))).toMatchObject(PROTECTED);
    await update(dora, { ...off, reason: "Errors" });
    expect(await flag()).toMatchObject({ status: "INACTIVE", version: 2 });
    expect((await trail("feature_flag"))[0]).toMatchObject({ reason: "Errors", approval: EMERGENCY });
    expect(await refusal(update(dora, { status: "ACTIVE", reason: "Fixed" }))).toMatchObject(PROTECTED);
    expect(await refusal(update(dora, { status: "ARCHIVED", reason: "Old" }))).toMatchObject(PROTECTED);
  });

  test("a kill of many flags", async () => {
    const body = { flag_ids: ["checkout"], action: "DISABLE" as const, reason: "Errors" };
    expect(await server.eva.request("POST /feature-flags/bulk-toggle", { body })).toMatchObject({ succeeded: 1 });
  });

  test("a safety rollback, with the schedules that it pauses", async () => {
    const { eva, dave, admin, propose, approve, flag, trail } = server;
    const stages = [{ target_percentage: 50, trigger: "MANUAL" }];
    const body = { name: "Plan", feature_flag_id: "checkout", stages };
    const plan = await approve(admin, await propose(eva, "POST /rollout-schedules", { body }));
    const params = { id: plan.resource_id! };
    await approve(admin, await propose(eva, "POST /rollout-schedules/{id}/activate", { params }));
    const rollback = { params: { flag_id: "checkout" }, body: { percentage: 0, reason: "Errors" } };
    expect(await dave.request("POST /safety/rollback/{flag_id}", rollback)).toMatchObject({
      paused_schedules: [params.id],
    });
    expect(await flag()).toMatchObject({ rollout_percentage: 0 });
    expect((await trail("feature_flag"))[0]).toMatchObject({ action: "safety.rollback", approval: EMERGENCY });
    expect((await trail("rollout_schedule"))[0]).toMatchObject({ approval: EMERGENCY });
  });
});

test("jobs do what was approved before", async () => {
  const { eva, admin, propose, approve, flag, trail, advance, runJob } = server;
  const stages = [{ target_percentage: 50, trigger: "TIME", trigger_config: { after_minutes: 60 } }];
  const body = { name: "Plan", feature_flag_id: "checkout", stages };
  const plan = await approve(admin, await propose(eva, "POST /rollout-schedules", { body }));
  const params = { id: plan.resource_id! };
  await approve(admin, await propose(eva, "POST /rollout-schedules/{id}/activate", { params }));
  advance(2 * HOUR);
  await runJob("rollout-advance");
  expect(await flag()).toMatchObject({ rollout_percentage: 50 });
  expect((await trail("feature_flag"))[0]).toMatchObject({ actor_type: "SYSTEM" });
  expect((await trail("feature_flag"))[0]).not.toHaveProperty("approval");
});

test("an erasure removes the person from segments without approval", async () => {
  const { eva, admin, propose, approve } = server;
  const body = { name: "testers", user_ids: ["ada", "bob"] };
  await approve(admin, await propose(eva, "POST /segments", { body }));
  await admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "ada" } });
  const segment = await admin.request("GET /segments/{id}", { params: { id: "testers" } });
  expect(segment.user_ids).toEqual(["bob"]);
});

describe("the option `protected`", () => {
  const environments = ["production", "staging"];

  test("protects the environments that it names, and no other", async () => {
    const { assay, admin, connect } = await createTestServer({ environments, protected: ["production"] });
    const credentials = { username: "admin", password: "correct horse battery" };
    const staging = connect({ ...credentials, environment: "staging" });
    expect(await admin.request("GET /environments")).toMatchObject([
      { name: "production", is_protected: true },
      { name: "staging", is_protected: false },
    ]);
    const body = { key: "new", name: "New" };
    expect(await refusal(admin.request("POST /feature-flags/", { body }))).toMatchObject({
      status: 403,
      detail: 'The environment "production" is protected: propose this change with POST /api/v1/proposals',
    });
    await staging.request("POST /feature-flags/", { body });
    const wish = { route: "POST /feature-flags/", body: { key: "newer", name: "Newer" } } as const;
    expect(await refusal(staging.request("POST /proposals", { body: wish }))).toMatchObject({
      status: 409,
      detail: 'The environment "staging" is not protected; use POST /feature-flags/',
    });
    await admin.request("POST /proposals", { body: wish });
    expect([(await admin.request("GET /proposals")).total, (await staging.request("GET /proposals")).total]).toEqual([
      1, 0,
    ]);
    await assay.close();
  });

  test("names environments that exist", async () => {
    const wrong = createTestServer({ environments, protected: ["prod"] });
    await expect(wrong).rejects.toThrow('The environment "prod" is protected, but there is only production, staging');
  });

  test("is off by default", async () => {
    const { assay, admin } = await createTestServer();
    expect(await admin.request("GET /environments")).toMatchObject([{ is_protected: false }]);
    await assay.close();
  });
});
