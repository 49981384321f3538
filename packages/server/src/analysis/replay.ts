import type { Analyst } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { listChunks, readLogState } from "./storage.ts";

/** A log replayed from the raw journal as far back as it goes. */
export interface Replay {
  /** Position of the last record read. */
  position: number;
  epoch: number;
  /** Events read, and how many of them came from chunks because their records were trimmed. */
  rows: number;
  fromChunks: number;
  /** Reads up to a position. */
  readTo(position: number): Promise<void>;
}

const PAGE = 500;

/** Loads events into an empty analyst: raw records where they exist, chunks before them. */
export async function replayLog(
  store: Store,
  analyst: Analyst,
  signal: AbortSignal,
  onProgress: (rows: number, progress: number) => void,
): Promise<Replay> {
  const head = await store.head(EVENTS_JOURNAL);
  const { epoch, through } = await readLogState(store);
  const firstRaw = (await store.read(EVENTS_JOURNAL, 0, 1))[0]?.position ?? head + 1;
  const replay: Replay = { position: 0, epoch, rows: 0, fromChunks: 0, readTo };

  while (replay.position < through && replay.position + 1 < firstRaw) {
    signal.throwIfAborted();
    const [chunk] = await listChunks(store, replay.position, 1);
    if (!chunk || chunk.from >= firstRaw) break;
    const { rows } = await analyst.ask("load", [new Uint8Array(chunk.bytes)], []);
    Object.assign(replay, { position: chunk.through, rows, fromChunks: rows });
    onProgress(rows, replay.position / head);
  }

  async function readTo(end: number): Promise<void> {
    while (replay.position < end) {
      signal.throwIfAborted();
      const records = await store.read(EVENTS_JOURNAL, replay.position, PAGE);
      const wanted = records.filter(({ position }) => position <= end);
      const last = wanted.at(-1);
      if (!last) return;
      const owned = wanted.map(({ position, record }) => ({ position, record: new Uint8Array(record) }));
      const { rows } = await analyst.ask("load", [], owned);
      Object.assign(replay, { position: last.position, rows });
      onProgress(rows, replay.position / Math.max(head, 1));
    }
  }

  await readTo(head);
  return replay;
}
