import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { CHECKOUT, createProtectedServer, type ProtectedServer } from "./proposals.fixture.ts";

const UPDATE = "PUT /feature-flags/{id}";
const RENAME = { ...CHECKOUT, body: { name: "Cart", reason: "New name" } };
const UNKNOWN = { id: "018f0000-0000-7000-8000-000000000000" };

let server: ProtectedServer;
beforeEach(async () => {
  server = await createProtectedServer();
});
afterEach(() => server.close());

describe("a proposal", () => {
  test("changes nothing until another user approves it, and then does what its route does", async () => {
    const { dora, eva, propose, approve, flag } = server;
    const before = await flag();
    const proposal = await propose(dora, UPDATE, RENAME);
    expect(proposal).toMatchObject({
      route: UPDATE,
      action: "feature_flag.update",
      params: { id: "checkout" },
      body: RENAME.body,
      resource_type: "feature_flag",
      resource_id: before.id,
      resource_name: "checkout",
      status: "OPEN",
      is_stale: false,
      problem: null,
      reason: "New name",
      author_id: dora.user.id,
      author_name: "dora",
      decided_by: null,
      decided_at: null,
      base_version: before.version,
      old_value: { name: "Checkout" },
      new_value: { name: "Cart" },
    });
    expect(await flag()).toEqual(before);
    expect(await approve(eva, proposal, "Agreed")).toMatchObject({
      status: "APPLIED",
      decided_by: eva.user.id,
      decided_by_name: "eva",
      decision_reason: "Agreed",
      old_value: { name: "Checkout" },
      new_value: { name: "Cart" },
    });
    expect(await flag()).toMatchObject({ name: "Cart", version: before.version + 1 });
  });

  test("is in the trail with its author and who approved it", async () => {
    const { dora, eva, propose, approve, trail } = server;
    const { id } = await approve(eva, await propose(dora, UPDATE, RENAME), "Agreed");
    const [entry] = await trail("feature_flag");
    expect(entry).toMatchObject({
      action: "feature_flag.update",
      actor_id: dora.user.id,
      actor_name: "dora",
      reason: "New name",
      new_value: { name: "Cart" },
      approval: { status: "APPROVED", proposal_id: id, approved_by: eva.user.id },
    });
    const entries = (await trail("proposal")).map(({ action, actor_id, resource_id, reason }) => [
      action,
      actor_id,
      resource_id,
      reason,
    ]);
    expect(entries).toEqual([
      ["proposal.approve", eva.user.id, id, "Agreed"],
      ["proposal.create", dora.user.id, id, "New name"],
    ]);
  });

  test("gives the change its reason where the route takes none", async () => {
    const { dora, eva, propose, approve, trail } = server;
    const wish = { body: { key: "new", name: "New" }, reason: "For the sale" };
    const proposal = await propose(dora, "POST /feature-flags/", wish);
    expect(proposal).toMatchObject({
      resource_id: null,
      base_version: null,
      old_value: null,
      new_value: { key: "new" },
    });
    const { resource_id } = await approve(eva, proposal);
    const created = await server.admin.request("GET /feature-flags/{id}", { params: { id: "new" } });
    expect(created).toMatchObject({ id: resource_id, created_by: dora.user.id });
    expect((await trail("feature_flag"))[0]).toMatchObject({ action: "feature_flag.create", reason: "For the sale" });
  });

  test("is checked like its route, with the same errors", async () => {
    const { dora, propose } = server;
    const refused = (route: never, wish: object) => refusal(propose(dora, route, wish));
    expect(await refused(UPDATE as never, { ...CHECKOUT, body: { rollout_percentage: 101 } })).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "rollout_percentage"] }],
    });
    expect(await refused(UPDATE as never, { ...CHECKOUT, body: { rolout_percentage: 5 } })).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "rolout_percentage"], msg: expect.stringContaining("rollout_percentage") }],
    });
    expect(await refused(UPDATE as never, { params: { id: "none" }, body: { name: "X" } })).toMatchObject({
      status: 404,
    });
    expect(await refused(UPDATE as never, { body: { name: "X" } })).toMatchObject({
      status: 422,
      issues: [{ loc: ["path", "id"] }],
    });
    expect(await refused("POST /feature-flags/" as never, { body: { key: "checkout", name: "X" } })).toMatchObject({
      status: 409,
      detail: expect.stringContaining("already exists"),
    });
    expect(await refused("PUT /users/{user_id}" as never, { params: { user_id: "x" } })).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "route"] }],
    });
    expect(await refused(UPDATE as never, { ...CHECKOUT, body: { name: "Checkout" } })).toMatchObject({
      status: 400,
      detail: "The proposal changes nothing",
    });
    expect(await server.admin.request("GET /proposals")).toMatchObject({ total: 0 });
  });

  test("of a version that is no longer current is refused", async () => {
    const { dora, propose } = server;
    const refused = refusal(propose(dora, UPDATE, RENAME, { "If-Match": '"v7"' }));
    expect(await refused).toMatchObject({ status: 412 });
    expect(await propose(dora, UPDATE, RENAME, { "If-Match": '"v1"' })).toMatchObject({ status: "OPEN" });
  });

  test("is stale once the resource has changed, shows the difference from now, and cannot be approved", async () => {
    const { dora, eva, admin, propose, approve, show, flag } = server;
    const slower = await propose(dora, UPDATE, { ...CHECKOUT, body: { name: "Cart", description: "Buy" } });
    await approve(eva, await propose(dora, UPDATE, { ...CHECKOUT, body: { name: "Basket" } }));
    expect(await show(admin, slower)).toMatchObject({
      status: "OPEN",
      is_stale: true,
      old_value: { name: "Basket", description: "" },
      new_value: { name: "Cart", description: "Buy" },
    });
    expect(await refusal(approve(eva, slower))).toMatchObject({
      status: 409,
      detail: "The resource has changed since the proposal; compare them, and propose the change again",
    });
    expect(await flag()).toMatchObject({ name: "Basket", version: 2 });
  });

  test("that a later change makes impossible says why, and cannot be approved", async () => {
    const { dora, eva, propose, approve, show } = server;
    const body = { key: "new", name: "New" };
    const [one, two] = [
      await propose(dora, "POST /feature-flags/", { body }),
      await propose(dora, "POST /feature-flags/", { body }),
    ];
    await approve(eva, one);
    const detail = 'A feature flag with key "new" already exists';
    expect(await show(eva, two)).toMatchObject({ status: "OPEN", problem: detail });
    expect(await refusal(approve(eva, two))).toMatchObject({ status: 409, detail });
    const gone = await propose(dora, UPDATE, { params: { id: "new" }, body: { name: "N" } });
    await approve(eva, await propose(dora, "DELETE /feature-flags/{id}", { params: { id: "new" } }));
    expect(await show(eva, gone)).toMatchObject({ is_stale: true, problem: "Resource not found" });
  });

  test("that is decided cannot be decided again", async () => {
    const { dora, eva, propose, approve, reject, withdraw } = server;
    const applied = await approve(eva, await propose(dora, UPDATE, RENAME));
    const rejected = await reject(eva, await propose(dora, UPDATE, { ...CHECKOUT, body: { name: "A" } }), "No");
    expect(rejected).toMatchObject({ status: "REJECTED", decided_by: eva.user.id, decision_reason: "No" });
    const withdrawn = await withdraw(dora, await propose(dora, UPDATE, { ...CHECKOUT, body: { name: "B" } }));
    expect(withdrawn).toMatchObject({ status: "WITHDRAWN", decided_by: dora.user.id, decision_reason: null });
    for (const one of [applied, rejected, withdrawn]) {
      const refused = { status: 409, detail: `The proposal is ${one.status}` };
      expect(await refusal(approve(eva, one))).toMatchObject(refused);
      expect(await refusal(reject(eva, one))).toMatchObject(refused);
      expect(await refusal(withdraw(dora, one))).toMatchObject(refused);
    }
    expect((await server.flag()).name).toBe("Cart");
  });

  test("needs a reason to be rejected", async () => {
    const { dora, eva, propose, reject } = server;
    const proposal = await propose(dora, UPDATE, RENAME);
    expect(await refusal(reject(eva, proposal, ""))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "reason"] }],
    });
    expect(await server.show(eva, proposal)).toMatchObject({ status: "OPEN" });
  });

  test("that does not exist is a 404", async () => {
    const { eva, approve, reject, withdraw, show } = server;
    for (const ask of [approve, reject, withdraw, show])
      expect(await refusal(ask(eva, UNKNOWN))).toMatchObject({ status: 404 });
  });
});

describe("the rights to a proposal", () => {
  const OWNER = 'Not enough permissions: owner or ADMIN required for feature flag "checkout"';

  test("to make one are those of its route", async () => {
    const { dora, dave, ann, vera, anonymous, propose } = server;
    const refused = (person: typeof anonymous) => refusal(propose(person, UPDATE, RENAME));
    expect(await refused(anonymous)).toMatchObject({ status: 401 });
    for (const person of [vera, ann]) {
      const detail = "Not enough permissions: DEVELOPER required for PUT /feature-flags/{id}";
      expect(await refused(person)).toMatchObject({ status: 403, detail });
    }
    expect(await refused(dave)).toMatchObject({ status: 403, detail: OWNER });
    expect(await propose(dora, UPDATE, RENAME)).toMatchObject({ status: "OPEN" });
  });

  test("to decide one are those of its route, and never those of its author", async () => {
    const { dora, dave, ann, vera, eva, admin, anonymous, propose, approve, reject, flag } = server;
    const proposal = await propose(dora, UPDATE, RENAME);
    for (const decide of [approve, reject]) {
      expect(await refusal(decide(anonymous, proposal))).toMatchObject({ status: 401 });
      for (const person of [vera, ann]) expect(await refusal(decide(person, proposal))).toMatchObject({ status: 403 });
      expect(await refusal(decide(dave, proposal))).toMatchObject({ status: 403, detail: OWNER });
      expect(await refusal(decide(dora, proposal))).toMatchObject({
        status: 403,
        detail: "The author of a proposal cannot decide it; withdraw it, or ask another user",
      });
    }
    expect((await flag()).name).toBe("Checkout");
    const ofAdmin = await propose(admin, UPDATE, RENAME);
    expect(await refusal(approve(admin, ofAdmin))).toMatchObject({ status: 403 });
    expect(await approve(dora, ofAdmin)).toMatchObject({ status: "APPLIED", decided_by: dora.user.id });
    expect(await refusal(approve(eva, proposal))).toMatchObject({ status: 409 });
  });

  test("to create something let a DEVELOPER approve, who could create it too", async () => {
    const { dora, dave, propose, approve, vera } = server;
    const proposal = await propose(dora, "POST /feature-flags/", { body: { key: "new", name: "New" } });
    expect(await refusal(approve(vera, proposal))).toMatchObject({ status: 403 });
    expect(await approve(dave, proposal)).toMatchObject({ status: "APPLIED" });
  });

  test("let only the author withdraw one", async () => {
    const { dora, eva, propose, withdraw } = server;
    const proposal = await propose(dora, UPDATE, RENAME);
    const detail = "Not enough permissions: the author required for this";
    expect(await refusal(withdraw(eva, proposal))).toMatchObject({ status: 403, detail });
  });

  test("let an ANALYST read them, and not a VIEWER", async () => {
    const { dora, ann, vera, propose, show } = server;
    const proposal = await propose(dora, UPDATE, RENAME);
    expect(await show(ann, proposal)).toMatchObject({ id: proposal.id });
    expect(await refusal(show(vera, proposal))).toMatchObject({ status: 403 });
    expect(await refusal(vera.request("GET /proposals"))).toMatchObject({ status: 403 });
  });

  test("come from grants too", async () => {
    const { dora, vera, admin, propose, approve, now } = server;
    const proposal = await propose(dora, UPDATE, RENAME);
    const expires_at = new Date(now() + 3_600_000).toISOString();
    await admin.request("POST /users/{user_id}/grants", {
      params: { user_id: vera.user.id },
      body: { resource: "feature-flags", actions: ["UPDATE"], expires_at, reason: "Holidays" },
    });
    expect(await approve(vera, proposal)).toMatchObject({ status: "APPLIED", decided_by: vera.user.id });
  });

  test("of an author who has lost them do not count", async () => {
    const { dora, eva, admin, propose, approve, show, flag } = server;
    const change = (body: object) =>
      admin.request("PATCH /admin/users/{user_id}", { params: { user_id: dora.user.id }, body });
    const proposal = await propose(dora, UPDATE, RENAME);
    await change({ role: "VIEWER" });
    const lost = { status: 409, detail: "The author may no longer make this change" };
    expect(await refusal(approve(eva, proposal))).toMatchObject(lost);
    await change({ role: "DEVELOPER", is_active: false });
    const inactive = { status: 409, detail: "The account of the author is no longer active" };
    expect(await refusal(approve(eva, proposal))).toMatchObject(inactive);
    expect(await show(eva, proposal)).toMatchObject({ problem: inactive.detail });
    expect((await flag()).name).toBe("Checkout");
  });

  test("of a key are those of its creator, who cannot approve what the key proposes", async () => {
    const { admin, eva, connect, propose, approve } = server;
    const keyWith = async (scope: "admin" | "write") => {
      const { key } = await admin.request("POST /api-keys", { body: { name: "ci", scopes: [scope] } });
      return connect({ apiKey: key! });
    };
    expect(await refusal(propose(await keyWith("write"), UPDATE, RENAME))).toMatchObject({ status: 403 });
    const key = await keyWith("admin");
    const proposal = await propose(key, UPDATE, RENAME);
    expect(await refusal(approve(key, proposal))).toMatchObject({ status: 401 });
    expect(await refusal(approve(admin, proposal))).toMatchObject({ status: 403 });
    expect(await approve(eva, proposal)).toMatchObject({ status: "APPLIED" });
  });
});

test("proposals are listed newest first, by status, resource and author", async () => {
  const { dora, eva, ann, propose, reject, flag } = server;
  const one = await propose(dora, UPDATE, RENAME);
  const two = await propose(eva, "POST /segments", { body: { name: "testers" } });
  await reject(eva, one);
  const list = async (query: object = {}) => {
    const { items, total } = await ann.request("GET /proposals", { query });
    return [items.map(({ id }) => id), total];
  };
  expect(await list()).toEqual([[two.id, one.id], 2]);
  expect(await list({ status: "open" })).toEqual([[two.id], 1]);
  expect(await list({ resource_type: "feature_flag" })).toEqual([[one.id], 1]);
  expect(await list({ resource_id: (await flag()).id })).toEqual([[one.id], 1]);
  expect(await list({ author_id: eva.user.id })).toEqual([[two.id], 1]);
  expect(await list({ skip: 1, limit: 1 })).toEqual([[one.id], 2]);
});
