import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let server: Serving;
let folder: string;
let adminKey: string;
let readKey: string;
let key: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
  folder = await mkdtemp(join(tmpdir(), "assay-flags-"));
  const create = (scopes: ("read" | "admin")[]) =>
    server.admin.request("POST /api-keys", { body: { name: scopes.join(), scopes } });
  adminKey = (await create(["read", "admin"])).key!;
  readKey = (await create(["read"])).key!;
});
beforeEach(() => {
  key = `flag-${Math.random().toString(36).slice(2)}`;
});
afterAll(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});

const flags = (...words: string[]) => run(["flags", ...words], { ASSAY_URL: server.url, ASSAY_API_KEY: adminKey });
const read = (id = key) => server.admin.request("GET /feature-flags/{id}", { params: { id } });

test("create makes a flag that is off, unless it says otherwise", async () => {
  expect(await flags("create", key)).toEqual({ code: 0, output: `${key} is INACTIVE, for 100 % of users\n` });
  expect(await read()).toMatchObject({ name: key, status: "INACTIVE" });
  const other = `${key}-on`;
  const words = ["--name", "New checkout", "--description", "One page", "--on", "--rollout", "12.5"];
  expect(await flags("create", other, ...words)).toMatchObject({ code: 0 });
  expect(await read(other)).toMatchObject({
    name: "New checkout",
    description: "One page",
    status: "ACTIVE",
    rollout_percentage: 12.5,
  });
});

test("a file has all fields of the API, and options win", async () => {
  const file = join(folder, "flag.json");
  const variants = [
    { key: "a", name: "A", weight: 50, value: 1 },
    { key: "b", name: "B", weight: 50, value: 2 },
  ];
  const body = { name: "From a file", value_type: "NUMBER", default_value: 0, variants, tags: ["team-a"] };
  await writeFile(file, JSON.stringify(body));
  expect(await flags("create", key, "--file", file, "--name", "Given")).toMatchObject({ code: 0 });
  const created = await read();
  expect(created).toMatchObject({ name: "Given", value_type: "NUMBER", tags: ["team-a"] });
  expect(created.variants).toHaveLength(2);
  const shown = await flags("show", key);
  expect(JSON.parse(shown.output)).toMatchObject({ key, name: "Given" });
  await writeFile(file, shown.output);
  expect(await flags("set", key, "--file", file, "--on")).toMatchObject({ code: 0 });
  expect(await read()).toMatchObject({ name: "Given", status: "ACTIVE", tags: ["team-a"] });
});

test("set changes only the given fields, with a reason in the history", async () => {
  await flags("create", key, "--description", "Kept");
  const { code, output } = await flags("set", key, "--on", "--rollout", "25", "--reason", "First users", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ key, status: "ACTIVE", rollout_percentage: 25, description: "Kept" });
  expect(await flags("set", key, "--off")).toMatchObject({ output: `${key} is INACTIVE, for 25 % of users\n` });
  const { items } = await server.admin.request("GET /feature-flags/{id}/history", { params: { id: key } });
  expect(items.map(({ reason }) => reason)).toContain("First users");
});

test("kill switches a flag off, and requires a reason", async () => {
  await flags("create", key, "--on");
  expect(await flags("kill", key)).toEqual({ code: 2, output: "assay: --reason is missing\n" });
  expect(await read()).toMatchObject({ status: "ACTIVE" });
  expect(await flags("kill", key, "--reason", "Errors in checkout")).toMatchObject({ code: 0 });
  expect(await read()).toMatchObject({ status: "INACTIVE" });
});

test("list shows the flags in columns, filtered", async () => {
  await flags("create", key, "--on", "--rollout", "30");
  await server.admin.request("PATCH /feature-flags/{id}", { params: { id: key }, body: { tags: ["blue", "shop"] } });
  await flags("create", `${key}-off`);
  const [header, ...rows] = (await flags("list", "--search", key)).output.trimEnd().split("\n");
  expect(header).toMatch(/^KEY +STATUS +ROLLOUT +TAGS +CHANGED +BY$/);
  expect(rows).toEqual([
    expect.stringMatching(new RegExp(`^${key} +ACTIVE +30 % +blue,shop +20\\S+Z  -$`)),
    expect.stringMatching(new RegExp(`^${key}-off +INACTIVE +100 % +- +20\\S+Z  `)),
  ]);
  // Keys do not see who changed a flag; users do.
  const asUser = { ASSAY_URL: server.url, ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD };
  const seen = await run(["flags", "list", "--search", key], asUser);
  expect(seen.output).toMatch(new RegExp(`^${key} .* Administrator$`, "m"));
  const only = async (...words: string[]) =>
    JSON.parse((await flags("list", "--search", key, "--json", ...words)).output).map(
      (flag: { key: string }) => flag.key,
    );
  expect(await only("--status", "inactive")).toEqual([`${key}-off`]);
  expect(await only("--tag", "shop")).toEqual([key]);
});

test("a user signs in instead of a key", async () => {
  const user = { ASSAY_URL: server.url, ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD };
  expect(await run(["flags", "create", key], user)).toMatchObject({ code: 0 });
  expect(await run(["flags", "show", key], { ...user, ASSAY_PASSWORD: "wrong" })).toMatchObject({
    code: 1,
    output: "assay: Incorrect username or password\n",
  });
});

test.each([
  [["create"], "Specify the key of the flag"],
  [["set", "x"], "Specify a change, for example --on or --rollout 25"],
  [["set", "x", "--on", "--off"], "Specify --on or --off, not both"],
  [["set", "x", "--rollout", "half"], '--rollout must be a number from 0 to 100, not "half"'],
  [["create", "x", "--file", "/nonexistent.json"], "Cannot read /nonexistent.json: ENOENT"],
  [["list", "extra"], 'Unexpected argument "extra"'],
  [["list", "--url", "ftp://x"], '--url must be an http(s) address, not "ftp://x"'],
  [["list", "--url", "http://x", "--profile", "p"], "Specify --url or --profile, not both"],
])("rejects the arguments %j", async (words, text) => {
  expect(await flags(...words)).toMatchObject({ code: 2, output: expect.stringContaining(`assay: ${text}`) });
});

test("refuses a file that does not contain a JSON object", async () => {
  for (const text of ["[]", "null", '"x"', "{"]) {
    const file = join(folder, "wrong.json");
    await writeFile(file, text);
    expect(await flags("create", key, "--file", file)).toMatchObject({
      code: 2,
      output: expect.stringContaining(`assay: Cannot read ${file}: `),
    });
  }
});

test("an error of the server is one line, with a line per invalid field", async () => {
  expect(await flags("show", key)).toEqual({ code: 1, output: "assay: Resource not found\n" });
  const { code, output } = await flags("create", key, "--rollout", "101");
  expect(code).toBe(1);
  expect(output).toMatch(/^assay: rollout_percentage: .+\n$/);
  const forbidden = await run(["flags", "create", key], { ASSAY_URL: server.url, ASSAY_API_KEY: readKey });
  expect(forbidden).toMatchObject({ code: 1, output: expect.stringContaining("admin") });
  const anonymous = await run(["flags", "list"], { ASSAY_URL: server.url });
  expect(anonymous).toMatchObject({ code: 2, output: expect.stringContaining("Specify who calls: --api-key") });
});
