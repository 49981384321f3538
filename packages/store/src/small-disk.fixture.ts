import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIZE_MB = 16;

const succeeds = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;

function mount(directory: string): boolean {
  return succeeds("mount", "-t", "tmpfs", "-o", `size=${SIZE_MB}m`, "tmpfs", directory);
}

/** Whether this process may mount a disk of its own; only root may, and not in every container. */
export const canMount = mayMount();
if (!canMount) console.log("Skipped: tests of a full disk (this user may not mount one)");

function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), "assay-disk-"));
  const isMounted = mount(directory);
  if (isMounted) spawnSync("umount", [directory]);
  rmSync(directory, { recursive: true });
  return isMounted;
}

/** A disk of 16 MB. */
export interface SmallDisk {
  directory: string;
  /** Leaves no space on it. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** Mounts an empty disk in memory, for a user of the system. */
export function mountSmallDisk(owner = "root"): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), "assay-disk-"));
  if (!mount(directory)) throw new Error("Cannot mount a disk");
  spawnSync("chown", [owner, directory]);
  const ballast = join(directory, "ballast");
  return {
    directory,
    fill() {
      try {
        writeFileSync(ballast, Buffer.alloc(SIZE_MB * 1024 * 1024));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    free: () => rmSync(ballast),
    remove() {
      spawnSync("umount", ["-l", directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
