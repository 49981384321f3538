import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { StoreRefused } from "@assay/store";
import { describeFailure } from "./failure-reason.ts";

const DIRECTORY_MODE = 0o700;

/**
 * Returns the real path of a writable directory, and creates it if it is missing.
 * @throws {StoreRefused} if that fails
 */
export function usableDirectory(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    const reason = describeFailure(cause, path);
    throw new StoreRefused(`LMDB needs a writable directory; ${path} cannot be used: ${reason}`, { cause });
  }
}
