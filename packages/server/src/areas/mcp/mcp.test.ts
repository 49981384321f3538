import { type Area, contract, type Route } from "@assay/contract";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../listening.fixture.ts";
import { ADMIN, createTestServer, PASSWORD, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let host: Awaited<ReturnType<typeof listen>>;
const open: Client[] = [];

beforeAll(async () => {
  server = await createTestServer();
  host = await listen(server.assay);
});
afterAll(async () => {
  for (const client of open) await client.close();
  await host.close();
  await server.assay.close();
});

/** Connects the official client of the protocol over a socket. */
async function connect(headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${host.url}/api/v1/mcp`), { requestInit: { headers } });
  await client.connect(transport as never);
  open.push(client);
  return client;
}

async function bearer(username: string, password = PASSWORD): Promise<Record<string, string>> {
  const { json } = await server.send("POST", "/auth/login", { body: { username, password } });
  return { authorization: `Bearer ${json.access_token}` };
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { text: string }[];
  return { isError: result.isError === true, text: content!.text };
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe("the protocol's own client", () => {
  test("creates, reads, changes and deletes a flag", async () => {
    const client = await connect(await bearer(ADMIN.username, ADMIN.password));
    const made = await call(client, "feature_flags_create", {
      body: { key: "by-tool", name: "By tool", status: "ACTIVE" },
    });
    expect(made).toMatchObject({ isError: false });
    const { id } = JSON.parse(made.text);
    expect(JSON.parse((await call(client, "feature_flags_get", { id: "by-tool" })).text)).toMatchObject({ id });
    await call(client, "feature_flags_set_rollout", { id, body: { rollout_percentage: 25 } });
    const listed = JSON.parse((await call(client, "feature_flags_list", { search: "by-tool", limit: 1 })).text);
    expect(listed).toMatchObject([{ id }]);
    expect(await server.admin.request("GET /feature-flags/{id}", { params: { id } })).toMatchObject({
      rollout_percentage: 25,
    });
    expect(await call(client, "feature_flags_delete", { id })).toEqual({ isError: false, text: "HTTP 204" });
  });

  test("receives the server's name, and the trail contains the client's", async () => {
    const client = await connect(await bearer((await server.as("DEVELOPER", "mcp-dev")).username));
    expect(JSON.parse((await call(client, "users_me")).text)).toMatchObject({ username: "mcp-dev" });
    await call(client, "feature_flags_create", { body: { key: "traced", name: "Traced" } });
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "feature_flag.create" } });
    const me = JSON.parse((await call(client, "users_me")).text);
    expect(items.find(({ resource_name }) => resource_name === "traced")).toMatchObject({
      actor_id: me.id,
      ip: "127.0.0.1",
    });
  });
});

describe("rights", () => {
  test("lists the tools that the caller may use, and no others", async () => {
    const viewer = await namesOf(await connect(await bearer((await server.as("VIEWER", "mcp-viewer")).username)));
    expect(viewer).toContain("experiments_list");
    expect(viewer).not.toContain("experiments_create");
    expect(viewer).not.toContain("feature_flags_evaluate");
    const key = await namesOf(await connect({ "x-api-key": (await server.withKey(["read"])).key }));
    expect(key).toContain("feature_flags_evaluate");
    expect(key).not.toContain("tracking_track");
    const writer = await namesOf(await connect({ "x-api-key": (await server.withKey(["read", "write"])).key }));
    expect(writer).toContain("tracking_track");
  });

  test("a grant adds its tools", async () => {
    const viewer = await server.as("VIEWER", "mcp-granted");
    await server.admin.request("POST /users/{user_id}/grants", {
      params: { user_id: viewer.user.id },
      body: {
        resource: "feature-flags",
        actions: ["CREATE"],
        expires_at: new Date(server.now() + 3_600_000).toISOString(),
      },
    });
    const client = await connect(await bearer(viewer.username));
    expect(await namesOf(client)).toContain("feature_flags_create");
    expect(await call(client, "feature_flags_create", { body: { key: "granted", name: "G" } })).toMatchObject({
      isError: false,
    });
  });

  test("rejects a call of a tool that is not listed like the API does", async () => {
    const client = await connect(await bearer((await server.as("VIEWER", "mcp-weak")).username));
    const refused = await call(client, "feature_flags_create", { body: { key: "no", name: "No" } });
    expect(refused).toEqual({ isError: true, text: expect.stringMatching(/^HTTP 403: \{"detail":"Not enough/) });
  });

  test("rejects callers without a credential, with a CLIENT key or with a key that may not read", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await server.send("POST", "/mcp", { body })).status).toBe(401);
    const client = await server.withKey(["read"], { kind: "CLIENT" });
    const writer = await server.withKey(["write"]);
    for (const key of [client.key, writer.key]) {
      expect((await server.send("POST", "/mcp", { body, headers: { "x-api-key": key } })).status).toBe(403);
    }
  });
});

describe("wrong input", () => {
  test("gets the error of the operation", async () => {
    const client = await connect(await bearer(ADMIN.username, ADMIN.password));
    expect((await call(client, "feature_flags_get", { id: "nowhere" })).text).toBe(
      'HTTP 404: {"detail":"Resource not found"}',
    );
    expect((await call(client, "feature_flags_create", { body: {} })).text).toMatch(
      /^HTTP 422: .*"loc":\["body","key"\]/,
    );
    expect(await call(client, "feature_flags_get")).toEqual({ isError: true, text: '"id" is missing' });
    expect(await call(client, "feature_flags_get", { id: ".." })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: "nothing" })).rejects.toThrow('Tool "nothing" does not exist');
  });

  test("an argument cannot leave the path", async () => {
    const client = await connect(await bearer(ADMIN.username, ADMIN.password));
    expect((await call(client, "feature_flags_get", { id: "x/../../users/me" })).text).toMatch(/^HTTP 404/);
  });

  test("invalid messages are a JSON-RPC error, never a 5xx", async () => {
    const headers = {
      ...(await bearer(ADMIN.username, ADMIN.password)),
      accept: "application/json, text/event-stream",
    };
    for (const body of [
      {},
      [],
      [1],
      { jsonrpc: "2.0", id: 1, method: "nothing/known" },
      { jsonrpc: "1.0", id: 1 },
      "x",
    ]) {
      const { status } = await server.send("POST", "/mcp", { headers, body });
      expect(status).toBeLessThan(500);
    }
    const unaccepting = await server.send("POST", "/mcp", {
      headers: { ...headers, accept: "text/plain" },
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
    });
    expect(unaccepting.status).toBe(406);
    expect((await server.send("GET", "/mcp", { headers })).status).toBe(405);
  });
});

test("the manifest is public and lists exactly the tools", async () => {
  const manifest = await server.anonymous.request("GET /mcp/manifest");
  expect(manifest).toMatchObject({
    name: "assay",
    transport: { type: "streamable-http", path: "/api/v1/mcp" },
  });
  const offered = await namesOf(await connect(await bearer(ADMIN.username, ADMIN.password)));
  const described = new Map(manifest.tools.map((tool) => [tool.name, tool]));
  expect(offered.filter((name) => !described.has(name))).toEqual([]);
  const routes = Object.entries(contract as Area) as [string, Route][];
  const callable = routes.filter(([, { auth, produces }]) => typeof auth === "object" && !produces);
  expect(manifest.tools.map(({ route }) => route).sort()).toEqual(callable.map(([key]) => key).sort());
  expect(manifest.tools.every(({ name }) => /^[a-z0-9_]{1,64}$/.test(name))).toBe(true);
  expect(described.get("feature_flags_delete")).toMatchObject({ destructive: true, read_only: false });
});
