import { readFileSync } from "node:fs";
import { type Area, contract, parseRouteKey, type RouteKey } from "@assay/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, ORIGIN, PASSWORD, type TestServer } from "../testing.fixture.ts";

/**
 * The rights matrix: every mounted route, requested with every kind of credential. Expected results come from
 * `endpoints.tsv`, which is written by hand, independent of the contract that the server checks with.
 */
const expectations = new Map(
  readFileSync(new URL("../../../contract/endpoints.tsv", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t") as [string, string, string, string])
    .map(([, method, path, who]) => [`${method} ${path}`, who.split(" | ")] as const),
);

type Outcome = 401 | 403 | "passes";
interface Credential {
  headers: Record<string, string>;
  /** The expected access of a caller to a route. */
  outcome: (who: string[]) => Outcome;
}

const ORDER = ["VIEWER", "ANALYST", "DEVELOPER", "ADMIN"] as const;
type Rank = (typeof ORDER)[number];
const MINUTE = 60_000;
const matrix: Record<string, Credential> = {};
let server: TestServer;

/** Whether a role reaches the weakest role in a list. */
function reaches(role: Rank, needed: Rank[]): boolean {
  return needed.some((one) => ORDER.indexOf(role) >= ORDER.indexOf(one));
}

/** Returns the roles that a route asks users for: `user` means any. */
function ranksIn(who: string[]): Rank[] {
  return who
    .filter((way) => way.startsWith("user"))
    .map((way) => (/^user:([A-Z]+)/.exec(way)?.[1] ?? "VIEWER") as Rank);
}

/** Returns the outcomes for a user with a role: 401 if the route accepts no users, 403 if the role is too weak. */
function asUser(role: Rank, isSuperuser = false) {
  return (who: string[]): Outcome => {
    const needed = ranksIn(who);
    if (needed.length === 0) return 401;
    return isSuperuser || reaches(role, needed) ? "passes" : 403;
  };
}

/**
 * Returns the outcomes for a key with these scopes: 401 if the route accepts no keys, 403 if scope, kind or creator's
 * role is too weak.
 */
function asKey(scopes: string[], { client = false, creator = "ADMIN" as Rank } = {}) {
  return (who: string[]): Outcome => {
    const way = who.find((one) => one.startsWith("key:"));
    if (!way) return 401;
    const [scope, mark] = way.slice("key:".length).split("+");
    if (!scopes.includes(scope!) || (client && mark !== "client")) return 403;
    const ranks = ranksIn(who);
    return reaches(creator, ranks.length > 0 ? ranks : [scope === "read" ? "VIEWER" : "DEVELOPER"]) ? "passes" : 403;
  };
}

const never = (): Outcome => 401;

beforeAll(async () => {
  server = await createTestServer();
  const bearer = async (username: string, password = PASSWORD) => {
    const { json } = await server.send("POST", "/auth/login", { body: { username, password } });
    return { authorization: `Bearer ${json.access_token}` };
  };
  const keyBy = async (headers: Record<string, string>, body: object) =>
    (await server.send("POST", "/api-keys", { headers, body: { name: "matrix", ...body } })).json as {
      id: string;
      key: string;
    };
  const all = { scopes: ["read", "write", "admin"] };

  for (const role of ORDER) await server.as(role, `the-${role.toLowerCase()}`);
  await server.admin.request("POST /users/", {
    body: { username: "root", email: "root@example.org", password: PASSWORD, is_superuser: true },
  });

  const expired = await bearer("root");
  const expires_at = new Date(server.now() + 10 * MINUTE).toISOString();
  const expiredKey = await keyBy(expired, { ...all, expires_at });
  server.advance(30 * MINUTE);

  matrix["no credentials"] = { headers: {}, outcome: never };
  for (const role of ORDER)
    matrix[role] = { headers: await bearer(`the-${role.toLowerCase()}`), outcome: asUser(role) };
  const root = await bearer("root");
  matrix.superuser = { headers: root, outcome: asUser("ADMIN", true) };

  for (const scope of all.scopes) {
    const { key } = await keyBy(root, { scopes: [scope] });
    matrix[`key with ${scope}`] = { headers: { "x-api-key": key }, outcome: asKey([scope]) };
    const client = await keyBy(root, { scopes: [scope], kind: "CLIENT" });
    matrix[`CLIENT key with ${scope}`] = {
      headers: { "x-api-key": client.key },
      outcome: asKey([scope], { client: true }),
    };
  }
  const developers = await keyBy(await bearer("the-developer"), all);
  matrix["key of a DEVELOPER"] = {
    headers: { "x-api-key": developers.key },
    outcome: asKey(all.scopes, { creator: "DEVELOPER" }),
  };
  const lowered: [string, object, Credential["outcome"]][] = [
    ["VIEWER by now", { role: "VIEWER" }, asKey(all.scopes, { creator: "VIEWER" })],
    ["ANALYST by now", { role: "ANALYST" }, asKey(all.scopes, { creator: "ANALYST" })],
    ["ADMIN and no longer superuser", { is_superuser: false }, asKey(all.scopes)],
    ["superuser with a lower role", { role: "VIEWER" }, asKey(all.scopes)],
    ["deactivated by now", { is_active: false }, never],
  ];
  for (const [index, [name, body, outcome]] of lowered.entries()) {
    const username = `lowered-${index}`;
    const user = await server.admin.request("POST /users/", {
      body: {
        username,
        email: `${username}@example.org`,
        password: PASSWORD,
        is_superuser: name.includes("superuser"),
      },
    });
    const params = { user_id: user.id };
    await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { role: "ADMIN" } });
    const { key } = await keyBy(await bearer(username), all);
    await server.admin.request("PATCH /admin/users/{user_id}", { params, body });
    matrix[`key of someone who is ${name}`] = { headers: { "x-api-key": key }, outcome };
  }

  matrix["expired token"] = { headers: expired, outcome: never };
  matrix["expired key"] = { headers: { "x-api-key": expiredKey.key }, outcome: never };
  const revoked = await keyBy(root, all);
  await server.admin.request("DELETE /api-keys/{id}", { params: { id: revoked.id } });
  matrix["revoked key"] = { headers: { "x-api-key": revoked.key }, outcome: never };
  matrix["key as a token"] = { headers: { authorization: `Bearer ${developers.key}` }, outcome: never };
  matrix["token as a key"] = { headers: { "x-api-key": root.authorization.slice("Bearer ".length) }, outcome: never };

  // With both, the one the route accepts counts, and the user if it accepts both.
  const isForUsers = (who: string[]) => who.some((way) => way.startsWith("user"));
  const both = (user: Credential, key: Credential): Credential => ({
    headers: { ...user.headers, ...key.headers },
    outcome: (who) => (isForUsers(who) ? user : key).outcome(who),
  });
  matrix["VIEWER and a key of all scopes"] = both(matrix.VIEWER!, { ...matrix["key of a DEVELOPER"]! });
  matrix["superuser and a revoked key"] = both(matrix.superuser, matrix["revoked key"]);
  matrix["expired token and a key with read"] = both(matrix["expired token"], matrix["key with read"]!);
});
afterAll(() => server.assay.close());

/** A well-formed unknown id, so that requests find and change nothing. */
const UNKNOWN = "018f0000-0000-7000-8000-000000000000";

async function ask(key: RouteKey, headers: Record<string, string>): Promise<Outcome> {
  const [method, path] = parseRouteKey(key);
  const url = `${ORIGIN}/api/v1${path.replace(/\{\w+\}/g, UNKNOWN)}`;
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
  const abort = new AbortController();
  const response = await server.assay.fetch(
    new Request(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: abort.signal,
      ...body,
    }),
  );
  // Streams have no end.
  await response.body?.cancel();
  abort.abort();
  expect(response.status, `${key} failed`).toBeLessThan(500);
  return response.status === 401 || response.status === 403 ? response.status : "passes";
}

/** Logging out would end the sessions of the other requests; auth.test.ts covers it. */
const routes = (Object.keys(contract as Area) as RouteKey[]).filter((key) => key !== "POST /auth/logout");

test.each(routes)("%s allows exactly the callers in the list of endpoints", async (key) => {
  const who = expectations.get(key);
  expect(who, `${key} needs a line in packages/contract/endpoints.tsv`).toBeDefined();
  const isOpen = who!.includes("public") || who!.includes("signature");
  const actual: Record<string, Outcome> = {};
  const expected: Record<string, Outcome> = {};
  for (const [name, { headers, outcome }] of Object.entries(matrix)) {
    actual[name] = await ask(key, headers);
    // Areas check the signatures of their routes, with their own 401.
    expected[name] = isOpen ? (who!.includes("signature") ? actual[name] : "passes") : outcome(who!);
  }
  expect(actual).toEqual(expected);
});
