import {
  type AnswerTo,
  type EngineProgress,
  EngineUnavailable,
  type EventEngine,
  type Question,
} from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { type Analysis, type AnalysisOptions, createAnalysis } from "./analysis.ts";
import { findMissing } from "./missing.ts";
import { createShipper } from "./shipper.ts";
import { readLogState, readPurgedBefore } from "./storage.ts";

/** How long an answer waits for the copy to have every event acknowledged before the question. */
const PATIENCE_MS = 10_000;
/** Maximum number of cached answers, over all experiments and questions. */
const MAX_MEMOS = 500;

interface Memo {
  version: number;
  epoch: number;
  /** Position of the copy. */
  position: number;
  answer: Promise<AnswerTo<Question>>;
}

/**
 * Creates an analysis that asks an engine, to which it copies the events. What is copied is compacted in the store, as
 * without an engine.
 */
export function createCopiedAnalysis(
  store: Store,
  runtime: Runtime,
  engine: EventEngine,
  options: AnalysisOptions & { patienceMs?: number } = {},
): Analysis {
  const { patienceMs = PATIENCE_MS, compacts = true } = options;
  const shipper = createShipper(store, runtime, engine, (events) => own.grown(events));
  /** Follows the log in the store: for its compaction, and for work that no engine does, such as an erasure. */
  const own = createAnalysis(store, runtime, { ...options, copied: shipper.copied });
  const memos = new Map<string, Memo>();
  const completeUntil = new WeakMap<object, number | null>();
  let last: EngineProgress | null = null;
  let isBehind = false;

  /** Returns how far the copy reaches once it has every event that is acknowledged now, or could not get them in time. */
  async function reached(): Promise<EngineProgress> {
    const head = await store.head(EVENTS_JOURNAL);
    const progress = await shipper.reach(head, patienceMs);
    last = progress;
    isBehind = progress.position < head;
    return progress;
  }

  async function compute(memo: Omit<Memo, "answer">, about: Parameters<Analysis["answer"]>[0], question: Question) {
    const log = await shipper.log();
    return log.answer(about, question, { position: memo.position, epoch: memo.epoch });
  }

  const answer: Analysis["answer"] = async <Q extends Question>(
    subject: Parameters<Analysis["answer"]>[0],
    version: number,
    question: Q,
  ): Promise<AnswerTo<Q>> => {
    const name = `${subject.experimentId} ${JSON.stringify(question)}`;
    const { epoch } = await readLogState(store);
    const known = memos.get(name);
    const usable = known?.version === version && known.epoch === epoch ? known : undefined;
    try {
      const { position, receivedAt } = await reached();
      const memo =
        usable?.position === position ? usable : start(name, { version, epoch, position }, subject, question);
      const found = await memo.answer;
      note(found, isBehind ? receivedAt : undefined);
      return found as AnswerTo<Q>;
    } catch (error) {
      if (!(error instanceof EngineUnavailable || (error as Error).name === "EngineRefused")) throw error;
      if (!usable) throw new ApiError(503, `${(error as Error).message}; try again`, { "Retry-After": "5" });
      const found = await usable.answer;
      const head = await store.head(EVENTS_JOURNAL);
      isBehind = usable.position < head;
      note(found, isBehind ? (last?.receivedAt ?? null) : undefined);
      return found as AnswerTo<Q>;
    }
  };

  function start(
    name: string,
    of: Omit<Memo, "answer">,
    subject: Parameters<typeof compute>[1],
    question: Question,
  ): Memo {
    const before = memos.get(name);
    const memo: Memo = { ...of, answer: compute(of, subject, question) };
    memos.delete(name);
    memos.set(name, memo);
    for (const oldest of memos.keys()) {
      if (memos.size <= MAX_MEMOS) break;
      memos.delete(oldest);
    }
    memo.answer.catch(() => {
      // The answer before stays, for as long as the engine is away.
      if (memos.get(name) !== memo) return;
      if (before) memos.set(name, before);
      else memos.delete(name);
    });
    return memo;
  }

  /** Compacts what a server that died has copied. The shipper reports why it cannot reach the engine. */
  async function compactLeftOver(): Promise<void> {
    await shipper.reach(0, 0);
    await own.compact();
  }

  /** Notes until when an answer is complete; undefined if it has every event. */
  function note(found: unknown, until: number | null | undefined): void {
    if (typeof found !== "object" || found === null) return;
    if (until === undefined) completeUntil.delete(found);
    else completeUntil.set(found, until);
  }

  return {
    answer,
    gaps: () => last?.gaps ?? [],
    completeUntil: (found) => completeUntil.get(found),
    async missing(span) {
      const purged = await readPurgedBefore(store);
      return [...findMissing(span, purged, last?.gaps ?? []), ...(isBehind ? (["EVENTS_DELAYED"] as const) : [])];
    },
    withQuestions: own.withQuestions,
    withReader: own.withReader,
    // Compaction follows the copy.
    grown() {},
    compact: own.compact,
    copy: shipper.log,
    status: shipper.status,
    async open() {
      await shipper.log().catch((error: unknown) => {
        // Evaluation and ingestion do not need the engine, so the server starts without it.
        if (!(error instanceof EngineUnavailable)) throw error;
        runtime.logger.error(`${engine.name} is not available; results wait for it`, { error: error.message });
      });
      shipper.start();
      if (compacts) void compactLeftOver().catch(() => {});
    },
    async close() {
      await shipper.close();
      await own.close();
    },
  };
}
