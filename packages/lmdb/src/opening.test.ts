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

test("a directory that is missing is made, whatever its name looks like", async () => {
  const store = lmdbStore({ path: join(path, "a", "b.data") });
  await store.increment("n", 1);
  await store.close();
});

test("a file in the place of the directory is refused", async () => {
  await writeFile(join(path, "file"), "");
  expect(() => lmdbStore({ path: join(path, "file") })).toThrow(StoreRefused);
  expect(() => lmdbStore({ path: join(path, "file", "below") })).toThrow(/needs a writable directory/);
});

test.skipIf(process.getuid?.() === 0)("a directory that cannot be written is refused", async () => {
  await mkdir(join(path, "locked"));
  await chmod(join(path, "locked"), 0o500);
  expect(() => lmdbStore({ path: join(path, "locked") })).toThrow(StoreRefused);
});

test("a file that is no LMDB database is refused", async () => {
  await writeFile(join(path, "data.mdb"), "something else ".repeat(2_000));
  expect(() => lmdbStore({ path })).toThrow(StoreRefused);
});

test("a data file that ends within its head is refused", async () => {
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

test("a directory that is open in this process is shared, and stays open for the one when the other closes", async () => {
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
