import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let server: Serving;
let folder: string;
let key: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
  folder = await mkdtemp(join(tmpdir(), "assay-experiments-"));
});
beforeEach(async () => {
  key = `exp-${Math.random().toString(36).slice(2)}`;
  await writeFile(join(folder, "experiment.json"), JSON.stringify(bodyOf(key)));
});
afterAll(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});

const bodyOf = (name: string) => ({
  key: name,
  name,
  hypothesis: "A shorter page sells more",
  variants: [
    { key: "control", name: "Control", is_control: true, weight: 50 },
    { key: "short", name: "Short", is_control: false, weight: 50 },
  ],
  metrics: [{ name: "Purchase", event_type: "purchase", kind: "CONVERSION" }],
});
const experiments = (...words: string[]) =>
  run(["experiments", ...words], { ASSAY_URL: server.url, ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD });
const create = () => experiments("create", "--file", join(folder, "experiment.json"));

test("an experiment goes from a file to its completion", async () => {
  expect(await create()).toEqual({ code: 0, output: `${key} is DRAFT\n` });
  expect(await experiments("start", key)).toEqual({ code: 0, output: `${key} is ACTIVE\n` });
  expect(await experiments("pause", key)).toEqual({ code: 0, output: `${key} is PAUSED\n` });
  expect(await experiments("start", key)).toEqual({ code: 0, output: `${key} is ACTIVE\n` });
  const { code, output } = await experiments("complete", key, "--winner", "short", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ key, status: "COMPLETED" });
  expect(JSON.parse((await experiments("show", key)).output)).toMatchObject({ key, status: "COMPLETED" });
  expect(await experiments("archive", key)).toEqual({ code: 0, output: `${key} is ARCHIVED\n` });
});

test("a winner must be a variant, and a move must be allowed", async () => {
  await create();
  expect(await experiments("pause", key)).toMatchObject({ code: 1, output: expect.stringMatching(/^assay: .*DRAFT/) });
  await experiments("start", key);
  expect(await experiments("complete", key, "--winner", "long")).toMatchObject({ code: 1 });
  expect(await experiments("complete", key)).toEqual({ code: 0, output: `${key} is COMPLETED\n` });
});

test("list shows a line per experiment, filtered", async () => {
  await create();
  const [header, row, ...others] = (await experiments("list", "--search", key)).output.trimEnd().split("\n");
  expect(header).toMatch(/^KEY +STATUS +FLAG +USERS +SPLIT +STARTED$/);
  expect(row).toMatch(new RegExp(`^${key} +DRAFT +`));
  expect(others).toEqual([]);
  const listed = async (status: string) =>
    JSON.parse((await experiments("list", "--search", key, "--status", status, "--json")).output).length;
  expect([await listed("DRAFT"), await listed("ACTIVE")]).toEqual([1, 0]);
});

test.each([
  [["start"], "Specify the key of the experiment"],
  [["create"], "--file is missing"],
  [["stop", "x"], 'Unknown task "stop": list, show, create, start, pause, complete, archive'],
  [["start", "x", "--api-key", "asy_x"], "Unknown option '--api-key'"],
])("rejects the arguments %j", async (words, text) => {
  expect(await experiments(...words)).toMatchObject({ code: 2, output: expect.stringContaining(`assay: ${text}`) });
});

test("only users start experiments, so it says which credentials are missing", async () => {
  expect(await run(["experiments", "start", "x"], { ASSAY_URL: server.url, ASSAY_API_KEY: "asy_x" })).toEqual({
    code: 2,
    output: "assay: Specify the user: --username (or ASSAY_USERNAME), with the password in ASSAY_PASSWORD\n",
  });
});
