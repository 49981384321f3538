import { setImmediate } from "node:timers/promises";
import type { StoreRow } from "@assay/store";
import { holdConnection } from "./connection.ts";
import { loadRows, readRows } from "./rows.ts";
import { createTable, LmdbFailure, type Table } from "./table.ts";
import { correctNumber, isOutdated } from "./transaction-number.ts";

/** One LMDB database of this process. A read or a write rejects with `StoreUnavailable` if LMDB fails. */
export interface Environment {
  /** Entries, sealed, by key. */
  entries: Table<string>;
  /** Journal records, sealed, by journal and position. */
  records: Table<Buffer>;
  /** The head of each journal, as a sealed entry. */
  heads: Table<string>;
  /** Generations by set and member. */
  members: Table<Buffer>;
  /** The window of each set, and each lease, as sealed entries. */
  states: Table<string>;
  /** Damaged bytes, by their original location. */
  quarantine: Table<string>;
  /** The items of the unstorage driver, separate from all data of the store. */
  items: Table<Buffer>;
  /**
   * Runs a job inside a write transaction, and resolves when its writes are on disk. A job throws before its first
   * write or not at all.
   * @param bytes the size of its writes in bytes, if that is more than a few pages
   */
  write<T>(job: () => T, bytes?: number): Promise<T>;
  /** Runs an action that sees all commits of all processes so far. */
  read<T>(action: () => T): Promise<T>;
  /** Yields every value, as of one commit. Writes go on meanwhile. */
  rows(): AsyncGenerator<StoreRow>;
  /** Writes rows inside a write transaction. */
  load(rows: StoreRow[]): void;
  close(): Promise<void>;
}

interface Job {
  bytes: number;
  run(): void;
  settle(error?: unknown): void;
}

const DEFAULT_READERS = 126;
/** An attempt fails only if a process opens the directory in the same millisecond as a commit ends. */
const MAX_ATTEMPTS = 10;

/**
 * Opens the database in a directory.
 * @throws {StoreRefused} if it contains something other than such a database
 */
export function openEnvironment(directory: string, maxReaders = DEFAULT_READERS): Environment {
  const connection = holdConnection(directory, maxReaders);
  const { current } = connection;

  let queue: Job[] = [];
  let committing: Promise<void> | null = null;

  /** Runs jobs in one transaction, and returns the errors of the jobs that threw. */
  const transact = async (jobs: Job[]): Promise<Map<Job, unknown>> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const refusals = await tryToCommit(jobs);
      if (refusals) return refusals;
      await correctNumber(directory);
    }
    throw new Error("other processes opened the directory at each attempt");
  };

  /** Returns null, and writes nothing, if the transaction would overwrite a commit of another process. */
  const tryToCommit = async (jobs: Job[]): Promise<Map<Job, unknown> | null> => {
    const root = await connection.forWriting(jobs.reduce((sum, { bytes }) => sum + bytes, 0));
    const refusals = new Map<Job, unknown>();
    let failure: LmdbFailure | undefined;
    let wouldOverwrite = false;
    const runAll = () => {
      wouldOverwrite = isOutdated(root);
      if (wouldOverwrite) return;
      for (const job of jobs) {
        try {
          job.run();
        } catch (error) {
          if (error instanceof LmdbFailure) {
            // LMDB does not commit this transaction any more. Another call would say less about the reason.
            failure = error;
            return;
          }
          refusals.set(job, error);
        }
      }
    };
    try {
      await root.transaction(runAll);
    } catch (error) {
      throw failure ?? (await commitErrorOf(error));
    }
    if (failure) throw failure;
    root.resetReadTxn();
    return wouldOverwrite ? null : refusals;
  };

  /** Commits continuously: the requests that arrive during one commit form the next. */
  const commit = async () => {
    // With a wait of one turn, callers of the same turn share the first commit.
    await Promise.resolve();
    while (queue.length > 0) {
      const jobs = queue;
      queue = [];
      try {
        const refusals = await transact(jobs);
        for (const job of jobs) job.settle(refusals.get(job));
      } catch (cause) {
        const error = connection.fail("commit", cause);
        for (const job of jobs) job.settle(error);
      }
    }
    committing = null;
  };

  return {
    entries: createTable(() => current().entries),
    records: createTable(() => current().records),
    heads: createTable(() => current().heads),
    members: createTable(() => current().members),
    states: createTable(() => current().states),
    quarantine: createTable(() => current().quarantine),
    items: createTable(() => current().items),
    write: <T>(run: () => T, bytes = 0) =>
      new Promise<T>((resolve, reject) => {
        let outcome: { value: T } | undefined;
        queue.push({
          bytes,
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
    async read(action) {
      try {
        (await connection.sound()).resetReadTxn();
        return action();
      } catch (error) {
        throw error instanceof LmdbFailure ? connection.fail("read", error) : error;
      }
    },
    async *rows() {
      await connection.sound();
      try {
        yield* readRows(current());
      } catch (error) {
        throw error instanceof LmdbFailure ? connection.fail("read", error) : error;
      }
    },
    load: (rows) => loadRows(current(), rows),
    async close() {
      await committing;
      await connection.close();
    },
  };
}

/**
 * Returns the reason of a failed commit. lmdb has it as a promise, which it rejects in the same turn except for a few
 * errors.
 */
async function commitErrorOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && "commitError" in error)) return error;
  const reason = Promise.resolve(error.commitError).catch((cause: unknown) => cause);
  return Promise.race([reason, setImmediate(error)]);
}
