import { closeSync, openSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE } from "./files.ts";

/** The disk that a database is on. */
export interface Disk {
  /**
   * Sees that the disk takes writes and has room for a commit of so many bytes.
   * @throws {DiskFull} where it has no room, or the system's error
   */
  requireWritable(bytes: number): void;
  close(): void;
}

/** The disk has less room than a commit may need; nothing was written. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";
  readonly code = "ENOSPC";
}

const PROBE_FILE = "probe";
const PROBE = new Uint8Array(1);
/** Room that a commit may take beside its values, as LMDB writes each page that it changes anew. */
const MOST_RESERVE = 64 * 2 ** 20;
/** The part of a small disk that is kept free instead. */
const RESERVED_PART = 1 / 16;

/**
 * Opens the probe of the disk under a directory. The system's errors are met here, in a file of one byte, rather than by
 * LMDB: where a write of pages is refused, lmdb 3.5.6 puts a message of up to 125 characters into 100 bytes of memory,
 * which ends the process sooner or later.
 */
export function openDisk(directory: string): Disk {
  const probe = openSync(join(directory, PROBE_FILE), "w", FILE_MODE);
  return {
    requireWritable(bytes) {
      writeSync(probe, PROBE, 0, 1, 0);
      const { blocks, bavail, bsize } = statfsSync(directory);
      // Some file systems do not say how large they are.
      const reserve = Math.min(MOST_RESERVE, blocks * bsize * RESERVED_PART);
      // Values may be written twice: in place of others that are only freed with the next commit.
      if (blocks > 0 && bavail * bsize < reserve + 2 * bytes) throw new DiskFull("Too little room is left");
    },
    close: () => closeSync(probe),
  };
}
