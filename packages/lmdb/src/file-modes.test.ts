import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lmdbStore } from "./lmdb-store.ts";

let root: string;
let path: string;
const warnings: string[] = [];
const onWarning = (message: string) => void warnings.push(message);
const modeOf = (name: string) => (statSync(join(path, name)).mode & 0o777).toString(8);
let mask: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assay-lmdb-modes-"));
  path = join(root, "made", "data");
  warnings.length = 0;
  // The widest umask: modes must not depend on the user who starts the server.
  mask = process.umask(0);
});
afterEach(() => {
  process.umask(mask);
  rmSync(root, { recursive: true });
});

async function openOnce(): Promise<void> {
  const store = lmdbStore({ path, onWarning });
  await store.increment("n", 1);
  await store.close();
}

test("only the owner can access a new directory and its files", async () => {
  await openOnce();
  expect([modeOf(".."), modeOf("."), modeOf("data.mdb"), modeOf("lock.mdb")]).toEqual(["700", "700", "600", "600"]);
  await openOnce();
  expect(warnings).toEqual([]);
});

test("warns once of a directory or file with a wider mode, and keeps the mode", async () => {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  await openOnce();
  expect(warnings).toEqual([
    `Other users of this machine may use the data in ${path} (mode 755). Run: chmod 700 ${path}`,
  ]);
  expect(modeOf(".")).toBe("755");
  chmodSync(path, 0o700);
  const data = join(path, "data.mdb");
  const lock = join(path, "lock.mdb");
  chmodSync(data, 0o640);
  chmodSync(lock, 0o604);
  await openOnce();
  expect(warnings.slice(1)).toEqual([
    `Other users of this machine may use the data in ${data} (mode 640), ${lock} (mode 604). Run: chmod 600 ${data} ${lock}`,
  ]);
});

test("emits a process warning without a listener", async () => {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  const store = lmdbStore({ path });
  expect(await warned).toMatchObject({ name: "AssayWarning", message: expect.stringContaining(`chmod 700 ${path}`) });
  await store.close();
});
