import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signIn } from "../../identity/reach.fixture.ts";
import { ADMIN, createTestServer, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-erasure-"));
  server = await createTestServer({ exports: { directory } });
});
afterEach(async () => {
  await server.assay.close();
  await rm(directory, { recursive: true });
});

const erase = (client: Pick<TestServer["admin"], "request"> = server.admin, user_id = "ada") =>
  client.request("DELETE /tracking/users/{user_id}", { params: { user_id } });
const segment = async (id: string) => server.admin.request("GET /segments/{id}", { params: { id } });

/** Makes a segment with three users, one of them an id that ada had before. */
async function makeSegment() {
  const key = await server.withKey(["write"]);
  await key.request("POST /tracking/identify", { body: { anonymous_id: "adas-phone", user_id: "ada" } });
  const body = { name: "Beta", user_ids: ["ada", "adam", "adas-phone"] };
  return (await server.admin.request("POST /segments", { body })).id;
}

test("an erasure removes all ids of the person from segments, and the trail does not repeat them", async () => {
  const id = await makeSegment();
  const answer = await erase();
  expect(answer.removed_from).toMatchObject([{ resource_type: "segment", resource_id: id, resource_name: "Beta" }]);
  expect((await segment(id)).user_ids).toEqual(["adam"]);
  expect(answer.remaining.filter(({ resource_type }) => resource_type === "segment")).toEqual([]);
  const [entry] = (await server.admin.request("GET /audit-logs", { query: { action: "segment.erase_person" } })).items;
  expect(entry).toMatchObject({ resource_id: id, old_value: {}, new_value: {} });
});

test("an erasure lists the segments that its caller may not change", async () => {
  const id = await makeSegment();
  const { user, ...helper } = await server.as("VIEWER");
  await server.admin.request("POST /users/{user_id}/grants", {
    params: { user_id: user.id },
    body: { resource: "tracking", actions: ["DELETE"], expires_at: "2026-03-02" },
  });
  const answer = await erase(helper);
  expect(answer.removed_from).toEqual([]);
  expect(answer.remaining).toContainEqual(expect.objectContaining({ resource_type: "segment", resource_id: id }));
  expect((await segment(id)).user_ids).toHaveLength(3);
});

test("an erasure names lists, exports, kept answers and audit entries that are left, and nothing else", async () => {
  const targeting_rules = { excluded_users: ["ada"] };
  const flag = await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", targeting_rules } });
  await server.admin.request("POST /feature-flags/", { body: { key: "other", name: "For adam and ada lovelace" } });
  const { run_id } = await server.admin.request("POST /etl/jobs/{job_name}/run", {
    params: { job_name: "events-export" },
    body: { parameters: { format: "NDJSON" } },
  });
  await vi.waitFor(async () => {
    const run = await server.admin.request("GET /etl/jobs/{run_id}", { params: { run_id } });
    expect(run.status).toBe("SUCCEEDED");
  });
  const headers = { ...(await signIn(server, ADMIN.username, ADMIN.password)), "idempotency-key": "once" };
  await server.send("POST", "/segments", { headers, body: { name: "Kept", user_ids: ["ada"] } });

  const { remaining, remaining_total } = await erase();
  const kinds = remaining.map(({ resource_type, resource_name }) => `${resource_type} ${resource_name}`);
  expect(kinds).toEqual([
    "feature_flag f",
    `export_file events-${run_id}.ndjson`,
    "kept_answer null",
    "audit_entry feature_flag.create",
    "audit_entry segment.create",
  ]);
  expect(remaining_total).toBe(5);
  expect(remaining[0]!.resource_id).toBe(flag.id);
  expect(remaining[3]!.advice).toMatch(/assay audit redact \d+ --part/);
  const clean = await erase(server.admin, "grace");
  expect(clean.remaining.map(({ resource_type }) => resource_type)).toEqual(["export_file"]);
});
