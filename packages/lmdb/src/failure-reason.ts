import { statfsSync } from "node:fs";
import { describeSystemError, StoreUnavailable } from "@assay/store";
import { LmdbFailure } from "./table.ts";

const EIO = 5;
/** With less room than this, a write that came back short is put down to a full disk. */
const LITTLE_ROOM = 2 ** 20;

/** What callers get where LMDB failed while it did something in a directory. */
export function unavailable(action: string, cause: unknown, directory: string): StoreUnavailable {
  const failure = cause instanceof LmdbFailure ? cause.cause : cause;
  const reason = `LMDB could not ${action}: ${describeFailure(failure, directory)}`;
  return new StoreUnavailable(reason, { cause: failure, reason });
}

/** An error of LMDB or of the system in words that name no path. */
export function describeFailure(cause: unknown, directory: string): string {
  // LMDB reports a write that a full disk cut short as an I/O error.
  const code = isCutShort(cause, directory) ? "ENOSPC" : cause;
  return describeSystemError(code) ?? (cause instanceof Error ? cause.message : String(cause));
}

function isCutShort(cause: unknown, directory: string): boolean {
  if (!(cause instanceof Error && "code" in cause && cause.code === EIO)) return false;
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < LITTLE_ROOM;
  } catch {
    return false;
  }
}
