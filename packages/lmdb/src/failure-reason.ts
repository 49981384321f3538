import { statfsSync } from "node:fs";
import { describeSystemError, StoreUnavailable } from "@assay/store";
import { LmdbFailure } from "./table.ts";

const EIO = 5;
/** If less room than this is left, in bytes, a short write means that the disk is full. */
const LITTLE_ROOM = 2 ** 20;

/** Creates the error that callers get after LMDB failed during an action in a directory. */
export function unavailable(action: string, cause: unknown, directory: string): StoreUnavailable {
  const failure = cause instanceof LmdbFailure ? cause.cause : cause;
  const reason = `LMDB could not ${action}: ${describeFailure(failure, directory)}`;
  return new StoreUnavailable(reason, { cause: failure, reason });
}

/** Returns the message of an LMDB or system error without paths. */
export function describeFailure(cause: unknown, directory: string): string {
  // LMDB reports an I/O error if a full disk cuts a write short.
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
