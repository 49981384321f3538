import { type Area, contract, pathParams, type Route, type RouteKey } from "@assay/contract";
import fc from "fast-check";
import { toArbitrary } from "../fuzz/arbitrary.fixture.ts";
import type { Pool } from "../fuzz/pool.fixture.ts";

/** Every route that may change something. */
export const writingRoutes = (Object.entries(contract as Area) as [RouteKey, Route][]).filter(
  ([key, { produces }]) => !key.startsWith("GET ") && !produces,
);

/** Ids and keys by the names of parameters and fields. */
export type World = Record<string, string[]>;
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
export function bodiesFor(path: string, world: World, n: number): object[] {
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
    [/^.warehouse.connections.\{id\}$/, [{ name: "Changed" }]],
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

/** Returns bodies drawn from the schema of a route, the same for the same `n`. */
export function drawnBodies(route: Route, world: World, n: number): unknown[] {
  const schema = route.documentedBody ?? route.body;
  return schema && !route.raw ? fc.sample(toArbitrary(schema, poolOf(world)), { seed: n, numRuns: 2 }) : [{}];
}

/** Returns a path with every combination of the resources that its parameters can name. */
export function waysOf(path: string, world: World, users: string[]): string[] {
  return pathParams(path).reduce<string[]>(
    (all, name) => {
      const kind = kindOf(name) ?? (name === "id" ? KIND_OF_AREA[path.split("/")[1]!] : undefined);
      const values = name === "user_id" ? users : (world[kind ?? ""] ?? ["none"]);
      return all.flatMap((one) => values.map((value) => one.replace(`{${name}}`, value)));
    },
    [path],
  );
}
