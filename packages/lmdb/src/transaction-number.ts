import { execFile, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { RootDatabase } from "lmdb";

/**
 * Returns whether a write transaction builds on an older commit than the last one, and would overwrite that. Call it
 * inside the transaction, before its first write.
 *
 * Processes share the number of the last commit in LMDB's lock file. A process that opens the directory writes the
 * number that it has read from the data file there, also if another process has committed in between
 * (OpenLDAP ITS#9496; lmdb 3.5.6 has this defect).
 */
export function isOutdated(root: RootDatabase<Buffer, string>): boolean {
  const { lastTxnId } = root.getStats() as { lastTxnId: number };
  return root.getWriteTxnId() <= lastTxnId;
}

/**
 * Corrects the shared number of the last commit. Only opening the directory in another process writes it: a process
 * opens LMDB's files once. Processes that check their transactions commit nothing meanwhile.
 */
export async function correctNumber(directory: string): Promise<void> {
  const [file, args, options] = opening(directory);
  await promisify(execFile)(file, args, options);
}

/** Does the same as `correctNumber`, and blocks until it is done. */
export function correctNumberSync(directory: string): void {
  const { error, status } = spawnSync(...opening(directory));
  if (error) throw error;
  if (status !== 0) throw new Error(`a process that opens the directory ended with ${status}`);
}

function opening(directory: string): [string, string[], { env: NodeJS.ProcessEnv }] {
  const lmdb = createRequire(import.meta.url).resolve("lmdb");
  const script = "require(process.argv[1]).open({ path: process.argv[2], noSubdir: false, readOnly: true }).close()";
  return [process.execPath, ["-e", script, lmdb, directory], { env: { ...process.env, NODE_OPTIONS: "" } }];
}
