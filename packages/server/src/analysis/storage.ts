import type { CutChunk, Segment } from "@assay/analysis";
import { keyOf, type Operation, partsOf, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

/** The state of the event log in the store. */
export interface LogState {
  /** Raised by every erasure. Readers of an older epoch reload everything. */
  epoch: number;
  /** Position of the last journal record in a chunk. */
  through: number;
  /** Version of the store entry, for conditional writes. 0 if there is none. */
  version: number;
}

/** The lease for writing chunks. */
export const COMPACTION_LEASE = keyOf("events", "compaction");

const CHUNKS = "event-segments";
const DETAILS = "event-details";
const INDEX = "event-index";
const STATE = keyOf("events", "state");
const PURGED = keyOf("events", "purged");
const DIGITS = 15;
/** Chunks are up to 1 MB each, so pages are small. */
const SCANNED = 4;

export async function readLogState(store: Store): Promise<LogState> {
  const entry = await store.get(STATE);
  if (entry) return { ...parseBytes<{ epoch: number; through: number }>(entry.value), version: entry.version };
  // Missing before the first chunk, or damaged and quarantined.
  let through = 0;
  for (;;) {
    const [last] = (await listChunks(store, through, SCANNED)).slice(-1);
    if (!last) return { epoch: 0, through, version: 0 };
    through = last.through;
  }
}

/** Reads the epoch alone, in one read. */
export async function readEpoch(store: Store): Promise<number> {
  const entry = await store.get(STATE);
  return entry ? parseBytes<{ epoch: number }>(entry.value).epoch : 0;
}

/** Writes the state, if the stored version is unchanged. */
export function putLogState({ epoch, through, version }: LogState): Operation {
  const put = { type: "put", key: STATE, value: toBytes({ epoch, through }) } as const;
  return version > 0 ? { ...put, ifVersion: version } : { ...put, ifAbsent: "fail" };
}

/** Events received before this time were purged by age, in milliseconds since 1970. Null if none ever were. */
export async function readPurgedBefore(store: Store): Promise<number | null> {
  const entry = await store.get(PURGED);
  return entry ? parseBytes<{ before: number }>(entry.value).before : null;
}

export function putPurgedBefore(before: number): Operation {
  return { type: "put", key: PURGED, value: toBytes({ before }) };
}

/** Positions of the first and last journal record of a chunk. */
export interface ChunkRange {
  from: number;
  through: number;
}

/** A stored chunk. */
export interface ChunkEntry extends ChunkRange {
  key: string;
  bytes: Uint8Array;
}

const pad = (position: number) => String(position).padStart(DIGITS, "0");
// Starts with the end, so that key order finds the chunks after a position.
const nameOf = (from: number, through: number) => `${pad(through)}-${pad(from)}`;

/** Returns the operations that store a new chunk. */
export function putChunk({ from, through, chunk, details, segment }: CutChunk): Operation[] {
  const name = nameOf(from, through);
  const puts: Operation[] = [{ type: "put", key: keyOf(CHUNKS, name), value: chunk }, putSegment(segment)];
  return details ? [...puts, { type: "put", key: keyOf(DETAILS, name), value: details }] : puts;
}

/** Returns the operation that stores what a chunk contains. */
export function putSegment(segment: Segment): Operation {
  return { type: "put", key: keyOf(INDEX, nameOf(segment.from, segment.through)), value: toBytes(segment) };
}

/** Returns what a chunk contains; null if that was not stored. */
export async function readSegment(store: Store, { from, through }: ChunkRange): Promise<Segment | null> {
  const entry = await store.get(keyOf(INDEX, nameOf(from, through)));
  return entry && parseBytes<Segment>(entry.value);
}

/** Reads a chunk, in bytes that can be sent to another thread. @throws Error if it is damaged */
export async function readChunk(store: Store, { from, through }: ChunkRange): Promise<Uint8Array> {
  const entry = await store.get(keyOf(CHUNKS, nameOf(from, through)));
  if (!entry) throw new Error(`The chunk of events ${from}-${through} is damaged`);
  return owned(entry.value);
}

/** Returns bytes that can be transferred to another thread, not a view of shared memory. */
export function owned(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** Chunks that end after a position, oldest first. */
export async function listChunks(store: Store, position: number, limit: number): Promise<ChunkEntry[]> {
  const after = keyOf(CHUNKS, nameOf(10 ** DIGITS - 1, position));
  const entries = await store.list(prefixOf(CHUNKS), { after, limit });
  return entries.map(({ key, value }) => ({ key, ...rangeOf(key), bytes: value }));
}

function rangeOf(key: string): ChunkRange {
  const [through, from] = (partsOf(key)[1] ?? "").split("-").map(Number);
  return { from: from ?? 0, through: through ?? 0 };
}

/** Returns the key of the details of a chunk. */
export function detailsKey({ from, through }: ChunkRange): string {
  return keyOf(DETAILS, nameOf(from, through));
}

/** Returns the details that contain a journal position, or null. */
export async function readDetails(
  store: Store,
  position: number,
): Promise<{ through: number; bytes: Uint8Array } | null> {
  const after = keyOf(DETAILS, nameOf(10 ** DIGITS - 1, position - 1));
  const [entry] = await store.list(prefixOf(DETAILS), { after, limit: 1 });
  if (!entry) return null;
  const { from, through } = rangeOf(entry.key);
  return from <= position ? { through, bytes: entry.value } : null;
}
