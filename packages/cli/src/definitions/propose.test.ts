import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Client, createClient } from "@assay/client";
import { compare, readDefinitions, type Step } from "@assay/client/definitions";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { proposeSteps } from "./propose.ts";

const PROTECTED =
  'assay: The environment "production" is protected, so nothing is changed: specify --propose, and another user approves each change\n';
const BETWEEN = ["--from", "staging", "--to", "production"];

let server: Serving;
let ada: Client;
let staging: Client;
let folder: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory", "--environments", "production,staging", "--protected", "production"]);
  const body = { username: "ada", email: "ada@example.org", password: PASSWORD, role: "DEVELOPER" as const };
  await server.admin.request("POST /users/", { body });
  const user = { baseUrl: server.url, username: "ada", password: PASSWORD };
  [ada, staging] = [createClient(user), createClient({ ...user, environment: "staging" })];
});
afterAll(stopAll);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-propose-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const assay = (...words: string[]) =>
  run(words, { ASSAY_URL: server.url, ASSAY_USERNAME: "ada", ASSAY_PASSWORD: PASSWORD });
const flag = (id: string) => ada.request("GET /feature-flags/{id}", { params: { id } });
const readOpen = async () => (await ada.request("GET /proposals", { query: { status: "OPEN" } })).items.reverse();

/** Approves every open proposal, as another user. */
async function approveAll(): Promise<void> {
  for (const { id } of await readOpen()) {
    await server.admin.request("POST /proposals/{id}/approve", { params: { id }, body: {} });
  }
}

/** Makes a flag in the protected environment. */
async function makeFlag(key: string, fields: object = {}): Promise<void> {
  const body = { key, name: key, ...fields };
  await ada.request("POST /proposals", { body: { route: "POST /feature-flags/", body } });
  await approveAll();
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

test("assay promote proposes what does not need another proposal, each change once, and the rest after approval", async () => {
  const { id } = await staging.request("POST /segments", { body: { name: "testers", user_ids: ["ada"] } });
  await staging.request("POST /feature-flags/", { body: { key: "base", name: "Base" } });
  const targeting_rules = { user_segments: [id] };
  await staging.request("POST /feature-flags/", { body: { key: "checkout", name: "Checkout", targeting_rules } });
  const experiment = { key: "on-flag", name: "On a flag", feature_flag_key: "checkout" };
  await staging.request("POST /experiments/", { body: experiment });

  expect(await assay("promote", ...BETWEEN)).toEqual({ code: 2, output: PROTECTED });
  expect((await assay("promote", ...BETWEEN, "--dry-run")).code).toBe(0);
  expect(await readOpen()).toEqual([]);

  const first = await assay("promote", ...BETWEEN, "--propose", "--reason", "The tests have ended");
  const open = await readOpen();
  expect(open).toMatchObject([
    { resource_type: "segment", resource_name: "testers", author_name: "ada", reason: "The tests have ended" },
    { resource_type: "feature_flag", resource_name: expect.stringMatching(/base/i), route: "POST /feature-flags/" },
  ]);
  const lines = (note = "") => [
    "segment testers: create",
    "flag base: create",
    "flag checkout: create",
    "experiment on-flag: create",
    `segment testers: proposal ${open[0]!.id}${note}`,
    `flag base: proposal ${open[1]!.id}${note}`,
    "flag checkout: not proposed, because it needs segment testers, which is only proposed; run the command again when that is applied",
    "experiment on-flag: not proposed, because it needs flag checkout, which is not proposed",
  ];
  const end = (count: number) => [`Proposed ${count}`, "assay: 2 of 4 could not be proposed", ""];
  expect(first).toEqual({ code: 1, output: [...lines(), ...end(2)].join("\n") });
  const again = await assay("promote", ...BETWEEN, "--propose", "--reason", "Another");
  expect(again.output).toBe([...lines(", which was open already"), ...end(0)].join("\n"));
  expect(await readOpen()).toEqual(open);

  await approveAll();
  const second = await assay("promote", ...BETWEEN, "--propose", "--json", "checkout");
  const [proposal] = await readOpen();
  expect(JSON.parse(second.output)).toMatchObject([
    { kind: "flag", key: "checkout", action: "create", refusal: null, proposal: { id: proposal!.id, is_new: true } },
  ]);
  expect(second.code).toBe(0);
  await approveAll();
  expect((await assay("promote", ...BETWEEN, "--propose")).code).toBe(0);
  await approveAll();
  expect(await assay("promote", ...BETWEEN)).toEqual({ code: 0, output: "Nothing differs in production\n" });
  expect(await flag("checkout")).toMatchObject({ targeting_rules: { user_segments: ["testers"] } });
});

test("assay push proposes changes and deletions, and names those that the server does not take as proposals", async () => {
  await makeFlag("button", { name: "Button", tags: ["shop"] });
  await makeFlag("old");
  await makeFlag("needs-old", { prerequisites: [{ flag_key: "old" }] });
  await assay("pull", folder);
  await rm(join(folder, "flags/old.yaml"));
  await rm(join(folder, "flags/needs-old.yaml"));
  await write("flags/button.yaml", "key: button\nname: Buy button\n");

  const refused = await assay("push", folder, "--yes", "--delete");
  expect(refused).toMatchObject({
    code: 2,
    output: expect.stringContaining(`0 to create, 1 to change, 2 to delete\n${PROTECTED}`),
  });
  expect(await flag("button")).toMatchObject({ name: "Button" });

  const { code, output } = await assay("push", folder, "--yes", "--delete", "--propose");
  const [change, deletion, ...others] = await readOpen();
  expect(others).toEqual([]);
  expect(output).toContain(`\nflag button: proposal ${change!.id}\nflag needs-old: proposal ${deletion!.id}\n`);
  expect(output).toMatch(
    /\nflag old: not proposed, because .*needs-old.*\nProposed 2\nassay: 1 of 3 could not be proposed\n$/,
  );
  expect(code).toBe(1);
  await approveAll();
  expect(await flag("button")).toMatchObject({ name: "Buy button", tags: [] });
  const { items } = await ada.request("GET /feature-flags/{id}/history", { params: { id: "button" } });
  expect(items[0]).toMatchObject({ reason: "Pushed from files" });
  expect((await assay("push", folder, "--yes", "--delete", "--propose")).code).toBe(0);
  await approveAll();
  await expect(flag("old")).rejects.toMatchObject({ status: 404 });
  expect((await assay("push", folder, "--propose")).output).toMatch(/^Nothing differs\n$/);
});

test("a push that only turns flags off needs no approval", async () => {
  await makeFlag("broken", { status: "ACTIVE" });
  await write("flags/broken.yaml", "key: broken\nname: broken\nstatus: INACTIVE\n");
  const { code } = await assay("push", folder, "--yes", "--reason", "Errors at checkout");
  expect([code, (await flag("broken")).status]).toEqual([0, "INACTIVE"]);
});

test("--propose is refused where changes need no approval", async () => {
  await write("flags/new.yaml", "key: new\nname: New\n");
  const { code, output } = await assay("push", folder, "--yes", "--propose", "--environment", "staging");
  const line =
    'assay: The environment "staging" is not protected, so its changes need no approval: leave out --propose\n';
  expect([code, output]).toEqual([2, expect.stringContaining(line)]);
  await expect(staging.request("GET /feature-flags/{id}", { params: { id: "new" } })).rejects.toMatchObject({
    status: 404,
  });
});

test("what someone changed since it was compared is not proposed, and neither is what a stale proposal says", async () => {
  await makeFlag("shared", { name: "Shared" });
  const isShared = (key: string) => key === "shared";
  const stepsTo = async (name: string): Promise<Step[]> => {
    const stored = await readDefinitions(ada, isShared);
    return compare(
      stored.map((one) => ({ ...one, fields: { ...one.fields, name } })),
      stored,
    );
  };
  const steps = await stepsTo("Mine");
  const [mine] = await proposeSteps(ada, steps, "x");
  await proposeSteps(ada, await stepsTo("Theirs"), "x");
  const theirs = (await readOpen()).at(-1)!;
  await server.admin.request("POST /proposals/{id}/approve", { params: { id: theirs.id }, body: {} });
  const refusal = expect.stringContaining("Someone changed or deleted it since it was read");
  expect(await proposeSteps(ada, steps, "x")).toMatchObject([{ refusal, proposal: null }]);
  const [again] = await proposeSteps(ada, await stepsTo("Mine"), "x");
  expect(again!.proposal).toMatchObject({ is_new: true });
  expect(again!.proposal!.id).not.toBe(mine!.proposal!.id);
});
