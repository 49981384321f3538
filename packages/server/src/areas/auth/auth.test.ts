import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, createTestServer, PASSWORD, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const login = (body: object) => server.send("POST", "/auth/login", { body });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("signing in", () => {
  test("ends sessions that have expired, also of others", async () => {
    const viewer = await server.as("VIEWER");
    await login({ username: viewer.username, password: PASSWORD });
    server.advance(400 * 86_400_000);
    await login(ADMIN);
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "session.expire" } });
    expect(items.length).toBeGreaterThan(0);
  });

  test("returns a bearer token with the stated lifetime", async () => {
    const { status, json, headers } = await login(ADMIN);
    expect(status).toBe(200);
    expect(json).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: "bearer",
      expires_in: 1800,
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await server.send("GET", "/users/me", { headers: bearer(json.access_token) })).status).toBe(200);
    server.advance(1_799_000);
    expect((await server.send("GET", "/users/me", { headers: bearer(json.access_token) })).status).toBe(200);
    server.advance(1_000);
    const expired = await server.send("GET", "/users/me", { headers: bearer(json.access_token) });
    expect([expired.status, expired.json]).toEqual([401, { detail: "Token has expired" }]);
  });

  test("accepts a form on /auth/token, as specified", async () => {
    const body = new URLSearchParams(ADMIN).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status, json } = await server.send("POST", "/auth/token", { body, headers });
    expect([status, json.token_type]).toEqual([200, "bearer"]);
    expect((await server.send("POST", "/auth/login", { body, headers })).status).toBe(415);
  });

  test("accepts the e-mail as username, in any letter case", async () => {
    const { user } = await server.as("VIEWER", "Frances");
    expect((await login({ username: user.email.toUpperCase(), password: PASSWORD })).status).toBe(200);
    expect((await login({ username: "FRANCES", password: PASSWORD })).status).toBe(200);
  });

  test("gives the same error for every wrong login", async () => {
    const { user } = await server.as("VIEWER", "inactive");
    await server.admin.request("PATCH /admin/users/{user_id}", {
      params: { user_id: user.id },
      body: { is_active: false },
    });
    for (const body of [
      { username: "nobody", password: PASSWORD },
      { username: ADMIN.username, password: "wrong" },
      { username: "inactive", password: PASSWORD },
    ]) {
      const { status, json } = await login(body);
      expect([status, json]).toEqual([401, { detail: "Incorrect username or password" }]);
    }
  });

  test("names missing fields", async () => {
    const { status, json } = await login({ username: "x" });
    expect(status).toBe(422);
    expect(json.detail).toEqual([{ loc: ["body", "password"], msg: "Field required", type: "missing" }]);
  });
});

describe("refreshing", () => {
  test("uses up the refresh token, and reuse ends the session", async () => {
    const first = (await login(ADMIN)).json;
    const second = await server.send("POST", "/auth/refresh", { body: { refresh_token: first.refresh_token } });
    expect(second.status).toBe(200);
    expect(second.json.refresh_token).not.toBe(first.refresh_token);
    const reuse = await server.send("POST", "/auth/refresh", { body: { refresh_token: first.refresh_token } });
    expect([reuse.status, reuse.json]).toEqual([401, { detail: "Could not validate credentials" }]);
    const family = await server.send("POST", "/auth/refresh", { body: { refresh_token: second.json.refresh_token } });
    expect(family.status).toBe(401);
    expect((await server.send("GET", "/users/me", { headers: bearer(second.json.access_token) })).status).toBe(401);
  });

  test("succeeds once for simultaneous requests with one token", async () => {
    const { refresh_token } = (await login(ADMIN)).json;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.send("POST", "/auth/refresh", { body: { refresh_token } })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  test.each(["", "x", "a.b", "..", "é.é"])("is rejected with %j, without a server error", async (refresh_token) => {
    const { status } = await server.send("POST", "/auth/refresh", { body: { refresh_token } });
    expect([401, 422]).toContain(status);
  });

  test("ends after 30 days", async () => {
    const { refresh_token } = (await login(ADMIN)).json;
    server.advance(30 * 24 * 3600 * 1000 + 1);
    expect((await server.send("POST", "/auth/refresh", { body: { refresh_token } })).status).toBe(401);
  });
});

test("logging out ends access at once", async () => {
  const { access_token } = (await login(ADMIN)).json;
  expect((await server.send("POST", "/auth/logout", { headers: bearer(access_token) })).status).toBe(204);
  expect((await server.send("GET", "/auth/me", { headers: bearer(access_token) })).status).toBe(401);
});

test("the auth profile contains the names", async () => {
  const { user } = await server.as("ANALYST", "ada");
  await server.admin.request("PUT /users/{user_id}", {
    params: { user_id: user.id },
    body: { full_name: "Ada King Lovelace" },
  });
  const ada = server.connect({ username: "ada", password: PASSWORD });
  expect(await ada.request("GET /auth/me")).toEqual({
    username: "ada",
    email: "ada@example.org",
    given_name: "Ada King",
    family_name: "Lovelace",
  });
});

describe("forged tokens", () => {
  const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test.each([
    ["nothing", ""],
    ["no token", "abc"],
    ["alg none", `${segment({ alg: "none" })}.${segment({ sub: "x", exp: 9e9, iss: "assay", aud: "assay" })}.`],
    ["alg HS256", `${segment({ alg: "HS256" })}.${segment({ sub: "x", exp: 9e9, iss: "assay", aud: "assay" })}.AAAA`],
  ])("%s are rejected", async (_name, token) => {
    const { status, headers } = await server.send("GET", "/users/me", { headers: bearer(token) });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  test("a changed payload is rejected", async () => {
    const { access_token } = (await login(ADMIN)).json;
    const [head, payload, signature] = access_token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = [head, segment({ ...claims, exp: claims.exp + 1 }), signature].join(".");
    const { status, json } = await server.send("GET", "/users/me", { headers: bearer(forged) });
    expect([status, json]).toEqual([401, { detail: "Could not validate credentials" }]);
  });

  test("a token of another server is rejected", async () => {
    const other = await createTestServer();
    const { access_token } = (await other.send("POST", "/auth/login", { body: ADMIN })).json;
    expect((await server.send("GET", "/users/me", { headers: bearer(access_token) })).status).toBe(401);
    await other.assay.close();
  });
});

test("sign-in attempts are limited per address and username", async () => {
  const limited = await createTestServer({ rateLimit: {} });
  const attempt = (username: string) => limited.send("POST", "/auth/login", { body: { username, password: "wrong" } });
  for (let count = 0; count < 5; count++) expect((await attempt("someone")).status).toBe(401);
  const refused = await attempt("someone");
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({ detail: "Rate limit exceeded. Please retry after 60 seconds." });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await attempt("somebody-else")).status).toBe(401);
  await limited.assay.close();
});

test("the client refreshes tokens automatically", async () => {
  const client = server.connect(ADMIN);
  await client.request("GET /users/me");
  server.advance(3_600_000);
  expect((await client.request("GET /users/me")).username).toBe(ADMIN.username);
  expect(await refusal(server.anonymous.request("GET /users/me"))).toMatchObject({
    status: 401,
    detail: "Not authenticated",
  });
});

describe("refresh tokens", () => {
  const refresh = (refresh_token: string) => server.send("POST", "/auth/refresh", { body: { refresh_token } });

  test("are recognized at any age, and end the session", async () => {
    const first = (await login(ADMIN)).json.refresh_token;
    let newest = first;
    for (let count = 0; count < 40; count++) newest = (await refresh(newest)).json.refresh_token;
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(newest)).status).toBe(401);
  });

  test("that are forged end no session", async () => {
    const { refresh_token, access_token } = (await login(ADMIN)).json;
    const [id, generation, secret, seal] = refresh_token.split(".");
    for (const forged of [
      `${id}.1.${secret}`,
      `${id}.${generation}.${secret}.${"A".repeat(seal.length)}`,
      `${id}.${generation}.${"A".repeat(secret.length)}.${seal}`,
      `${id}.0.${secret}.${seal}`,
      `${id}.${Number(generation) + 1}.${secret}.${seal}`,
      id,
      access_token,
    ]) {
      expect((await refresh(forged)).status).toBe(401);
    }
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  test("belong to one session; ending it keeps the others", async () => {
    const [one, other] = [(await login(ADMIN)).json, (await login(ADMIN)).json];
    await server.send("POST", "/auth/logout", { headers: bearer(one.access_token) });
    expect((await refresh(one.refresh_token)).status).toBe(401);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  test("of a deactivated user are rejected", async () => {
    const { user } = await server.as("VIEWER", "off");
    const { refresh_token } = (await login({ username: "off", password: PASSWORD })).json;
    const params = { user_id: user.id };
    await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { is_active: false } });
    expect((await refresh(refresh_token)).status).toBe(401);
  });
});
