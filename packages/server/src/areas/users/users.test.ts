import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, createTestServer, PASSWORD, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const newUser = { username: "grace", email: "grace@example.org", password: PASSWORD };

test("the options create the first administrator, who is ADMIN and superuser", async () => {
  expect(await server.admin.request("GET /users/me")).toEqual({
    id: expect.any(String),
    username: ADMIN.username,
    email: expect.any(String),
    role: "admin",
    is_active: true,
  });
});

test("a superuser creates confirmed users, VIEWER by default", async () => {
  const user = await server.admin.request("POST /users/", { body: { ...newUser, full_name: "Grace Hopper" } });
  expect(user).toMatchObject({
    username: "grace",
    full_name: "Grace Hopper",
    role: "VIEWER",
    is_active: true,
    is_superuser: false,
  });
  expect(JSON.stringify(user)).not.toMatch(/password|hash/);
  const root = await server.admin.request("POST /users/", {
    body: { ...newUser, username: "root", email: "root@example.org", is_superuser: true },
  });
  expect(root).toMatchObject({ role: "ADMIN", is_superuser: true });
});

test("only an ADMIN creates users and sees others", async () => {
  const developer = await server.as("DEVELOPER");
  expect(await refusal(developer.request("POST /users/", { body: newUser }))).toMatchObject({
    status: 403,
    detail: "Not enough permissions: ADMIN required",
  });
  const other = await server.as("VIEWER");
  const mine = await developer.request("GET /users/");
  expect(mine.items.map(({ id }) => id)).toEqual([developer.user.id]);
  expect(
    await refusal(developer.request("GET /users/{user_id}", { params: { user_id: other.user.id } })),
  ).toMatchObject({ status: 404 });
  expect((await developer.request("GET /users/{user_id}", { params: { user_id: developer.user.id } })).id).toBe(
    developer.user.id,
  );
});

test("names and e-mails are unique regardless of letter case", async () => {
  await server.admin.request("POST /users/", { body: newUser });
  const again = (change: object) =>
    server.send("POST", "/users/", { body: { ...newUser, ...change }, headers: headers! });
  const login = await server.send("POST", "/auth/login", { body: ADMIN });
  const headers = { authorization: `Bearer ${login.json.access_token}` };
  for (const change of [
    { email: "other@example.org", username: "GRACE" },
    { username: "other", email: "GRACE@Example.org" },
  ]) {
    const { status, json } = await again(change);
    expect(status).toBe(409);
    expect(json.detail).toContain("already taken");
  }
});

test.each([
  [{ username: "ab" }, "username"],
  [{ password: "short" }, "password"],
  [{ email: "no-mail" }, "email"],
  [{ username: "someone@else.org" }, "username"],
  [{ role: "BOSS" }, "role"],
])("rejects %j and names the field", async (change, field) => {
  const { issues, status } = await refusal(
    server.admin.request("POST /users/", { body: { ...newUser, ...change } as never }),
  );
  expect(status).toBe(422);
  expect(issues).toMatchObject([{ loc: ["body", field] }]);
});

test("a new password ends the old sessions", async () => {
  const { user, ...client } = await server.as("DEVELOPER", "linus");
  await client.request("PUT /users/{user_id}", {
    params: { user_id: user.id },
    body: { password: "another-password" },
  });
  expect(
    await refusal(server.connect({ username: "linus", password: PASSWORD }).request("GET /users/me")),
  ).toMatchObject({ status: 401 });
  expect(
    (await server.connect({ username: "linus", password: "another-password" }).request("GET /users/me")).username,
  ).toBe("linus");
});

test("users cannot raise their own rank", async () => {
  const { user, ...client } = await server.as("DEVELOPER");
  for (const body of [{ role: "ADMIN" as const }, { is_superuser: true }]) {
    expect(await refusal(client.request("PUT /users/{user_id}", { params: { user_id: user.id }, body }))).toMatchObject(
      { status: 403 },
    );
  }
});

test("the last administrator can be neither demoted nor deleted", async () => {
  const { id } = await server.admin.request("GET /users/me");
  const params = { user_id: id };
  for (const body of [{ role: "VIEWER" as const }, { is_active: false }, { is_superuser: false }]) {
    expect(await refusal(server.admin.request("PUT /users/{user_id}", { params, body }))).toMatchObject({
      status: 409,
    });
  }
  expect(await refusal(server.admin.request("DELETE /admin/users/{user_id}", { params }))).toMatchObject({
    status: 409,
  });
});

describe("an ADMIN", () => {
  test("creates, lists, reads, changes and deletes users, other ADMINs too", async () => {
    const manager = await server.as("ADMIN");
    const user = await manager.request("POST /users/", { body: { ...newUser, role: "ADMIN" } });
    const params = { user_id: user.id };
    expect((await manager.request("GET /users/")).total).toBe(3);
    expect((await manager.request("GET /admin/users")).total).toBe(3);
    expect((await manager.request("GET /users/{user_id}", { params })).username).toBe("grace");
    const body = { email: "hopper@example.org", role: "ANALYST", is_superuser: false } as const;
    expect(await manager.request("PUT /users/{user_id}", { params, body })).toMatchObject(body);
    const patched = await manager.request("PATCH /admin/users/{user_id}", {
      params,
      body: { role: "VIEWER", is_active: false, is_superuser: false },
    });
    expect(patched).toMatchObject({ role: "VIEWER", is_active: false });
    await manager.request("DELETE /admin/users/{user_id}", { params });
    expect((await manager.request("GET /users/")).total).toBe(2);
  });

  test("neither changes nor makes a superuser, with a token or a key", async () => {
    const manager = await server.as("ADMIN");
    const { key } = await manager.request("POST /api-keys", { body: { name: "k", scopes: ["admin"] } });
    const { user } = await server.as("VIEWER");
    const root = { user_id: (await server.admin.request("GET /users/me")).id };
    const other = { user_id: user.id };
    const isRefused = { status: 403, detail: "Not enough permissions: superuser required" };
    for (const attempt of [
      () => manager.request("PATCH /admin/users/{user_id}", { params: root, body: { is_active: false } }),
      () => manager.request("PUT /users/{user_id}", { params: root, body: { password: PASSWORD } }),
      () => manager.request("PUT /users/{user_id}", { params: root, body: { email: "mine@example.org" } }),
      () => manager.request("DELETE /admin/users/{user_id}", { params: root }),
      () => server.connect({ apiKey: key }).request("DELETE /admin/users/{user_id}", { params: root }),
      () => manager.request("PATCH /admin/users/{user_id}", { params: other, body: { is_superuser: true } }),
      () => manager.request("PUT /users/{user_id}", { params: other, body: { is_superuser: true } }),
      () =>
        manager.request("PUT /users/{user_id}", { params: { user_id: manager.user.id }, body: { is_superuser: true } }),
      () => manager.request("POST /users/", { body: { ...newUser, is_superuser: true } }),
    ]) {
      expect(await refusal(attempt())).toMatchObject(isRefused);
    }
  });
});

test("a superuser grants and revokes the superuser flag", async () => {
  const { user } = await server.as("ADMIN");
  const params = { user_id: user.id };
  for (const is_superuser of [true, false]) {
    const changed = await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { is_superuser } });
    expect(changed.is_superuser).toBe(is_superuser);
  }
});

test("deleting a user ends their sessions and keys, keeps what they created, and frees their name", async () => {
  const { user, ...developer } = await server.as("DEVELOPER", "edsger");
  const flag = await developer.request("POST /feature-flags/", { body: { key: "kept", name: "Kept" } });
  const { key } = await developer.request("POST /api-keys", { body: { name: "theirs" } });
  await server.admin.request("DELETE /admin/users/{user_id}", { params: { user_id: user.id } });

  expect(await refusal(developer.request("GET /users/me"))).toMatchObject({ status: 401 });
  expect(await refusal(server.connect({ apiKey: key }).request("GET /feature-flags/"))).toMatchObject({
    status: 401,
    detail: "Invalid API key",
  });
  expect((await server.admin.request("GET /feature-flags/{id}", { params: { id: "kept" } })).created_by).toBe(
    flag.created_by,
  );
  expect(await refusal(server.admin.request("GET /users/{user_id}", { params: { user_id: user.id } }))).toMatchObject({
    status: 404,
  });
  await server.admin.request("POST /users/", { body: { ...newUser, username: "edsger" } });
});

test("lists page by skip and limit up to 100", async () => {
  for (const name of ["ann", "bob", "cat"]) await server.as("VIEWER", name);
  const page = await server.admin.request("GET /admin/users", { query: { skip: 1, limit: 2 } });
  expect(page).toMatchObject({ total: 4, skip: 1, limit: 2 });
  expect(page.items.map(({ username }) => username)).toEqual(["ann", "bob"]);
  expect(await refusal(server.admin.request("GET /admin/users", { query: { limit: 101 } }))).toMatchObject({
    status: 422,
  });
});

test("an unknown id is 404, a malformed one 422", async () => {
  const get = (user_id: string) => refusal(server.admin.request("GET /users/{user_id}", { params: { user_id } }));
  expect(await get("018f0000-0000-7000-8000-000000000000")).toMatchObject({
    status: 404,
    detail: "Resource not found",
  });
  expect(await get("not-an-id")).toMatchObject({ status: 422 });
});

test("a key cannot create a superuser, and the key of an ADMIN cannot delete one", async () => {
  const body = { ...newUser, is_superuser: true };
  const superusers = await server.withKey(["admin"]);
  expect(await refusal(superusers.request("POST /users/", { body }))).toMatchObject({
    status: 403,
    detail: "Not enough permissions: superuser required",
  });
  expect(await superusers.request("POST /users/", { body: newUser })).toMatchObject({ role: "VIEWER" });

  const { request } = await server.as("ADMIN");
  const { key } = await request("POST /api-keys", { body: { name: "k", scopes: ["admin"] } });
  const client = server.connect({ apiKey: key });
  const { id } = await server.admin.request("GET /users/me");
  expect(await refusal(client.request("DELETE /admin/users/{user_id}", { params: { user_id: id } }))).toMatchObject({
    status: 403,
  });
  const grace = (await client.request("GET /admin/users")).items.find(({ username }) => username === "grace")!;
  await client.request("DELETE /admin/users/{user_id}", { params: { user_id: grace.id } });
});

test("a username that is the e-mail changes with it", async () => {
  const user = await server.admin.request("POST /users/", { body: { ...newUser, username: newUser.email } });
  const changed = await server.admin.request("PUT /users/{user_id}", {
    params: { user_id: user.id },
    body: { email: "hopper@example.org" },
  });
  expect(changed).toMatchObject({ username: "hopper@example.org", email: "hopper@example.org" });
});

test("rejects a common password in every place", async () => {
  expect(
    await refusal(server.admin.request("POST /users/", { body: { ...newUser, password: "Qwertyuiop" } })),
  ).toMatchObject({ status: 422, issues: [{ loc: ["body", "password"] }] });
  const { user, ...person } = await server.as("VIEWER");
  expect(
    await refusal(
      person.request("PUT /users/{user_id}", { params: { user_id: user.id }, body: { password: "password123" } }),
    ),
  ).toMatchObject({ status: 422, issues: [{ loc: ["body", "password"] }] });
});

test("a deleted or deactivated user is rejected from the next request on, until they are activated", async () => {
  const { user, ...person } = await server.as("VIEWER", "barbara");
  await person.request("GET /users/me");
  const params = { user_id: user.id };
  await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { is_active: false } });
  expect(await refusal(person.request("GET /users/me"))).toMatchObject({ status: 401 });
  await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { is_active: true } });
  await server.connect({ username: "barbara", password: PASSWORD }).request("GET /users/me");
});
