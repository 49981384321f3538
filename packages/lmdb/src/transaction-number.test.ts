import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabases } from "./databases.ts";
import { LOCK_FILE } from "./files.ts";
import { lmdbStore } from "./lmdb-store.ts";
import { isOutdated } from "./transaction-number.ts";

/** The offset of the number of the last commit in LMDB's lock file. */
const NUMBER_AT = 8;

let directory: string;
let store: Store;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "assay-number-"));
  store = lmdbStore({ path: directory });
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

/**
 * Lowers the shared number of the last commit by one, as a process does that opens the directory at the wrong moment.
 * It must be another process: closing the lock file would end this process's locks.
 */
function lowerNumber() {
  const script = `
    const fs = require("fs");
    const file = fs.openSync(process.argv[1], "r+");
    const number = Buffer.alloc(8);
    fs.readSync(file, number, 0, 8, ${NUMBER_AT});
    number.writeBigUInt64LE(number.readBigUInt64LE() - 1n);
    fs.writeSync(file, number, 0, 8, ${NUMBER_AT});`;
  execFileSync(process.execPath, ["-e", script, join(directory, LOCK_FILE)]);
}

const append = (text: string) =>
  store.batch([{ type: "append", journal: "log", records: [new TextEncoder().encode(text)] }]);
const log = async () =>
  (await store.read("log", 0, 10)).map(({ position, record }) => [position, new TextDecoder().decode(record)]);

test("a write after another process lowered the number of the last commit keeps that commit", async () => {
  await append("first");
  await append("second");
  lowerNumber();

  expect(await append("third")).toEqual({ ok: true, results: [3] });
  expect(await log()).toEqual([
    [1, "first"],
    [2, "second"],
    [3, "third"],
  ]);
});

test("writes of one turn are each made once after the number was corrected", async () => {
  await store.increment("n", 1);
  lowerNumber();

  const counts = await Promise.all([store.increment("n", 1), store.increment("n", 1), store.increment("n", 1)]);
  expect(counts).toEqual([2, 3, 4]);
});

test("opening corrects a number that is too low", async () => {
  await append("first");
  lowerNumber();

  // LMDB shares its open files inside a process, and so does not read the number again.
  const { root } = openDatabases(directory, 126);
  expect(root.transactionSync(() => isOutdated(root))).toBe(false);
  await root.close();
});
