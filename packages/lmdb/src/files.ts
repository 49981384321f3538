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
import { join } from "node:path";
import { StoreRefused } from "@assay/store";
import { describeFailure } from "./failure-reason.ts";

export const DATA_FILE = "data.mdb";
export const LOCK_FILE = "lock.mdb";
/** Only the owner reads and writes: the data holds password hashes, sessions and the events of users. */
export const FILE_MODE = 0o600;

/** What LMDB keeps in its lock file on 64-bit Linux: a head, and a slot for each reader but the first. */
const LOCK_HEAD_LENGTH = 272;
const READER_LENGTH = 64;
/** What an empty database needs, generously. */
const NEW_DATA_LENGTH = 131_072;
/** The files that LMDB has open at a time while it opens, generously. */
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
 * LMDB would make its lock file of holes and write to it through a memory map, which ends the process with SIGBUS where
 * the disk has no room for a hole.
 */
function makeLockFile(directory: string, draft: string, maxReaders: number): void {
  const path = join(directory, LOCK_FILE);
  if (existsSync(path)) return;
  const length = LOCK_HEAD_LENGTH + (maxReaders - 1) * READER_LENGTH;
  writeFileSync(draft, new Uint8Array(length), { mode: FILE_MODE });
  try {
    // Other processes may open the directory just now: they find the file whole or not at all.
    linkSync(draft, path);
  } catch {
    // Another process was faster, or the file system has no links: then LMDB makes the file.
  }
}

/** LMDB's mark and data version, which stand in the first bytes of its file. */
const MARK = Buffer.from([0xde, 0xc0, 0xef, 0xbe, 2, 0, 0, 0]);
/** Its first two pages, which say where everything is; the smallest page has 4,096 bytes. */
const HEAD_LENGTH = 8_192;

/**
 * Looks before LMDB does, because lmdb ends the process where it cannot open its file or where that is something else.
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
    if (length > 0 && fstatSync(files[0]!).size < HEAD_LENGTH) throw new Error("the data file is cut short");
  } catch (cause) {
    const reason = describeFailure(cause, directory);
    throw new StoreRefused(`LMDB cannot open ${path}: ${reason}; mend it or name another directory`, { cause });
  } finally {
    for (const file of files) closeSync(file);
  }
}
