import { importJWK, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, ORIGIN, refusal, type TestServer } from "../../../testing.fixture.ts";
import {
  AUDIENCE,
  CLIENT_ID,
  CLIENT_SECRET,
  createBrowser,
  makeKey,
  PEOPLE_PASSWORD,
  REDIRECT_URI,
  startProvider,
  type TestProvider,
} from "./oidc.fixture.ts";
import type { OidcOptions } from "./options.ts";

const people = {
  ada: { email: "ada@example.org", name: "Ada Lovelace", preferred_username: "ada", groups: ["assay-admins"] },
  grace: { email: "grace@example.org", given_name: "Grace", family_name: "Hopper", groups: ["ops", "builders"] },
  eve: { name: "Eve" },
};
const roles = { "assay-admins": "SUPERUSER", builders: "DEVELOPER", readers: "ANALYST" } as const;

let provider: TestProvider;
beforeAll(async () => {
  provider = await startProvider({ people });
});
afterAll(() => provider.close());

let skew = 0;
const identity = (changes: Partial<OidcOptions> = {}): OidcOptions => ({
  issuer: provider.issuer,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  audience: AUDIENCE,
  redirectUri: REDIRECT_URI,
  roleClaim: "groups",
  roles,
  ...changes,
});
const start = (changes: Partial<OidcOptions> = {}) =>
  createTestServer({ identity: identity(changes), now: () => Date.now() + skew });

let server: TestServer;
beforeEach(async () => {
  skew = 0;
  server = await start();
});
afterEach(() => server.assay.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = (token: string, on = server) => on.send("GET", "/users/me", { headers: bearer(token) });
const get = (path: string, cookie = "", on = server) =>
  on.assay.fetch(new Request(`${ORIGIN}${path}`, { headers: { cookie } }));

/** Signs a user in with a browser: to the provider, through its pages, and back. */
async function signIn(login: string, { on = server, query = "" } = {}) {
  const leaving = await get(`/oidc/login${query}`, "", on);
  expect(leaving.status).toBe(302);
  const cookie = leaving.headers.get("set-cookie")!.split(";")[0]!;
  const back = await createBrowser().signIn(leaving.headers.get("location")!, login);
  return { cookie, back, answer: await get(`/oidc/callback${back.search}`, cookie, on) };
}

async function tokensOf(login: string, on = server) {
  const { answer } = await signIn(login, { on });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { access_token: string; refresh_token: string; expires_in: number };
}

describe("a person", () => {
  test("signs in at the provider with a code and PKCE, and becomes a user with the role of their groups", async () => {
    const { answer, cookie, back } = await signIn("ada");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const tokens = (await answer.json()) as { access_token: string; expires_in: number };
    expect(tokens).toMatchObject({ token_type: "bearer", refresh_token: expect.stringMatching(/./) });
    expect(tokens.expires_in).toBeGreaterThan(500);
    expect((await me(tokens.access_token)).json).toEqual({
      id: expect.any(String),
      username: "ada",
      email: "ada@example.org",
      role: "admin",
      is_active: true,
    });
    expect((await server.send("GET", "/admin/users", { headers: bearer(tokens.access_token) })).json.total).toBe(1);
    // The code is spent, so a leaked callback URL cannot be replayed.
    expect((await get(`/oidc/callback${back.search}`, cookie)).status).toBe(401);
  });

  test("with weaker groups gets only their role", async () => {
    const { access_token } = await tokensOf("grace");
    expect((await me(access_token)).json).toMatchObject({ username: "grace@example.org", role: "developer" });
    expect((await server.send("GET", "/admin/users", { headers: bearer(access_token) })).status).toBe(403);
    const profile = await server.send("GET", "/auth/me", { headers: bearer(access_token) });
    expect(profile.json).toMatchObject({ given_name: "Grace", family_name: "Hopper" });
  });

  test("without groups, e-mail or a valid name becomes a VIEWER", async () => {
    const { json } = await me((await tokensOf("eve")).access_token);
    expect(json).toMatchObject({ username: "eve", role: "viewer" });
    expect(json.email).toMatch(/@users\.invalid$/);
  });

  test("stays the same user, and their role follows the token", async () => {
    const first = await me(await provider.forge({ sub: "kay", groups: ["builders"] }));
    const second = await me(await provider.forge({ sub: "kay", groups: ["readers"] }));
    const third = await me(await provider.forge({ sub: "kay" }));
    expect([first, second, third].map(({ json }) => json.role)).toEqual(["developer", "analyst", "viewer"]);
    expect(new Set([first, second, third].map(({ json }) => json.id)).size).toBe(1);
  });

  test("becomes one user if several first requests come at once", async () => {
    const token = await provider.forge({ sub: "crowd" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => me(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  });

  test("with another user's e-mail or name gets neither, and not that account", async () => {
    const one = await me(await provider.forge({ sub: "one", email: "ada@example.org", preferred_username: "ada" }));
    const two = await me(await provider.forge({ sub: "two", email: "ADA@example.org", preferred_username: "Ada" }));
    expect(one.json).toMatchObject({ username: "ada", email: "ada@example.org" });
    expect(two.json.id).not.toBe(one.json.id);
    expect(two.json.email).toMatch(/@users\.invalid$/);
  });

  test("who is deleted or deactivated here cannot sign in", async () => {
    const admin = bearer(await provider.forge({ sub: "ada", groups: ["assay-admins"] }));
    await server.send("GET", "/users/me", { headers: admin });
    for (const [method, path] of [
      ["DELETE", "/admin/users/"],
      ["PATCH", "/admin/users/"],
    ] as const) {
      const token = await provider.forge({ sub: `leaver-${method}` });
      const { id } = (await me(token)).json;
      await server.send(method, `${path}${id}`, {
        headers: admin,
        ...(method === "PATCH" ? { body: { is_active: false } } : {}),
      });
      expect((await me(token)).status).toBe(401);
    }
  });

  test("creates API keys, which keep working", async () => {
    const headers = bearer(await provider.forge({ sub: "grace", groups: ["builders"] }));
    const { json } = await server.send("POST", "/api-keys", { headers, body: { name: "k" } });
    expect((await server.send("GET", "/feature-flags/", { headers: { "x-api-key": json.key } })).status).toBe(200);
  });
});

describe("roles without a role claim", () => {
  test("are assigned here and stay", async () => {
    const own = await start({ roleClaim: undefined, roles: undefined });
    const token = await provider.forge({ sub: "kay", groups: ["assay-admins"] });
    expect((await me(token, own)).json.role).toBe("viewer");
    await own.assay.close();
  });

  test("are read from a nested claim, by the built-in names in any letter case", async () => {
    const own = await start({ roleClaim: "realm_access.roles", roles: undefined });
    const token = await provider.forge({ realm_access: { roles: ["viewer", "Developer", "SUPERUSER", "__proto__"] } });
    expect((await me(token, own)).json.role).toBe("developer");
    await own.assay.close();
  });
});

describe("tokens", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const refused = { status: 401, json: { detail: "Could not validate credentials" } };

  test.each<[string, () => Promise<string>]>([
    ["for another audience", () => provider.forge({ aud: "https://another.test" })],
    ["for our client instead of our API", () => provider.forge({ aud: CLIENT_ID })],
    ["without an audience", () => provider.forge({ aud: undefined })],
    ["of another issuer", () => provider.forge({ iss: "https://another.test" })],
    ["of no issuer", () => provider.forge({ iss: undefined })],
    ["without an expiry", () => provider.forge({ exp: undefined })],
    ["without a subject", () => provider.forge({ sub: undefined })],
    ["with an empty subject", () => provider.forge({ sub: "" })],
    ["that are not valid yet", () => provider.forge({ nbf: now() + 3600 })],
    ["for logging out", () => provider.forge({}, { typ: "logout+jwt" })],
    ["signed by another key under a known id", async () => provider.forge({}, {}, await makeKey("first"))],
    ["signed by a key that is not published", async () => provider.forge({}, {}, await makeKey("unknown"))],
    [
      "signed with an algorithm that is not pinned",
      async () => {
        const { kid, jwk } = provider.key();
        const privateKey = await importJWK({ ...jwk, alg: "RS512" }, "RS512");
        const claims = { iss: provider.issuer, aud: AUDIENCE, sub: "ada", exp: now() + 300 };
        return new SignJWT(claims).setProtectedHeader({ alg: "RS512", kid }).sign(privateKey);
      },
    ],
    [
      "signed with HS256 by the public key",
      async () => {
        const { kid, jwk } = provider.key();
        const secret = new TextEncoder().encode(JSON.stringify({ kty: jwk.kty, n: jwk.n, e: jwk.e }));
        const claims = { iss: provider.issuer, aud: AUDIENCE, sub: "ada", exp: now() + 300 };
        return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(secret);
      },
    ],
    [
      "with alg none",
      async () => {
        const [, payload] = (await provider.forge({})).split(".");
        const header = Buffer.from(JSON.stringify({ alg: "none", kid: provider.key().kid })).toString("base64url");
        return `${header}.${payload}.`;
      },
    ],
    [
      "with their own key in the header",
      async () => {
        const { jwk, privateKey } = await makeKey("mine");
        const claims = { iss: provider.issuer, aud: AUDIENCE, sub: "ada", exp: now() + 300 };
        const { n, e, kty } = jwk;
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256", jwk: { n, e, kty } as never }).sign(privateKey);
      },
    ],
    ["that are malformed", async () => "no.token.at-all"],
  ])("%s are rejected", async (_title, make) => {
    expect(await me(await provider.forge({}))).toMatchObject({ status: 200 });
    expect(await me(await make())).toMatchObject(refused);
  });

  test("report that they have expired", async () => {
    expect(await me(await provider.forge({ exp: now() - 10 }))).toMatchObject({
      status: 401,
      json: { detail: "Token has expired" },
    });
  });

  test("of a new key work as soon as it is published, and stop when it is withdrawn", async () => {
    const rotating = await startProvider({ people });
    const own = await start({ issuer: rotating.issuer });
    const old = rotating.key();
    expect((await me(await rotating.forge({}), own)).status).toBe(200);
    await rotating.rotate("second");
    skew += 11_000;
    expect((await me(await rotating.forge({}), own)).status).toBe(200);
    expect((await me(await rotating.forge({}, {}, old), own)).status).toBe(401);

    // Without a token of the new key the change stays unnoticed until the keys are fetched again after ten minutes.
    const second = rotating.key();
    await rotating.rotate("third");
    expect((await me(await rotating.forge({ exp: now() + 9999 }, {}, second), own)).status).toBe(200);
    skew += 10 * 60_000;
    expect((await me(await rotating.forge({ exp: now() + 9999 }, {}, second), own)).status).toBe(401);
    await own.assay.close();
    await rotating.close();
  });

  test("are ID tokens if no audience is set", async () => {
    const own = await start({ audience: undefined });
    const { access_token } = await tokensOf("grace", own);
    expect(JSON.parse(Buffer.from(access_token.split(".")[1]!, "base64url").toString()).aud).toBe(CLIENT_ID);
    expect((await me(access_token, own)).status).toBe(200);
    expect((await me(await provider.forge({ aud: [CLIENT_ID, "x"], azp: "x" }), own)).status).toBe(401);
    await own.assay.close();
  });
});

describe("the return from the provider", () => {
  test("to a path of this server passes the tokens in the fragment", async () => {
    const { answer } = await signIn("ada", { query: "?return_to=/console%3Ftab%3Dflags" });
    expect(answer.status).toBe(302);
    const location = new URL(answer.headers.get("location")!, ORIGIN);
    expect([location.origin, location.pathname, location.search]).toEqual([ORIGIN, "/console", "?tab=flags"]);
    const tokens = new URLSearchParams(location.hash.slice(1));
    expect((await me(tokens.get("access_token")!)).status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  });

  test.each(["//evil.test", "https://evil.test", "/\\evil.test", "evil", "/a b", "/\n/evil.test"])(
    "to %j is rejected",
    async (path) => {
      expect((await get(`/oidc/login?return_to=${encodeURIComponent(path)}`)).status).toBe(400);
    },
  );

  test("without a started sign-in, from another browser, or with another state is rejected", async () => {
    const { back, cookie } = await signIn("ada");
    expect((await get(`/oidc/callback${back.search}`)).status).toBe(400);
    const other = (await get("/oidc/login")).headers.get("set-cookie")!.split(";")[0]!;
    const fresh = await get("/oidc/login");
    const unused = await createBrowser().signIn(fresh.headers.get("location")!, "ada");
    expect((await get(`/oidc/callback${unused.search}`, other)).status).toBe(401);
    expect((await get("/oidc/callback?error=access_denied", cookie)).status).toBe(401);
    expect((await get("/oidc/callback", "assay-oidc=nonsense")).status).toBe(400);
  });

  test("hides its secrets from scripts and other sites, and uses PKCE", async () => {
    const leaving = await get("/oidc/login");
    expect(leaving.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
    const url = new URL(leaving.headers.get("location")!);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: REDIRECT_URI,
      client_id: CLIENT_ID,
      resource: AUDIENCE,
    });
  });

  test("is a 404 without a redirectUri", async () => {
    const own = await start({ redirectUri: undefined });
    expect((await get("/oidc/login", "", own)).status).toBe(404);
    await own.assay.close();
  });
});

describe("the provider gets", () => {
  test("the refresh token, once", async () => {
    const { refresh_token } = await tokensOf("grace");
    const refresh = (token: string) => server.send("POST", "/auth/refresh", { body: { refresh_token: token } });
    const next = await refresh(refresh_token);
    expect(next).toMatchObject({ status: 200, json: { token_type: "bearer" } });
    expect((await me(next.json.access_token)).json.role).toBe("developer");
    expect(await refresh(refresh_token)).toMatchObject({
      status: 401,
      json: { detail: "Could not validate credentials" },
    });
    expect((await refresh("made-up")).status).toBe(401);
  });

  test("the password, if it accepts passwords", async () => {
    const asking = await startProvider({ people, passwordGrant: true });
    const own = await start({ issuer: asking.issuer });
    const login = (username: string, password: string) =>
      own.send("POST", "/auth/login", { body: { username, password } });
    const { status, json } = await login("grace", PEOPLE_PASSWORD);
    expect(status).toBe(200);
    expect((await me(json.access_token, own)).json).toMatchObject({ role: "developer" });
    for (const [username, password] of [
      ["grace", "wrong"],
      ["nobody", PEOPLE_PASSWORD],
    ] as const) {
      expect(await login(username, password)).toMatchObject({
        status: 401,
        json: { detail: "Incorrect username or password" },
      });
    }
    await own.assay.close();
    await asking.close();
  });

  test("no password if it accepts none; the response says where to sign in", async () => {
    for (const path of ["/auth/login", "/auth/token"]) {
      expect(await server.send("POST", path, { body: { username: "ada", password: "any" } })).toMatchObject({
        status: 400,
        json: { detail: "Password sign-in is off; sign in at http://127.0.0.1:4400/oidc/login" },
      });
    }
  });

  test("everything about accounts", async () => {
    const body = { username: "mallory", password: "a-long-password", email: "m@example.org" };
    expect(await refusal(server.anonymous.request("POST /auth/signup", { body }))).toMatchObject({
      status: 400,
      detail: `${provider.issuer} manages accounts and passwords`,
    });
    expect(await refusal(server.anonymous.request("POST /auth/forgot-password", { body }))).toMatchObject({
      status: 400,
    });
  });

  test("no request while it is unavailable: routes answer 503 and the server continues", async () => {
    const own = await start({ issuer: "http://127.0.0.1:1" });
    const answer = await me(await provider.forge({}), own);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await get("/healthz", "", own)).status).toBe(200);
    await own.assay.close();
  });
});

test.each<[Partial<OidcOptions>, string]>([
  [{ issuer: "http://id.example.org" }, "https://"],
  [{ redirectUri: "http://assay.example.org/oidc/callback" }, "https://"],
  [{ algorithms: ["RS256", "HS256"] }, "asymmetric"],
  [{ algorithms: ["none"] }, "asymmetric"],
])("refuses to start with %j", async (changes, reason) => {
  await expect(start(changes)).rejects.toThrow(reason);
});
