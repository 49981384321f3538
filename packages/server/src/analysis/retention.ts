import type { Analyst, EventRecord } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Analysis } from "./analysis.ts";
import { removeEvents } from "./rewrite.ts";
import { putPurgedBefore, readPurgedBefore } from "./storage.ts";

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

/**
 * Takes every event that was received before a time out of segments and journal, and the ids of those who have none
 * left; results compute again without them. Stopped half-way, what is taken out stays out.
 * @returns how many events were taken out
 * @throws ApiError 503 where segments are being written elsewhere, the signal's reason where it is aborted
 */
export async function purgeEvents(store: Store, analysis: Analysis, options: PurgeOptions): Promise<number> {
  const { before, holder, signal, onProgress } = options;
  const head = Math.max(1, await store.head(EVENTS_JOURNAL));
  const latest = Math.max(before, (await readPurgedBefore(store)) ?? before);
  return removeEvents(store, analysis, holder, {
    strip: (analyst, segment, details) => analyst.ask("purge", before, segment, details),
    without: (analyst, record) => emptied(analyst, record, before),
    onProgress(position) {
      signal.throwIfAborted();
      onProgress?.(Math.min(1, position / head));
    },
    alongside: putPurgedBefore(latest),
  });
}

/** An old record without its events, and without joins that are of no use any more; null where it has neither. */
async function emptied(analyst: Analyst, { at, events, joins: all }: EventRecord, before: number) {
  if (at >= before || events.length + all.length === 0) return null;
  const kept = await analyst.ask(
    "kept",
    before,
    all.map(({ userId }) => userId),
  );
  const joins = all.filter((_, index) => kept[index]);
  return events.length === 0 && joins.length === all.length ? null : { at, events: [], joins };
}
