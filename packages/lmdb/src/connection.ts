import { existsSync } from "node:fs";
import { join } from "node:path";
import { StoreRefused, StoreUnavailable } from "@assay/store";
import { type Databases, openDatabases } from "./databases.ts";
import { type Disk, DiskFull, openDisk } from "./disk.ts";
import { unavailable } from "./failure-reason.ts";
import { assertDataFile, assertNotLost, DATA_FILE, makeRoom } from "./files.ts";
import { LmdbFailure } from "./table.ts";

/** A connection to LMDB in one directory, reopened after each failure. */
export interface Connection {
  /**
   * Returns the open databases.
   * @throws {LmdbFailure} while LMDB is not open
   */
  current(): Databases;
  /**
   * Returns the open database, and reopens LMDB first after a failure.
   * @throws {StoreUnavailable} if that is not possible
   */
  sound(): Promise<Databases["root"]>;
  /**
   * Returns the same as `sound`, before a transaction of this many bytes. Such a transaction would wait forever if LMDB
   * has failed in another thread.
   * @throws {StoreUnavailable} if the disk would reject it
   */
  forWriting(bytes: number): Promise<Databases["root"]>;
  /** Records that LMDB has failed, and returns the error for callers. */
  fail(action: string, cause: unknown): StoreUnavailable;
  close(): Promise<void>;
}

/**
 * Opens LMDB in a directory. After a failure, LMDB's memory may be inconsistent, and some failures make it refuse
 * everything. The connection then reopens it from its file, which has exactly what was committed.
 * @throws {StoreRefused} if the directory contains something other than such a database
 */
export function holdConnection(directory: string, maxReaders: number): Connection {
  assertNotLost(directory);
  makeRoom(directory, maxReaders);
  if (existsSync(join(directory, DATA_FILE))) assertDataFile(directory);
  let opened: { databases: Databases; disk: Disk } | null = open(directory, maxReaders);
  let isClosed = false;
  let reopening: Promise<Databases["root"]> | null = null;
  let hasFailed = false;

  const current = (): Databases => {
    if (!opened) throw new LmdbFailure("LMDB is not open");
    return opened.databases;
  };

  const reopen = async () => {
    const failed = opened;
    opened = null;
    // This waits for the current write, whose caller knows its outcome.
    await failed?.databases.root.close().catch(() => {});
    failed?.disk.close();
    if (isClosed) throw new StoreUnavailable("This LMDB store is closed");
    try {
      // A missing file is not created again, because its acknowledged writes would be lost silently.
      assertDataFile(directory);
      opened = open(directory, maxReaders);
    } catch (error) {
      // The message of the error itself names the directory.
      throw unavailable("open its files again", error instanceof StoreRefused ? error.cause : error, directory);
    }
    hasFailed = false;
    return opened.databases.root;
  };

  const sound = async () => {
    if (isClosed) throw new StoreUnavailable("This LMDB store is closed");
    if (opened && !hasFailed) return opened.databases.root;
    reopening ??= reopen().finally(() => {
      reopening = null;
    });
    return reopening;
  };

  return {
    current,
    sound,
    async forWriting(bytes) {
      const root = await sound();
      opened?.disk.requireWritable(bytes);
      try {
        root.resetReadTxn();
        current().states.doesExist("any");
        return root;
      } catch {
        hasFailed = true;
        return sound();
      }
    },
    fail(action, cause) {
      if (cause instanceof StoreUnavailable) return cause;
      // If the disk was already full, LMDB has not tried to write.
      hasFailed ||= !(cause instanceof DiskFull);
      return unavailable(action, cause, directory);
    },
    async close() {
      isClosed = true;
      await reopening?.catch(() => {});
      await opened?.databases.root.close();
      opened?.disk.close();
    },
  };
}

function open(directory: string, maxReaders: number): { databases: Databases; disk: Disk } {
  const disk = openDisk(directory);
  try {
    return { databases: openDatabases(directory, maxReaders), disk };
  } catch (error) {
    disk.close();
    throw error;
  }
}
