import { decodeRecord, EVENTS_JOURNAL, type EventRecord, encodeRecord } from "../events/journal.ts";
import { ApiError } from "../http/errors.ts";
import type { Operation, Store } from "../storage/store.ts";
import type { Analysis } from "./analysis.ts";
import type { Analyst } from "./analyst.ts";
import { COMPACTION_LEASE, detailsKey, type LogState, listSegments, putLogState } from "./storage.ts";

const LEASE_MS = 60_000;
const PAGE = 64;

/** Writes operations under the lease, all or nothing. @throws ApiError 503 where it is lost */
export type Write = (operations: Operation[]) => Promise<number[]>;

/**
 * Takes every event of a person out of segments and journal; results compute again without them.
 * @param keys entries to delete with the last step
 * @returns how many events were erased
 * @throws ApiError 503 where segments are being written elsewhere
 */
export async function eraseEvents(
  store: Store,
  analysis: Analysis,
  holder: string,
  ids: readonly string[],
  keys: readonly string[],
): Promise<number> {
  const work: LogWork = async (analyst, state, write) => {
    const inSegments = await eraseFromSegments(store, analyst, ids, write);
    return inSegments + (await eraseFromJournal(store, state, new Set(ids), write));
  };
  return rewriteLog(store, analysis, holder, work, keys);
}

/** What rewrites segments and journal; answers how many events it took out. */
export type LogWork = (analyst: Analyst, state: LogState, write: Write) => Promise<number>;

/**
 * Rewrites the event log in place. The epoch is raised before the first write and after the last: a node that has the
 * old events in memory can then neither compact them back nor answer from them. Done again after a crash, it finishes.
 * @param keys entries to delete with the last step
 * @throws ApiError 503 where segments are being written elsewhere
 */
export async function rewriteLog(
  store: Store,
  analysis: Analysis,
  holder: string,
  work: LogWork,
  keys: readonly string[] = [],
): Promise<number> {
  return analysis.withLog(async (analyst, state) => {
    const lease = await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
    if (!lease) throw busy();
    const write = async (operations: Operation[]) => {
      const fence: Operation = { type: "fence", lease: COMPACTION_LEASE, token: lease.token };
      const result = await store.batch([fence, ...operations]);
      if (!result.ok) throw busy();
      await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
      return result.results;
    };
    try {
      const marked = await raiseEpoch(state, write);
      try {
        const removed = await work(analyst, state, write);
        await raiseEpoch(marked, write, keys);
        return removed;
      } catch (error) {
        // Whoever read the log in between has some of it from before and some from after.
        await raiseEpoch(marked, write).catch(() => {});
        throw error;
      }
    } finally {
      await store.release(COMPACTION_LEASE, holder);
    }
  });
}

const busy = () => new ApiError(503, "The event log is being compacted; try again", { "Retry-After": "5" });

async function raiseEpoch(state: LogState, write: Write, keys: readonly string[] = []): Promise<LogState> {
  const next = { ...state, epoch: state.epoch + 1 };
  const results = await write([putLogState(next), ...keys.map((key): Operation => ({ type: "delete", key }))]);
  return { ...next, version: results[1]! };
}

async function eraseFromSegments(
  store: Store,
  analyst: Analyst,
  ids: readonly string[],
  write: Write,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const [entry] = await listSegments(store, after, 1);
    if (!entry) return removed;
    after = entry.through;
    const details = await store.get(detailsKey(entry));
    const stripped = await analyst.ask(
      "strip",
      ids,
      new Uint8Array(entry.bytes),
      details && new Uint8Array(details.value),
    );
    if (!stripped) continue;
    removed += stripped.removed;
    const operations: Operation[] = [{ type: "put", key: entry.key, value: stripped.segment }];
    if (stripped.details) operations.push({ type: "put", key: detailsKey(entry), value: stripped.details });
    await write(operations);
  }
}

async function eraseFromJournal(store: Store, state: LogState, ids: Set<string>, write: Write): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const records = await store.read(EVENTS_JOURNAL, after, PAGE);
    const last = records.at(-1);
    if (!last) return removed;
    after = last.position;
    const rewrites: Operation[] = [];
    for (const { position, record } of records) {
      const before = decodeRecord(record);
      const left = without(before, ids);
      if (!left) continue;
      // What is in a segment too has been counted there.
      if (position > state.through) removed += before.events.length - left.events.length;
      rewrites.push({ type: "rewrite", journal: EVENTS_JOURNAL, position, record: encodeRecord(left) });
    }
    if (rewrites.length > 0) await write(rewrites);
  }
}

/** The record without some ids; null where it has none of them. */
function without(record: EventRecord, ids: Set<string>): EventRecord | null {
  const events = record.events.filter((event) => !ids.has(event.userId));
  const joins = record.joins.filter((join) => !ids.has(join.userId) && !ids.has(join.unitId));
  const same = events.length === record.events.length && joins.length === record.joins.length;
  return same ? null : { ...record, events, joins };
}
