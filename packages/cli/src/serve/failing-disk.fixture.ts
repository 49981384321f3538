import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("./failing-disk.fixture.c", import.meta.url));

/** The failing operations: writes from the next probe on, syncs, or the short writes by which LMDB marks the valid commit. */
export type DiskFailure = "write" | "sync" | "head";

/** A disk on which the files of one directory can be made to fail with EIO. */
export interface FailingDisk {
  /** Environment of the tested process: the preloaded library, the directory and the flag file. */
  environment: Record<string, string>;
  /** Writes the flag file that the library checks before each write and sync. */
  fail(failure: DiskFailure): void;
  /** Removes the flag file. */
  mend(): void;
}

/** Why disks cannot fail on this system; null if they can. In CI they must. */
export const noFailingDisk: string | null = findReason();

/** Compiles the library into a directory, for the files of another. */
export function createFailingDisk(directory: string, failing: string): FailingDisk {
  const library = join(directory, "failing-disk.so");
  const flag = join(directory, "failing-disk.flag");
  execFileSync("gcc", ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], { stdio: "pipe" });
  return {
    environment: { LD_PRELOAD: library, ASSAY_FAILING_DIRECTORY: `${failing}/`, ASSAY_FAILING_FLAG: flag },
    fail: (failure) => writeFileSync(flag, failure),
    mend: () => rmSync(flag, { force: true }),
  };
}

function findReason(): string | null {
  if (process.platform !== "linux") return "Libraries are preloaded on Linux only, so I/O errors are not tested here";
  try {
    execFileSync("gcc", ["--version"], { stdio: "pipe" });
    return null;
  } catch (error) {
    const reason = `There is no C compiler here, so I/O errors are not tested: ${String(error)}`;
    if (process.env.CI === "true") throw new Error(reason);
    console.warn(reason);
    return reason;
  }
}
