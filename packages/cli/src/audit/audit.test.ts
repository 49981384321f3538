import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lmdbStore } from "@assay/lmdb";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { run, serve, stopAll } from "../cli.fixture.ts";

const KEY = "a secret of the operations team, 32+";

let directory: string;
let data: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-audit-"));
  data = join(directory, "data");
  const server = await serve(["--data", data], { ASSAY_AUDIT_KEY: KEY });
  for (let index = 0; index < 5; index++) {
    await server.admin.request("POST /feature-flags/", { body: { key: `f${index}`, name: "F" } });
  }
  server.child.kill("SIGTERM");
  expect(await server.exit).toBe(0);
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

const verify = (...words: string[]) => run(["audit", "verify", "--data", data, ...words], { ASSAY_AUDIT_KEY: KEY });

/** Changes one entry directly in the store. */
async function tamper(position: number, change: object): Promise<() => Promise<void>> {
  const write = async (record: Uint8Array) => {
    const store = lmdbStore({ path: data });
    await store.batch([{ type: "rewrite", journal: "audit", position, record }]);
    await store.close();
  };
  const store = lmdbStore({ path: data });
  const [{ record } = { record: new Uint8Array() }] = await store.read("audit", position - 1, 1);
  await store.close();
  await write(new TextEncoder().encode(JSON.stringify({ ...JSON.parse(new TextDecoder().decode(record)), ...change })));
  return () => write(record);
}

describe("assay audit verify", () => {
  test("exits with 0 for an intact trail, and prints its head", async () => {
    const { code, output } = await verify();
    expect(output).toMatch(
      /\d+ entries checked, 0 of them redacted, 0 not sealed yet\nHead: \d+:[0-9a-f]{64}\nThe trail is valid/,
    );
    expect(code).toBe(0);
  });

  test("works while a server is running on the same data", async () => {
    await serve(["--data", data], { ASSAY_AUDIT_KEY: KEY });
    expect((await verify()).code).toBe(0);
  });

  test("exits with 1 and names the entry that was changed", async () => {
    const restore = await tamper(3, { actor_id: "somebody else" });
    const { code, output } = await verify();
    await restore();
    expect([code, output]).toEqual([1, expect.stringContaining("3 CHANGED: Changed: actor\n")]);
    expect(output).toContain("The trail is NOT valid");
    expect((await verify()).code).toBe(0);
  });

  test("compares the trail with an anchor", async () => {
    const head = /Head: (\S+)/.exec((await verify()).output)![1]!;
    expect((await verify("--anchor", head)).code).toBe(0);
    const { code, output } = await verify("--anchor", head.replace(/^\d+/, "9999"));
    expect([code, output]).toEqual([1, expect.stringContaining("9999 CUT_OFF")]);
  });

  test("reports a missing key", async () => {
    const { code, output } = await run(["audit", "verify", "--data", data]);
    expect([code, output]).toEqual([1, expect.stringContaining("UNKNOWN_KEY")]);
  });
});

test("assay audit redact blanks a part, and the trail stays valid", async () => {
  const words = ["audit", "redact", "2", "--data", data, "--part", "values", "--reason", "Erasure request"];
  expect(await run(words)).toMatchObject({ code: 0, output: expect.stringContaining("Entry 2 is redacted: values") });
  expect(await verify()).toMatchObject({ code: 0, output: expect.stringContaining("1 of them redacted") });
  const missing = await run(["audit", "redact", "9999", "--data", data, "--part", "values", "--reason", "x"]);
  expect([missing.code, missing.output]).toEqual([1, "assay: Entry 9999 does not exist\n"]);
});

test.each([
  [["audit"], "Specify a task"],
  [["audit", "look"], "Specify a task"],
  [["audit", "verify", "7"], 'Unexpected argument "7"'],
  [["audit", "verify", "--anchor", "x"], "--anchor must be SEQUENCE:HASH"],
  [["audit", "verify", "--storage", "memory"], "in memory"],
  [["audit", "redact", "--part", "values", "--reason", "x"], "Specify the sequence number"],
  [["audit", "redact", "2", "--reason", "x"], "--part is missing"],
  [["audit", "redact", "2", "--part", "event", "--reason", "x"], "--part must be actor"],
  [["audit", "redact", "2", "--part", "values"], "--reason is missing"],
])("rejects the arguments %j", async (words, text) => {
  const { code, output } = await run(words);
  expect([code, output]).toEqual([2, expect.stringContaining(text)]);
});
