import type { EtlLogs, EtlRun } from "@assay/contract";
import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import { ETL_RUNS } from "../../model/etl-run.ts";
import type { Actor } from "../../storage/change.ts";
import { parseBytes, toBytes } from "../../storage/json.ts";

/** A run as stored. */
export interface StoredRun extends EtlRun {
  /** The node that executes it, alive as long as it holds {@link nodeLease}. */
  node: string;
  /** Who started it. */
  actor: Actor;
}

/** A log line of a run. */
export type LogLine = EtlLogs["items"][number];

const LOGS = "etl-logs";
const CANCELS = "etl-cancels";
const PAGE = 500;
/** Maximum number of runs kept, with their logs. */
const MAX_RUNS = 1000;

/** The lease of a node that executes runs. */
export const nodeLease = (node: string) => keyOf("etl", "node", node);

/** Storage of runs. */
export interface Runs {
  get(runId: string): Promise<StoredRun | null>;
  /** Newest first. */
  all(): Promise<StoredRun[]>;
  logs(runId: string): Promise<LogLine[]>;
  /** Stores a run and its log. Returns false if the lease of the fence is lost. */
  save(run: StoredRun, logs: readonly LogLine[], fence: Operation | null): Promise<boolean>;
  isCancelled(runId: string): Promise<boolean>;
  /** Requests cancellation from the node that executes the run. */
  cancel(runId: string): Promise<void>;
  /** Deletes all but the newest thousand. */
  trim(): Promise<void>;
}

/** Creates the access to stored runs. */
export function createRuns(store: Store): Runs {
  const logKey = (runId: string) => keyOf(LOGS, runId);
  const cancelKey = (runId: string) => keyOf(CANCELS, runId);

  async function all(): Promise<StoredRun[]> {
    const runs: StoredRun[] = [];
    for await (const { value } of listAll(store, prefixOf(ETL_RUNS), PAGE)) runs.push(parseBytes<StoredRun>(value));
    return runs.reverse();
  }

  return {
    all,
    async get(runId) {
      const entry = await store.get(keyOf(ETL_RUNS, runId));
      return entry && parseBytes<StoredRun>(entry.value);
    },
    async logs(runId) {
      const entry = await store.get(logKey(runId));
      return entry ? parseBytes<LogLine[]>(entry.value) : [];
    },
    async save(run, logs, fence) {
      const { ok } = await store.batch([
        ...(fence ? [fence] : []),
        { type: "put", key: keyOf(ETL_RUNS, run.run_id), value: toBytes(run) },
        { type: "put", key: logKey(run.run_id), value: toBytes(logs) },
      ]);
      return ok;
    },
    isCancelled: async (runId) => (await store.get(cancelKey(runId))) !== null,
    async cancel(runId) {
      await store.batch([{ type: "put", key: cancelKey(runId), value: toBytes(true) }]);
    },
    async trim() {
      const old = (await all()).slice(MAX_RUNS).filter(isOver);
      const keys = old.flatMap(({ run_id }) => [keyOf(ETL_RUNS, run_id), logKey(run_id), cancelKey(run_id)]);
      if (keys.length > 0) await store.batch(keys.map((key) => ({ type: "delete", key })));
    },
  };
}

/** Whether a run has ended. */
export function isOver({ status }: EtlRun): boolean {
  return status !== "QUEUED" && status !== "RUNNING";
}

/** A run as the API returns it. */
export function toShown({ node: _, actor: __, ...run }: StoredRun): EtlRun {
  return run;
}
