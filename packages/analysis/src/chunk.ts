import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { AttributePart } from "./attributes.ts";
import type { EventKind } from "./event-kind.ts";
import type { ChunkColumns, EventLog, GrowingLog } from "./event-log.ts";
import { shuffle, unshuffle } from "./shuffle.ts";

/** Version of the layout. Readers reject later versions. Version 1 had no attributes. */
const VERSION = 2;
const LEVEL = 4;
const [MIN_PIECE, MAX_PIECE] = [16 * 1024, 4 * 1024 * 1024];

interface Header {
  version: number;
  from: number;
  through: number;
  rows: number;
  records: number;
  userBase: number;
  newUsers: string[];
  kindBase: number;
  newKinds: EventKind[];
  /** Absent in version 1. */
  attributes?: (Omit<AttributePart, "rows" | "codes"> & { count: number })[];
}

/** Returns the section of a log from the record with index `first` to before `end`. */
export function cutChunk(log: EventLog & Pick<GrowingLog, "firstUser">, first: number, end: number): ChunkColumns {
  const { rows, receipts, users, kinds, firstUser } = log;
  const last = end === receipts.length;
  const startRow = receipts.starts[first] ?? rows.length;
  const endRow = last ? rows.length : receipts.starts[end]!;
  const userEnd = firstUser + users.length;
  const userBase = receipts.userBases[first] ?? userEnd;
  const counts = new Uint32Array(end - first);
  for (let index = first; index < end; index++) {
    counts[index - first] =
      (index + 1 < receipts.length ? receipts.starts[index + 1]! : rows.length) - receipts.starts[index]!;
  }
  return {
    from: receipts.positions[first] ?? 0,
    through: receipts.positions[end - 1] ?? 0,
    userBase,
    newUsers: users.slice(userBase - firstUser, (last ? userEnd : receipts.userBases[end]!) - firstUser),
    kindBase: 0,
    newKinds: kinds.slice(0, last ? kinds.length : receipts.kindBases[end]),
    users: rows.users.slice(startRow, endRow),
    times: rows.times.slice(startRow, endRow),
    kinds: rows.kinds.slice(startRow, endRow),
    values: valuesOf(log, startRow, endRow),
    positions: receipts.positions.slice(first, end),
    receivedAt: receipts.times.slice(first, end),
    counts,
    attributes: log.attributes.cut(startRow, endRow),
  };
}

/** Details as sent. */
function valuesOf({ rows, outliers }: EventLog, from: number, to: number): Float64Array {
  const values = rows.values.slice(from, to);
  for (const [row, value] of outliers) if (row >= from && row < to) values[row - from] = value;
  return values;
}

/** Encodes a chunk: a header, then each column, as deltas if that helps, shuffled, all of it deflated. */
export function encodeChunk(chunk: ChunkColumns): Uint8Array {
  const { users, times, kinds, values, positions, receivedAt, counts, attributes: parts, ...rest } = chunk;
  const attributes = parts.map(({ rows, codes: _, ...part }) => ({ ...part, count: rows.length }));
  const header: Header = { version: VERSION, ...rest, attributes, rows: users.length, records: counts.length };
  const head = Buffer.from(JSON.stringify(header));
  const columns = [
    users,
    kinds,
    counts,
    relativeTimes(times, receivedAt, counts),
    values,
    deltas(positions),
    deltas(receivedAt),
    ...parts.flatMap(({ rows, codes }) => [deltas(rows), codes]),
  ];
  const size = columns.reduce((sum, column) => sum + column.byteLength, 4 + head.length);
  const plain = Buffer.alloc(size);
  plain.writeUInt32LE(head.length);
  head.copy(plain, 4);
  let at = 4 + head.length;
  for (const column of columns) {
    shuffle(bytesOf(column), column.BYTES_PER_ELEMENT, plain.subarray(at, at + column.byteLength));
    at += column.byteLength;
  }
  // A separate buffer, which can be transferred to another thread.
  return new Uint8Array(deflateRawSync(plain, { level: LEVEL }));
}

/** The names in a chunk, without its rows. */
export type ChunkHeader = Pick<ChunkColumns, "from" | "through" | "userBase" | "newUsers" | "kindBase" | "newKinds"> & {
  attributes: Omit<AttributePart, "rows" | "codes">[];
};

/** Decodes the start of a chunk. @throws Error if the bytes are not a chunk of a supported version */
export function decodeHeader(bytes: Uint8Array): ChunkHeader {
  for (let end = Math.ceil(bytes.length / 8); ; end *= 2) {
    // Inflating a part gives the start of the whole.
    const plain = inflateRawSync(bytes.subarray(0, end), { finishFlush: constants.Z_SYNC_FLUSH });
    if (end < bytes.length && (plain.length < 4 || plain.length < 4 + plain.readUInt32LE())) continue;
    const { attributes = [], ...rest } = headerOf(plain);
    return { ...rest, attributes };
  }
}

function headerOf(plain: Buffer): Header {
  const header = JSON.parse(plain.toString("utf8", 4, 4 + plain.readUInt32LE())) as Header;
  if (!(header.version <= VERSION)) throw new Error(`Chunk of version ${header.version}`);
  return header;
}

/** @throws Error if the bytes are not a chunk of a supported version */
export function decodeChunk(bytes: Uint8Array): ChunkColumns {
  return decode(bytes, {
    integers: (_name, length) => new Uint32Array(length),
    numbers: (_name, length) => new Float64Array(length),
  });
}

/**
 * Creates a decoder of chunks whose columns hold until the next chunk. Chunks that are only read through, one after the
 * other, leave no garbage of megabytes each.
 */
export function createChunkDecoder(): (bytes: Uint8Array) => ChunkColumns {
  const integers = new Map<string, Uint32Array>();
  const numbers = new Map<string, Float64Array>();
  const memory: ColumnMemory = {
    integers(name, length) {
      if ((integers.get(name)?.length ?? 0) < length) integers.set(name, new Uint32Array(length));
      return (integers.get(name) ?? new Uint32Array()).subarray(0, length);
    },
    numbers(name, length) {
      if ((numbers.get(name)?.length ?? 0) < length) numbers.set(name, new Float64Array(length));
      return (numbers.get(name) ?? new Float64Array()).subarray(0, length);
    },
  };
  return (bytes) => decode(bytes, memory);
}

/** Where columns are decoded to. */
interface ColumnMemory {
  integers(name: string, length: number): Uint32Array;
  numbers(name: string, length: number): Float64Array;
}

function decode(bytes: Uint8Array, memory: ColumnMemory): ChunkColumns {
  // One piece of memory instead of many small ones.
  const plain = inflateRawSync(bytes, { chunkSize: Math.min(MAX_PIECE, Math.max(MIN_PIECE, 8 * bytes.length)) });
  const length = plain.readUInt32LE();
  const { version: _, rows, records, attributes = [], ...rest } = headerOf(plain);
  let at = 4 + length;
  const take = <T extends Column>(column: T): T => {
    unshuffle(plain.subarray(at, at + column.byteLength), column.BYTES_PER_ELEMENT, bytesOf(column));
    at += column.byteLength;
    return column;
  };
  const users = take(memory.integers("users", rows));
  const kinds = take(memory.integers("kinds", rows));
  const counts = take(memory.integers("counts", records));
  const times = take(memory.numbers("times", rows));
  const values = take(memory.numbers("values", rows));
  const positions = sums(take(memory.numbers("positions", records)));
  const receivedAt = sums(take(memory.numbers("receivedAt", records)));
  absoluteTimes(times, receivedAt, counts);
  const parts = attributes.map(({ count, ...part }): AttributePart => {
    const places = sums(take(new Uint32Array(count)));
    return { ...part, rows: places, codes: take(new Uint16Array(count)) };
  });
  return { ...rest, users, kinds, counts, times, values, positions, receivedAt, attributes: parts };
}

type Column = Uint16Array | Uint32Array | Float64Array;

function bytesOf(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** Most events happen when they are received. */
function relativeTimes(times: Float64Array, receivedAt: Float64Array, counts: Uint32Array): Float64Array {
  const relative = times.slice();
  shiftTimes(relative, receivedAt, counts, -1);
  return relative;
}

function absoluteTimes(times: Float64Array, receivedAt: Float64Array, counts: Uint32Array): void {
  shiftTimes(times, receivedAt, counts, 1);
}

function shiftTimes(times: Float64Array, receivedAt: Float64Array, counts: Uint32Array, sign: number): void {
  let row = 0;
  for (let record = 0; record < counts.length; record++) {
    const shift = sign * receivedAt[record]!;
    for (const end = row + counts[record]!; row < end; row++) times[row]! += shift;
  }
}

function deltas<T extends Uint32Array | Float64Array>(column: T): T {
  const steps = column.slice() as T;
  for (let index = 1; index < steps.length; index++) steps[index]! -= column[index - 1]!;
  return steps;
}

function sums<T extends Uint32Array | Float64Array>(column: T): T {
  for (let index = 1; index < column.length; index++) column[index]! += column[index - 1]!;
  return column;
}
