import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, serve, start, stopAll } from "../cli.fixture.ts";

let folder: string;
let ASSAY_CONFIG: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-init-"));
  ASSAY_CONFIG = join(folder, "deep", "config.json");
});
afterEach(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});

const assay = (words: string[], environment: Record<string, string> = {}) =>
  run(words, { ASSAY_CONFIG, ...environment });
const readConfig = async () => JSON.parse(await readFile(ASSAY_CONFIG, "utf8"));

test("new data has an administrator and a key, and the server on it takes both", async () => {
  const data = join(folder, "data");
  const { code, output } = await assay(["init", "--data", data]);
  expect(code).toBe(0);
  const [, password = ""] = /First administrator: username admin, password (\S+)/.exec(output) ?? [];
  expect(output).toContain(`The profile "default" in ${ASSAY_CONFIG} has an API key of http://127.0.0.1:4400\n`);
  expect((await stat(ASSAY_CONFIG)).mode & 0o777).toBe(0o600);
  const config = await readConfig();
  expect(config).toEqual({
    current: "default",
    profiles: {
      default: { url: "http://127.0.0.1:4400", username: "admin", api_key: expect.stringMatching(/^asy_/) },
    },
  });

  const server = await serve(["--data", data], { ASSAY_ADMIN_PASSWORD: "" });
  expect(server.output()).not.toContain("First administrator");
  config.profiles.default.url = server.url;
  await writeFile(ASSAY_CONFIG, JSON.stringify(config));
  expect(await assay(["flags", "create", "first", "--on"])).toMatchObject({ code: 0 });
  expect(await assay(["users", "list"], { ASSAY_PASSWORD: password })).toMatchObject({ code: 0 });
  await chmod(ASSAY_CONFIG, 0o600);
  expect(await assay(["doctor"], { ASSAY_PASSWORD: password })).toMatchObject({ code: 0 });

  const again = await assay(["init", "--data", data, "--profile", "second"]);
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining("has an administrator already") });
  expect(Object.keys((await readConfig()).profiles)).toEqual(["default"]);
});

test("a running server gives a key to a user, and profiles choose between servers", async () => {
  const [one, two] = [await serve(["--storage", "memory"]), await serve(["--storage", "memory"])];
  const user = { ASSAY_PASSWORD: PASSWORD };
  for (const [profile, { url }] of [["one", one] as const, ["two", two] as const]) {
    const words = ["init", "--url", url, "--username", "admin", "--profile", profile];
    expect(await assay(words, user)).toMatchObject({ code: 0 });
  }
  await assay(["flags", "create", "on-two"]);
  await assay(["flags", "create", "on-one", "--profile", "one"]);
  await assay(["flags", "create", "also-on-one"], { ASSAY_PROFILE: "one" });
  const keysOf = async (...words: string[]) =>
    JSON.parse((await assay(["flags", "list", "--json", ...words])).output).map(({ key }: { key: string }) => key);
  expect(await keysOf()).toEqual(["on-two"]);
  expect(await assay(["profiles", "use", "one"])).toMatchObject({
    output: `The current profile is "one": ${one.url}\n`,
  });
  expect(await keysOf()).toEqual(["also-on-one", "on-one"]);
  const { output } = await assay(["profiles", "list"]);
  expect(output.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^NAME +SERVER +USER +ENVIRONMENT +CURRENT$/),
    expect.stringMatching(new RegExp(`^one +${one.url} +admin +- +yes$`)),
    expect.stringMatching(new RegExp(`^two +${two.url} +admin +- +no$`)),
  ]);
  expect(output).not.toContain("asy_");

  // The key of a profile goes to no other server.
  expect(await assay(["flags", "list", "--url", two.url])).toMatchObject({
    code: 2,
    output: expect.stringContaining("Specify who calls"),
  });
  expect(await assay(["profiles", "remove", "one"])).toMatchObject({ code: 0 });
  expect((await readConfig()).current).toBeNull();
  expect(await assay(["flags", "list", "--profile", "one"])).toMatchObject({
    code: 2,
    output: expect.stringContaining('There is no profile "one"; profiles: two'),
  });
});

test.runIf(process.platform === "linux")("asks for the password on a terminal, and shows nothing of it", async () => {
  const { url } = await serve(["--storage", "memory"]);
  const words = ["init", "--url", url, "--username", "admin"];
  const { match, child, exit, output } = start(words, { ASSAY_CONFIG }, true);
  await match(/Password of admin at http:\S+: /);
  child.stdin!.write(`${PASSWORD}\n`);
  expect(await exit).toBe(0);
  expect(output()).toContain('The profile "default"');
  expect(output()).not.toContain(PASSWORD);
  expect((await readConfig()).profiles.default).toMatchObject({ url, username: "admin" });
});

test("a wrong password leaves no profile", async () => {
  const { url } = await serve(["--storage", "memory"]);
  const words = ["init", "--url", url, "--username", "admin"];
  expect(await assay(words, { ASSAY_PASSWORD: "wrong" })).toMatchObject({
    code: 1,
    output: "assay: Incorrect username or password\n",
  });
  expect(existsSync(ASSAY_CONFIG)).toBe(false);
});

test.each([
  [["init", "--profile", "a b"], `A profile's name has 1 to 50 letters, digits and . _ -, not "a b"`],
  [["init", "--storage", "memory"], "Storage in memory is gone when this command ends"],
  [["init", "--url", "http://x", "--data", "y"], "Specify --url or --data, not both"],
  [["init", "--url", "nowhere"], '--url must be an http(s) address, not "nowhere"'],
  [["profiles", "use"], "Specify the profile"],
  [["profiles", "use", "none"], 'There is no profile "none"; profiles: none'],
  [["profiles", "remove", "none"], 'There is no profile "none"; profiles: none'],
])("rejects the arguments %j", async (words, text) => {
  expect(await assay(words)).toMatchObject({ code: 2, output: expect.stringContaining(`assay: ${text}`) });
  expect(existsSync(ASSAY_CONFIG)).toBe(false);
});

test("an existing profile is kept", async () => {
  const before = JSON.stringify({ current: null, profiles: { default: { url: "http://127.0.0.1:1" } } });
  ASSAY_CONFIG = join(folder, "config.json");
  await writeFile(ASSAY_CONFIG, before);
  expect(await assay(["init", "--data", join(folder, "data")])).toMatchObject({
    code: 2,
    output: expect.stringContaining('There is a profile "default"'),
  });
  expect(await readFile(ASSAY_CONFIG, "utf8")).toBe(before);
});
