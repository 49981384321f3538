import type {
  AnswerTo,
  EngineLog,
  Gap,
  Progress,
  Question,
  Reader,
  ReaderProgress,
  Subject,
  WantedChunk,
} from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Runtime } from "../ground/runtime.ts";
import { compact } from "./compaction.ts";
import { isDear } from "./cost.ts";
import type { NeedsThread } from "./followed-log.ts";
import { findMissing, type MissingEvents, type Span } from "./missing.ts";
import { answerFrom, readLog } from "./read-log.ts";
import type { CopyStatus } from "./shipper.ts";
import { type LogState, readChunk, readEpoch, readPurgedBefore } from "./storage.ts";

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
  /** Returns the position of the last record that the copy in an engine has. Later records are not compacted. */
  copied?: () => number;
}

/** Asks a question about one state of the log. */
export type Ask = <Q extends Question>(subject: Subject, question: Q) => Promise<AnswerTo<Q>>;

/** The event log, or its copy in an engine, following the store. */
export interface Analysis {
  /**
   * Answers a question from every event acknowledged before the call. `version` is the version of the experiment.
   * Returns the same object until the events or the version change.
   */
  answer<Q extends Question>(subject: Subject, version: number, question: Q): Promise<AnswerTo<Q>>;
  /** Returns the gaps of missing records, as of the last answer. */
  gaps(): readonly Gap[];
  /** Returns why events received within the span are missing, as of the last answer. */
  missing(span: Span): Promise<MissingEvents[]>;
  /** Runs work that asks several questions about one state of the log, with every event acknowledged before the call. */
  withQuestions<T>(
    work: (ask: Ask, state: LogState, progress: Progress) => Promise<T>,
    needsThread?: NeedsThread,
  ): Promise<T>;
  /** Runs work with the reader of the log, which knows every event acknowledged before the call. No other work runs then. */
  withReader<T>(work: (reader: Reader, state: LogState, progress: ReaderProgress) => Promise<T>): Promise<T>;
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
/** Maximum number of cached answers, over all experiments and questions. */
const MAX_MEMOS = 500;

/** Chunks of events in the journal that are read before they are compacted. */
const MAX_UNSEALED = 4;

/** Where a log is read. */
export const DEFAULT_THREAD = { thread: "WORKER", workerFrom: 20_000 } as const;

/** Creates the analysis of a store. Reads nothing before the first question. */
export function createAnalysis(store: Store, runtime: Runtime, options: AnalysisOptions = {}): Analysis {
  const { chunkRows = 131_072, trimJournal = true, compacts = true, copied } = options;
  const { thread, workerFrom } = { ...DEFAULT_THREAD, ...options };
  const threads = readThreads(options.threads);
  const holder = runtime.id();
  const memos = new Map<string, Memo>();
  const log = readLog(store, runtime, { thread, workerFrom, threads });
  const chunkOf = (chunk: WantedChunk) => readChunk(store, chunk);
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  let written = 0;
  let compacting: Promise<unknown> | null = null;

  /** Runs work sequentially, so that each question sees the state loaded for it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error("The analysis is closed"));
    const turn = last.then(work);
    // After any failure, the next question reads from the store again.
    last = turn.catch(log.reset);
    return turn;
  }

  /** Whether so much of the journal is read that it is compacted before the rest is. */
  const isFull = ({ unsealed }: ReaderProgress) => compacts && unsealed >= MAX_UNSEALED * chunkRows;

  const compactRead = ({ caller: reader, state }: { caller: Reader; state: LogState }, rows: number) =>
    compact({ store, holder, reader, state, rows, trimJournal, copied: copied?.() ?? null });

  /** Reads the log. A journal that has grown long is compacted on the way, so that it is never in memory whole. */
  async function catchUp(needsThread?: NeedsThread) {
    for (;;) {
      const found = await log.catchUp(needsThread, isFull);
      if (found.isComplete) return found;
      // Another node compacts, or the records are not copied yet.
      if ((await compactRead(found, chunkRows)) === 0) return log.catchUp(needsThread);
    }
  }

  async function current(subject: Subject, version: number, question: Question): Promise<AnswerTo<Question>> {
    const name = `${subject.experimentId} ${nameOf(question)}`;
    const memo = memos.get(name);
    // Two reads show whether the log has changed. Only then is the analyst needed.
    const [stored, head] = await Promise.all([readEpoch(store), store.head(EVENTS_JOURNAL)]);
    if (memo && memo.version === version && memo.epoch === stored && memo.position === head) return memo.answer;
    const answer = inTurn(async () => {
      const { caller, progress } = await catchUp((size) => isDear(subject, question, size, runtime.now()));
      // The journal may contain records that earlier processes left behind.
      if (progress.unsealed >= chunkRows) compactSoon();
      return answerFrom(chunkOf, caller, subject, question);
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

  async function compactNow(rows = chunkRows): Promise<number> {
    return inTurn(async () => {
      for (let compacted = 0; ; ) {
        const found = await log.catchUp(undefined, isFull);
        const events = await compactRead(found, rows);
        compacted += events;
        if (found.isComplete || events === 0) return compacted;
      }
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
    gaps: () => log.gaps,
    missing: async (span) => findMissing(span, await readPurgedBefore(store), log.gaps),
    withQuestions: (work, needsThread) =>
      inTurn(async () => {
        const { caller, state, progress } = await catchUp(needsThread);
        return work((subject, question) => answerFrom(chunkOf, caller, subject, question), state, progress);
      }),
    withReader: (work) =>
      inTurn(async () => {
        const { caller, state, progress } = await catchUp();
        return work(caller, state, progress);
      }),
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
      await log.reset();
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
