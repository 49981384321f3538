import { fromJoinRow, fromKindRow, type JoinRow, type KindRow, toJoinRow, toKindRow } from "./event-rows.ts";
import { decodeJsonRecord } from "./json-record.ts";
import type { PlacedMetadata, RecordColumns } from "./record-columns.ts";

/**
 * The layout of a record, in little-endian bytes. Ingestion and compaction are hot, and JSON takes longer to write and
 * several times as long to read: `pnpm --filter @assay/analysis bench:records` compares them.
 *
 * ```text
 * 0   1 byte    version
 * 1   1 byte    bytes of an index of a kind: 0 if all events have the first kind, 1, 2 or 4
 * 2   1 byte    bytes of a time: 4 or 8
 * 3   1 byte    bytes of a value: 0 if no event has one, or 8
 * 4   4 bytes   number of events
 * 8   8 bytes   time of receipt, milliseconds since 1970
 * 16  12 bytes  lengths of the head, the user ids and the ids, in bytes
 * 28            values (NaN for none), times relative to the receipt, lengths of user ids and of ids in UTF-16 units
 *               (2 bytes each), indexes of kinds; then the head, in JSON, user ids, and ids, one after the other
 * ```
 *
 * Ids are last, because the analysis does not read them.
 */
const VERSION = 3;
/** Where the lengths of the head, the user ids and the ids are. */
const LENGTHS = 16;
const START = 28;
/** The first byte of earlier versions, which are JSON. */
const BRACKET = 0x5b;
const LENGTH_BYTES = 2;
const MAX_LENGTH = 0xffff;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The rest of a record. Texts that cannot be stored one after the other are in lists. */
type Head = [
  kinds: KindRow[],
  metadata?: readonly PlacedMetadata[],
  joins?: JoinRow[],
  userIds?: readonly string[] | 0,
  ids?: readonly string[] | 0,
];

/** A text, and its length in bytes of UTF-8. */
interface Sized {
  text: string;
  size: number;
}

const EMPTY: Sized = { text: "", size: 0 };
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Encodes the columns of a record. */
export function encodeColumns(columns: RecordColumns): Uint8Array {
  const { at, userIds, kinds, kindOf, times, values } = columns;
  const ids = columns.ids();
  const [users, names] = [joinTexts(userIds), joinTexts(ids)];
  const head = withSize(JSON.stringify(headOf(columns, users ? 0 : userIds, names ? 0 : ids)));
  const texts = [head, users ?? EMPTY, names ?? EMPTY];
  const widths = {
    value: values.every(Number.isNaN) ? 0 : 8,
    time: times.every((time) => isInt32(time - at)) ? 4 : 8,
    kind: kinds.length <= 1 ? 0 : kinds.length <= 0x100 ? 1 : kinds.length <= 0x1_0000 ? 2 : 4,
  };
  const textsAt = START + userIds.length * bytesOfRow(widths);
  const bytes = Buffer.alloc(texts.reduce((sum, { size }) => sum + size, textsAt));
  bytes.set([VERSION, widths.kind, widths.time, widths.value]);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, userIds.length, true);
  view.setFloat64(8, at, true);
  for (const [index, { size }] of texts.entries()) view.setUint32(LENGTHS + 4 * index, size, true);
  let place = writeNumbers(view, START, widths.value, values, 0);
  place = writeNumbers(view, place, widths.time, times, at);
  place = writeLengths(view, place, userIds);
  place = writeLengths(view, place, ids);
  writeNumbers(view, place, widths.kind, kindOf, 0);
  place = textsAt;
  for (const { text, size } of texts) {
    bytes.write(text, place);
    place += size;
  }
  // The `slice` of a Buffer would not copy.
  return new Uint8Array(bytes.buffer);
}

/** Decodes a record without an object for each event. @throws SyntaxError if the bytes are not a record */
export function decodeColumns(bytes: Uint8Array): RecordColumns {
  if (bytes[0] === BRACKET) return decodeJsonRecord(decoder.decode(bytes));
  const [version, kind, time, value] = bytes;
  if (version !== VERSION) throw new SyntaxError(`Event record of version ${version}`);
  if (bytes.length < START) throw new SyntaxError("The event record is too short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(4, true);
  const at = view.getFloat64(8, true);
  const headAt = START + length * bytesOfRow({ kind: kind!, time: time!, value: value! });
  const usersAt = headAt + view.getUint32(LENGTHS, true);
  const idsAt = usersAt + view.getUint32(LENGTHS + 4, true);
  const end = idsAt + view.getUint32(LENGTHS + 8, true);
  if (bytes.length !== end) throw new SyntaxError(`The event record has ${bytes.length} bytes instead of ${end}`);
  const timesAt = START + length * value!;
  const userLengthsAt = timesAt + length * time!;
  const idLengthsAt = userLengthsAt + length * LENGTH_BYTES;
  const textIn = (from: number, to: number) => decoder.decode(bytes.subarray(from, to));
  const [kinds, metadata = [], joins = [], userIds = 0, ids = 0] = JSON.parse(textIn(headAt, usersAt)) as Head;
  return {
    at,
    ids: () => ids || splitTexts(textIn(idsAt, end), view, idLengthsAt, length),
    userIds: userIds || splitTexts(textIn(usersAt, idsAt), view, userLengthsAt, length),
    kinds: kinds.map(fromKindRow),
    kindOf: readNumbers(view, idLengthsAt + length * LENGTH_BYTES, kind!, length, 0),
    times: readNumbers(view, timesAt, time!, length, at),
    values: value === 0 ? new Array<number>(length).fill(Number.NaN) : readNumbers(view, START, value!, length, 0),
    metadata,
    joins: joins.map((join) => fromJoinRow(join, at)),
  };
}

/** Returns the head without absent fields at its end. */
function headOf(
  { at, kinds, metadata, joins }: RecordColumns,
  userIds: readonly string[] | 0,
  ids: readonly string[] | 0,
): Head {
  const hasTexts = userIds !== 0 || ids !== 0;
  const head: Head = [kinds.map(toKindRow)];
  if (hasTexts || joins.length > 0 || metadata.length > 0) head.push(metadata);
  if (hasTexts || joins.length > 0) head.push(joins.map((join) => toJoinRow(join, at)));
  if (hasTexts) head.push(userIds, ids);
  return head;
}

function bytesOfRow({ value, time, kind }: { value: number; time: number; kind: number }): number {
  return value + time + 2 * LENGTH_BYTES + kind;
}

function isInt32(number: number): boolean {
  return (number | 0) === number;
}

function withSize(text: string): Sized {
  return { text, size: Buffer.byteLength(text) };
}

/** Joins texts; null if one is too long or has a lone surrogate, which UTF-8 does not have. */
function joinTexts(texts: readonly string[]): Sized | null {
  const joined = withSize(texts.join(""));
  const isAscii = joined.size === joined.text.length;
  if (!isAscii && LONE_SURROGATE.test(joined.text)) return null;
  return texts.every(({ length }) => length <= MAX_LENGTH) ? joined : null;
}

function splitTexts(joined: string, view: DataView, lengthsAt: number, length: number): string[] {
  const texts = new Array<string>(length);
  let start = 0;
  for (let index = 0; index < length; index++) {
    const end = start + view.getUint16(lengthsAt + index * LENGTH_BYTES, true);
    texts[index] = joined.slice(start, end);
    start = end;
  }
  return texts;
}

// These loops count, because V8 creates an object for each step of an iterator over arrays of several kinds.

/** Writes the lengths of texts, and returns the place after them. */
function writeLengths(view: DataView, from: number, texts: readonly string[]): number {
  let place = from;
  for (let index = 0; index < texts.length; index++) {
    view.setUint16(place, texts[index]!.length, true);
    place += LENGTH_BYTES;
  }
  return place;
}

/** Writes numbers less `origin` in so many bytes each, and returns the place after them. */
function writeNumbers(view: DataView, from: number, width: number, numbers: readonly number[], origin: number): number {
  if (width === 0) return from;
  let place = from;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index]!;
    if (width === 8) view.setFloat64(place, number - origin, true);
    else if (width === 4) view.setInt32(place, number - origin, true);
    else if (width === 2) view.setUint16(place, number, true);
    else view.setUint8(place, number);
    place += width;
  }
  return place;
}

/** Reads what {@link writeNumbers} wrote. Nothing is zeros. */
function readNumbers(view: DataView, from: number, width: number, length: number, origin: number): number[] {
  const numbers = new Array<number>(length);
  let place = from;
  for (let index = 0; index < length; index++) {
    if (width === 8) numbers[index] = view.getFloat64(place, true) + origin;
    else if (width === 4) numbers[index] = view.getInt32(place, true) + origin;
    else if (width === 2) numbers[index] = view.getUint16(place, true);
    else if (width === 1) numbers[index] = view.getUint8(place);
    else numbers[index] = 0;
    place += width;
  }
  return numbers;
}
