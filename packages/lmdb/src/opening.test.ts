import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StoreRefused } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";

const CHILD = fileURLToPath(new URL("./opening.child.ts", import.meta.url));

let path = "";
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-lmdb-open-"));
});
afterEach(() => rm(path, { recursive: true }));

test("creates a missing directory with any name", async () => {
  const store = lmdbStore({ path: join(path, "a", "b.data") });
  await store.increment("n", 1);
  await store.close();
});

test("rejects a file in place of the directory", async () => {
  await writeFile(join(path, "file"), "");
  expect(() => lmdbStore({ path: join(path, "file") })).toThrow(StoreRefused);
  expect(() => lmdbStore({ path: join(path, "file", "below") })).toThrow(/needs a writable directory/);
});

test("rejects a directory that is not writable", async () => {
  const locked = join(path, "locked");
  await mkdir(locked);
  await chmod(path, 0o711);
  await chmod(locked, 0o555);
  // Root may write everywhere, so the child opens it as another user then.
  const words = [...RUN_TYPESCRIPT, CHILD, locked];
  expect(execFileSync(process.execPath, words, { encoding: "utf8" })).toMatch(
    /^StoreRefused: .*needs a writable directory/,
  );
});

test("rejects a file that is not an LMDB database", async () => {
  await writeFile(join(path, "data.mdb"), "something else ".repeat(2_000));
  expect(() => lmdbStore({ path })).toThrow(StoreRefused);
});

test("rejects a data file that ends within its head", async () => {
  const store = lmdbStore({ path });
  await store.increment("n", 1);
  await store.close();
  const whole = await readFile(join(path, "data.mdb"));
  await writeFile(join(path, "data.mdb"), whole.subarray(0, 8_191));
  expect(() => lmdbStore({ path })).toThrow(/the data file is cut short; restore a backup into another directory/);
  await writeFile(join(path, "data.mdb"), whole);
  const again = lmdbStore({ path });
  expect(await again.increment("n", 1)).toBe(2);
  await again.close();
});

test.each([0.9, 0.5, 0.1])("rejects a data file of which %d is left, instead of ending the process", async (part) => {
  const store = lmdbStore({ path });
  for (let index = 0; index < 50; index++) {
    await store.batch([{ type: "put", key: `k/${index}`, value: new Uint8Array(5_000) }]);
  }
  await store.close();
  const whole = await readFile(join(path, "data.mdb"));
  await writeFile(join(path, "data.mdb"), whole.subarray(0, Math.floor(whole.length * part)));
  expect(() => lmdbStore({ path })).toThrow(/the data file is cut short; restore a backup into another directory/);
});

test("opens a data file that lacks only pages that nothing uses", async () => {
  const store = lmdbStore({ path });
  await store.batch([{ type: "put", key: "a", value: new Uint8Array(5_000) }]);
  await store.batch([{ type: "put", key: "big", value: new Uint8Array(500_000) }]);
  await store.batch([{ type: "delete", key: "big" }]);
  for (let index = 0; index < 3; index++) await store.increment("n", 1);
  await store.close();
  const whole = await readFile(join(path, "data.mdb"));
  // The pages of the removed value: the file ended with them, and those at its end are free.
  await writeFile(join(path, "data.mdb"), whole.subarray(0, whole.length - 4_096 * 2));
  const again = lmdbStore({ path });
  expect(await again.increment("n", 1)).toBe(4);
  await again.close();
});

test.each(["empty", "missing"])("rejects an %s data file where there was data", async (kind) => {
  const store = lmdbStore({ path });
  await store.increment("n", 1);
  await store.close();
  await rm(join(path, "data.mdb"));
  if (kind === "empty") await writeFile(join(path, "data.mdb"), "");
  expect(() => lmdbStore({ path })).toThrow(/had data .* empty or missing now; restore a backup/);
  await rm(path, { recursive: true });
  const again = lmdbStore({ path });
  expect(await again.increment("n", 1)).toBe(1);
  await again.close();
});

test("opens a directory whose first process died before it wrote", async () => {
  await writeFile(join(path, "data.mdb"), "");
  await writeFile(join(path, "probe"), "");
  const store = lmdbStore({ path });
  expect(await store.increment("n", 1)).toBe(1);
  await store.close();
});

test("shares a directory that is open in this process, and keeps it open until both are closed", async () => {
  const first = lmdbStore({ path });
  const second = lmdbStore({ path: join(path, ".") });
  const heard: string[] = [];
  await second.subscribe("flags", (message) => heard.push(message));
  await first.increment("n", 1);
  expect(await second.increment("n", 1)).toBe(2);
  await first.publish("flags", "changed");
  await expect.poll(() => heard).toEqual(["changed"]);
  await first.close();
  await expect(first.get("n")).rejects.toMatchObject({ name: "StoreUnavailable" });
  expect(await second.increment("n", 1)).toBe(3);
  await second.close();
});
