import { keyOf, memoryStore, type Store } from "@assay/store";
import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { expect, test } from "vitest";
import { parseBytes } from "../storage/json.ts";
import { ADMIN, createTestServer, type TestServer } from "../testing.fixture.ts";

const DAY = 24 * 3600 * 1000;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusOf = async (server: TestServer, token: string) =>
  (await server.send("GET", "/users/me", { headers: bearer(token) })).status;
const login = async (server: TestServer): Promise<string> =>
  (await server.send("POST", "/auth/login", { body: ADMIN })).json.access_token;

async function publishedKids(server: TestServer): Promise<string[]> {
  const response = await server.assay.fetch(new Request("http://assay.test/.well-known/jwks.json"));
  const { keys } = (await response.json()) as { keys: JWK[] };
  expect(keys.every((key) => key.d === undefined && key.alg === "EdDSA" && key.use === "sig")).toBe(true);
  return keys.map(({ kid }) => kid!);
}

/** Returns the current private key, read from the store. */
async function signingKeyIn(store: Store): Promise<JWK & { kid: string }> {
  const entry = await store.get(keyOf("identity", "signing-keys"));
  const [newest] = parseBytes<{ kid: string; jwk: JWK }[]>(entry!.value);
  return { ...newest!.jwk, kid: newest!.kid };
}

async function forge(server: TestServer, key: JWK, changes: JWTPayload, drop: string[] = []): Promise<string> {
  const real = await login(server);
  const claims = JSON.parse(Buffer.from(real.split(".")[1]!, "base64url").toString());
  const payload = Object.fromEntries(
    Object.entries({ ...claims, ...changes }).filter(([name]) => !drop.includes(name)),
  );
  return new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", kid: key.kid! }).sign(await importJWK(key, "EdDSA"));
}

test("a new key signs after 30 days; the old one verifies its last tokens, then is rejected and unpublished", async () => {
  const store = memoryStore();
  const server = await createTestServer({ storage: store });
  const old = await signingKeyIn(store);
  expect(await publishedKids(server)).toEqual([old.kid]);

  server.advance(30 * DAY - 1000);
  const last = await login(server);
  server.advance(1000);
  const next = await login(server);
  expect(await publishedKids(server)).toHaveLength(2);
  expect([await statusOf(server, last), await statusOf(server, next)]).toEqual([200, 200]);

  const exp = Math.floor(server.now() / 1000) + 100 * 24 * 3600;
  const stolen = await forge(server, old, { exp });
  expect(await statusOf(server, stolen)).toBe(200);
  server.advance(1_801_000);
  expect(await publishedKids(server)).toEqual([(await signingKeyIn(store)).kid]);
  expect(await statusOf(server, stolen)).toBe(401);
  await server.assay.close();
});

test("keys survive a restart, and two servers on one store accept each other's tokens, also with new keys", async () => {
  const store = memoryStore();
  const shared: Store = { ...store, close: async () => {} };
  const first = await createTestServer({ storage: shared });
  const second = await createTestServer({ storage: shared });
  expect(await publishedKids(second)).toEqual(await publishedKids(first));
  first.advance(31 * DAY);
  second.advance(31 * DAY);
  await login(first);
  const kid = (await signingKeyIn(store)).kid;
  await login(second);
  expect((await signingKeyIn(store)).kid).toBe(kid);
  await first.assay.close();
  await second.assay.close();
});

test.each<[string, JWTPayload, string[]]>([
  ["without an expiry", {}, ["exp"]],
  ["without a subject", {}, ["sub"]],
  ["without a session", {}, ["sid"]],
  ["for another audience", { aud: "another" }, []],
  ["of another issuer", { iss: "another" }, []],
  ["of another user's session", { sub: "018f0000-0000-7000-8000-000000000000" }, []],
  ["that is not valid yet", { nbf: 9e9 }, []],
])("a token %s is rejected although its signature is valid", async (_title, changes, drop) => {
  const store = memoryStore();
  const server = await createTestServer({ storage: store });
  const key = await signingKeyIn(store);
  expect(await statusOf(server, await forge(server, key, {}))).toBe(200);
  expect(await statusOf(server, await forge(server, key, changes, drop))).toBe(401);
  await server.assay.close();
});

test("a token signed with HS256 by the public key is rejected", async () => {
  const store = memoryStore();
  const server = await createTestServer({ storage: store });
  const { kid, x } = await signingKeyIn(store);
  const real = await login(server);
  const claims = JSON.parse(Buffer.from(real.split(".")[1]!, "base64url").toString());
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", kid })
    .sign(Buffer.from(x!.padEnd(64, "0"), "base64url"));
  expect(await statusOf(server, token)).toBe(401);
  await server.assay.close();
});
