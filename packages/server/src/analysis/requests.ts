import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { Gap, Question, Subject } from "@assay/analysis";
import { keyOf, type Operation, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

/** Servers with the role `analysis` hear here of requests and of the growth of the log. */
export const ANALYSIS_CHANNEL = keyOf("analysis", "requests");
/** The lease of the server that answers requests. */
export const ANALYSIS_LEASE = keyOf("analysis", "server");

/** For how long a request counts as taken after a server has said so, in milliseconds. */
export const TAKEN_MS = 6000;

const REQUESTS = "analysis-requests";
const ANSWERS = "analysis-answers";
const PAGE = 16;

/** A question that a server without the role `analysis` asks the others. */
export interface AnalysisRequest {
  id: string;
  /** Different each time that the question is asked. */
  nonce: string;
  subject: Subject;
  /** Version of the experiment. */
  version: number;
  question: Question;
  /** When a server last said that it is going to answer, in milliseconds since 1970; null before. */
  takenAt: number | null;
}

/** The answer, with what it is the answer of. */
export interface AnalysisMemo {
  /** The answer has every record up to this position of the journal, at this epoch. */
  position: number;
  epoch: number;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  answer: unknown;
  /** Why there is no answer to the request with this nonce; null if there is one. */
  failure: { nonce: string; reason: string } | null;
  gaps: readonly Gap[];
  /** See `Analysis.completeUntil`. */
  completeUntil: number | null | undefined;
}

/** Returns the name under which servers ask and answer a question. */
export function requestIdOf(subject: Subject, version: number, question: Question): string {
  return createHash("sha256")
    .update(JSON.stringify([subject, version, question]))
    .digest("hex");
}

export function putRequest(request: AnalysisRequest): Operation {
  return { type: "put", key: keyOf(REQUESTS, request.id), value: toBytes(request) };
}

/** A stored request, with its version in the store. */
export interface StoredRequest {
  request: AnalysisRequest;
  version: number;
}

/** Returns some of the requests that wait for an answer. */
export async function listRequests(store: Store): Promise<StoredRequest[]> {
  const entries = await store.list(prefixOf(REQUESTS), { limit: PAGE });
  return entries.map(({ value, version }) => ({ request: parseBytes<AnalysisRequest>(value), version }));
}

/** Returns when a server last said that it is going to answer a request; null if none did. */
export async function requestTakenAt(store: Store, id: string): Promise<number | null> {
  const entry = await store.get(keyOf(REQUESTS, id));
  return entry && parseBytes<AnalysisRequest>(entry.value).takenAt;
}

/** Says that this server is going to answer a request; fails if it was asked again in the meantime. */
export function takeRequest({ request, version }: StoredRequest, takenAt: number): Operation {
  const value = toBytes({ ...request, takenAt });
  return { type: "put", key: keyOf(REQUESTS, request.id), value, ifVersion: version };
}

/** Removes an answered request, unless it was asked again in the meantime. */
export async function removeRequest(store: Store, { id, nonce }: AnalysisRequest): Promise<void> {
  for (;;) {
    const entry = await store.get(keyOf(REQUESTS, id));
    if (!entry || parseBytes<AnalysisRequest>(entry.value).nonce !== nonce) return;
    // A server may say at the same time that it is going to answer.
    const removed = await store.batch([{ type: "delete", key: keyOf(REQUESTS, id), ifVersion: entry.version }]);
    if (removed.ok) return;
  }
}

/** Writes an answer. In binary form, because it contains columns of numbers, and numbers that JSON does not have. */
export function putMemo(id: string, memo: AnalysisMemo): Operation {
  return { type: "put", key: keyOf(ANSWERS, id), value: new Uint8Array(serialize(memo)) };
}

export async function readMemo(store: Store, id: string): Promise<AnalysisMemo | null> {
  const entry = await store.get(keyOf(ANSWERS, id));
  return entry && (deserialize(entry.value) as AnalysisMemo);
}

/** Deletes the answers written before a time, in milliseconds since 1970. */
export async function deleteMemos(store: Store, before: number): Promise<void> {
  for (let after = ""; ; ) {
    const entries = await store.list(prefixOf(ANSWERS), { limit: PAGE, ...(after && { after }) });
    const old = entries.filter(({ value }) => (deserialize(value) as AnalysisMemo).at < before);
    if (old.length > 0) {
      await store.batch(old.map(({ key, version }): Operation => ({ type: "delete", key, ifVersion: version })));
    }
    if (entries.length < PAGE) return;
    after = entries.at(-1)!.key;
  }
}
