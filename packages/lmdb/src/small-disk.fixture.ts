import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A separate in-memory file system, small enough to fill. */
export interface SmallDisk {
  path: string;
  /** Fills the disk except for this many bytes. */
  fill(left?: number): void;
  /** Frees that room again. */
  free(): void;
  remove(): void;
}

/** The reason why this system has no small disks; null if it has them. In CI it must. */
export const noSmallDisk: string | null = findReason();

/** Mounts a small disk with this many bytes. */
export function createSmallDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "assay-small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path], { stdio: "pipe" });
  const filler = join(path, "filler");
  return {
    path,
    fill(left = 0) {
      // A concurrently writing server may have taken some of the room.
      for (let attempt = 0; ; attempt++) {
        rmSync(filler, { force: true });
        const { bavail, bsize } = statfsSync(path);
        try {
          writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - left)));
          return;
        } catch (error) {
          if (attempt === 10) throw error;
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      // Lazily, because a process that is about to end may still have a file open.
      execFileSync("umount", ["-l", path]);
      rmdirSync(path);
    },
  };
}

function findReason(): string | null {
  try {
    createSmallDisk(65_536).remove();
    return null;
  } catch (error) {
    const reason = `No tmpfs can be mounted here, so a full disk is not tested: ${String(error)}`;
    if (process.env.CI === "true") throw new Error(reason);
    console.warn(reason);
    return reason;
  }
}
