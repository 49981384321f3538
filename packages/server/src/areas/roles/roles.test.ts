import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, PASSWORD, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const HOUR = 3600 * 1000;
const UNKNOWN = "018f0000-0000-7000-8000-000000000000";
const releaser = {
  name: "releaser",
  description: "Turns flags on and off",
  permissions: [{ resource: "feature-flags", actions: ["UPDATE" as const] }],
};
const createRole = (body: object = {}) => server.admin.request("POST /roles", { body: { ...releaser, ...body } });
const give = (user_id: string, custom_roles: string[]) =>
  server.admin.request("PATCH /admin/users/{user_id}", { params: { user_id }, body: { custom_roles } });
const grant = (user_id: string, body: object = {}) =>
  server.admin.request("POST /users/{user_id}/grants", {
    params: { user_id },
    body: {
      resource: "feature-flags",
      actions: ["UPDATE"],
      expires_at: new Date(server.now() + HOUR).toISOString(),
      ...body,
    },
  });
const createFlag = (key = "checkout") =>
  server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE" } });
type Person = Pick<Awaited<ReturnType<TestServer["as"]>>, "request">;
const rename = (person: Person, name = "Renamed", id = "checkout") =>
  person.request("PUT /feature-flags/{id}", { params: { id }, body: { name } });

describe("roles", () => {
  test("are listed with built-in ones first, with their permissions by the contract", async () => {
    await createRole();
    const { items, total } = await server.admin.request("GET /roles");
    expect(total).toBe(5);
    expect(items.map(({ name, is_built_in }) => [name, is_built_in])).toEqual([
      ["VIEWER", true],
      ["ANALYST", true],
      ["DEVELOPER", true],
      ["ADMIN", true],
      ["releaser", false],
    ]);
    const flagsOf = (name: string) =>
      items.find((role) => role.name === name)!.permissions.find(({ resource }) => resource === "feature-flags");
    expect(flagsOf("VIEWER")).toEqual({ resource: "feature-flags", actions: ["READ"] });
    expect(flagsOf("DEVELOPER")!.actions).toEqual(["READ", "CREATE", "UPDATE", "DELETE"]);
    expect(
      items[2]!.permissions.some(({ resource, actions }) => resource === "roles" && actions.includes("CREATE")),
    ).toBe(false);
  });

  test("are created, changed and deleted by an ADMIN", async () => {
    const manager = await server.as("ADMIN");
    expect(await manager.request("POST /roles", { body: releaser })).toEqual({
      ...releaser,
      is_built_in: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const params = { role_name: "releaser" };
    const changed = await manager.request("PUT /roles/{role_name}", { params, body: { description: "Other" } });
    expect(changed).toMatchObject({ description: "Other", permissions: releaser.permissions });
    const cleared = await manager.request("PUT /roles/{role_name}", { params, body: { description: null } });
    expect(cleared.description).toBe("");
    await manager.request("DELETE /roles/{role_name}", { params });
    expect(await refusal(manager.request("DELETE /roles/{role_name}", { params }))).toMatchObject({ status: 404 });
  });

  test.each(["VIEWER", "ANALYST", "DEVELOPER"] as const)("are forbidden for %s", async (role) => {
    const person = await server.as(role);
    expect(await refusal(person.request("GET /roles"))).toMatchObject({
      status: 403,
      detail: "Not enough permissions: ADMIN required",
    });
    expect(await refusal(person.request("POST /roles", { body: releaser }))).toMatchObject({ status: 403 });
  });

  test.each([
    [{ name: "With Space" }, ["body", "name"]],
    [{ name: "x" }, ["body", "name"]],
    [{ permissions: [] }, ["body", "permissions"]],
    [{ permissions: [{ resource: "flags", actions: ["READ"] }] }, ["body", "permissions", 0, "resource"]],
    [{ permissions: [{ resource: "users", actions: ["BURN"] }] }, ["body", "permissions", 0, "actions", 0]],
    [{ permissions: [{ resource: "users", actions: [] }] }, ["body", "permissions", 0, "actions"]],
    [{ permissions: [{ resource: "holdout", actions: ["DELETE"] }] }, ["body", "permissions", 0, "actions"]],
    [{ permissions: [{ resource: "wizard", actions: ["UPDATE"] }] }, ["body", "permissions", 0, "actions"]],
    [{ permissions: [{ resource: "roles", actions: ["READ", "UPDATE"] }] }, ["body", "permissions", 0, "actions"]],
  ])("reject %j and name the field", async (body, loc) => {
    expect(await refusal(createRole(body))).toMatchObject({ status: 422, issues: [{ loc }] });
  });

  test("cannot have the names of built-in ones", async () => {
    await createRole();
    expect(await refusal(createRole())).toMatchObject({ status: 409, detail: 'Role "releaser" already exists' });
    expect(await refusal(createRole({ name: "admin" }))).toMatchObject({ status: 409 });
  });

  test("that are built in cannot change", async () => {
    const params = { role_name: "ADMIN" };
    const body = { permissions: releaser.permissions };
    expect(await refusal(server.admin.request("PUT /roles/{role_name}", { params, body }))).toMatchObject({
      status: 409,
      detail: 'Role "ADMIN" is built in and cannot be changed',
    });
    expect(await refusal(server.admin.request("DELETE /roles/{role_name}", { params }))).toMatchObject({ status: 409 });
  });

  test("accept actions in either case", async () => {
    const role = await createRole({ permissions: [{ resource: "*", actions: ["update", "READ", "read"] }] });
    expect(role.permissions).toEqual([{ resource: "*", actions: ["READ", "UPDATE"] }]);
  });
});

describe("a custom role", () => {
  test("adds to the built-in role, for everything of every user, from the next request on", async () => {
    await createFlag();
    await createRole();
    const { user, ...person } = await server.as("VIEWER");
    expect(await refusal(rename(person))).toMatchObject({ status: 403 });
    expect((await give(user.id, ["releaser"])).custom_roles).toEqual(["releaser"]);
    expect((await rename(person)).name).toBe("Renamed");
    await give(user.id, []);
    expect(await refusal(rename(person))).toMatchObject({ status: 403 });
  });

  test("lets a DEVELOPER change what others created", async () => {
    await createFlag();
    await createRole();
    const { user, ...person } = await server.as("DEVELOPER");
    expect(await refusal(rename(person))).toMatchObject({ status: 403 });
    await give(user.id, ["releaser"]);
    await rename(person);
  });

  test("allows what it names and nothing else", async () => {
    await createFlag();
    await createRole();
    const { user, ...person } = await server.as("VIEWER");
    await give(user.id, ["releaser"]);
    const params = { id: "checkout" };
    expect(await refusal(person.request("DELETE /feature-flags/{id}", { params }))).toMatchObject({ status: 403 });
    expect(await refusal(person.request("POST /feature-flags/", { body: { key: "new", name: "New" } }))).toMatchObject({
      status: 403,
    });
    expect(await refusal(person.request("POST /experiments/", { body: { name: "New" } as never }))).toMatchObject({
      status: 403,
    });
  });

  test("takes effect at once for its holders when it changes", async () => {
    await createFlag();
    await createRole({ permissions: [{ resource: "experiments", actions: ["READ"] }] });
    const { user, ...person } = await server.as("VIEWER");
    await give(user.id, ["releaser"]);
    expect(await refusal(rename(person))).toMatchObject({ status: 403 });
    await server.admin.request("PUT /roles/{role_name}", {
      params: { role_name: "releaser" },
      body: { permissions: releaser.permissions },
    });
    await rename(person);
  });

  test("with READ shows drafts to a VIEWER", async () => {
    const draft = await server.admin.request("POST /experiments/", { body: { name: "Draft" } as never });
    await createRole({ permissions: [{ resource: "experiments", actions: ["READ"] }] });
    const { user, ...person } = await server.as("VIEWER");
    const read = () =>
      person.request("GET /experiments/{experiment_id}", { params: { experiment_id: (draft as { id: string }).id } });
    expect(await refusal(read())).toMatchObject({ status: 404 });
    await give(user.id, ["releaser"]);
    await read();
  });

  test("for all resources still cannot grant rights, and cannot exceed the built-in role of its holder", async () => {
    await createRole({ permissions: [{ resource: "*", actions: ["READ", "CREATE", "UPDATE", "DELETE"] }] });
    const { user, ...person } = await server.as("VIEWER");
    await give(user.id, ["releaser"]);
    await person.request("GET /roles");
    expect(await refusal(person.request("POST /roles", { body: { ...releaser, name: "mine" } }))).toMatchObject({
      status: 403,
    });
    const params = { user_id: user.id };
    const expires_at = new Date(server.now() + HOUR).toISOString();
    const body = { resource: "*", actions: ["READ" as const], expires_at };
    expect(await refusal(person.request("POST /users/{user_id}/grants", { params, body }))).toMatchObject({
      status: 403,
    });
    const newUser = { username: "grace", email: "grace@example.org", password: PASSWORD };
    for (const more of [{ role: "ANALYST" as const }, { is_superuser: true }]) {
      expect(await refusal(person.request("POST /users/", { body: { ...newUser, ...more } }))).toMatchObject({
        status: 403,
      });
    }
    const developer = { user_id: (await server.as("DEVELOPER")).user.id };
    const peer = { user_id: (await server.as("VIEWER")).user.id };
    expect(await refusal(person.request("DELETE /admin/users/{user_id}", { params: developer }))).toMatchObject({
      status: 403,
    });
    for (const taken of [{ password: PASSWORD }, { email: "mine@example.org" }]) {
      expect(await refusal(person.request("PUT /users/{user_id}", { params: peer, body: taken }))).toMatchObject({
        status: 403,
      });
    }
    for (const change of [{ role: "ADMIN" as const }, { custom_roles: ["releaser"] }]) {
      expect(await refusal(person.request("PATCH /admin/users/{user_id}", { params, body: change }))).toMatchObject({
        status: 403,
      });
    }
  });

  test("to manage users creates, lists and deletes them", async () => {
    await createRole({ permissions: [{ resource: "users", actions: ["CREATE", "READ", "DELETE"] }] });
    const helper = await server.as("ANALYST");
    await give(helper.user.id, ["releaser"]);
    const body = { username: "grace", email: "grace@example.org", password: PASSWORD, role: "ANALYST" as const };
    const { id } = await helper.request("POST /users/", { body });
    for (const list of ["GET /users/", "GET /admin/users"] as const) {
      expect((await helper.request(list)).items.map((user) => user.id)).toContain(id);
    }
    await helper.request("DELETE /admin/users/{user_id}", { params: { user_id: id } });
  });

  test("to manage users reaches no user above the holder's rank", async () => {
    await createRole({ permissions: [{ resource: "users", actions: ["UPDATE"] }] });
    const helper = await server.as("ANALYST");
    await give(helper.user.id, ["releaser"]);
    const viewer = await server.as("VIEWER");
    const developer = await server.as("DEVELOPER");
    const patch = (user_id: string, body: object) =>
      helper.request("PATCH /admin/users/{user_id}", { params: { user_id }, body });
    expect((await patch(viewer.user.id, { role: "ANALYST" })).role).toBe("ANALYST");
    expect(await refusal(patch(viewer.user.id, { role: "DEVELOPER" }))).toMatchObject({ status: 403 });
    expect(await refusal(patch(developer.user.id, { is_active: false }))).toMatchObject({ status: 403 });
  });

  test("cannot be deleted while it is assigned, and an unknown one cannot be assigned", async () => {
    await createRole();
    const { user } = await server.as("VIEWER");
    await give(user.id, ["releaser", "releaser"]);
    const params = { role_name: "releaser" };
    expect(await refusal(server.admin.request("DELETE /roles/{role_name}", { params }))).toMatchObject({
      status: 409,
      detail: 'Role "releaser" is assigned to 1 user(s); remove it from them first',
    });
    expect(await refusal(give(user.id, ["releaser", "nothing"]))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "custom_roles", 1] }],
    });
    await server.admin.request("DELETE /admin/users/{user_id}", { params: { user_id: user.id } });
    await server.admin.request("DELETE /roles/{role_name}", { params });
  });

  test("applies to the keys of its holder, for as long as its holder has it", async () => {
    await createFlag();
    await createRole({
      permissions: [
        { resource: "api-keys", actions: ["CREATE"] },
        { resource: "feature-flags", actions: ["UPDATE"] },
      ],
    });
    const { user, ...person } = await server.as("VIEWER");
    await give(user.id, ["releaser"]);
    const { key } = await person.request("POST /api-keys", { body: { name: "k", scopes: ["admin", "write"] } });
    const client = server.connect({ apiKey: key });
    await rename(client, "By key");
    expect(await refusal(client.request("DELETE /feature-flags/{id}", { params: { id: "checkout" } }))).toMatchObject({
      status: 403,
      detail: "Not enough permissions: a key made by a DEVELOPER required",
    });
    await give(user.id, []);
    expect(await refusal(rename(client))).toMatchObject({ status: 403 });
  });
});

describe("a grant", () => {
  test("adds rights until it expires", async () => {
    await createFlag();
    const { user, ...person } = await server.as("VIEWER");
    const given = await grant(user.id, { reason: "Incident 12" });
    expect(given).toEqual({
      id: expect.any(String),
      user_id: user.id,
      resource: "feature-flags",
      actions: ["UPDATE"],
      reason: "Incident 12",
      expires_at: new Date(server.now() + HOUR).toISOString(),
      created_by: expect.any(String),
      created_at: expect.any(String),
    });
    await rename(person);
    server.advance(HOUR - 1);
    await rename(person, "In the last moment");
    server.advance(1);
    expect(await refusal(rename(person))).toMatchObject({ status: 403 });
    const params = { user_id: user.id };
    expect((await server.admin.request("GET /users/{user_id}/grants", { params })).items).toEqual([]);
  });

  test("can be revoked with immediate effect", async () => {
    await createFlag();
    const { user, ...person } = await server.as("VIEWER");
    const { id } = await grant(user.id);
    await rename(person);
    const params = { user_id: user.id, grant_id: id };
    await server.admin.request("DELETE /users/{user_id}/grants/{grant_id}", { params });
    expect(await refusal(rename(person))).toMatchObject({ status: 403 });
    expect(await refusal(server.admin.request("DELETE /users/{user_id}/grants/{grant_id}", { params }))).toMatchObject({
      status: 404,
    });
  });

  test("is revoked only under its own user", async () => {
    const [one, other] = [await server.as("VIEWER"), await server.as("VIEWER")];
    const { id } = await grant(one.user.id);
    const params = { user_id: other.user.id, grant_id: id };
    expect(await refusal(server.admin.request("DELETE /users/{user_id}/grants/{grant_id}", { params }))).toMatchObject({
      status: 404,
    });
  });

  test.each([
    [{ expires_at: "2026-03-01T11:59:59Z" }, "expires_at"],
    [{ expires_at: "2027-03-03" }, "expires_at"],
    [{ expires_at: "never" }, "expires_at"],
    [{ expires_at: undefined }, "expires_at"],
    [{ resource: "everything" }, "resource"],
    [{ resource: "roles", actions: ["DELETE"] }, "actions"],
    [{ resource: "audit-logs", actions: ["READ", "DELETE"] }, "actions"],
    [{ resource: "scheduler", actions: ["READ"] }, "actions"],
  ])("rejects %j and names the field", async (body, field) => {
    const { user } = await server.as("VIEWER");
    expect(await refusal(grant(user.id, body))).toMatchObject({ status: 422, issues: [{ loc: ["body", field] }] });
  });

  test("for a user whose built-in role allows everything is a 422", async () => {
    const { user } = await server.as("ADMIN");
    const { id } = await server.admin.request("GET /users/me");
    for (const user_id of [user.id, id]) {
      expect(await refusal(grant(user_id))).toMatchObject({
        status: 422,
        issues: [{ loc: ["path", "user_id"], msg: expect.stringContaining("already") }],
      });
    }
  });

  test("for an unknown user is a 404", async () => {
    expect(await refusal(grant(UNKNOWN))).toMatchObject({ status: 404 });
  });

  test("survives a restart", async () => {
    const { memoryStore } = await import("@assay/store");
    const store = { ...memoryStore(), close: async () => {} };
    const first = await createTestServer({ storage: store });
    const { user } = await first.as("VIEWER", "grace");
    await first.admin.request("POST /feature-flags/", { body: { key: "checkout", name: "Checkout" } });
    await first.admin.request("POST /users/{user_id}/grants", {
      params: { user_id: user.id },
      body: { resource: "*", actions: ["UPDATE"], expires_at: "2026-03-02" },
    });
    await first.assay.close();
    const second = await createTestServer({ storage: store });
    await rename(second.connect({ username: "grace", password: PASSWORD }));
    await second.assay.close();
  });
});

describe("a user's permissions", () => {
  const permissions = (person: Person, user_id: string) =>
    person.request("GET /users/{user_id}/permissions", { params: { user_id } });

  test("combine the built-in role, custom roles and grants", async () => {
    await createRole();
    const { user, ...person } = await server.as("DEVELOPER");
    const find = async (resource: string) =>
      (await permissions(person, user.id)).permissions.find((one) => one.resource === resource);
    expect(await find("feature-flags")).toEqual({
      resource: "feature-flags",
      actions: ["READ", "CREATE", "UPDATE", "DELETE"],
      own_actions: ["UPDATE", "DELETE"],
    });
    await give(user.id, ["releaser"]);
    expect((await find("feature-flags"))!.own_actions).toEqual(["DELETE"]);
    const { id } = await grant(user.id, { resource: "tracking", actions: ["READ"] });
    expect(await find("tracking")).toEqual({ resource: "tracking", actions: ["READ"], own_actions: [] });
    expect(await permissions(person, user.id)).toMatchObject({
      user_id: user.id,
      role: "DEVELOPER",
      is_superuser: false,
      custom_roles: ["releaser"],
      grants: [{ id }],
    });
  });

  test("are visible to the user and to ADMIN", async () => {
    const viewer = await server.as("VIEWER");
    const developer = await server.as("DEVELOPER");
    await permissions(viewer, viewer.user.id);
    expect(await refusal(permissions(developer, viewer.user.id))).toMatchObject({ status: 404 });
    expect((await permissions(await server.as("ADMIN"), viewer.user.id)).role).toBe("VIEWER");
    expect(await refusal(permissions(server.admin, UNKNOWN))).toMatchObject({ status: 404 });
  });
});
