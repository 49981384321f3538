import type { Reader, ReaderProgress } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Ask } from "./analysis.ts";
import { answerFrom } from "./read-log.ts";
import { createRecordPages } from "./record-pages.ts";
import { openSpool, type Spool, type Spooled } from "./spool.ts";
import { listChunks, readChunk, readLogState } from "./storage.ts";

/** A log replayed from the raw journal as far back as it goes. */
export interface Replay {
  /** Position of the last record read. */
  readonly position: number;
  readonly epoch: number;
  /** Events read, and how many of them came from chunks because their records were trimmed. */
  readonly rows: number;
  readonly fromChunks: number;
  /** Reads up to a position. */
  readTo(position: number): Promise<void>;
  /** Answers a question from what was read. */
  ask: Ask;
  close(): Promise<void>;
}

export interface ReplayOptions {
  signal: AbortSignal;
  onProgress(rows: number, progress: number): void;
  /** Events per chunk of the temporary file. @default 131_072 */
  chunkRows?: number;
}

const MAX_RECORDS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Gives events to an empty reader: raw records where they exist, chunks before them. Raw records become chunks in a temporary
 * file, so that memory follows the questions and not the log.
 */
export async function replayLog(store: Store, reader: Reader, options: ReplayOptions): Promise<Replay> {
  const { signal, onProgress, chunkRows = 131_072 } = options;
  const head = await store.head(EVENTS_JOURNAL);
  const { epoch, through } = await readLogState(store);
  const firstRaw = (await store.read(EVENTS_JOURNAL, 0, 1))[0]?.position ?? head + 1;
  const pages = createRecordPages(PAGE_BYTES, MAX_RECORDS);
  let spool: Spool | null = null;
  /** Chunks of raw records, by the position of their last record. */
  const spooled = new Map<number, Spooled>();
  const read = { position: 0, rows: 0, fromChunks: 0 };

  function note({ rows }: ReaderProgress, position: number): void {
    Object.assign(read, { rows, position });
    onProgress(rows, Math.min(1, position / Math.max(head, 1)));
  }

  /** Reads chunks until the first raw record. */
  async function readChunks(): Promise<void> {
    while (read.position < through && read.position + 1 < firstRaw) {
      signal.throwIfAborted();
      const [chunk] = await listChunks(store, read.position, 1);
      if (!chunk || chunk.from >= firstRaw) return;
      // Describes the chunk anew, instead of trusting the stored description.
      const progress = await reader.ask("load", [{ bytes: new Uint8Array(chunk.bytes), segment: null }], []);
      read.fromChunks = progress.rows;
      note(progress, chunk.through);
    }
  }

  /** Moves the events that are in no chunk yet to the temporary file, if they fill a chunk. */
  async function spoolRead({ sealed, unsealed }: ReaderProgress): Promise<void> {
    if (unsealed < chunkRows) return;
    const cut = await reader.ask("cut", sealed, chunkRows);
    if (!cut) return;
    spool ??= await openSpool();
    spooled.set(cut.through, await spool.add(cut.chunk));
    // The records after it are read again.
    note(await reader.ask("load", [{ bytes: cut.chunk, segment: cut.segment }], []), cut.through);
  }

  async function readTo(end: number): Promise<void> {
    while (read.position < end) {
      signal.throwIfAborted();
      const records = await store.read(EVENTS_JOURNAL, read.position, pages.limit);
      pages.adapt(records);
      const wanted = records.filter(({ position }) => position <= end);
      const last = wanted.at(-1);
      if (!last) return;
      const owned = wanted.map(({ position, record }) => ({ position, record: new Uint8Array(record) }));
      const progress = await reader.ask("load", [], owned);
      note(progress, last.position);
      await spoolRead(progress);
    }
  }

  async function close(): Promise<void> {
    await spool?.close();
  }

  const replay: Replay = {
    get position() {
      return read.position;
    },
    epoch,
    get rows() {
      return read.rows;
    },
    get fromChunks() {
      return read.fromChunks;
    },
    readTo,
    ask: (subject, question) =>
      answerFrom(
        (chunk) => {
          const own = spooled.get(chunk.through);
          return spool && own ? spool.read(own) : readChunk(store, chunk);
        },
        reader,
        subject,
        question,
      ),
    close,
  };
  try {
    await readChunks();
    await readTo(head);
    return replay;
  } catch (error) {
    await close();
    throw error;
  }
}
