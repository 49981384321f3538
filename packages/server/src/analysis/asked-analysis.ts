import { setTimeout as delay } from "node:timers/promises";
import type { AnswerTo, Gap, Question, Subject } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { Analysis } from "./analysis.ts";
import { findMissing } from "./missing.ts";
import {
  ANALYSIS_CHANNEL,
  type AnalysisMemo,
  putRequest,
  readMemo,
  requestIdOf,
  requestTakenAt,
  TAKEN_MS,
} from "./requests.ts";
import { readEpoch, readPurgedBefore } from "./storage.ts";

export interface AskedAnalysisOptions {
  /** How long to wait for an answer, in milliseconds. @default 20,000 */
  patienceMs?: number;
  /** Events written here after which the others are told to compact. @default 131_072 */
  chunkRows?: number;
}

/** Milliseconds between two looks for an answer; a notice comes sooner. */
const POLL_MS = 100;
/** Milliseconds until some server must have taken a request: the lease of one that died expires before. */
const UNTAKEN_MS = 7500;
/** Maximum number of answers in memory. */
const MAX_MEMOS = 100;

/**
 * Creates the analysis of a server without the role `analysis`: it asks the others through the store, and has no events in
 * memory. Erasures and exports of a person read the log here.
 * @param local reads the log; it answers no questions about experiments
 */
export function createAskedAnalysis(
  store: Store,
  runtime: Runtime,
  local: Analysis,
  { patienceMs = 20_000, chunkRows = 131_072 }: AskedAnalysisOptions = {},
): Analysis {
  const memos = new Map<string, AnalysisMemo>();
  const completeUntil = new WeakMap<object, number | null>();
  let gaps: readonly Gap[] = [];
  let isBehind = false;
  let written = 0;

  /** Returns an answer that has every record up to a position; null if there is none yet. */
  async function find(id: string, epoch: number, position: number): Promise<AnalysisMemo | null> {
    const isUsable = (memo: AnalysisMemo | null | undefined) =>
      memo && memo.failure === null && memo.epoch === epoch && memo.position >= position;
    const known = memos.get(id);
    if (isUsable(known)) return known!;
    const memo = await readMemo(store, id);
    if (!memo || !isUsable(memo)) return memo?.failure ? memo : null;
    memos.delete(id);
    memos.set(id, memo);
    for (const oldest of memos.keys()) {
      if (memos.size <= MAX_MEMOS) break;
      memos.delete(oldest);
    }
    return memo;
  }

  async function isTaken(id: string): Promise<boolean> {
    const takenAt = await requestTakenAt(store, id);
    return takenAt !== null && Math.abs(runtime.now() - takenAt) < TAKEN_MS;
  }

  async function ask(subject: Subject, version: number, question: Question): Promise<AnalysisMemo> {
    const id = requestIdOf(subject, version, question);
    const [epoch, position] = await Promise.all([readEpoch(store), store.head(EVENTS_JOURNAL)]);
    const known = await find(id, epoch, position);
    if (known?.failure === null) return known;
    const nonce = runtime.id();
    let wake = () => {};
    const unsubscribe = await store.subscribe(ANALYSIS_CHANNEL, (message) => message === id && wake());
    try {
      await store.batch([putRequest({ id, nonce, subject, version, question, takenAt: null })]);
      await store.publish(ANALYSIS_CHANNEL, "asked");
      const start = performance.now();
      const waits = async () => {
        const waited = performance.now() - start;
        return waited < UNTAKEN_MS || (waited < patienceMs && (await isTaken(id)));
      };
      while (await waits()) {
        const memo = await find(id, epoch, position);
        if (memo?.failure === null) return memo;
        if (memo?.failure?.nonce === nonce) throw unavailable(memo.failure.reason);
        const noticed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([noticed, delay(POLL_MS)]);
      }
      if (await isTaken(id)) throw unavailable("The results are still being computed; try again");
      throw unavailable(
        'No server with the role "analysis" answers. This server does not have it; start one on the same store that does',
      );
    } finally {
      await unsubscribe();
    }
  }

  return {
    ...local,
    async answer<Q extends Question>(subject: Subject, version: number, question: Q): Promise<AnswerTo<Q>> {
      const memo = await ask(subject, version, question);
      gaps = memo.gaps;
      isBehind = memo.completeUntil !== undefined;
      const answer = memo.answer as AnswerTo<Q>;
      if (isBehind && typeof answer === "object" && answer !== null)
        completeUntil.set(answer, memo.completeUntil ?? null);
      return answer;
    },
    gaps: () => gaps,
    completeUntil: (answer) => completeUntil.get(answer),
    async missing(span) {
      const found = findMissing(span, await readPurgedBefore(store), gaps);
      return isBehind ? [...found, "EVENTS_DELAYED"] : found;
    },
    grown(events) {
      written += events;
      if (written < chunkRows) return;
      written = 0;
      void store.publish(ANALYSIS_CHANNEL, "grown").catch(() => {});
    },
    async compact() {
      return 0;
    },
    async open() {},
    async close() {
      memos.clear();
      await local.close();
    },
  };
}

const unavailable = (detail: string) => new ApiError(503, detail, { "Retry-After": "5" });
