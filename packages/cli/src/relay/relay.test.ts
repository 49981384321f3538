import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { run, serve, start, stopAll } from "../cli.fixture.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-relay-cli-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

const KEYS = { ASSAY_UPSTREAM: "http://127.0.0.1:9", ASSAY_API_KEY: "k" };

test.each<[words: string[], environment: Record<string, string>, line: string]>([
  [[], {}, "--upstream (or ASSAY_UPSTREAM) is missing: the address of the server"],
  [
    ["--upstream", "http://a.example"],
    {},
    "--api-key (or ASSAY_API_KEY) is missing: a SERVER key with the scopes read and write",
  ],
  [["--upstream", "a.example", "--api-key", "k"], {}, '--upstream must be an http(s) address, not "a.example"'],
  [["--buffer-mb", "0"], KEYS, '--buffer-mb must be a whole number from 1 to 1000000, not "0"'],
  [["--port", "x"], KEYS, '--port must be a whole number from 0 to 65535, not "x"'],
  [["--storage", "memory"], KEYS, "Unknown option '--storage'"],
])("relay %j with %j fails with one line and exit code 2", async (words, environment, line) => {
  expect(await run(["relay", ...words], environment)).toEqual({ code: 2, output: `assay: ${line}\n` });
});

test("an upstream that does not respond, and a key that it refuses, are one line and exit code 1", async () => {
  const data = join(directory, "wrong");
  const down = await run(["relay", "--port", "0", "--data", data], KEYS);
  expect(down.code).toBe(1);
  expect(down.output).toMatch(
    /assay: Cannot start: Cannot reach http:\/\/127\.0\.0\.1:9.*and the directory has no def/,
  );
  const { url } = await serve(["--storage", "memory"]);
  const refused = await run(["relay", "--port", "0", "--data", data, "--upstream", url, "--api-key", "wrong"]);
  expect(refused.output).toBe("assay: Cannot start: apiKey: the upstream refuses this key: Invalid API key\n");
  expect(refused.code).toBe(1);
});

test("relay serves flags of its upstream, and stops in order", async () => {
  const { url, admin } = await serve(["--storage", "memory"]);
  const { key } = await admin.request("POST /api-keys", { body: { name: "relay", scopes: ["read", "write"] } });
  await admin.request("POST /feature-flags/", { body: { key: "one", name: "One", status: "ACTIVE" } });
  const words = ["relay", "--port", "0", "--upstream", url, "--data", join(directory, "good")];
  const relay = start(words, { ASSAY_API_KEY: key! });
  const [, address] = await relay.match(/ready at (http:\S+)/);
  const headers = { "x-api-key": key!, "content-type": "application/json" };
  const init = { method: "POST", headers, body: '{"flagKey":"one","userId":"ada"}' };
  expect(await (await fetch(`${address}/api/v1/openfeature/evaluate`, init)).json()).toMatchObject({ value: true });
  expect(relay.output()).not.toContain(key);
  relay.child.kill("SIGTERM");
  expect(await relay.exit).toBe(0);
});
