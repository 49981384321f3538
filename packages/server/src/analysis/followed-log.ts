import type { Gap, Progress, ReceivedRecord, ThreadOptions } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Runtime } from "../ground/runtime.ts";
import { createSlices } from "../ground/slices.ts";
import { createRecordPages } from "./record-pages.ts";
import { type ChunkEntry, type LogState, listChunks, owned, readLogState } from "./storage.ts";

/** Whether work takes too long for the main thread, on a log of this size. */
export type NeedsThread = (progress: Progress) => boolean;

/** What follows the log, here or in a thread. */
export interface Follower<C, P extends Progress> {
  startInline(): C;
  /** @throws Error if worker threads are not available */
  startWorker(options: ThreadOptions): Promise<C>;
  none: P;
  /** Up to which position the chunks are read. */
  chunksEnd(progress: P): number;
  loadChunks(caller: C, chunks: ChunkEntry[]): Promise<P>;
  loadRecords(caller: C, records: ReceivedRecord[]): Promise<P>;
  /** Continues after a chunk that is lost. */
  skip(caller: C, progress: P, through: number): Promise<P>;
}

export interface FollowedLogOptions extends ThreadOptions {
  /** A worker if the log is large, or always this thread. */
  thread: "WORKER" | "INLINE";
  /** Number of events that starts the worker. */
  workerFrom: number;
}

/** The log, read up to the last record when asked. */
export interface FollowedLog<C, P extends Progress> {
  readonly progress: P;
  /** Gaps of missing records, as of the last time. */
  readonly gaps: readonly Gap[];
  /** Brings the follower up to date with the store, or to where `isFull` is true, if that comes first. */
  catchUp(needsThread?: NeedsThread, isFull?: (progress: P) => boolean): Promise<CaughtUp<C, P>>;
  /** Forgets everything; the next time reads the log again. */
  reset(): Promise<void>;
}

/** A follower with the state that it has read. */
export interface CaughtUp<C, P> {
  caller: C;
  state: LogState;
  progress: P;
  /** Whether it has every event that was acknowledged before. */
  isComplete: boolean;
}

const CHUNKS_A_STEP = 4;
const STEP_BYTES = 4 * 1024 * 1024;
const MAX_RECORDS = 1000;

/** Creates a log that has read nothing. Call it one at a time. */
export function followLog<C extends { close(): Promise<void> }, P extends Progress>(
  store: Store,
  runtime: Runtime,
  follower: Follower<C, P>,
  { thread, workerFrom, threads }: FollowedLogOptions,
): FollowedLog<C, P> {
  let running: { isThreaded: boolean; ready: Promise<C> } | null = null;
  let epoch = 0;
  let progress = follower.none;
  let gaps: readonly Gap[] = [];
  const pages = createRecordPages(STEP_BYTES, MAX_RECORDS);

  async function reset(): Promise<void> {
    const old = running;
    running = null;
    progress = follower.none;
    await old?.ready.then((caller) => caller.close()).catch(() => {});
  }

  async function start(isThreaded: boolean): Promise<C> {
    await reset();
    const ready = isThreaded
      ? follower.startWorker({ threads }).catch(fallBack)
      : Promise.resolve(follower.startInline());
    running = { isThreaded, ready };
    return ready;
  }

  function fallBack(error: unknown): C {
    runtime.logger.warn("No analysis thread; results are computed in the main thread", { error: String(error) });
    return follower.startInline();
  }

  async function loadChunks(caller: C, through: number): Promise<void> {
    const chunks = await listChunks(store, follower.chunksEnd(progress), CHUNKS_A_STEP);
    const [first] = chunks;
    if (!first) {
      // The last chunk is damaged and quarantined. The journal contains the rest.
      progress = await follower.skip(caller, progress, through);
      return;
    }
    if (first.from <= follower.chunksEnd(progress)) {
      // Another node has compacted past the position read so far.
      await start(thread === "WORKER");
      return;
    }
    progress = await follower.loadChunks(
      caller,
      chunks.map((chunk) => ({ ...chunk, bytes: owned(chunk.bytes) })),
    );
  }

  /** Returns false if the next record is missing, unless gaps are skipped. */
  async function loadRecords(caller: C, passGap = false): Promise<boolean> {
    const records = await store.read(EVENTS_JOURNAL, progress.position, pages.limit);
    const [first] = records;
    if (!first || (first.position > progress.position + 1 && !passGap)) return false;
    pages.adapt(records);
    const moved = records.map(({ position, record }) => ({ position, record: owned(record) }));
    // In this thread, adds one record of up to 5,000 events at a time. The next call adds the rest.
    const slices = createSlices();
    for (const some of running?.isThreaded ? [moved] : moved.map((one) => [one])) {
      progress = await follower.loadRecords(caller, some);
      if (thread === "WORKER" && progress.rows >= workerFrom) break;
      if (slices.isOver()) await slices.next();
    }
    return true;
  }

  return {
    get progress() {
      return progress;
    },
    get gaps() {
      return gaps;
    },
    async catchUp(needsThread = () => false, isFull = () => false) {
      const head = await store.head(EVENTS_JOURNAL);
      let state = await readLogState(store);
      for (;;) {
        const large =
          thread === "WORKER" && (state.through > 0 || progress.rows >= workerFrom || needsThread(progress));
        const fits = running && epoch === state.epoch && (running.isThreaded || !large);
        const caller = running && fits ? await running.ready : await start(large);
        epoch = state.epoch;
        if (state.through > follower.chunksEnd(progress)) await loadChunks(caller, state.through);
        else if (progress.position >= head) {
          gaps = progress.gaps;
          return { caller, state, progress, isComplete: true };
        } else if (isFull(progress)) return { caller, state, progress, isComplete: false };
        else if (!(await loadRecords(caller))) {
          // Records are missing: compacted in the meantime, or quarantined as damaged, which leaves a permanent gap.
          const now = await readLogState(store);
          if (now.version === state.version && !(await loadRecords(caller, true))) {
            gaps = [...progress.gaps, { after: progress.receivedAt, before: null }];
            return { caller, state, progress, isComplete: true };
          }
          state = now;
        }
      }
    },
    reset,
  };
}
