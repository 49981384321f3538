import { createClient } from "@assay/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let server: Serving;
let name: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
});
beforeEach(() => {
  name = `user-${Math.random().toString(36).slice(2)}`;
});
afterAll(stopAll);

const users = (words: string[], environment: Record<string, string> = {}) =>
  run(["users", ...words], {
    ASSAY_URL: server.url,
    ASSAY_USERNAME: "admin",
    ASSAY_PASSWORD: PASSWORD,
    ...environment,
  });
const canSignIn = (password: string) =>
  createClient({ baseUrl: server.url, username: name, password, retries: 0 })
    .request("GET /users/me")
    .then(
      () => true,
      () => false,
    );

test("create prints a generated password that works", async () => {
  const { code, output } = await users(["create", name, "--email", `${name}@example.org`, "--role", "developer"]);
  expect(code).toBe(0);
  const [, password = ""] = /^Password \(shown only this once\): (\S+)$/m.exec(output) ?? [];
  expect(output).toContain(`${name} is DEVELOPER\n`);
  expect(await canSignIn(password)).toBe(true);
});

test("create takes a given password and does not print it", async () => {
  const words = ["create", name, "--email", `${name}@example.org`, "--full-name", "Ada Lovelace"];
  const { output } = await users(words, { ASSAY_NEW_PASSWORD: "a given password" });
  expect(output).toBe(`${name} is VIEWER\n`);
  expect(await canSignIn("a given password")).toBe(true);
  const [header, ...rows] = (await users(["list"])).output.trimEnd().split("\n");
  expect(header).toMatch(/^USERNAME +ROLE +STATE +EMAIL +NAME$/);
  expect(rows).toContainEqual(expect.stringMatching(/^admin +ADMIN, superuser +active +/));
  expect(rows).toContainEqual(
    expect.stringMatching(new RegExp(`^${name} +VIEWER +active +${name}@example.org +Ada Lovelace$`)),
  );
});

test("set changes the role and the state", async () => {
  await users(["create", name, "--email", `${name}@example.org`], { ASSAY_NEW_PASSWORD: "a given password" });
  expect(await users(["set", name, "--role", "ANALYST"])).toEqual({ code: 0, output: `${name} is ANALYST, active\n` });
  expect(await users(["set", name, "--deactivate"])).toEqual({ code: 0, output: `${name} is ANALYST, inactive\n` });
  expect(await canSignIn("a given password")).toBe(false);
  expect(await users(["set", name, "--activate", "--json"])).toMatchObject({
    code: 0,
    output: expect.stringContaining('"is_active": true'),
  });
  expect(await canSignIn("a given password")).toBe(true);
});

test("a user who is no ADMIN sees only themselves, and changes nobody", async () => {
  await users(["create", name, "--email", `${name}@example.org`], { ASSAY_NEW_PASSWORD: "a given password" });
  const credentials = { ASSAY_USERNAME: name, ASSAY_PASSWORD: "a given password" };
  const { output } = await users(["list", "--json"], credentials);
  expect(JSON.parse(output).map(({ username }: { username: string }) => username)).toEqual([name]);
  expect(await users(["set", "admin", "--deactivate"], credentials)).toEqual({
    code: 1,
    output: 'assay: There is no user "admin" that you may see\n',
  });
  expect(await users(["set", name, "--role", "ADMIN"], credentials)).toMatchObject({ code: 1 });
});

test.each([
  [["create", "x"], "--email is missing"],
  [["create"], "Specify the username"],
  [["set", "x"], "Specify a change: --role, --activate or --deactivate"],
  [["set", "x", "--activate", "--deactivate"], "Specify --activate or --deactivate, not both"],
])("rejects the arguments %j", async (words, text) => {
  expect(await users(words)).toEqual({ code: 2, output: `assay: ${text}\n` });
});
