import { StoreRefused } from "@assay/store";
import { type Database, open, type RootDatabase } from "lmdb";
import { describeFailure } from "./failure-reason.ts";
import { FILE_MODE } from "./files.ts";
import { correctNumberSync, isOutdated } from "./transaction-number.ts";

/** LMDB's open file, with its named databases. */
export interface Databases {
  root: RootDatabase<Buffer, string>;
  entries: Database<Buffer, string>;
  records: Database<Buffer, Buffer>;
  heads: Database<Buffer, string>;
  members: Database<Buffer, Buffer>;
  states: Database<Buffer, string>;
  quarantine: Database<Buffer, string>;
  items: Database<Buffer, Buffer>;
}

/**
 * Opens LMDB in a directory whose files have been checked.
 * @throws {StoreRefused} if LMDB still fails
 */
export function openDatabases(directory: string, maxReaders: number): Databases {
  let root: RootDatabase<Buffer, string> | undefined;
  try {
    root = open<Buffer, string>({ path: directory, maxReaders, ...OPTIONS });
    for (;;) {
      const databases = openNamed(root);
      if (databases) return databases;
      correctNumberSync(directory);
    }
  } catch (cause) {
    root?.close().catch(() => {});
    throw new StoreRefused(`Cannot open the LMDB database in ${directory}: ${describeFailure(cause, directory)}`, {
      cause,
    });
  }
}

/** Opens the named databases in one transaction, which creates missing ones; null if it would overwrite a commit. */
function openNamed(root: RootDatabase<Buffer, string>): Databases | null {
  const byText = (name: string) => root.openDB<Buffer, string>({ name, encoding: "binary" });
  const byBytes = (name: string) => root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
  return root.transactionSync(() =>
    isOutdated(root)
      ? null
      : {
          root,
          entries: byText("entries"),
          records: byBytes("records"),
          heads: byText("heads"),
          members: byBytes("members"),
          states: byText("states"),
          quarantine: byText("quarantine"),
          items: byBytes("items"),
        },
  );
}

/**
 * Addresses for the map of the file, in bytes. LMDB maps a file again whenever it outgrows its map, and keeps the old maps,
 * so that its pages count several times in the memory of the process. Addresses cost nothing; Windows would make the
 * file as large as the map, and 32 bits have too few of them.
 */
const MAP_SIZE = process.platform === "win32" || /^(ia32|arm)$/.test(process.arch) ? undefined : 2 ** 36;

const OPTIONS = {
  ...(MAP_SIZE !== undefined && { mapSize: MAP_SIZE }),
  // The path is a directory even if its name looks like that of a file.
  noSubdir: false,
  encoding: "binary",
  overlappingSync: false,
  // Writing to a memory map without disk space ends the process with SIGBUS. A failed write is an error.
  useWritemap: false,
  // With it lmdb creates a promise for each transaction. Callers cannot reach it, and lmdb rejects it when the commit
  // fails.
  eventTurnBatching: false,
  permissionsMode: FILE_MODE,
} as const;
