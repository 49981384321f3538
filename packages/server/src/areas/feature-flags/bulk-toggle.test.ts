import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const create = (key: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: "A flag", ...body } });
const toggle = (flag_ids: string[], action: string, reason?: string, client: TestServer["admin"] = server.admin) =>
  client.request("POST /feature-flags/bulk-toggle", { body: { flag_ids, action, reason } as never });
const get = (id: string) => server.admin.request("GET /feature-flags/{id}", { params: { id } });

test("enables, disables and archives flags by id or key, and returns the status before and after", async () => {
  const [a, b] = [await create("a"), await create("b", { status: "ACTIVE" })];
  expect(await toggle([a.id, "b"], "enable")).toEqual({
    total: 2,
    succeeded: 2,
    failed: 0,
    results: [
      { flag_id: a.id, flag_key: "a", success: true, error: null, old_status: "INACTIVE", new_status: "ACTIVE" },
      { flag_id: b.id, flag_key: "b", success: true, error: null, old_status: "ACTIVE", new_status: "ACTIVE" },
    ],
  });
  await toggle(["a"], "DISABLE");
  await toggle(["b"], "ARCHIVE");
  expect([(await get("a")).status, (await get("b")).status]).toEqual(["INACTIVE", "ARCHIVED"]);
});

test("evaluation changes at once", async () => {
  await create("a");
  await toggle(["a"], "ENABLE");
  expect(server.assay.engine.evaluate("a", { targetingKey: "u" }, null)).toMatchObject({ enabled: true });
});

test("adds an audit entry with the reason for each changed flag only", async () => {
  const [a, b] = [await create("a"), await create("b", { status: "ACTIVE" })];
  await toggle(["a", "b"], "ENABLE", "Launch day");
  const entries = async (resource_id: string) =>
    (await server.admin.request("GET /audit-logs", { query: { resource_id, action: "feature_flag.enable" } })).items;
  expect(await entries(a.id)).toMatchObject([
    { reason: "Launch day", old_value: { status: "INACTIVE" }, new_value: { status: "ACTIVE" } },
  ]);
  expect(await entries(b.id)).toEqual([]);
});

test("reports why a flag was rejected, and changes the others", async () => {
  await create("archived", { status: "ARCHIVED" });
  await create("fine");
  const { results, ...counts } = await toggle(["archived", "missing", "fine"], "ENABLE");
  expect(counts).toEqual({ total: 3, succeeded: 1, failed: 2 });
  expect(results).toMatchObject([
    {
      flag_key: "archived",
      success: false,
      error: "A feature flag cannot go from ARCHIVED to ACTIVE; make it INACTIVE first",
      old_status: "ARCHIVED",
      new_status: "ARCHIVED",
    },
    {
      flag_id: "missing",
      flag_key: null,
      success: false,
      error: "Resource not found",
      old_status: null,
      new_status: null,
    },
    { flag_key: "fine", success: true },
  ]);
});

test("rejects archiving a flag that other flags or a running experiment need, in bulk or alone", async () => {
  await create("base");
  await create("dependent", { prerequisites: [{ flag_key: "base" }] });
  await create("tested", {
    status: "ACTIVE",
    variants: [
      { key: "a", value: true },
      { key: "b", value: false },
    ],
  });
  await server.admin.request("POST /experiments/", {
    body: { name: "Running", status: "ACTIVE", feature_flag_key: "tested" },
  });
  const { results } = await toggle(["base", "tested"], "ARCHIVE");
  expect(results.map(({ error }) => error)).toEqual([
    'Feature flag "dependent" uses this flag as a prerequisite; change that flag first',
    'Experiment "running" is ACTIVE on this flag',
  ]);
  const alone = server.admin.request("PUT /feature-flags/{id}", {
    params: { id: "base" },
    body: { status: "ARCHIVED" },
  });
  expect(await refusal(alone)).toMatchObject({ status: 409 });
  await toggle(["dependent"], "ARCHIVE");
  expect(await toggle(["base"], "ARCHIVE")).toMatchObject({ succeeded: 1 });
});

test("changes and returns a flag once that is named by id and by key", async () => {
  const { id } = await create("a");
  const { total, results } = await toggle(["a", id, "a"], "ENABLE");
  expect([total, results.length]).toEqual([1, 1]);
  expect((await get("a")).version).toBe(2);
});

test("changes a DEVELOPER's own flags and no others", async () => {
  await create("theirs");
  const developer = await server.as("DEVELOPER");
  await developer.request("POST /feature-flags/", { body: { key: "mine", name: "Mine" } });
  const { results } = await toggle(["theirs", "mine"], "ENABLE", undefined, developer);
  expect(results.map(({ success, error }) => [success, error])).toEqual([
    [false, `Not enough permissions: owner or ADMIN required for feature flag "theirs"`],
    [true, null],
  ]);
  expect((await get("theirs")).status).toBe("INACTIVE");
});

test("requires 1 to 100 flags and a known action", async () => {
  for (const body of [
    { flag_ids: [], action: "ENABLE" },
    { flag_ids: Array.from({ length: 101 }, (_, index) => `f${index}`), action: "ENABLE" },
    { flag_ids: ["a"], action: "DELETE" },
    { flag_ids: "a", action: "ENABLE" },
  ]) {
    const refused = server.admin.request("POST /feature-flags/bulk-toggle", { body: body as never });
    expect(await refusal(refused)).toMatchObject({ status: 422 });
  }
});
