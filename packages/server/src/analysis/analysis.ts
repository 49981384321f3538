import {
  type Analyst,
  type AnswerTo,
  createInlineAnalyst,
  type EngineLog,
  type Gap,
  NO_PROGRESS,
  type Progress,
  type Question,
  type Subject,
  startWorkerAnalyst,
} from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Runtime } from "../ground/runtime.ts";
import { createSlices } from "../ground/slices.ts";
import { compact } from "./compaction.ts";
import { isDear } from "./cost.ts";
import { findMissing, type MissingEvents, type Span } from "./missing.ts";
import type { CopyStatus } from "./shipper.ts";
import { type LogState, listChunks, readEpoch, readLogState, readPurgedBefore } from "./storage.ts";

export interface AnalysisOptions {
  /**
   * The thread that stores and aggregates the log: a worker if the log is large, or always this thread.
   * @default "WORKER"
   */
  thread?: "WORKER" | "INLINE";
  /**
   * Number of events that starts the worker. With fewer, only a question about many metrics or days starts it.
   * @default 20_000
   */
  workerFrom?: number;
  /** Number of threads that share a computation over many events. @default see `startWorkerAnalyst` */
  threads?: number | undefined;
  /** Events per chunk. Compacts the journal once it contains this many. @default 131_072 */
  chunkRows?: number;
  /**
   * Whether compaction removes records from the journal once they are in a chunk. Keeping them takes about ten times
   * the space.
   * @default true
   */
  trimJournal?: boolean;
  /** Whether the journal is compacted. @default true */
  compacts?: boolean;
}

/** Whether work takes too long for the main thread, on a log of this size. */
export type NeedsThread = (progress: Progress) => boolean;

/** The event log in memory, or its copy in an engine, following the store. */
export interface Analysis {
  /**
   * Answers a question from every event acknowledged before the call. `version` is the version of the experiment.
   * Returns the same object until the events or the version change.
   */
  answer<Q extends Question>(subject: Subject, version: number, question: Q): Promise<AnswerTo<Q>>;
  /** Returns why events received within the span are missing, as of the last answer. */
  missing(span: Span): Promise<MissingEvents[]>;
  /** Runs work on the log, with every event acknowledged before the call. No other work runs at the same time. */
  withLog<T>(
    work: (analyst: Analyst, state: LogState, progress: Progress) => Promise<T>,
    needsThread?: NeedsThread,
  ): Promise<T>;
  /** Reports the number of written events. Once a chunk is full, compacts the journal in the background. */
  grown(events: number): void;
  /** Compacts now, in chunks of at least `rows` events. Returns how many events went into chunks. */
  compact(rows?: number): Promise<number>;
  /**
   * When the last event that an answer contains was received, in milliseconds since 1970, null if it contains none;
   * undefined if it contains every event acknowledged before the question.
   */
  completeUntil(answer: object): number | null | undefined;
  /** Returns the copy of the events in an engine. Null without an engine. @throws EngineRefused, EngineUnavailable */
  copy: (() => Promise<EngineLog>) | null;
  /** Returns the state of the copy; null without an engine. */
  status(): Promise<CopyStatus | null>;
  /** Opens the engine. @throws EngineRefused if it cannot be used as it is */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface Memo {
  version: number;
  epoch: number;
  position: number;
  answer: Promise<AnswerTo<Question>>;
}

const MAX_THREADS = 64;
const CHUNKS_A_STEP = 4;
const STEP_BYTES = 4 * 1024 * 1024;
const MAX_RECORDS = 1000;
/** Maximum number of cached answers, over all experiments and questions. */
const MAX_MEMOS = 500;

/** Creates the analysis of a store. Reads nothing before the first question. */
export function createAnalysis(store: Store, runtime: Runtime, options: AnalysisOptions = {}): Analysis {
  const { thread = "WORKER", workerFrom = 20_000, chunkRows = 131_072, trimJournal = true, compacts = true } = options;
  const threads = readThreads(options.threads);
  const holder = runtime.id();
  const memos = new Map<string, Memo>();
  let analyst: { threaded: boolean; ready: Promise<Analyst> } | null = null;
  let epoch = 0;
  let progress = NO_PROGRESS;
  let page = 16;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  /** Number of events loaded from chunks. */
  let chunked = 0;
  let written = 0;
  let gaps: readonly Gap[] = [];
  let compacting: Promise<unknown> | null = null;

  async function start(threaded: boolean): Promise<Analyst> {
    await analyst?.ready.then((old) => old.close()).catch(() => {});
    progress = NO_PROGRESS;
    chunked = 0;
    const ready = threaded ? startWorkerAnalyst({ threads }).catch(fallBack) : Promise.resolve(createInlineAnalyst());
    analyst = { threaded, ready };
    return ready;
  }

  function fallBack(error: unknown): Analyst {
    runtime.logger.warn("No analysis thread; results are computed in the main thread", { error: String(error) });
    return createInlineAnalyst();
  }

  /** Brings the analyst up to date with the store. */
  async function catchUp(needsThread: NeedsThread = () => false): Promise<{ ready: Analyst; state: LogState }> {
    const head = await store.head(EVENTS_JOURNAL);
    let state = await readLogState(store);
    for (;;) {
      const large = thread === "WORKER" && (state.through > 0 || progress.rows >= workerFrom || needsThread(progress));
      const fits = analyst && epoch === state.epoch && (analyst.threaded || !large);
      const ready = analyst && fits ? await analyst.ready : await start(large);
      epoch = state.epoch;
      if (progress.position >= head && progress.position >= state.through) {
        gaps = progress.gaps;
        return { ready, state };
      }
      if (state.through > progress.position) await loadChunks(ready, state.through);
      else if (!(await loadRecords(ready))) {
        // Records are missing: compacted in the meantime, or quarantined as damaged, which leaves a permanent gap.
        const now = await readLogState(store);
        if (now.version === state.version) {
          if (!(await loadRecords(ready, true))) {
            gaps = [...progress.gaps, { after: progress.receivedAt, before: null }];
            return { ready, state };
          }
        }
        state = now;
      }
    }
  }

  async function loadChunks(ready: Analyst, through: number): Promise<void> {
    const chunks = await listChunks(store, progress.position, CHUNKS_A_STEP);
    const [first] = chunks;
    if (!first) {
      // The last chunk is damaged and quarantined. The journal contains the rest.
      progress = { ...progress, position: through };
      return;
    }
    if (first.from <= progress.position) {
      // Another node has compacted past the position read so far.
      await start(thread === "WORKER");
      return;
    }
    progress = await ready.ask(
      "load",
      chunks.map(({ bytes }) => owned(bytes)),
      [],
    );
    chunked = progress.rows;
  }

  /** Returns false if the next record is missing, unless gaps are skipped. */
  async function loadRecords(ready: Analyst, passGap = false): Promise<boolean> {
    const records = await store.read(EVENTS_JOURNAL, progress.position, page);
    const [first] = records;
    if (!first || (first.position > progress.position + 1 && !passGap)) return false;
    const bytes = records.reduce((sum, { record }) => sum + record.length, 0);
    page = Math.min(MAX_RECORDS, Math.max(16, Math.floor((STEP_BYTES * records.length) / bytes)));
    const moved = records.map(({ position, record }) => ({ position, record: owned(record) }));
    // In this thread, adds one record of up to 5,000 events at a time. The next call adds the rest.
    const slices = createSlices();
    for (const some of analyst?.threaded ? [moved] : moved.map((one) => [one])) {
      progress = await ready.ask("load", [], some);
      if (thread === "WORKER" && progress.rows >= workerFrom) break;
      if (slices.isOver()) await slices.next();
    }
    return true;
  }

  /** Runs work sequentially, so that each question sees the state loaded for it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error("The analysis is closed"));
    const turn = last.then(work);
    last = turn.catch(async () => {
      // After any failure, the next question reloads from the store.
      const broken = analyst;
      analyst = null;
      progress = NO_PROGRESS;
      await broken?.ready.then((old) => old.close()).catch(() => {});
    });
    return turn;
  }

  async function current(subject: Subject, version: number, question: Question): Promise<AnswerTo<Question>> {
    const name = `${subject.experimentId} ${nameOf(question)}`;
    const memo = memos.get(name);
    // Two reads show whether the log has changed. Only then is the analyst needed.
    const [stored, head] = await Promise.all([readEpoch(store), store.head(EVENTS_JOURNAL)]);
    if (memo && memo.version === version && memo.epoch === stored && memo.position === head) return memo.answer;
    const answer = inTurn(async () => {
      const { ready } = await catchUp((log) => isDear(subject, question, log, runtime.now()));
      // The journal may contain records that earlier processes left behind.
      if (progress.rows - chunked >= chunkRows) compactSoon();
      return ready.ask("answer", subject, question);
    });
    memos.delete(name);
    memos.set(name, { version, epoch: stored, position: head, answer });
    for (const oldest of memos.keys()) {
      if (memos.size <= MAX_MEMOS) break;
      memos.delete(oldest);
    }
    answer.catch(() => {
      if (memos.get(name)?.answer === answer) memos.delete(name);
    });
    return answer;
  }

  const withLog: Analysis["withLog"] = (work, needsThread) =>
    inTurn(async () => {
      const { ready, state } = await catchUp(needsThread);
      return work(ready, state, progress);
    });

  async function compactNow(rows = chunkRows): Promise<number> {
    return withLog(async (ready, state) => {
      const events = await compact({ store, holder, analyst: ready, state, rows, trimJournal });
      chunked += events;
      return events;
    });
  }

  /** Compacts in the background, one run at a time. Retries a failure when more events are written. */
  function compactSoon(): void {
    if (compacting || closed || !compacts) return;
    written = 0;
    compacting = compactNow()
      .catch((error: unknown) => runtime.logger.warn("Cannot compact the events", { error: String(error) }))
      .finally(() => {
        compacting = null;
      });
  }

  return {
    // The analyst returns an answer to this question; the compiler cannot infer its type.
    answer: <Q extends Question>(subject: Subject, version: number, question: Q) =>
      current(subject, version, question) as Promise<AnswerTo<Q>>,
    missing: async (span) => findMissing(span, await readPurgedBefore(store), gaps),
    withLog,
    grown(events) {
      written += events;
      if (written >= chunkRows) compactSoon();
    },
    compact: compactNow,
    completeUntil: () => undefined,
    copy: null,
    status: async () => null,
    async open() {},
    async close() {
      closed = true;
      await compacting;
      await last;
      await analyst?.ready.then((ready) => ready.close()).catch(() => {});
      memos.clear();
    },
  };
}

/** @throws RangeError unless it is a whole number from 1 to 64 */
function readThreads(threads: number | undefined): number | undefined {
  if (threads === undefined || (Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS)) return threads;
  throw new RangeError(`analysisThreads must be a whole number from 1 to ${MAX_THREADS}, not ${threads}`);
}

/** Returns a text that differs for each question. Most have no options, and need no JSON. */
function nameOf(question: Question): string {
  return question.options === null ? question.about : JSON.stringify(question);
}

/** Returns bytes that can be transferred to another thread, not a view of shared memory. */
function owned(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
