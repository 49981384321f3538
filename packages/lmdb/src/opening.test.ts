import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreRefused } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lmdbStore } from "./lmdb-store.ts";

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

test.skipIf(process.getuid?.() === 0)("rejects a directory that is not writable", async () => {
  await mkdir(join(path, "locked"));
  await chmod(join(path, "locked"), 0o500);
  expect(() => lmdbStore({ path: join(path, "locked") })).toThrow(StoreRefused);
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
  expect(() => lmdbStore({ path })).toThrow(/the data file is cut short; repair it or use another directory/);
  await writeFile(join(path, "data.mdb"), whole);
  const again = lmdbStore({ path });
  expect(await again.increment("n", 1)).toBe(2);
  await again.close();
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
