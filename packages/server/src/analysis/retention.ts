import { decodeRecord, EVENTS_JOURNAL, encodeRecord } from "../events/journal.ts";
import type { Operation, Store } from "../storage/store.ts";
import type { Analysis } from "./analysis.ts";
import type { Analyst } from "./analyst.ts";
import { rewriteLog, type Write } from "./erasure.ts";
import { detailsKey, listSegments } from "./storage.ts";

/** How a purge goes on. */
export interface PurgeOptions {
  /** Milliseconds since 1970: what was received before goes. */
  before: number;
  /** Names this process. */
  holder: string;
  signal: AbortSignal;
  /** Told the share of the log that was looked at. */
  onProgress?(progress: number): void;
}

const PAGE = 64;

/**
 * Takes every event that was received before a time out of segments and journal, and the ids of those who have none
 * left; results compute again without them. Stopped half-way, what is taken out stays out.
 * @returns how many events were taken out
 * @throws ApiError 503 where segments are being written elsewhere, the signal's reason where it is aborted
 */
export async function purgeEvents(store: Store, analysis: Analysis, options: PurgeOptions): Promise<number> {
  const { holder, signal, onProgress } = options;
  return rewriteLog(store, analysis, holder, async (analyst, state, write) => {
    const head = Math.max(1, await store.head(EVENTS_JOURNAL));
    const report = (position: number) => {
      signal.throwIfAborted();
      onProgress?.(position / head);
    };
    const inSegments = await purgeSegments(store, analyst, options, write, report);
    return inSegments + (await purgeJournal(store, analyst, options, state.through, write, report));
  });
}

async function purgeSegments(
  store: Store,
  analyst: Analyst,
  { before }: PurgeOptions,
  write: Write,
  report: (position: number) => void,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const [entry] = await listSegments(store, after, 1);
    if (!entry) return removed;
    after = entry.through;
    report(after);
    const details = await store.get(detailsKey(entry));
    const segment = new Uint8Array(entry.bytes);
    const stripped = await analyst.ask("purge", before, segment, details && new Uint8Array(details.value));
    if (!stripped) continue;
    removed += stripped.removed;
    const operations: Operation[] = [{ type: "put", key: entry.key, value: stripped.segment }];
    if (stripped.details) operations.push({ type: "put", key: detailsKey(entry), value: stripped.details });
    await write(operations);
  }
}

/** Empties old records, whose positions stay: those not yet in a segment, and those kept beside one. */
async function purgeJournal(
  store: Store,
  analyst: Analyst,
  { before }: PurgeOptions,
  through: number,
  write: Write,
  report: (position: number) => void,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const records = await store.read(EVENTS_JOURNAL, after, PAGE);
    const last = records.at(-1);
    if (!last) return removed;
    after = last.position;
    report(after);
    const rewrites: Operation[] = [];
    for (const { position, record } of records) {
      const { at, events, joins: all } = decodeRecord(record);
      if (at >= before || events.length + all.length === 0) continue;
      const kept = await analyst.ask(
        "kept",
        before,
        all.map(({ userId }) => userId),
      );
      const joins = all.filter((_, index) => kept[index]);
      if (events.length === 0 && joins.length === all.length) continue;
      // What is in a segment too has been counted there.
      if (position > through) removed += events.length;
      rewrites.push({
        type: "rewrite",
        journal: EVENTS_JOURNAL,
        position,
        record: encodeRecord({ at, events: [], joins }),
      });
    }
    if (rewrites.length > 0) await write(rewrites);
  }
}
