import {
  type AnswerTo,
  answerOf,
  type CutChunk,
  type Progress,
  type Question,
  type ReceivedRecord,
} from "./analyst.ts";
import { type AttributeLog, createAttributeLog, withoutRows } from "./attributes.ts";
import { createChunkDecoder, cutChunk, decodeHeader } from "./chunk.ts";
import { cutAfter } from "./cutting.ts";
import { createEventKinds, type EventKind, JOIN } from "./event-kind.ts";
import { type ChunkColumns, createEventLog, type EventLog, type Gap, type GrowingLog } from "./event-log.ts";
import type { Source, Want } from "./extract.ts";
import { createExtracts } from "./extracts.ts";
import {
  findEvents,
  type LogNames,
  type PersonCursor,
  type PersonEvent,
  type StrippedChunk,
  stripChunk,
} from "./person.ts";
import { createPurge, type Purge } from "./purge.ts";
import { decodeColumns } from "./record-bytes.ts";
import { type Segment, segmentOf } from "./segment.ts";
import { selectionOf } from "./selection.ts";
import type { Subject } from "./subject.ts";
import { type Caller, createInlineCaller, startCaller } from "./thread-caller.ts";
import { defaultThreads, type ReaderOptions } from "./thread-options.ts";
import { createUserIndex } from "./user-index.ts";

/** A chunk as stored, and what it contains; null if that is not known. */
export interface StoredChunk {
  bytes: Uint8Array;
  segment: Segment | null;
}

/** How far a reader follows the log. */
export interface ReaderProgress extends Progress {
  /** Position of the last record in a chunk. */
  sealed: number;
  /** Number of events after it. */
  unsealed: number;
  /** Chunks described for the first time. */
  described: Segment[];
}

/** A chunk that a question needs. */
export interface WantedChunk {
  from: number;
  through: number;
}

/** Which chunks a question needs next, and for what. */
export interface Reading {
  pass: Want["pass"];
  chunks: WantedChunk[];
}

/**
 * The methods of a reader, which answers questions from the chunks that they need, one after the other, and keeps only
 * what the last questions depend on. It has no access to a store.
 */
export interface ReaderMethods {
  /**
   * Continues the log with chunks and records. If there are chunks, the records after the last one come again. `through`
   * is the end of a lost chunk.
   */
  load(chunks: readonly StoredChunk[], records: readonly ReceivedRecord[], through?: number): ReaderProgress;
  /** Returns which chunks to read next, before the answer; null if there are none. */
  wants(subject: Subject, question: Question): Reading | null;
  /** Reads chunks for a question. */
  read(subject: Subject, question: Question, pass: Want["pass"], chunks: readonly Uint8Array[]): void;
  /** Computes the answer to a question that wants nothing more. */
  answer(subject: Subject, question: Question): AnswerTo<Question>;
  /** Cuts a chunk of at least `rows` rows, if there are that many after a position. */
  cut(after: number, rows: number): CutChunk | null;
  /** Returns the chunks that may have events of a person from a cursor on. */
  chunksOf(ids: readonly string[], from: PersonCursor | undefined): WantedChunk[];
  /** Finds up to `limit` events of a person in a chunk, from a cursor on. */
  find(ids: readonly string[], limit: number, from: PersonCursor | undefined, chunk: Uint8Array): PersonEvent[];
  /** Removes a person from a chunk; null if it does not contain them. */
  strip(ids: readonly string[], chunk: Uint8Array, details: Uint8Array | null): StrippedChunk | null;
  /** Begins to purge events received before a time. Returns the chunks to mark first. */
  beginPurge(before: number): WantedChunk[];
  /** Notes who still has events in a chunk. */
  mark(chunk: Uint8Array): void;
  /** Removes the old events from a chunk; null if there are none. */
  purge(chunk: Uint8Array, details: Uint8Array | null): StrippedChunk | null;
  /** Returns whether each id is still in use after the purge. */
  kept(ids: readonly string[]): boolean[];
}

/** Runs a reader's methods, here or in another thread, one at a time and in order. */
export type Reader = Caller<ReaderMethods>;

/** Bytes of extracts that are kept for later questions; the last one is kept whatever its size. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Creates the methods over an empty log. */
export function createReaderMethods(keptBytes: number = KEPT_BYTES): ReaderMethods {
  const decodeChunk = createChunkDecoder();
  const users = createUserIndex();
  const segments: Segment[] = [];
  const extracts = createExtracts(keptBytes);
  const attributes: AttributeLog = createAttributeLog();
  const gaps: Gap[] = [];
  /** The last record in a chunk. */
  let last: { position: number; receivedAt: number | null } = { position: 0, receivedAt: null };
  let sealed = 0;
  let sealedUsers = 0;
  let sealedKinds: readonly EventKind[] = [];
  /** The rows that are in no chunk yet, and their columns if nothing was added since. */
  let cut: ChunkColumns | null = null;
  let open: GrowingLog = reopen();
  let purge: Purge | null = null;

  /** Starts again with the records after the last chunk. */
  function reopen(): GrowingLog {
    users.truncate(sealedUsers);
    const kinds = createEventKinds();
    kinds.restore(0, sealedKinds);
    cut = null;
    return createEventLog({ ...last, users, kinds, attributes: attributes.dictionary() });
  }

  /** Adds a chunk to those that can be read. Returns its description if it was not known. */
  function seal({ bytes, segment: known }: StoredChunk): Segment[] {
    const chunk = known ? decodeHeader(bytes) : decodeChunk(bytes);
    const segment = known ?? segmentOf(chunk as ChunkColumns);
    const { from, through, userBase, newUsers, kindBase, newKinds } = chunk;
    if (userBase < sealedUsers) throw new Error(`Chunk ${from}-${through} does not continue the log`);
    users.truncate(sealedUsers);
    users.restore(userBase, newUsers);
    sealedUsers = users.length;
    const kinds = createEventKinds();
    kinds.restore(0, sealedKinds);
    kinds.restore(kindBase, newKinds);
    sealedKinds = kinds.list;
    attributes.append(0, chunk.attributes.map(withoutRows));
    const [first] = segment.days;
    if (first && first.position > last.position + 1) gaps.push({ after: last.receivedAt, before: first.at });
    gaps.push(...segment.gaps);
    last = { position: through, receivedAt: segment.receivedAt };
    segments.push(segment);
    sealed = through;
    return known ? [] : [segment];
  }

  function progress(described: Segment[]): ReaderProgress {
    const { receipts } = open;
    return {
      position: Math.max(sealed, open.position),
      rows: segments.reduce((sum, { rows }) => sum + rows, open.rows.length),
      kinds: open.kinds.length,
      receivedAt: receipts.length > 0 ? receipts.times[receipts.length - 1]! : last.receivedAt,
      gaps: [...gaps, ...open.gaps],
      sealed,
      unsealed: open.rows.length,
      described,
    };
  }

  const names = (): LogNames => ({ kinds: open.kinds, indexOf: users.indexOf });

  function begunPurge(): Purge {
    if (!purge) throw new Error("No purge has begun");
    return purge;
  }

  /** Returns the log as extracts see it. */
  function source(): Source {
    cut ??= cutChunk(open, 0, open.receipts.length);
    return { segments, kinds: open.kinds, open: cut, sealedUsers, users: users.length };
  }

  return {
    load(chunks, records, through) {
      const described = chunks.flatMap(seal);
      if (through !== undefined) sealed = Math.max(sealed, through);
      if (chunks.length > 0 || through !== undefined) open = reopen();
      for (const { position, record } of records) open.append(position, decodeColumns(record));
      if (records.length > 0) cut = null;
      return progress(described);
    },
    wants(subject, question) {
      const want = extracts.of(selectionOf(subject, question)).wants(source());
      if (!want) return null;
      const wanted = new Set(want.segments);
      return { pass: want.pass, chunks: segments.filter((one) => wanted.has(one.through)).map(toWanted) };
    },
    read(subject, question, pass, chunks) {
      const extract = extracts.of(selectionOf(subject, question));
      for (const bytes of chunks) extract.read(source(), pass, decodeChunk(bytes));
    },
    answer(subject, question) {
      const log: EventLog = extracts.of(selectionOf(subject, question)).toLog(source());
      const answer = answerOf(log, subject, question);
      extracts.drop();
      return answer;
    },
    cut: (after, rows) => cutAfter(open, after, rows),
    chunksOf(ids, from) {
      const first = Math.min(...ids.map((id) => users.indexOf(id) ?? Number.POSITIVE_INFINITY));
      return segments.filter((one) => one.users > first && one.through >= (from?.position ?? 0)).map(toWanted);
    },
    find: (ids, limit, from, chunk) => findEvents(names(), decodeChunk(chunk), ids, limit, from),
    strip: (ids, chunk, details) => stripChunk(names(), ids, chunk, details),
    beginPurge(before) {
      const { kinds, open: columns } = source();
      purge = createPurge(kinds, users.length, before);
      purge.mark(columns);
      const joins = new Set([...kinds.keys()].filter((kind) => kinds[kind]!.type === JOIN));
      const isMarked = ({ days, kinds: own }: Segment) =>
        days.some(({ latest }) => latest >= before) || own.some(([kind]) => joins.has(kind));
      return segments.filter(isMarked).map(toWanted);
    },
    mark: (chunk) => begunPurge().mark(decodeChunk(chunk)),
    purge: (chunk, details) => begunPurge().strip(chunk, details),
    kept: (ids) => ids.map((id) => begunPurge().keeps(users.indexOf(id) ?? -1)),
  };
}

const toWanted = ({ from, through }: Segment): WantedChunk => ({ from, through });

/** Runs a reader in this thread: for small logs, or without worker threads. */
export function createInlineReader({ keptBytes }: Pick<ReaderOptions, "keptBytes"> = {}): Reader {
  return createInlineCaller(createReaderMethods(keptBytes));
}

/**
 * Starts a reader in a worker thread.
 * @throws Error if worker threads are not available
 */
export async function startWorkerReader({
  threads = defaultThreads(),
  keptBytes,
}: ReaderOptions = {}): Promise<Reader> {
  return startCaller<ReaderMethods>("reader", { threads, keptBytes });
}
