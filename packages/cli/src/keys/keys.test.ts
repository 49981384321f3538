import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, start, stopAll } from "../cli.fixture.ts";

let directory: string;
let server: Serving;
let second: Serving;
let name: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-keys-"));
  server = await serve(["--data", directory]);
  second = await serve(["--data", directory]);
});
beforeEach(() => {
  name = `backend-${Math.random().toString(36).slice(2)}`;
});
afterAll(async () => {
  await stopAll();
  await rm(directory, { recursive: true, force: true });
});

const credentials = { ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD };
const rotate = (...words: string[]) => ["keys", "rotate", ...words, "--url", server.url];
const create = (body: object = {}) => server.admin.request("POST /api-keys", { body: { name, ...body } });
const stateOf = async (id: string) => (await server.admin.request("GET /api-keys")).find((key) => key.id === id)!;
const works = (apiKey: string, url = server.url) =>
  createClient({ baseUrl: url, apiKey, retries: 0 })
    .request("GET /feature-flags/")
    .then(
      () => true,
      () => false,
    );

test("revokes a key when its successor is used, and not before", async () => {
  const old = await create({ scopes: ["read", "write"], kind: "SERVER", rate_limit_per_minute: 1000 });
  const command = start(rotate(name), credentials);
  const [, key = ""] = await command.match(/New key \(shown only this once\): (asy_\S+)/);
  await command.match(/is revoked as soon as the new one is used/);
  expect((await stateOf(old.id)).is_active).toBe(true);
  expect(await works(key)).toBe(true);
  expect(await command.exit).toBe(0);
  expect((await stateOf(old.id)).is_active).toBe(false);
  expect(await works(old.key!)).toBe(false);
  const [created] = (await server.admin.request("GET /api-keys")).filter((one) => one.name === name && one.is_active);
  expect(created).toMatchObject({ scopes: ["read", "write"], kind: "SERVER", rate_limit_per_minute: 1000 });
});

test("--yes revokes the old key at once", async () => {
  const old = await create();
  const { code, output } = await run(rotate(old.id, "--yes"), credentials);
  expect([code, output]).toEqual([0, expect.stringContaining(`The old key ${old.id} is revoked`)]);
  expect((await stateOf(old.id)).is_active).toBe(false);
});

test("the new key has the lifetime of the old one", async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const old = await create({ expires_at });
  await run(rotate(name, "--yes"), credentials);
  const created = (await server.admin.request("GET /api-keys")).find((one) => one.name === name && one.is_active)!;
  const lifetime = (key: { expires_at: string | null; created_at: string }) =>
    Date.parse(key.expires_at!) - Date.parse(key.created_at);
  expect(Math.abs(lifetime(created) - lifetime(old))).toBeLessThan(60_000);
});

test("rejects an unknown name and an ambiguous name, and creates nothing", async () => {
  expect(await run(rotate("nobody", "--yes"), credentials)).toMatchObject({
    code: 1,
    output: expect.stringContaining('No active API key is named "nobody"'),
  });
  await create();
  await create();
  const { code, output } = await run(rotate(name, "--yes"), credentials);
  expect([code, output]).toEqual([1, expect.stringContaining(`2 active API keys are named "${name}"`)]);
});

test("reports a user who may not create keys", async () => {
  const username = `viewer-${name}`.slice(0, 40);
  const body = { username, email: `${username}@example.org`, password: PASSWORD, role: "VIEWER" as const };
  await server.admin.request("POST /users/", { body });
  await create();
  const { code } = await run(rotate(name, "--yes"), { ASSAY_USERNAME: username, ASSAY_PASSWORD: PASSWORD });
  expect(code).toBe(1);
  const wrong = await run(rotate(name, "--yes"), { ASSAY_USERNAME: "admin", ASSAY_PASSWORD: "not the password" });
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining("Incorrect username or password")]);
});

test.each([
  [["keys"], "Specify a task"],
  [["keys", "roate", "x"], 'Unknown task "roate": list, create, revoke, rotate (assay keys --help)'],
  [["keys", "rotate"], "Specify the API key"],
  [["keys", "rotate", "x", "--url", "nowhere"], "--url must be an http(s) address"],
])("rejects the arguments %j", async (words, text) => {
  expect(await run(words, credentials)).toMatchObject({ code: 2, output: expect.stringContaining(text) });
});

test("requires a user name and password", async () => {
  expect(await run(["keys", "rotate", "x"])).toMatchObject({ code: 2, output: expect.stringContaining("--username") });
});

test("another node on the same data rejects a revoked key after a moment", async () => {
  const { id, key } = await create();
  await expect.poll(() => works(key!, second.url)).toBe(true);
  await server.admin.request("DELETE /api-keys/{id}", { params: { id } });
  expect(await works(key!)).toBe(false);
  await expect.poll(() => works(key!, second.url)).toBe(false);
});
