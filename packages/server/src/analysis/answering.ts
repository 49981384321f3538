import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { isApiError } from "../ground/errors.ts";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { Analysis } from "./analysis.ts";
import {
  ANALYSIS_CHANNEL,
  ANALYSIS_LEASE,
  type AnalysisMemo,
  type AnalysisRequest,
  deleteMemos,
  listRequests,
  putMemo,
  removeRequest,
  type StoredRequest,
  TAKEN_MS,
  takeRequest,
} from "./requests.ts";
import { readEpoch } from "./storage.ts";

/** After the death of the server that answers, another one continues after this time. */
const LEASE_MS = 5000;
/** Requests are heard of by a notice, which may be lost. */
const POLL_MS = 1000;
const HOUR_MS = 3_600_000;

/** Answers the questions of servers without the role `analysis`, on one server at a time. */
export interface Answering {
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the answering of requests by an analysis. It does nothing before it is started. */
export function createAnswering(store: Store, runtime: Runtime, analysis: Analysis): Answering {
  const holder = runtime.id();
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isClosed = false;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let stop = () => {};
  let unsubscribe: (() => Promise<void>) | undefined;

  async function memoOf({ subject, version, question, nonce }: AnalysisRequest): Promise<AnalysisMemo> {
    const [epoch, position] = await Promise.all([readEpoch(store), store.head(EVENTS_JOURNAL)]);
    const common = { epoch, position, at: runtime.now() };
    try {
      const answer = await analysis.answer(subject, version, question);
      const completeUntil = typeof answer === "object" && answer !== null ? analysis.completeUntil(answer) : undefined;
      return { ...common, answer, failure: null, gaps: analysis.gaps(), completeUntil };
    } catch (error) {
      const reason = isApiError(error) ? error.message : "The analysis failed";
      if (!isApiError(error)) runtime.logger.error("A request for an analysis failed", { error: String(error) });
      return { ...common, answer: null, failure: { nonce, reason }, gaps: [], completeUntil: undefined };
    }
  }

  /** Says of waiting requests, again and again, that this server is going to answer them, and returns them. */
  async function take(): Promise<StoredRequest[]> {
    const now = runtime.now();
    const stored = await listRequests(store);
    for (const one of stored) {
      if (one.request.takenAt !== null && Math.abs(now - one.request.takenAt) < TAKEN_MS / 3) continue;
      await store.batch([takeRequest(one, now)]);
    }
    return stored;
  }

  async function answerAll(): Promise<void> {
    while (!isClosed && (await listRequests(store)).length > 0) {
      const lease = await store.lease(ANALYSIS_LEASE, holder, LEASE_MS);
      if (!lease) return;
      const stopRenewing = every(LEASE_MS / 5, async () => {
        if (await store.lease(ANALYSIS_LEASE, holder, LEASE_MS)) await take();
      });
      try {
        for (const { request } of await take()) {
          const memo = await memoOf(request);
          const fence = { type: "fence", lease: ANALYSIS_LEASE, token: lease.token } as const;
          // Another server answers if this one was too slow to keep the lease.
          if (!(await store.batch([fence, putMemo(request.id, memo)])).ok) return;
          await removeRequest(store, request);
          await store.publish(ANALYSIS_CHANNEL, request.id);
        }
        await tidy();
      } finally {
        stopRenewing();
        await store.release(ANALYSIS_LEASE, holder).catch(() => {});
      }
    }
  }

  async function tidy(): Promise<void> {
    if (runtime.now() - tidiedAt < HOUR_MS) return;
    tidiedAt = runtime.now();
    await deleteMemos(store, runtime.now() - HOUR_MS);
  }

  function look(): void {
    isAskedAgain = running !== null;
    running ??= answerAll()
      .catch((error: unknown) => runtime.logger.warn("Cannot answer requests for analyses", { error: String(error) }))
      .finally(() => {
        running = null;
        if (isAskedAgain && !isClosed) look();
      });
  }

  return {
    async start() {
      unsubscribe = await store.subscribe(ANALYSIS_CHANNEL, (message) => {
        if (message === "asked") look();
        else if (message === "grown") void analysis.compact().catch(() => {});
      });
      stop = every(POLL_MS, look);
    },
    async close() {
      isClosed = true;
      stop();
      await unsubscribe?.();
      await running;
    },
  };
}
