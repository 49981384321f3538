import { join } from "node:path";
import { createQuarantine, describeWideModes, type QuarantineOptions } from "@assay/store";
import { createClaims } from "./claims.ts";
import { usableDirectory } from "./directory.ts";
import { openEnvironment } from "./environment.ts";
import { DATA_FILE, LOCK_FILE } from "./files.ts";
import { createJournals } from "./journals.ts";
import { createLeases } from "./leases.ts";
import { createNotices } from "./notices.ts";
import { createSetAside } from "./set-aside.ts";
import { createSweeper } from "./sweeper.ts";

export interface LmdbStoreOptions extends QuarantineOptions {
  /**
   * The directory of the database; it is created if missing. It must be on a local disk, because LMDB does not work
   * over a network.
   */
  path: string;
  /**
   * The maximum number of processes and worker threads that read at once.
   * @default 126
   */
  maxReaders?: number;
  /**
   * Receives a warning at opening if other users have access to the directory or its files.
   * @default process.emitWarning
   */
  onWarning?: (message: string) => void;
}

/** The shared state of this process's stores and drivers on one directory. */
export type LmdbDatabase = ReturnType<typeof openDatabase>;

const shared = new Map<string, { database: LmdbDatabase; holders: number }>();

/**
 * Opens the database in a directory, or shares it if this process already has it open. It closes with its last user.
 * @throws {StoreRefused} if the directory cannot be created or written, or contains something else
 */
export function holdDatabase(options: LmdbStoreOptions): { database: LmdbDatabase; release: () => Promise<void> } {
  const directory = usableDirectory(options.path);
  const held = shared.get(directory) ?? { database: openDatabase(directory, options), holders: 0 };
  held.holders++;
  shared.set(directory, held);
  const release = async () => {
    if (--held.holders > 0) return;
    shared.delete(directory);
    await held.database.close();
  };
  return { database: held.database, release };
}

function openDatabase(directory: string, options: LmdbStoreOptions) {
  const { onWarning = (message) => process.emitWarning(message, "AssayWarning") } = options;
  const environment = openEnvironment(directory, options.maxReaders);
  const warning = describeWideModes([directory, join(directory, DATA_FILE), join(directory, LOCK_FILE)]);
  if (warning) onWarning(warning);
  const sweeper = createSweeper(environment);
  const damage = createQuarantine(options);
  const now = options.now ?? Date.now;
  const setAside = createSetAside(environment, damage, now);
  const journals = createJournals(environment, sweeper, setAside);
  const claims = createClaims(environment, sweeper, setAside);
  const leases = createLeases(environment, setAside, now);
  const notices = createNotices(environment, journals);
  return {
    environment,
    damage,
    setAside,
    now,
    journals,
    claims,
    leases,
    notices,
    async close() {
      sweeper.close();
      notices.close();
      await environment.close();
    },
  };
}
