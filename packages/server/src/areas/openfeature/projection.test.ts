import { createEngine, type Definitions } from "@assay/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let key: string;
beforeEach(async () => {
  server = await createTestServer();
  ({ key } = await server.withKey(["read"], { kind: "CLIENT" }));
});
afterEach(() => server.assay.close());

const create = (flag: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key: flag, name: flag, status: "ACTIVE", ...body } });

async function definitions(headers: Record<string, string> = {}) {
  const answer = await server.send("GET", "/openfeature/flags", { headers: { "x-api-key": key, ...headers } });
  return { ...answer, json: answer.json as Definitions };
}

test("a CLIENT key reads client-side flags and the prerequisites they need, and nothing else", async () => {
  await create("ground", { description: "A secret plan" });
  await create("base", { prerequisites: [{ flag_key: "ground", value: true }] });
  await create("shown", { client_side: true, prerequisites: [{ flag_key: "base", value: true }] });
  await create("hidden", { rules: [] });
  const { status, json, text } = await definitions();
  expect(status).toBe(200);
  expect(json.flags.map((flag) => flag.key)).toEqual(["ground", "base", "shown"]);
  expect(text).not.toMatch(/hidden|secret plan/);
  // A reader in between, such as a relay, answers for those flags that the server would answer for.
  expect(json.flags.map((flag) => flag.client_side)).toEqual([false, false, undefined]);
});

test("contains no user id, and evaluates every user like the server", async () => {
  const users = Array.from({ length: 300 }, (_, index) => `person-${index}`);
  const targeting_rules = {
    excluded_users: users.filter((_, index) => index % 3 === 0),
    included_users: users.filter((_, index) => index % 5 === 0),
    countries: ["DE"],
  };
  for (const flag of ["one", "two"]) await create(flag, { client_side: true, rollout_percentage: 40, targeting_rules });
  const { json, text } = await definitions();
  expect(text).not.toContain("person-");
  const salts = json.flags.map((flag) => flag.targeting_rules!.excluded_users_hashed!.salt);
  expect(new Set(salts).size).toBe(2);
  const engine = createEngine(json);
  for (const targetingKey of users) {
    for (const country of ["DE", "FR"]) {
      const context = { targetingKey, country };
      expect(engine.evaluateAll(context)).toEqual(server.assay.engine.evaluateAll(context));
    }
  }
});

test("contains an experiment on such a flag only as far as it decides who takes part", async () => {
  const variants = [
    { key: "a", value: "A" },
    { key: "b", value: "B" },
  ];
  await create("shown", { client_side: true, variants });
  await create("hidden", { variants });
  for (const feature_flag_key of ["shown", "hidden"]) {
    const body = {
      name: `Over ${feature_flag_key}`,
      feature_flag_key,
      variants: [
        { key: "a", name: "A" },
        { key: "b", name: "B" },
      ],
    };
    const { id } = await server.admin.request("POST /experiments/", { body: body as never });
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: id } });
  }
  const { json, text } = await definitions();
  expect(json.experiments).toMatchObject([{ key: "over-shown", feature_flag_key: "shown", status: "ACTIVE" }]);
  expect(text).not.toContain("hidden");
});

test("keeps its ETag while only hidden definitions change", async () => {
  await create("shown", { client_side: true });
  await create("hidden");
  const { headers } = await definitions();
  const change = (id: string) =>
    server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { rollout_percentage: 10 } });
  await change("hidden");
  expect((await definitions({ "if-none-match": headers.get("etag")! })).status).toBe(304);
  await change("shown");
  expect((await definitions({ "if-none-match": headers.get("etag")! })).status).toBe(200);
});

test("rejects hashed lists in requests", async () => {
  const targeting_rules = { excluded_users_hashed: { salt: "s", hashes: [] } };
  const answer = create("flag", { targeting_rules });
  await expect(answer).rejects.toMatchObject({ status: 422 });
});
