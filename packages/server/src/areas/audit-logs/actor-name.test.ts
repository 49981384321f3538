import { afterEach, beforeEach, expect, test } from "vitest";
import { readEvents } from "../../event-reader.fixture.ts";
import { ADMIN, createTestServer, ORIGIN, PASSWORD, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Reader = Pick<TestServer["admin"], "request">;
const created = async (client: Reader = server.admin) => {
  const query = { action: "feature_flag.create" };
  return (await client.request("GET /audit-logs", { query })).items[0]!;
};
const create = (client: Reader) => client.request("POST /feature-flags/", { body: { key: "f", name: "F" } });

test("an entry has the current name of the user, in lists and alone", async () => {
  const { user, ...developer } = await server.as("DEVELOPER", "grace");
  await create(developer);
  const entry = await created();
  expect(entry).toMatchObject({ actor_id: user.id, actor_name: "grace" });
  await server.admin.request("PUT /users/{user_id}", { params: { user_id: user.id }, body: { full_name: "Grace H" } });
  const one = await server.admin.request("GET /audit-logs/{id}", { params: { id: entry.id } });
  expect(one.actor_name).toBe("Grace H");
});

test("an entry has the name of an API key, and no name for the server", async () => {
  await create(await server.withKey(["admin"], { name: "deployer" }));
  expect(await created()).toMatchObject({ actor_type: "API_KEY", actor_name: "deployer" });
  const { items } = await server.admin.request("GET /audit-logs", { query: { limit: 500 } });
  const own = items.filter(({ actor_type }) => actor_type === "SYSTEM");
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ actor_name }) => actor_name === null)).toBe(true);
});

test("only an ADMIN sees an e-mail address as a name, in lists and in the stream", async () => {
  const email = "ada@example.org";
  const body = { username: email, email, password: PASSWORD, role: "DEVELOPER" } as const;
  await server.admin.request("POST /users/", { body });
  const { username, ...analyst } = await server.as("ANALYST");
  const open = async (credentials: object) => {
    const { json } = await server.send("POST", "/auth/login", { body: credentials });
    const headers = { authorization: `Bearer ${json.access_token}` };
    return readEvents(await server.assay.fetch(new Request(`${ORIGIN}/api/v1/audit-logs/stream`, { headers })));
  };
  const streams = [await open(ADMIN), await open({ username, password: PASSWORD })];
  await create(server.connect({ username: email, password: PASSWORD }));
  expect((await created()).actor_name).toBe(email);
  expect((await created(analyst)).actor_name).toBe("[hidden]");
  const names: unknown[] = [];
  for (const stream of streams) {
    for (;;) {
      const event = (await stream.next())!;
      if (event.data.action !== "feature_flag.create") continue;
      names.push(event.data.actor_name);
      break;
    }
    await stream.cancel();
  }
  expect(names).toEqual([email, "[hidden]"]);
});
