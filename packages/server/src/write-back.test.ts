import { contract, type RouteKey } from "@assay/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "./testing.fixture.ts";

/** Fields that change when a client PUTs an unchanged response. */
const CHANGING = new Set(["version", "updated_at"]);

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer();
  const { json } = await server.send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  headers = { authorization: `Bearer ${json.access_token}` };
});
afterAll(() => server.assay.close());

async function ask(method: string, path: string, body?: object) {
  const { status, json } = await server.send(method, path, { headers, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
  return json;
}

const make = (path: string, body: object) => async () =>
  `${path.replace(/\/$/, "")}/${(await ask("POST", path, body)).id}`;
const experiment = (key: string, body: object) => make("/experiments/", { key, name: key, ...body });

const RULE = { when: { attribute: "plan", operator: "EQUALS", value: "pro" }, serve: { rollout_percentage: 5 } };
const METRIC = { name: "Paid", event_type: "purchase", role: "PRIMARY" };
const SPLIT_URL = {
  experiment_type: "SPLIT_URL",
  split_url_config: {
    variants: [
      { url: "https://example.org/a", weight: 70 },
      { url: "/b", weight: 30 },
    ],
  },
};

async function schedule(): Promise<string> {
  await ask("POST", "/feature-flags/", { key: "rolled", name: "Rolled" });
  const stages = [{ target_percentage: 80, trigger: "MANUAL" }];
  return make("/rollout-schedules", { name: "Plan", feature_flag_id: "rolled", stages })();
}

/**
 * For each route with PUT, functions by form of resource. Each creates a resource and returns the path that shows it.
 */
const RESOURCES: { [K in RouteKey]?: Record<string, () => Promise<string>> } = {
  "PUT /users/{user_id}": {
    "a user": make("/users/", { username: "ada", email: "ada@example.org", password: "a-password-of-tests" }),
  },
  "PUT /feature-flags/{id}": {
    "a boolean flag": make("/feature-flags/", { key: "boolean", name: "Boolean", rules: [RULE], tags: ["t"] }),
    "a flag with variants": make("/feature-flags/", {
      key: "variants",
      name: "Variants",
      value_type: "STRING",
      variants: [
        { key: "a", value: "A", weight: 70 },
        { key: "b", value: "B", weight: 30 },
      ],
      targeting_rules: { countries: ["DE"] },
      expires_at: "2027-01-01",
    }),
  },
  "PUT /experiments/{experiment_id}": {
    "an A/B test": experiment("ab", {
      variants: [{ key: "a" }, { key: "b", weight: 30 }],
      metrics: [METRIC, { name: "Slow", event_type: "load", kind: "MEAN", margin: 0.1, hypothesis: "NON_INFERIORITY" }],
      rules: [RULE],
      planned_sample_size: 1000,
    }),
    "a split URL experiment": experiment("split", SPLIT_URL),
    "a multivariate experiment": experiment("factors", {
      experiment_type: "MULTIVARIATE",
      design: "FULL_FACTORIAL",
      factors: [
        { name: "Colour", levels: ["red", "blue"] },
        { name: "Size", levels: ["small", "large"] },
      ],
    }),
    "an experiment on a flag": async () => {
      await ask("POST", "/feature-flags/", { key: "bound", name: "Bound" });
      return experiment("on-flag", { experiment_type: "FEATURE_FLAG", feature_flag_key: "bound" })();
    },
    "a bandit": experiment("bandit", { allocation: "UCB1", variants: [{ key: "a" }, { key: "b" }], metrics: [METRIC] }),
  },
  "PUT /segments/{id}": { "a segment": make("/segments", { name: "Staff", user_ids: ["ada"] }) },
  "PUT /rollout-schedules/{id}": { "a rollout schedule": schedule },
  "PUT /integrations/{id}": {
    "an integration": make("/integrations", {
      name: "Tracker",
      integration_type: "TRACKER",
      config: { base_url: "https://third.example", username: "bot", api_token: "t", allow_unsigned: true },
    }),
  },
  "PUT /warehouse/connections/{id}": {
    "a connection": make("/warehouse/connections", { name: "Warehouse", type: "DUCKDB", database: "/no/w.duckdb" }),
  },
  "PUT /wizard/drafts/{id}": {
    "a draft": async () => {
      const path = await make("/wizard/drafts", { data: { name: "Draft" } })();
      // Saving completes the current step.
      await ask("PUT", path, await ask("GET", path));
      return path;
    },
  },
  "PUT /notifications/preferences": { "the preferences of a user": async () => "/notifications/preferences" },
  "PUT /mutual-exclusion-groups/{group_id}": {
    "a mutual exclusion group": make("/mutual-exclusion-groups", { name: "Checkout" }),
  },
  "PUT /holdout/{id}": { "a holdout": make("/holdout", { name: "Holdout", percentage: 5 }) },
  "PUT /safety/settings": { "the safety settings": async () => "/safety/settings" },
  "PUT /safety/feature-flags/{id}": {
    "the safety of a flag": async () => {
      await ask("POST", "/feature-flags/", { key: "safe", name: "Safe" });
      // The answer contains defaults for what the flag does not set. Writing it back sets them on the flag.
      await ask("PUT", "/safety/feature-flags/safe", { window_minutes: 30, automatic_rollback: false });
      return "/safety/feature-flags/safe";
    },
  },
};

/** Routes whose PUT has no GET of the same path. */
const WITHOUT_GET: RouteKey[] = [
  "PUT /bandit/{experiment_id}/weights",
  "PUT /rollout-schedules/stages/{stage_id}",
  "PUT /roles/{role_name}",
];

const stable = (body: object) => Object.fromEntries(Object.entries(body).filter(([name]) => !CHANGING.has(name)));

test("every route with PUT is here", () => {
  const keys = Object.keys(contract).filter((key) => key.startsWith("PUT ")) as RouteKey[];
  expect(keys.toSorted()).toEqual([...(Object.keys(RESOURCES) as RouteKey[]), ...WITHOUT_GET].toSorted());
  const gets = WITHOUT_GET.filter((key) => key.replace("PUT", "GET") in contract);
  expect(gets).toEqual([]);
});

test.each(Object.values(RESOURCES).flatMap((forms) => Object.entries(forms ?? {})))(
  "the answer about %s can be written back, and changes nothing",
  async (_name, resource) => {
    const path = await resource();
    const before = await ask("GET", path);
    await ask("PUT", path, before);
    expect(stable(await ask("GET", path))).toEqual(stable(before));
  },
);
