import { parseRouteKey } from "@assay/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestServer } from "../testing.fixture.ts";
import { createReach, DOCUMENT, makeWorld, type Reach, type Stored, signIn } from "./reach.fixture.ts";
import { bodiesFor, drawnBodies, waysOf, writingRoutes } from "./reach-requests.fixture.ts";

/**
 * Requests every writing route as carl, a DEVELOPER who owns nothing, with the resources of ada and bob, and compares
 * all stored documents before and after. Carl may change a document of another user only by a route in this table.
 */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  "feature-flags": { "POST /safety/rollback/{flag_id}": "an emergency brake for every DEVELOPER" },
  experiments: {
    "POST /integrations/{id}/webhook/tracker": "a webhook acts for the last editor of the integration",
  },
  "rollout-schedules": { "POST /safety/rollback/{flag_id}": "a rollback pauses the schedules of the flag" },
  integrations: {
    "PUT /integrations/{id}": "every DEVELOPER maintains integrations",
    "DELETE /integrations/{id}": "every DEVELOPER maintains integrations",
  },
  segments: {
    "PUT /segments/{id}": "every DEVELOPER maintains segments",
    "DELETE /segments/{id}": "every DEVELOPER maintains segments",
  },
  "mutual-exclusion-groups": {
    "PUT /mutual-exclusion-groups/{group_id}": "every DEVELOPER maintains groups; slots of others stay",
    "POST /experiments/": "an own experiment takes a free slot",
  },
  "warehouse-connections": {
    "PUT /warehouse/connections/{id}": "every DEVELOPER maintains connections without results of others",
    "DELETE /warehouse/connections/{id}": "every DEVELOPER maintains connections without results of others",
  },
  "api-keys": { "DELETE /api-keys/{id}": "every DEVELOPER revokes a leaked key" },
};

let reach: Reach;
let carl: Awaited<ReturnType<TestServer["as"]>>;
const used = new Set<string>();
const refused = new Set<string>();

beforeEach(async () => {
  reach = await createReach();
  carl = await reach.server.as("DEVELOPER", "carl");
});
afterEach(() => reach.server.assay.close());

/** Reads all documents of the store, by collection and id. */
async function dump(): Promise<Map<string, Stored>> {
  const documents = new Map<string, Stored>();
  let after: string | undefined;
  for (;;) {
    const page = await reach.store.list("", { limit: 500, ...(after === undefined ? {} : { after }) });
    for (const { key, value } of page) {
      if (DOCUMENT.test(key)) documents.set(key, JSON.parse(new TextDecoder().decode(value)));
    }
    if (page.length < 500) return documents;
    after = page.at(-1)!.key;
  }
}

/** Whether a document belongs to carl. A new one may belong to no one else. */
function isCarls(key: string, document: Stored): boolean {
  const [, collection, id] = DOCUMENT.exec(key)!;
  const { created_by, owner_id, user_id } = document;
  const owner = collection === "users" || collection === "notification-preferences" ? id : undefined;
  return (owner ?? created_by ?? owner_id ?? user_id) === carl.user.id;
}

function fieldsThatDiffer(before: Stored = {}, after: Stored = {}): string[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

const checked = writingRoutes.filter(
  // Anyone may ask for codes and sessions; the tests of auth cover these. Logging out would end the other requests.
  ([key]) => !key.includes("/auth/"),
);

test.each(checked)("%s changes no document of another user", { timeout: 120_000 }, async (key, route) => {
  const n = checked.findIndex(([one]) => one === key);
  const world = await makeWorld(reach, n);
  const { server, ada, bob } = reach;
  const bearer = await signIn(server, "carl");
  const { json } = await server.send("POST", "/api-keys", {
    headers: bearer,
    body: { name: "all", scopes: ["read", "write", "admin"] },
  });
  const [method, path] = parseRouteKey(key);
  const bodies = [...bodiesFor(path, world, n), ...drawnBodies(route, world, n)];
  const before = await dump();
  for (const way of waysOf(path, world, [ada.user.id, bob.user.id])) {
    for (const body of bodies) {
      for (const headers of [bearer, { "x-api-key": json.key }]) {
        const { status } = await server.send(method, way, { headers, body: JSON.stringify(body) });
        if (status === 403) refused.add(key);
      }
    }
  }
  const after = await dump();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)),
  );
  const failures = changed.filter((name) => {
    if (isCarls(name, (before.get(name) ?? after.get(name))!)) return false;
    const collection = DOCUMENT.exec(name)![1]!;
    const isAllowed = EXCEPTIONS[collection]?.[key] !== undefined;
    if (isAllowed) used.add(`${collection} ${key}`);
    return !isAllowed;
  });
  expect(failures.map((name) => [name, fieldsThatDiffer(before.get(name), after.get(name))])).toEqual([]);
});

test("every exception is one that a request used, and routes of owned documents refused carl", () => {
  const listed = Object.entries(EXCEPTIONS).flatMap(([collection, ways]) =>
    Object.keys(ways).map((key) => `${collection} ${key}`),
  );
  expect([...used].sort()).toEqual(listed.sort());
  expect([...refused]).toEqual(
    expect.arrayContaining([
      "PUT /experiments/{experiment_id}",
      "PUT /feature-flags/{id}",
      "POST /warehouse/sync/{experiment_id}",
      "POST /mutual-exclusion-groups/{group_id}/experiments",
      "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}",
      "PUT /safety/feature-flags/{id}",
    ]),
  );
});
