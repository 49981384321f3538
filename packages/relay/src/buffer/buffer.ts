import { readdir } from "node:fs/promises";
import { type Directory, syncDirectory } from "../ground/directory.ts";
import type { RelayLogger } from "../ground/option.ts";
import { type EventRecord, type Sender, toLine } from "./record.ts";
import { append, openSegment, readRecords, remove, type Segment, segmentId } from "./segment.ts";

/** Accepted events on the disk, in order, until the upstream has them. */
export interface EventBuffer {
  /**
   * Resolves once the record is on the disk. Concurrent calls share one write.
   * @throws BufferFull, and errors of the disk
   */
  append(record: EventRecord): Promise<void>;
  /** Returns the oldest records of one sender, about as many as fit one request; undefined if there are none. */
  oldest(): Promise<Batch | undefined>;
  /** Forgets a batch that has been delivered. */
  forget(batch: Batch): Promise<void>;
  readonly status: BufferStatus;
  close(): Promise<void>;
}

/** Consecutive records of one sender. */
export interface Batch {
  sender: Sender | null;
  events: object[];
  segment: Segment;
  /** The position after them. */
  end: number;
}

export interface BufferStatus {
  /** The number of events that the upstream does not have yet. */
  buffered: number;
  /** Bytes on the disk, and their maximum. */
  bytes: number;
  capacity_bytes: number;
  /** Time of receipt of the oldest buffered event in milliseconds since 1970; null if there is none. */
  oldestAt: number | null;
  /** Whether the last write failed. */
  isBroken: boolean;
}

/** There is no room for a record. */
export class BufferFull extends Error {
  override readonly name = "BufferFull";
}

const CURSOR = "events.cursor";
/** A full buffer has this many files at least, so that delivered events make room soon. */
const SEGMENTS = 16;
const MAX_SEGMENT_BYTES = 64 << 20;
/** The number of events after which a batch ends. */
const BATCH_EVENTS = 1_000;

interface Waiting {
  bytes: Buffer;
  record: EventRecord;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Opens the buffer. Cuts off what a crash left half written; of it, no request was acknowledged.
 * @param onAppend called after records were added
 */
export async function openBuffer(
  directory: Directory,
  capacity: number,
  logger: RelayLogger,
  onAppend: () => void,
): Promise<EventBuffer> {
  const segmentBytes = Math.min(MAX_SEGMENT_BYTES, Math.ceil(capacity / SEGMENTS));
  const ids = (await readdir(directory.path)).flatMap((name) => segmentId(name) ?? []).sort((a, b) => a - b);
  const segments = await Promise.all(ids.map((id) => openSegment(directory.path, id)));
  // Records before this position have been delivered.
  const cursor = readCursor(await directory.read(CURSOR));
  // After the cursor, also if the file that it names is gone.
  let nextId = Math.max(ids.at(-1) ?? 0, cursor.id) + 1;
  const status: BufferStatus = { buffered: 0, bytes: 0, capacity_bytes: capacity, oldestAt: null, isBroken: false };
  // The segment that takes new records.
  let active: Segment | undefined;
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;

  const startOf = ({ id }: Segment) => (id === cursor.id ? cursor.end : 0);
  const isDelivered = (segment: Segment) => segment.id < cursor.id || startOf(segment) >= segment.size;

  for (const segment of segments) await recover(segment);
  await dropDelivered();

  async function recover(segment: Segment): Promise<void> {
    if (segment.id < cursor.id) {
      status.bytes += segment.size;
      return;
    }
    let end = startOf(segment);
    let damaged = 0;
    for await (const placed of readRecords(segment, end)) {
      end = placed.end;
      status.buffered += placed.record?.events.length ?? 0;
      if (placed.record) status.oldestAt ??= placed.record.at;
      else damaged++;
    }
    if (damaged > 0) logger.warn(`${damaged} records of buffered events are damaged and will not be delivered`);
    if (end < segment.size) {
      await segment.file.truncate(end);
      segment.size = end;
    }
    status.bytes += segment.size;
  }

  async function dropDelivered(): Promise<void> {
    while (segments[0] && segments[0] !== active && isDelivered(segments[0])) {
      const segment = segments.shift()!;
      status.bytes -= segment.size;
      await remove(segment);
    }
  }

  async function roll(): Promise<Segment> {
    active = await openSegment(directory.path, nextId++);
    segments.push(active);
    await syncDirectory(directory.path);
    return active;
  }

  /** Leaves a segment whose last write failed, and cuts off what was written of it. */
  async function abandon(segment: Segment | undefined): Promise<void> {
    active = undefined;
    await segment?.file.truncate(segment.size).catch(() => {});
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const bytes = Buffer.concat(batch.map((one) => one.bytes));
      let segment = active;
      try {
        if (!segment || segment.size >= segmentBytes) segment = await roll();
        await append(segment, bytes);
      } catch (error) {
        waitingBytes -= bytes.length;
        if (!status.isBroken) logger.warn(`Events cannot be written: ${(error as Error).message}`);
        status.isBroken = true;
        await abandon(segment);
        for (const one of batch) one.reject(error);
        continue;
      }
      waitingBytes -= bytes.length;
      status.bytes += bytes.length;
      status.isBroken = false;
      for (const { record, resolve } of batch) {
        status.buffered += record.events.length;
        status.oldestAt ??= record.at;
        resolve();
      }
      onAppend();
    }
    // At once: a record that arrives in the next microtask must begin another write.
    writing = undefined;
  }

  return {
    status,
    append(record) {
      const bytes = Buffer.from(toLine(record));
      if (status.bytes + waitingBytes + bytes.length > capacity) return Promise.reject(new BufferFull());
      waitingBytes += bytes.length;
      return new Promise((resolve, reject) => {
        waiting.push({ bytes, record, resolve, reject });
        writing ??= writeAll();
      });
    },
    async oldest() {
      for (const segment of segments) {
        if (isDelivered(segment)) continue;
        const batch: Batch = { sender: null, events: [], segment, end: startOf(segment) };
        let count = 0;
        for await (const { record, end } of readRecords(segment, batch.end)) {
          if (count > 0 && record && JSON.stringify(record.sender) !== JSON.stringify(batch.sender)) break;
          batch.end = end;
          if (!record) continue;
          if (count++ === 0) {
            batch.sender = record.sender;
            status.oldestAt = record.at;
          }
          batch.events.push(...record.events);
          if (batch.events.length >= BATCH_EVENTS) break;
        }
        return batch;
      }
      return undefined;
    },
    async forget({ segment, end, events }) {
      cursor.id = segment.id;
      cursor.end = end;
      status.buffered -= events.length;
      if (status.buffered === 0) status.oldestAt = null;
      await directory.replace(CURSOR, JSON.stringify(cursor));
      // A large segment makes room at once, a small one takes further records.
      if (segment === active && segment.size >= segmentBytes / 2 && isDelivered(segment) && !writing)
        active = undefined;
      await dropDelivered();
    },
    async close() {
      await writing;
      await Promise.all(segments.map(({ file }) => file.close()));
    },
  };
}

/** Without a readable cursor, the relay sends events again; the upstream counts each event id once. */
function readCursor(text = "{}"): { id: number; end: number } {
  try {
    return { id: 0, end: 0, ...JSON.parse(text) };
  } catch {
    return { id: 0, end: 0 };
  }
}
