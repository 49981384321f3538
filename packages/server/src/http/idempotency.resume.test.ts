import { memoryStore, type Store, StoreUnavailable } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing.fixture.ts";

const MINUTE = 60_000;
let storage: Store;
let server: TestServer;
let headers: Record<string, string>;
let apiKey: string;
/** Whether the server dies between the effect of a request and its answer. */
let dies = false;

beforeEach(async () => {
  dies = false;
  const inner = { ...memoryStore(), close: async () => {} };
  storage = {
    ...inner,
    async batch(operations) {
      const [first] = operations;
      const isAnswer = operations.length === 1 && first && "key" in first && first.key.startsWith("idempotency");
      // The first such batch claims the key. The one after the effect stores the answer.
      if (dies && isAnswer && "ifVersion" in first && first.ifVersion! > 1) throw new StoreUnavailable("Killed");
      return inner.batch(operations);
    },
  };
  server = await createTestServer({ storage });
  apiKey = (await server.withKey(["write"])).key;
  await signIn();
});
afterEach(() => server.assay.close());

async function signIn(): Promise<void> {
  const body = { username: "admin", password: "correct horse battery" };
  const { json } = await server.send("POST", "/auth/login", { body });
  headers = { authorization: `Bearer ${json.access_token}`, "idempotency-key": "k-1" };
}

function headersOf(path: string): Record<string, string> {
  return path.startsWith("/tracking") ? { "idempotency-key": "k-1", "x-api-key": apiKey } : headers;
}

/**
 * Sends a request that the server commits but dies before answering, starts the server again, and repeats the request.
 */
async function interrupted(path: string, body: unknown) {
  dies = true;
  const first = await server.send("POST", path, { body, headers: headersOf(path) });
  await server.assay.close();
  dies = false;
  const now = server.now() + 2 * MINUTE;
  server = await createTestServer({ storage, now: () => now });
  await signIn();
  const repeat = await server.send("POST", path, { body, headers: headersOf(path) });
  return { first, repeat };
}

const send = (path: string, body: unknown) =>
  server.send("POST", path, { body, headers: { authorization: headers.authorization! } });
const count = async (path: string) => {
  const { json } = await server.send("GET", path, { headers: { authorization: headers.authorization! } });
  return (json.items ?? json.users ?? json).length as number;
};
const experiment = (key: string, changes: object = {}) => ({
  key,
  name: key,
  variants: [{ key: "a" }, { key: "b" }],
  ...changes,
});

async function prepare(): Promise<Record<string, string>> {
  const user = await send("/users/", { username: "user", email: "u@example.org", password: "a-password-of-tests" });
  const flag = await send("/feature-flags/", { key: "given", name: "Given" });
  const given = await send("/experiments/", experiment("given"));
  await send("/experiments/", experiment("running", { status: "ACTIVE" }));
  const group = await send("/mutual-exclusion-groups", { name: "given" });
  const schedule = await send("/rollout-schedules", { name: "given", feature_flag_id: "given" });
  const data = { key: "drafted", name: "Drafted", variants: [{ key: "a" }, { key: "b" }] };
  const draft = await send("/wizard/drafts", { data });
  const ids = Object.entries({ user, flag, experiment: given, group, schedule, draft });
  return Object.fromEntries(ids.map(([name, { json }]) => [name, json.id]));
}

type Ids = Record<string, string>;
type Case = [name: string, path: (ids: Ids) => string, body: (ids: Ids) => object, list?: string];

const cases: Case[] = [
  ["an API key", () => "/api-keys", () => ({ name: "k" }), "/api-keys"],
  ["an experiment", () => "/experiments/", () => experiment("x"), "/experiments/"],
  [
    "an experiment without a key",
    () => "/experiments/",
    () => ({ ...experiment("x"), key: undefined }),
    "/experiments/",
  ],
  [
    "an experiment of a group",
    () => "/experiments/",
    ({ group }) => experiment("x", { mutual_exclusion_group_id: group }),
    "/experiments/",
  ],
  ["a clone", ({ experiment: id }) => `/experiments/${id}/clone`, () => ({}), "/experiments/"],
  ["a flag", () => "/feature-flags/", () => ({ key: "f", name: "F" }), "/feature-flags/"],
  ["a holdout", () => "/holdout", () => ({ name: "H", percentage: 5 }), "/holdout/all"],
  [
    "a connection to a CRM",
    () => "/integrations",
    () => ({
      name: "CRM",
      integration_type: "CRM",
      config: { instance_url: "https://crm.example", client_id: "c", client_secret: "secret of the client" },
    }),
    "/integrations",
  ],
  ["a group", () => "/mutual-exclusion-groups", () => ({ name: "G" }), "/mutual-exclusion-groups"],
  [
    "a member of a group",
    ({ group }) => `/mutual-exclusion-groups/${group}/experiments`,
    ({ experiment: id }) => ({ experiment_id: id }),
  ],
  [
    "a role",
    () => "/roles",
    () => ({ name: "auditor", description: "", permissions: [{ resource: "feature-flags", actions: ["read"] }] }),
    "/roles",
  ],
  [
    "a rollout schedule",
    () => "/rollout-schedules",
    () => ({ name: "S", feature_flag_id: "given" }),
    "/rollout-schedules",
  ],
  [
    "a stage",
    ({ schedule }) => `/rollout-schedules/${schedule}/stages`,
    () => ({ target_percentage: 5, trigger: "MANUAL" }),
  ],
  ["a segment", () => "/segments", () => ({ name: "S" }), "/segments"],
  [
    "a user",
    () => "/users/",
    () => ({ username: "other", email: "v@example.org", password: "a-password-of-tests" }),
    "/users/",
  ],
  ["a draft", () => "/wizard/drafts", () => ({ data: { name: "D" } }), "/wizard/drafts"],
  ["the experiment of a draft", ({ draft }) => `/wizard/drafts/${draft}/submit`, () => ({}), "/experiments/"],
  ["a count", () => "/counters/running/increment", () => ({ variant_id: "a", counter: "events", amount: 5 })],
  [
    "counts",
    () => "/counters/running/bulk",
    () => ({ increments: [{ variant_id: "a", counter: "events", amount: 5 }] }),
  ],
  ["an event", () => "/tracking/track", () => ({ event_type: "visit", user_id: "u" })],
];

describe("a request whose server dies after its effect and before its answer", () => {
  test.each(cases)("repeated, answers as the first did, and creates once: %s", async (_, path, body, list) => {
    const ids = await prepare();
    const [before, place, content] = [list ? await count(list) : 0, path(ids), body(ids)];
    const { first, repeat } = await interrupted(place, content);
    expect([first.status, first.text]).toEqual([place.startsWith("/counters") ? 200 : 201, expect.any(String)]);
    const { key: _secret, ...shown } = first.json;
    expect(repeat.json).toEqual(place === "/api-keys" ? shown : first.json);
    expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([first.status, "true"]);
    if (list) expect(await count(list)).toBe(before + 1);
    const third = await server.send("POST", place, { body: content, headers: headersOf(place) });
    expect(third.json).toEqual(repeat.json);
  });
});
