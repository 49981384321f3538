import { closeSync, constants, openSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE, PROBE_FILE } from "./files.ts";

/** The disk of a database. */
export interface Disk {
  /**
   * Checks that the disk accepts writes and has room for a commit of this many bytes.
   * @throws {DiskFull} if it has no room, or the system's error
   */
  requireWritable(bytes: number): void;
  close(): void;
}

/** The error of a disk with less room than a commit may need. Nothing was written. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";
  readonly code = "ENOSPC";
}

const PROBE = new Uint8Array(1);
/** The maximum room, in bytes, for a commit in addition to its values: LMDB copies each page that it changes. */
const MAX_RESERVE = 64 * 2 ** 20;
/** The share of a small disk to keep free instead. */
const RESERVED_PART = 1 / 16;

/**
 * Opens a probe of the disk under a directory. It provokes the errors of the system in a file of one byte, before LMDB
 * meets them. If a write of pages fails, lmdb 3.5.6 puts a message of up to 125 characters into 100 bytes of memory,
 * which ends the process sooner or later.
 */
export function openDisk(directory: string): Disk {
  const probe = openSync(join(directory, PROBE_FILE), constants.O_WRONLY | constants.O_CREAT, FILE_MODE);
  return {
    requireWritable(bytes) {
      writeSync(probe, PROBE, 0, 1, 0);
      const { blocks, bavail, bsize } = statfsSync(directory);
      // Some file systems do not report their size.
      const reserve = Math.min(MAX_RESERVE, blocks * bsize * RESERVED_PART);
      // Values may be written twice: LMDB frees replaced ones only with the next commit.
      if (blocks > 0 && bavail * bsize < reserve + 2 * bytes) throw new DiskFull("Too little disk space is left");
    },
    close: () => closeSync(probe),
  };
}
