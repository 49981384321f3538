import { parseRouteKey } from "@assay/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReach, makeWorld, type Reach, type Stored, signIn, type Written } from "./reach.fixture.ts";
import { bodiesFor, drawnBodies, waysOf, writingRoutes } from "./reach-requests.fixture.ts";

/**
 * Requests every writing route as bob, with ada's and his own resources linked to each other. Every written document
 * must be one that bob may write directly. The expected owners are listed here by hand, independent of the server's
 * rules.
 */
let reach: Reach;
let worlds = 0;
/** Documents bob changed, by collection, so that the test cannot pass without writes. */
const changed = new Set<string>();
const refusedFor = new Set<string>();

beforeAll(async () => {
  reach = await createReach();
});
afterAll(() => reach.server.assay.close());

/** Whether a DEVELOPER called bob may write a document; `read` finds others that are stored. */
async function isHis({ collection, id, before, after }: Written, key: string): Promise<boolean> {
  const bob = reach.bob.user.id;
  const document = (before ?? after)!;
  const isBy = (one: Stored | null | undefined) => one?.created_by === bob;
  const stored = async (of: string, at: unknown) => reach.read(`${of}/doc/${at}`);
  switch (collection) {
    case "feature-flags":
      return isBy(document) || key === "POST /safety/rollback/{flag_id}";
    case "experiments":
      return isBy(document) || key === "POST /bandit/{experiment_id}/update";
    case "rollout-schedules": {
      const isOnHisFlag = isBy(await stored("feature-flags", document.feature_flag_id));
      return isBy(document) || isOnHisFlag || key === "POST /safety/rollback/{flag_id}";
    }
    case "safety-flags":
      return isBy(await stored("feature-flags", id));
    case "warehouse-syncs":
      return isBy(await stored("experiments", id));
    // Every DEVELOPER changes all of these.
    case "integrations":
    case "mutual-exclusion-groups":
    case "segments":
    case "warehouse-connections":
    case "safety-rollbacks":
    case "api-keys":
      return true;
    case "wizard-drafts":
      return document.owner_id === bob;
    case "notification-preferences":
    case "users":
      return id === bob;
    case "sessions":
      return document.user_id === bob;
    default:
      return false;
  }
}

/** Logging out ends the session of the other requests. */
const checked = writingRoutes.filter(
  // Routes without authentication concern accounts, except webhooks.
  ([key, { auth }]) => key !== "POST /auth/logout" && (auth !== "public" || key.includes("webhook")),
);

test.each(checked)("%s changes only what its caller may change", { timeout: 120_000 }, async (key, route) => {
  const n = ++worlds;
  const world = await makeWorld(reach, n);
  const { server, written } = reach;
  const bearer = await signIn(server, "bob");
  const { json } = await server.send("POST", "/api-keys", {
    headers: bearer,
    body: { name: "all", scopes: ["read", "write", "admin"] },
  });
  const credentials = [bearer, { "x-api-key": json.key }];
  const [method, path] = parseRouteKey(key);
  const ways = waysOf(path, world, [reach.ada.user.id, reach.bob.user.id]);
  const drawn = drawnBodies(route, world, n);
  const failures: string[] = [];
  for (const way of ways) {
    for (const body of [...bodiesFor(path, world, n), ...drawn]) {
      for (const headers of credentials) {
        written.length = 0;
        const text = JSON.stringify(body);
        const { status, text: answer } = await server.send(method, way, { headers, body: text });
        const [, what] = /required for ([a-z -]+) \\"/.exec(answer) ?? [];
        if (what !== undefined) refusedFor.add(what);
        for (const one of written) {
          changed.add(one.collection);
          if (!(await isHis(one, key)))
            failures.push(`${method} ${way} ${text} -> ${status} wrote ${JSON.stringify(one)}`);
          if (status === 403)
            failures.push(`${method} ${way} ${text} was refused and wrote ${one.collection}/${one.id}`);
        }
      }
    }
  }
  expect(failures).toEqual([]);
});

test("the requests cover every kind of document that has an owner, bob's and others'", () => {
  expect([...changed].sort()).toEqual(
    expect.arrayContaining([
      "api-keys",
      "experiments",
      "feature-flags",
      "integrations",
      "mutual-exclusion-groups",
      "rollout-schedules",
      "safety-flags",
      "safety-rollbacks",
      "segments",
      "warehouse-connections",
      "wizard-drafts",
    ]),
  );
  expect([...refusedFor].sort()).toEqual([
    "experiment",
    "feature flag",
    "rollout schedule",
    "the results of experiment",
    "the safety settings of feature flag",
  ]);
});
