import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readEvents } from "../event-reader.fixture.ts";
import { signIn } from "../identity/reach.fixture.ts";
import { createTestServer, ORIGIN, type TestServer } from "../testing.fixture.ts";
import { PARTS } from "./chain.ts";
import { hidePeople } from "./privacy.ts";

type Person = Awaited<ReturnType<TestServer["as"]>>;

let server: TestServer;
let analyst: Person;
let manager: Person;

beforeEach(async () => {
  server = await createTestServer();
  analyst = await server.as("ANALYST", "anne");
  manager = await server.as("ADMIN", "mary");
  const grace = { email: "grace@example.org", password: "a-password-of-tests" };
  await server.admin.request("POST /users/", { body: { ...grace, username: grace.email } });
  await manager.request("POST /wizard/drafts", { body: { data: { name: "Secret plan" } } });
  await server.admin.request("POST /segments", { body: { name: "Ask ada@example.org, please", user_ids: ["u@v"] } });
});
afterEach(() => server.assay.close());

const PRIVATE = ["grace@example.org", "Secret plan", "ada@example.org"];
const found = (text: string) => PRIVATE.filter((one) => text.includes(one));

/** Reads the trail by each route that a role may use. */
const WAYS: Record<string, (person: Person) => Promise<unknown>> = {
  "the list": (person) => person.request("GET /audit-logs", { query: { limit: 500 } }),
  "single entries": async (person) => {
    const { items } = await server.admin.request("GET /audit-logs", { query: { limit: 500 } });
    return Promise.all(items.map(({ id }) => person.request("GET /audit-logs/{id}", { params: { id } })));
  },
  "compliance events": (person) => person.request("GET /compliance/audit-events", { query: { page_size: 500 } }),
  "the stream": async ({ username }) => {
    const headers = { ...(await signIn(server, username)), "last-event-id": "0" };
    const url = `${ORIGIN}/api/v1/audit-logs/stream`;
    const events = readEvents(await server.assay.fetch(new Request(url, { headers })));
    const entries: unknown[] = [];
    for (;;) {
      const { data } = (await events.next())!;
      entries.push(data);
      if (data.resource_type === "segment") break;
    }
    await events.cancel();
    return entries;
  },
};

describe.each(Object.keys(WAYS))("%s", (way) => {
  test("shows e-mails and private drafts to an ADMIN, and not below", async () => {
    expect(found(JSON.stringify(await WAYS[way]!(manager)))).toEqual(PRIVATE);
    const text = JSON.stringify(await WAYS[way]!(analyst));
    expect(found(text)).toEqual([]);
    expect(text).toContain("Ask [hidden], please");
    expect(text).toContain("u@v");
  });
});

test("hidden parts of compliance events keep their hashes, so that the chain still verifies", async () => {
  const query = { page_size: 500 };
  const full = (await manager.request("GET /compliance/audit-events", { query })).items;
  const shown = (await analyst.request("GET /compliance/audit-events", { query })).items;
  const draft = shown.find(({ action }) => action === "wizard_draft.create")!;
  expect(draft.redacted).toEqual(["resource", "values"]);
  const same = full.find(({ id }) => id === draft.id)!;
  expect(draft.hash).toBe(same.hash);
  expect(Object.keys(draft.part_hashes!)).toEqual(["resource", "values"]);
  expect(Object.values(draft.part_hashes!).every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  expect(PARTS).toEqual(expect.arrayContaining(Object.keys(draft.part_hashes!)));
});

test("a reader of the stream who is no longer ADMIN sees no more e-mails after the next heartbeat", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const headers = await signIn(server, "mary");
  const url = `${ORIGIN}/api/v1/audit-logs/stream`;
  const events = readEvents(await server.assay.fetch(new Request(url, { headers })));
  const params = { user_id: manager.user.id };
  await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { role: "ANALYST" } });
  await vi.advanceTimersByTimeAsync(15_000);
  const email = "late@example.org";
  await server.admin.request("POST /users/", { body: { username: "late", email, password: "a-password-of-tests" } });
  for (;;) {
    const { data } = (await events.next())!;
    if (data.action !== "user.create") continue;
    expect((data.new_value as { email: string }).email).toBe("[hidden]");
    break;
  }
  await events.cancel();
  vi.useRealTimers();
});

test("words that only look like addresses stay, and long words take no time worth noting", async () => {
  const entry = (await server.admin.request("GET /audit-logs")).items[0]!;
  const hide = (name: string) =>
    hidePeople({ ...entry, resource_type: "segment", resource_name: name, old_value: null, new_value: null })
      .resource_name;
  expect(hide("@example.org a@b 1@2 x")).toBe("@example.org a@b 1@2 x");
  expect(hide("mailto:a@b.c <ada@x.org>;b@c.de")).toBe("mailto:[hidden] <[hidden]>;[hidden]");
  expect(hide(`${"a".repeat(1_000_000)}@x`)).toHaveLength(1_000_002);
});
