import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const PAGE = { "x-assay-session": "cookie", "sec-fetch-site": "same-origin" };
const post = (path: string, headers: Record<string, string>, body?: object) =>
  server.send("POST", `/auth/${path}`, { headers, ...(body && { body }) });
const login = (headers: Record<string, string> = PAGE) => post("login", headers, ADMIN);
const cookieOf = ({ headers }: { headers: Headers }) => headers.get("set-cookie")?.split(";", 1)[0] ?? "";
const refresh = (cookie: string, headers: Record<string, string> = PAGE, body?: object) =>
  post("refresh", { ...headers, cookie }, body);

describe("a session in a cookie", () => {
  test("keeps the refresh token where scripts cannot read it, for the routes of sign-in only", async () => {
    const { status, json, headers } = await login();
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(["access_token", "expires_in", "token_type"]);
    const [cookie, ...attributes] = headers.get("set-cookie")!.split("; ");
    expect(cookie).toMatch(/^assay-session=[^.]+\.1\./);
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/api/v1/auth", "SameSite=Strict"]);
  });

  test("is Secure over TLS, with the prefix that browsers enforce", async () => {
    const request = new Request(`${ORIGIN.replace("http:", "https:")}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", ...PAGE },
      body: JSON.stringify(ADMIN),
    });
    const set = (await server.assay.fetch(request)).headers.get("set-cookie");
    expect(set).toMatch(/^__Secure-assay-session=/);
    expect(set).toContain("; Secure");
  });

  test("works for /auth/token too", async () => {
    const form = { ...PAGE, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(ADMIN).toString();
    const { headers, json } = await server.send("POST", "/auth/token", { headers: form, body });
    expect(headers.get("set-cookie")).toContain("assay-session=");
    expect(json).not.toHaveProperty("refresh_token");
  });

  test("is renewed without a body, each token once", async () => {
    const first = cookieOf(await login());
    const renewed = await refresh(first);
    expect(renewed.status).toBe(200);
    expect(renewed.json).not.toHaveProperty("refresh_token");
    const second = cookieOf(renewed);
    expect(second).not.toBe(first);
    const authorization = `Bearer ${renewed.json.access_token}`;
    expect((await server.send("GET", "/users/me", { headers: { authorization } })).status).toBe(200);
    // A spent token ends the session, also for the newest one.
    const reused = await refresh(first);
    expect([reused.status, reused.headers.get("set-cookie")]).toEqual([401, expect.stringContaining("Max-Age=0")]);
    expect((await refresh(second)).status).toBe(401);
  });

  test("ends with a logout, which removes the cookie", async () => {
    const answer = await login();
    const cookie = cookieOf(answer);
    const headers = { authorization: `Bearer ${answer.json.access_token}`, cookie };
    const { status, headers: answered } = await post("logout", headers);
    expect(status).toBe(204);
    expect(answered.get("set-cookie")).toMatch(/^assay-session=; Max-Age=0; Path=\/api\/v1\/auth/);
    expect((await refresh(cookie)).status).toBe(401);
  });
});

describe("a cookie is not used", () => {
  test("without the header, which pages of other origins cannot send", async () => {
    const cookie = cookieOf(await login());
    const { status, json } = await refresh(cookie, { "sec-fetch-site": "same-origin" });
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "refresh_token"]]);
    expect((await refresh(cookie)).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another origin of the same site", { "sec-fetch-site": "same-site" }],
    ["no page", { "sec-fetch-site": "none" }],
    ["another origin, by an older browser", { origin: "http://evil.test" }],
    ["an opaque origin", { origin: "null" }],
    ["an unknown origin", {}],
  ])("by %s", async (_, from) => {
    const cookie = cookieOf(await login());
    const headers = { "x-assay-session": "cookie", ...from };
    const answers = [await refresh(cookie, headers), await login(headers)];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers.map((answer) => cookieOf(answer))).toEqual(["", ""]);
    // It is not spent.
    expect((await refresh(cookie)).status).toBe(200);
  });

  test("unless the origin is the same, by an older browser", async () => {
    const headers = { "x-assay-session": "cookie", origin: ORIGIN };
    expect((await refresh(cookieOf(await login(headers)), headers)).status).toBe(200);
  });

  test.each([
    ["no cookie", ""],
    ["an invalid cookie", "assay-session=nonsense"],
    ["another cookie", "session=x"],
  ])("with %s", async (_, cookie) => {
    expect((await refresh(cookie)).status).toBe(401);
  });

  test("with a token in the body as well, and with another value of the header", async () => {
    const cookie = cookieOf(await login());
    expect((await refresh(cookie, PAGE, { refresh_token: "x" })).status).toBe(400);
    expect((await login({ ...PAGE, "x-assay-session": "header" })).status).toBe(400);
  });
});

test("without the header, tokens are answered in the body as before, and no cookie is set", async () => {
  const { json, headers } = await login({});
  expect(headers.get("set-cookie")).toBeNull();
  const renewed = await post("refresh", {}, { refresh_token: json.refresh_token });
  expect([renewed.status, renewed.headers.get("set-cookie")]).toEqual([200, null]);
  expect(renewed.json.refresh_token).toEqual(expect.any(String));
});
