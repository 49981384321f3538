import { type Area, contract, parseRouteKey, pathParams, type Route, type RouteKey } from "@assay/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toArbitrary } from "../fuzz/arbitrary.fixture.ts";
import type { Pool } from "../fuzz/pool.fixture.ts";
import { createReach, makeWorld, type Reach, type Stored, signIn, type Written } from "./reach.fixture.ts";

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

type World = Record<string, string[]>;
const KINDS: [RegExp, string][] = [
  [/^(experiment_?(id|key)?|exp_[ab]_id|eid)$/i, "experiment"],
  [/^(feature_flag_key|flag_key|flagkey)$/i, "flag key"],
  [/flag/i, "flag"],
  [/group/i, "group"],
  [/connection/i, "connection"],
  [/segment/i, "segment"],
  [/stage_id/i, "stage"],
];
const KIND_OF_AREA: Record<string, string> = {
  "feature-flags": "flag",
  safety: "flag",
  integrations: "integration",
  segments: "segment",
  warehouse: "connection",
  wizard: "draft",
  "rollout-schedules": "schedule",
  "api-keys": "key",
};
const kindOf = (name: string) => KINDS.find(([pattern]) => pattern.test(name))?.[1];

/** Meaningful bodies for each route, besides those generated from its schema. */
function bodiesFor(path: string, world: World, n: number): object[] {
  const [flags, keys, experiments, groups] = [world.flag!, world["flag key"]!, world.experiment!, world.group!];
  const stages = [{ target_percentage: 90, trigger: "MANUAL" }];
  const arms = [{ key: "a" }, { key: "b" }];
  const issue = (key: string, status: string) => ({
    webhookEvent: "jira:issue_updated",
    issue: { id: "1", key, fields: { status: { name: status } } },
    changelog: { items: [{ field: "status", toString: status }] },
  });
  const known: [RegExp, object[]][] = [
    [/complete$/, [{ winner: "on" }, { winner: "a" }, {}]],
    [
      /^.mutual-exclusion-groups.*experiments$/,
      experiments.map((experiment_id) => ({ experiment_id, slot_percentage: 1 })),
    ],
    [
      /^.experiments.\{experiment_id\}$/,
      [
        ...keys.map((feature_flag_key) => ({ feature_flag_key })),
        ...groups.map((mutual_exclusion_group_id) => ({ mutual_exclusion_group_id })),
        { description: "By bob" },
        { status: "ACTIVE" },
        { status: "COMPLETED" },
      ],
    ],
    [
      /^.experiments.$/,
      [
        { name: "Own", variants: arms },
        ...keys.map((feature_flag_key) => ({ name: "On a flag", feature_flag_key, status: "ACTIVE" })),
        ...groups.map((mutual_exclusion_group_id) => ({ name: "In a group", mutual_exclusion_group_id })),
      ],
    ],
    [/bulk-toggle$/, [{ flag_ids: flags, action: "DISABLE" }]],
    [/^.feature-flags.\{id\}/, [{ rollout_percentage: 33 }, { rules: [], rollout_percentage: 100 }]],
    [/rollback.\{flag_id\}$/, [{ percentage: 5 }, { percentage: 0 }]],
    [/^.safety.feature-flags/, [{ window_minutes: 45 }]],
    [/^.rollout-schedules$/, flags.map((feature_flag_id) => ({ name: "Plan", feature_flag_id, stages }))],
    [/^.rollout-schedules.\{id\}$/, [{ name: "Renamed" }]],
    [/^.integrations.\{id\}$/, [{ description: "Changed" }]],
    [
      /webhook.tracker$/,
      ["In Progress", "Blocked", "Done", "Cancelled"].flatMap((status) => [
        issue(`ada-${n}`, status),
        issue(`bob-${n}`, status),
      ]),
    ],
    [/^.wizard.drafts.\{id\}$/, keys.map((feature_flag_key) => ({ data: { feature_flag_key, status: "ACTIVE" } }))],
    [
      /^.warehouse.sync/,
      (world.connection ?? []).map((connection_id) => ({ connection_id, assignments_table: "a", events_table: "e" })),
    ],
    [/^.segments.\{id\}$/, [{ description: "Changed" }]],
    [/^.mutual-exclusion-groups.\{group_id\}$/, [{ description: "Changed" }]],
  ];
  return known.filter(([pattern]) => pattern.test(path)).flatMap(([, bodies]) => bodies);
}

function poolOf(world: World): Pool {
  return {
    pick(name, at) {
      const names = world[kindOf(name) ?? ""] ?? [...world.flag!, ...world.experiment!];
      return names[at % names.length]!;
    },
    learn() {},
  };
}

/** Whether a DEVELOPER called bob may write a document; `read` finds others that are stored. */
async function isHis({ collection, id, before, after }: Written, key: RouteKey): Promise<boolean> {
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

const routes = (Object.entries(contract as Area) as [RouteKey, Route][]).filter(
  // Routes without authentication concern accounts, except webhooks.
  ([key, { auth, produces }]) => !key.startsWith("GET ") && !produces && (auth !== "public" || key.includes("webhook")),
);
/** Logging out ends the session of the other requests. */
const checked = routes.filter(([key]) => key !== "POST /auth/logout");

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
  const ways = pathParams(path).reduce<string[]>(
    (all, name) => {
      const kind = kindOf(name) ?? (name === "id" ? KIND_OF_AREA[path.split("/")[1]!] : undefined);
      const values = name === "user_id" ? [reach.ada.user.id, reach.bob.user.id] : (world[kind ?? ""] ?? ["none"]);
      return all.flatMap((one) => values.map((value) => one.replace(`{${name}}`, value)));
    },
    [path],
  );
  const schema = route.documentedBody ?? route.body;
  const drawn = schema && !route.raw ? fc.sample(toArbitrary(schema, poolOf(world)), { seed: n, numRuns: 2 }) : [{}];
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
