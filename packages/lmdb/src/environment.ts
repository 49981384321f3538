import { accessSync, closeSync, constants, mkdirSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { StoreRefused, StoreUnavailable } from "@assay/server/store";
import { type Database, open, type RootDatabase } from "lmdb";

/** One open LMDB database of this process. */
export interface Environment {
  /** Entries, sealed, by key. */
  entries: Database<Buffer, string>;
  /** Journal records, sealed, by journal and position. */
  records: Database<Buffer, Buffer>;
  /** The head of each journal, as a sealed entry. */
  heads: Database<Buffer, string>;
  /** Generations by set and member. */
  members: Database<Buffer, Buffer>;
  /** The window of each set and each lease, as sealed entries. */
  states: Database<Buffer, string>;
  /** Damaged bytes by where they were found. */
  quarantine: Database<Buffer, string>;
  /** What the unstorage driver keeps, apart from everything of the store. */
  items: Database<Buffer, Buffer>;
  /** Runs a job inside a write transaction; resolves when that is on disk. Jobs throw before their first write or not at all. */
  write<T>(job: () => T): Promise<T>;
  /** Makes the next reads see everything that any process has committed until now. */
  refresh(): void;
  close(): Promise<void>;
}

interface Job {
  run(): void;
  settle(error?: unknown): void;
}

/**
 * The real path of a directory that can be written, made where it is missing.
 * @throws {StoreRefused} where that cannot be.
 */
export function usableDirectory(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    throw new StoreRefused(`LMDB needs a directory that it can write, and ${path} is none: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/**
 * Opens the database in a directory.
 * @throws {StoreRefused} where there is something in it that is no such database.
 */
export function openEnvironment(directory: string, maxReaders?: number): Environment {
  assertDataFile(join(directory, "data.mdb"));
  let root: RootDatabase<Buffer, string>;
  try {
    // A directory stays a directory even if its name looks like that of a file.
    root = open({ path: directory, noSubdir: false, encoding: "binary", maxReaders, overlappingSync: false });
  } catch (cause) {
    throw new StoreRefused(`${directory} holds no LMDB database that can be opened: ${reasonOf(cause)}`, { cause });
  }
  const byText = (name: string) => root.openDB<Buffer, string>({ name, encoding: "binary" });
  const byBytes = (name: string) => root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });

  let queue: Job[] = [];
  let committing: Promise<void> | null = null;

  /** Commits back to back: whatever was asked for during one commit makes up the next. */
  const commit = async () => {
    // One turn of grace lets callers of the same turn share the first commit.
    await Promise.resolve();
    while (queue.length > 0) {
      const jobs = queue;
      queue = [];
      const failures = new Map<Job, unknown>();
      try {
        await root.transaction(() => {
          for (const job of jobs) {
            try {
              job.run();
            } catch (error) {
              failures.set(job, error);
            }
          }
        });
        root.resetReadTxn();
        for (const job of jobs) job.settle(failures.get(job));
      } catch (cause) {
        const error = await unavailable(cause);
        for (const job of jobs) job.settle(failures.get(job) ?? error);
      }
    }
    committing = null;
  };

  return {
    entries: byText("entries"),
    records: byBytes("records"),
    heads: byText("heads"),
    members: byBytes("members"),
    states: byText("states"),
    quarantine: byText("quarantine"),
    items: byBytes("items"),
    write: <T>(run: () => T) =>
      new Promise<T>((resolve, reject) => {
        let outcome: { value: T } | undefined;
        queue.push({
          run() {
            outcome = { value: run() };
          },
          settle(error) {
            if (outcome && error === undefined) resolve(outcome.value);
            else reject(error);
          },
        });
        committing ??= commit();
      }),
    refresh: () => root.resetReadTxn(),
    async close() {
      await committing;
      await root.close();
    },
  };
}

/** LMDB's mark and data version, which stand in the first bytes of its file. */
const MARK = Buffer.from([0xde, 0xc0, 0xef, 0xbe, 2, 0, 0, 0]);

/** Looks before LMDB does, because lmdb ends the process where its file is something else. */
function assertDataFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return;
  }
  try {
    const start = Buffer.alloc(64);
    const length = readSync(file, start);
    if (length > 0 && !start.includes(MARK)) {
      throw new StoreRefused(`${path} is no LMDB data file of version 2; name another directory`);
    }
  } finally {
    closeSync(file);
  }
}

async function unavailable(cause: unknown): Promise<StoreUnavailable> {
  // lmdb hands the reason over as a promise that rejects, which nobody else would catch.
  const reason =
    cause instanceof Error && "commitError" in cause
      ? await Promise.resolve(cause.commitError).catch((error: unknown) => error)
      : cause;
  return new StoreUnavailable(`LMDB could not commit: ${reasonOf(reason)}`, { cause: reason });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
