import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let server: Serving;
let folder: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
  folder = await mkdtemp(join(tmpdir(), "assay-pull-"));
});
afterAll(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});

const assay = (command: string, ...words: string[]) =>
  run([command, folder, ...words], {
    ASSAY_URL: server.url,
    ASSAY_USERNAME: "admin",
    ASSAY_PASSWORD: PASSWORD,
  });
const file = () => join(folder, "flags/checkout.yaml");

test("assay pull writes files, and assay push carries out what changed in them", async () => {
  const body = { key: "checkout", name: "Checkout" };
  await server.admin.request("POST /feature-flags/", { body });
  expect(await assay("pull", "--dry-run")).toEqual({
    code: 0,
    output: "flags/checkout.yaml: create\n1 file to write\n",
  });
  expect(await assay("pull")).toEqual({ code: 0, output: "flags/checkout.yaml: create\n1 file written\n" });
  expect(await assay("pull")).toEqual({ code: 0, output: "Nothing differs\n" });
  expect(await assay("push", "--yes")).toEqual({ code: 0, output: "Nothing differs\n" });

  await writeFile(file(), (await readFile(file(), "utf8")).replace("name: Checkout", "name: Cart"));
  await writeFile(join(folder, "flags/new.json"), '{ "key": "new", "name": "New" }');
  const plan =
    'flag checkout: update\n  - name: "Checkout"\n  + name: "Cart"\nflag new: create\n1 to create, 1 to change, 0 to delete\n';
  expect(await assay("push", "--dry-run")).toEqual({ code: 0, output: plan });
  expect(await assay("push")).toEqual({
    code: 2,
    output: `${plan}assay: Nothing is changed: specify --yes to carry out this plan\n`,
  });
  expect((await server.admin.request("GET /feature-flags/")).map(({ name }) => name)).toEqual(["Checkout"]);
  expect(await assay("push", "--yes")).toEqual({ code: 0, output: `${plan}Changed 2\n` });
  const names = (await server.admin.request("GET /feature-flags/")).map(({ name }) => name);
  expect(names.sort()).toEqual(["Cart", "New"]);

  await rm(join(folder, "flags/new.json"));
  expect((await assay("push", "--yes")).output).toBe(
    "flag new: only on the server, stays (--delete deletes it)\nNothing differs\n",
  );
  const { code, output } = await assay("push", "--yes", "--delete", "--json");
  expect({ code, steps: JSON.parse(output) }).toEqual({
    code: 0,
    steps: [{ kind: "flag", key: "new", action: "delete", changes: [], refusal: null }],
  });
  expect(await server.admin.request("GET /feature-flags/")).toHaveLength(1);
});

test("an invalid file stops both commands before anything is written", async () => {
  await writeFile(join(folder, "flags/wrong.yaml"), "key: wrong\ndescripton: Wrong\n");
  const line = 'assay: flags/wrong.yaml:2: descripton: Unknown field; did you mean "description"?';
  for (const command of ["pull", "push"]) {
    const { code, output } = await assay(command, ...(command === "push" ? ["--yes"] : []));
    expect(code).toBe(2);
    expect(output).toContain(line);
  }
  await rm(join(folder, "flags/wrong.yaml"));
});

test("a viewer pulls, but pushes nothing", async () => {
  const viewer = {
    username: "vera",
    email: "vera@example.org",
    password: "a-password-of-vera",
    role: "VIEWER",
  } as const;
  await server.admin.request("POST /users/", { body: viewer });
  const environment = { ASSAY_URL: server.url, ASSAY_USERNAME: "vera", ASSAY_PASSWORD: viewer.password };
  expect(await run(["pull", folder], environment)).toMatchObject({ code: 0 });
  await writeFile(file(), (await readFile(file(), "utf8")).replace("name: Cart", "name: Basket"));
  const { code, output } = await run(["push", folder, "--yes"], environment);
  expect(code).toBe(1);
  expect(output).toContain("assay: flag checkout: ");
});

test.each([
  [["pull", "--format", "toml"], '--format must be yaml or json, not "toml"'],
  [["push", "/nowhere/at/all"], "/nowhere/at/all has no flags, segments or experiments (assay pull)"],
  [
    ["pull", "/nowhere/at/all"],
    "Specify the user: --username (or ASSAY_USERNAME), with the password in ASSAY_PASSWORD",
  ],
])("assay %j fails with one line and exit code 2", async (words, line) => {
  expect(await run(words)).toEqual({ code: 2, output: `assay: ${line}\n` });
});
