import { type Area, contract, parseRouteKey, type Route, type RouteKey } from "@assay/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ADMIN, createTestServer, type TestServer } from "./testing.fixture.ts";

/** Part of the name or key of everything that the test makes in staging. */
const MARK = "only-in-staging";
/** Everyone shares the users; the other routes describe the server or the caller. */
const SHARED: RouteKey[] = ["GET /users/me", "GET /users/", "GET /admin/users", "GET /roles", "GET /auth/me"];
const QUERIES: Record<string, string> = {
  "GET /search": `?q=${MARK}`,
  "GET /ai/sample-size": "?baseline_rate=0.1&mde=0.2",
  "GET /compliance/audit-events": "?page_size=500",
};

const reads = (Object.entries(contract as Area) as [RouteKey, Route][]).filter(
  ([key, { auth, produces }]) =>
    key.startsWith("GET ") && auth !== "public" && !produces?.includes("text/event-stream"),
);
const lists = reads.filter(([key]) => !key.includes("{") && !SHARED.includes(key)).map(([key]) => key);
/** Routes that only API keys may call. A key selects its environment by itself. */
const forKeys = reads.filter(([, { auth }]) => typeof auth === "object" && !auth.user).map(([key]) => key);

let server: TestServer;
let authorization: string;
/** What was made in staging, by the name of the collection in its path. */
const made: Record<string, string> = {};

type Name = "production" | "staging";
const keys: Record<Name, string> = { production: "", staging: "" };

async function ask(environment: Name, method: string, path: string, body?: object) {
  const isForKeys = forKeys.includes(`${method} ${path}` as RouteKey);
  const headers: Record<string, string> = isForKeys
    ? { "x-api-key": keys[environment] }
    : { authorization, "x-assay-environment": environment };
  return server.send(method, path, body === undefined ? { headers } : { headers, body });
}

async function make(path: string, body: object): Promise<string> {
  const { status, json } = await ask("staging", "POST", path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
  made[path.split("/").slice(1, 3).join("/").replace(/\/$/, "")] = json.id;
  return json.id;
}

beforeAll(async () => {
  server = await createTestServer({ environments: ["production", "staging"] });
  authorization = `Bearer ${(await server.send("POST", "/auth/login", { body: ADMIN })).json.access_token}`;
  for (const name of ["production", "staging"] as const) {
    keys[name] = (await ask(name, "POST", "/api-keys", { name: "k", scopes: ["read"] })).json.key;
  }
  const variants = [{ key: "a" }, { key: "b" }];
  const flag = await make("/feature-flags/", { key: MARK, name: MARK, status: "ACTIVE" });
  await make("/experiments/", { key: `${MARK}-experiment`, name: MARK, status: "ACTIVE", variants });
  await make("/segments", { name: MARK, user_ids: ["u"] });
  await make("/mutual-exclusion-groups", { name: MARK });
  await make("/holdout", { name: MARK, percentage: 5 });
  await make("/api-keys", { name: MARK, scopes: ["read"] });
  await make("/wizard/drafts", { data: { name: MARK } });
  await make("/warehouse/connections", { name: MARK, type: "DUCKDB", database: "/no/w.duckdb" });
  const config = { base_url: "https://third.example", username: "bot", api_token: "t" };
  await make("/integrations", { name: MARK, integration_type: "TRACKER", description: "", config });
  const stages = [{ target_percentage: 80, trigger: "MANUAL" }];
  await make("/rollout-schedules", { name: MARK, feature_flag_id: flag, stages });
  await ask("staging", "PUT", "/notifications/preferences", {
    email_enabled: true,
    email_address: `${MARK}@example.org`,
  });
  await ask("staging", "POST", `/safety/rollback/${MARK}`, { reason: MARK });
  await vi.waitFor(async () => {
    const { text } = await ask("staging", "GET", "/notifications/delivery-log");
    if (!text.includes(MARK)) throw new Error("The notification is not sent yet");
  }, 20_000);
});
afterAll(() => server.assay.close());

test.each(lists)("%s shows nothing of another environment", async (key) => {
  const path = parseRouteKey(key)[1] + (QUERIES[key] ?? "");
  const own = await ask("staging", "GET", path);
  const other = await ask("production", "GET", path);
  expect([own.status, other.status]).toEqual([200, 200]);
  for (const trace of [MARK, ...Object.values(made)]) expect(other.text).not.toContain(trace);
});

test("the lists of the environment itself show what was made in it", async () => {
  const shows = async (key: RouteKey) => {
    const { text } = await ask("staging", "GET", parseRouteKey(key)[1] + (QUERIES[key] ?? ""));
    return text.includes(MARK);
  };
  const shown: string[] = [];
  for (const key of lists) if (await shows(key)) shown.push(key);
  expect(shown.sort()).toEqual([
    "GET /api-keys",
    "GET /audit-logs",
    "GET /compliance/audit-events",
    "GET /compliance/export",
    "GET /experiments/",
    "GET /feature-flags/",
    "GET /holdout",
    "GET /holdout/all",
    "GET /integrations",
    "GET /mutual-exclusion-groups",
    "GET /notifications/admin/preferences",
    "GET /notifications/delivery-log",
    "GET /notifications/preferences",
    "GET /openfeature/flags",
    "GET /rollout-schedules",
    "GET /safety/rollback-history",
    "GET /search",
    "GET /segments",
    "GET /warehouse/connections",
    "GET /wizard/drafts",
  ]);
});

/** Routes for one document, with the collection of the document. */
const single = reads.flatMap(([key]): [RouteKey, string][] => {
  const [, path] = parseRouteKey(key);
  const [, collection] = /^\/(.+?)\/\{\w+\}[^{]*$/.exec(path) ?? [];
  return collection === undefined ? [] : [[key, collection]];
});

test("every route for one document is a 404 in another environment", async () => {
  const found: string[] = [];
  for (const [key, collection] of single) {
    const id = made[collection];
    if (id === undefined) continue;
    const path = parseRouteKey(key)[1].replace(/\{\w+\}/, id);
    const own = await ask("staging", "GET", path);
    if (own.status !== 200) continue;
    found.push(collection);
    expect([key, (await ask("production", "GET", path)).status]).toEqual([key, 404]);
  }
  expect([...new Set(found)].sort()).toEqual([
    "experiments",
    "feature-flags",
    "holdout",
    "integrations",
    "mutual-exclusion-groups",
    "rollout-schedules",
    "segments",
    "warehouse/connections",
    "wizard/drafts",
  ]);
});
