import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, run, serve, stopAll } from "../cli.fixture.ts";
import { DATABASES, newPlace } from "../database.fixture.ts";

const ENVIRONMENTS = ["--environments", "production,staging"];
const user = { ASSAY_PASSWORD: PASSWORD };
const name = newPlace("environments");
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-environments-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Returns a client of the administrator in an environment. */
const within = ({ url }: { url: string }, environment: string) =>
  createClient({ baseUrl: url, username: "admin", password: PASSWORD, environment });
const keysIn = async (client: ReturnType<typeof within>) =>
  (await client.request("GET /feature-flags/")).map(({ key }) => key);

const STORES = [
  { kind: "LMDB", words: () => ["--data", join(directory, "lmdb")], clear: async () => {} },
  ...DATABASES.map(({ kind, storage, clear }) => ({
    kind,
    words: () => ["--storage", storage(name)],
    clear: () => clear([name]),
  })),
];

describe.each(STORES)("assay serve --environments on $kind", ({ words, clear }) => {
  afterAll(clear);

  test("keeps the flags and keys of each environment over a restart, and refuses another order", async () => {
    const first = await serve([...words(), ...ENVIRONMENTS]);
    await first.match(/Environments: production, staging; the default is production\n/);
    await within(first, "staging").request("POST /feature-flags/", { body: { key: "new", name: "New" } });
    await first.admin.request("POST /feature-flags/", { body: { key: "old", name: "Old" } });
    const { key } = await within(first, "staging").request("POST /api-keys", { body: { name: "k", scopes: ["read"] } });
    first.child.kill("SIGTERM");
    await first.exit;
    const second = await serve(words(), { ASSAY_ENVIRONMENTS: "production, staging" });
    expect(await keysIn(within(second, "production"))).toEqual(["old"]);
    expect(await keysIn(within(second, "staging"))).toEqual(["new"]);
    expect(await keysIn(createClient({ baseUrl: second.url, apiKey: key! }))).toEqual(["new"]);
    second.child.kill("SIGTERM");
    await second.exit;
    expect(await run(["serve", ...words(), "--port", "0", "--environments", "staging,production"])).toMatchObject({
      code: 1,
      output: expect.stringContaining('The data of the environment "staging" belongs to "production"'),
    });
  });
});

test("commands choose the environment by an option, a variable or the profile", async () => {
  const { url } = await serve(["--storage", "memory", ...ENVIRONMENTS]);
  const config = { ASSAY_CONFIG: join(directory, "config.json") };
  const words = ["--url", url, "--username", "admin"];
  const create = (key: string, options: string[], environment = {}) =>
    run(["flags", "create", key, ...words, ...options], { ...config, ...user, ...environment });
  expect(await create("by-option", ["--environment", "staging"])).toMatchObject({ code: 0 });
  expect(await create("by-variable", [], { ASSAY_ENVIRONMENT: "staging" })).toMatchObject({ code: 0 });
  expect(await create("by-default", [])).toMatchObject({ code: 0 });
  expect(await create("nowhere", ["--environment", "stagin"])).toMatchObject({
    code: 1,
    output: 'assay: X-Assay-Environment: there is no environment "stagin"\n',
  });
  const profile = ["--environment", "staging", "--profile", "staging"];
  expect(await run(["init", ...words, ...profile], { ...config, ...user })).toMatchObject({ code: 0 });
  const listed = async (more: Record<string, string>): Promise<string[]> => {
    const { output } = await run(["flags", "list", "--json"], { ...config, ...more });
    return JSON.parse(output).map(({ key }: { key: string }) => key);
  };
  // As the owner of the key, and as the user of the profile.
  expect((await listed({})).sort()).toEqual(["by-option", "by-variable"]);
  expect((await listed(user)).sort()).toEqual(["by-option", "by-variable"]);
  const { output } = await run(["profiles", "list"], config);
  expect(output).toMatch(/^staging +http\S+ +admin +staging +yes$/m);
  const production = { baseUrl: url, username: "admin", password: PASSWORD };
  expect(await keysIn(createClient(production))).toEqual(["by-default"]);
});

test("assay serve --protected lets another user approve the changes of an environment", async () => {
  const words = ["--storage", "memory", ...ENVIRONMENTS];
  for (const server of [
    await serve([...words, "--protected", "production"]),
    await serve(words, { ASSAY_PROTECTED: "production" }),
  ]) {
    await server.match(/Changes need approval in: production\n/);
    expect(await server.admin.request("GET /environments")).toMatchObject([
      { is_protected: true },
      { is_protected: false },
    ]);
  }
  const wrong = ["serve", "--storage", "memory", "--port", "0", ...ENVIRONMENTS, "--protected", "prod"];
  const output = 'assay: The environment "prod" is protected, but there is only production, staging\n';
  expect(await run(wrong)).toEqual({ code: 2, output });
});

test.each([
  ["", 'The environment "" needs a name of 1 to 50 lower-case letters, digits, - and _'],
  ["a,A", 'The environment "A" needs a name of 1 to 50 lower-case letters, digits, - and _'],
  ["a,a", 'The environment "a" is listed twice'],
])("serve --environments %j fails with one line and exit code 2", async (names, line) => {
  const words = ["serve", "--storage", "memory", "--port", "0", "--environments", names];
  expect(await run(words)).toEqual({ code: 2, output: `assay: ${line}\n` });
});
