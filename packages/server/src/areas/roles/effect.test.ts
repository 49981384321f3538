import { ACTIONS, type Area, contract, parseRouteKey, permissionOf, type Route, type RouteKey } from "@assay/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, PASSWORD, refusal, type TestServer } from "../../testing.fixture.ts";
import { RESOURCES } from "./built-in.ts";

/** Resources whose READ shows drafts, or the keys of other users, on routes open to every user. */
const SHOWING_MORE = [
  "api-keys",
  "bandit",
  "counters",
  "experiments",
  "mutual-exclusion-groups",
  "results",
  "segments",
];
const UNKNOWN = "018f0000-0000-7000-8000-000000000000";
const routes = Object.entries(contract as Area) as [RouteKey, Route][];
let server: TestServer;
let viewer: Record<string, string>;
let key: Record<string, string>;

beforeAll(async () => {
  server = await createTestServer();
  const { user, username } = await server.as("VIEWER");
  const { json } = await server.send("POST", "/auth/login", { body: { username, password: PASSWORD } });
  viewer = { authorization: `Bearer ${json.access_token}` };
  const params = { user_id: user.id };
  const rank = (role: "VIEWER" | "DEVELOPER") =>
    server.admin.request("PATCH /admin/users/{user_id}", { params, body: { role } });
  await rank("DEVELOPER");
  const created = await server.send("POST", "/api-keys", {
    headers: viewer,
    body: { name: "all", scopes: ["read", "write", "admin"] },
  });
  key = { "x-api-key": created.json.key };
  await rank("VIEWER");
});
afterAll(() => server.assay.close());

/** Whether a route refuses a VIEWER for lack of rights: with a token, or on a route for keys only with a key. */
async function refuses(route: RouteKey, { auth }: Route): Promise<boolean> {
  if (typeof auth === "string" || auth.orOwner) return typeof auth !== "string";
  const [method, path] = parseRouteKey(route);
  const { status } = await server.send(method, path.replace(/\{\w+\}/g, UNKNOWN), {
    headers: auth.user ? viewer : key,
    ...(method === "GET" ? {} : { body: {} }),
  });
  return status === 403;
}

const pairs = [...RESOURCES].sort().flatMap((resource) => ACTIONS.map((action) => ({ resource, action })));

test.each(pairs)("a role accepts $action on $resource exactly if it adds something to a VIEWER", async (pair) => {
  const { resource, action } = pair;
  const own = routes.filter(([one, route]) => {
    const needed = permissionOf(one, route);
    return needed.resource === resource && needed.action === action && route.operationId !== "auth.logout";
  });
  let adds = action === "READ" && SHOWING_MORE.includes(resource);
  for (const [one, route] of own) adds ||= await refuses(one, route);
  const isReserved = resource === "roles" && action !== "READ";
  const body = { name: `${resource}-${action.toLowerCase()}`, permissions: [{ resource, actions: [action] }] };
  if (adds && !isReserved) await server.admin.request("POST /roles", { body });
  else expect(await refusal(server.admin.request("POST /roles", { body }))).toMatchObject({ status: 422 });
});
