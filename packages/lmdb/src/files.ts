import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { StoreRefused } from "@assay/store";
import { describeFailure } from "./failure-reason.ts";

export const DATA_FILE = "data.mdb";
export const LOCK_FILE = "lock.mdb";
/**
 * The process writes the one byte of this file before the first commit. So its length shows whether there has been
 * data.
 */
export const PROBE_FILE = "probe";
/** Only the owner has access: the data contains password hashes, sessions and the events of users. */
export const FILE_MODE = 0o600;

/** The size of LMDB's lock file on 64-bit Linux: a head, and a slot for each reader but the first. */
const LOCK_HEAD_LENGTH = 272;
const READER_LENGTH = 64;
/** The size of an empty database, with a margin. */
const NEW_DATA_LENGTH = 131_072;
/** The number of files that LMDB has open while opening, with a margin. */
const OPEN_FILES = 6;

/**
 * Checks that LMDB can create its files in a directory.
 * @throws {StoreRefused} if there is not enough space
 */
export function makeRoom(directory: string, maxReaders: number): void {
  const draft = join(directory, `${LOCK_FILE}.${randomUUID()}`);
  try {
    if (!(statSync(join(directory, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0)) {
      writeFileSync(draft, new Uint8Array(NEW_DATA_LENGTH), { flag: "wx", mode: FILE_MODE });
    }
    makeLockFile(directory, draft, maxReaders);
  } catch (cause) {
    const reason = describeFailure(cause, directory);
    throw new StoreRefused(`LMDB cannot make its files in ${directory}: ${reason}`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Creates LMDB's lock file in full. LMDB would create it with holes and write to it through a memory map, which ends
 * the process with SIGBUS if the disk has no room for a hole.
 */
function makeLockFile(directory: string, draft: string, maxReaders: number): void {
  const path = join(directory, LOCK_FILE);
  if (existsSync(path)) return;
  const length = LOCK_HEAD_LENGTH + (maxReaders - 1) * READER_LENGTH;
  writeFileSync(draft, new Uint8Array(length), { mode: FILE_MODE });
  try {
    // Other processes may be opening the directory: they find the complete file or none.
    linkSync(draft, path);
  } catch {
    // Another process was faster, or the file system has no links: then LMDB creates the file.
  }
}

const ADVICE = "restore a backup into another directory";

/**
 * Checks that a data file that is empty or missing has never had data.
 * @throws {StoreRefused} if it had
 */
export function assertNotLost(directory: string): void {
  const sizeOf = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  if (sizeOf(DATA_FILE) > 0 || sizeOf(PROBE_FILE) === 0) return;
  throw new StoreRefused(
    `LMDB had data in ${directory}, and its data file is empty or missing now; ${ADVICE}, or delete this one to start without data`,
  );
}

/** LMDB's mark and data version, in the first bytes of its file. */
const MARK = Buffer.from([0xde, 0xc0, 0xef, 0xbe, 2, 0, 0, 0]);
/** The length of its first two pages, which locate all others. The smallest page has 4,096 bytes. */
const HEAD_LENGTH = 8_192;

/** Offsets in a head, from its mark: the page size, the last page and the number of the transaction. */
const PAGE_SIZE_AT = 24;
const LAST_PAGE_AT = 120;
const TRANSACTION_AT = 128;

/** Returns the length of a data file with all its pages, by the newer of its two heads. */
function lengthOf(file: number): number {
  const head = Buffer.alloc(HEAD_LENGTH);
  readSync(file, head, 0, HEAD_LENGTH, 0);
  const at = head.indexOf(MARK);
  const pageSize = head.readUInt32LE(at + PAGE_SIZE_AT);
  const second = Buffer.alloc(256);
  readSync(file, second, 0, second.length, pageSize);
  const heads = [head.subarray(at), second.subarray(second.indexOf(MARK))];
  const newest = heads.sort((a, b) =>
    Number(b.readBigUInt64LE(TRANSACTION_AT) - a.readBigUInt64LE(TRANSACTION_AT)),
  )[0]!;
  return (Number(newest.readBigUInt64LE(LAST_PAGE_AT)) + 1) * pageSize;
}

/**
 * Returns whether LMDB can read every value of a file that is shorter than its pages: the last pages may be unused. A
 * child process tries, because reading beyond the end of the file ends the process.
 */
function isReadable(directory: string): boolean {
  const lmdb = createRequire(import.meta.url).resolve("lmdb");
  const script = `
    const root = require(process.argv[1]).open({ path: process.argv[2], noSubdir: false, readOnly: true, encoding: "binary" });
    for (const name of [...root.getKeys()]) {
      const database = root.openDB({ name, encoding: "binary", keyEncoding: "binary" });
      for (const { value } of database.getRange()) Buffer.from(value);
    }`;
  return spawnSync(process.execPath, ["-e", script, lmdb, directory], { stdio: "ignore" }).status === 0;
}

/**
 * Checks the data file before LMDB does. lmdb ends the process if it cannot open the file, or if that is something
 * else.
 * @throws {StoreRefused} with the reason as its cause
 */
export function assertDataFile(directory: string): void {
  const path = join(directory, DATA_FILE);
  const files: number[] = [];
  try {
    for (let opened = 0; opened < OPEN_FILES; opened++) files.push(openSync(path, "r+"));
    const start = Buffer.alloc(64);
    const length = readSync(files[0]!, start);
    if (length > 0 && !start.includes(MARK)) throw new Error("the data file is not one of LMDB, version 2");
    const { size } = fstatSync(files[0]!);
    if (length > 0 && (size < HEAD_LENGTH || (size < lengthOf(files[0]!) && !isReadable(directory)))) {
      throw new Error("the data file is cut short");
    }
  } catch (cause) {
    const reason = describeFailure(cause, directory);
    throw new StoreRefused(`LMDB cannot open ${path}: ${reason}; ${ADVICE}`, { cause });
  } finally {
    for (const file of files) closeSync(file);
  }
}
