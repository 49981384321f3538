import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { readFlags } from "../flags.ts";
import { readSecretKeys, readServeSettings } from "../serve/settings.ts";

const OLD = "the key of last year has 32 characters";
const NEW = "the key of this year has 32 characters";
const tracker = createServer((_, response) => response.end("{}"));

let directory: string;
let data: string;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-secrets-"));
  data = join(directory, "data");
  await new Promise<void>((resolve) => tracker.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(tracker.address() as AddressInfo).port}`;
});
afterEach(stopAll);
afterAll(async () => {
  tracker.closeAllConnections();
  await new Promise((resolve) => tracker.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

const rotate = (environment: Record<string, string>) => run(["secrets", "rotate", "--data", data], environment);

async function stop({ child, exit }: Serving): Promise<void> {
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
}

test("rotation keeps credentials readable under the new key; without rotation they are unreadable", async () => {
  const allowed = { ASSAY_ALLOW_PRIVATE_NETWORKS: "10.0.0.0/8, 127.0.0.1" };
  const password = { ASSAY_ADMIN_PASSWORD: "a-password-of-tests" };
  const start = (keys: string) => serve(["--data", data], { ...allowed, ...password, ASSAY_SECRETS_KEYS: keys });
  const first = await start(OLD);
  const { id } = await first.admin.request("POST /integrations", {
    body: {
      name: "Jira",
      integration_type: "TRACKER",
      description: "",
      config: { base_url: url, username: "u", api_token: "t" },
    },
  });
  const check = ({ admin }: Serving) => admin.request("POST /integrations/{id}/test", { params: { id } });
  expect(await check(first)).toMatchObject({ success: true, status: 200 });
  await stop(first);

  expect(await rotate({ ASSAY_SECRETS_KEYS: NEW })).toEqual({
    code: 1,
    output: `integration ${id}: encrypted with a key that is missing\n1 secrets checked, 0 of them re-encrypted with the new key\n`,
  });
  expect(await rotate({ ASSAY_SECRETS_KEYS: `${NEW}, ${OLD}` })).toEqual({
    code: 0,
    output: "1 secrets checked, 1 of them re-encrypted with the new key\n",
  });
  const second = await start(NEW);
  expect(await check(second)).toMatchObject({ success: true });
  await stop(second);
});

test.each<[string[], Record<string, string>, string]>([
  [["secrets"], {}, "Specify a task: assay secrets rotate"],
  [["secrets", "rotate"], {}, "Set ASSAY_SECRETS_KEYS to the new key, followed by the older keys"],
  [
    ["serve", "--storage", "memory", "--port", "0"],
    { ASSAY_ALLOW_PRIVATE_NETWORKS: "intranet" },
    'ASSAY_ALLOW_PRIVATE_NETWORKS: allowPrivateNetworks must be a boolean or a list of networks, not "intranet"',
  ],
])("rejects %j with %j in one line", async (words, environment, line) => {
  expect(await run(words, environment)).toEqual({ code: 2, output: `assay: ${line}\n` });
});

test("reads keys separated by commas with a minimum length, and networks as on, off or a list", () => {
  expect(readSecretKeys({ ASSAY_SECRETS_KEYS: `${NEW}, ${OLD}` })).toEqual([NEW, OLD]);
  expect([readSecretKeys({}), readSecretKeys({ ASSAY_SECRETS_KEYS: "" })]).toEqual([undefined, undefined]);
  for (const short of ["short", `${NEW},`]) {
    expect(() => readSecretKeys({ ASSAY_SECRETS_KEYS: short })).toThrow("every key needs at least 32 characters");
  }
  const networks = (value: string) =>
    readServeSettings(readFlags([], {}), { ASSAY_ALLOW_PRIVATE_NETWORKS: value }).allowPrivateNetworks;
  expect(["", "on", "off", "10.0.0.0/8, ::1"].map(networks)).toEqual([false, true, false, ["10.0.0.0/8", "::1"]]);
});
