import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { StoreRow } from "./store.ts";

/** The first line of a backup file, as JSON. */
export interface BackupHeader {
  /** The version of the file format. */
  assay_backup: 1;
  /** The kind of store. Its rows fit no other kind. */
  store: string;
  /** The time of the backup in ISO 8601. */
  created_at: string;
}

/** The last line of a backup file, as JSON. A backup and a restore report it as well. */
export interface BackupSummary {
  /** The number of rows by table. */
  tables: Record<string, number>;
  /** SHA-256 of the rows, in hexadecimal. */
  sha256: string;
}

/** Counts rows and computes their checksum. */
export interface RowCounter {
  add(encoded: Uint8Array, table: string): void;
  summary(): BackupSummary;
}

const MAX_HEADER_LENGTH = 1_024;
const FILE_MODE = 0o600;
/** The approximate size, in bytes, of the pieces in which rows are written and read. */
const PIECE_LENGTH = 1 << 20;

export function createRowCounter(): RowCounter {
  const tables: Record<string, number> = {};
  const hash: Hash = createHash("sha256");
  return {
    add(encoded, table) {
      hash.update(encoded);
      tables[table] = (tables[table] ?? 0) + 1;
    },
    summary: () => ({ tables, sha256: hash.copy().digest("hex") }),
  };
}

/** Returns the bytes of a row: the lengths of table (1 byte), key and value (4 bytes each), then the three. */
export function encodeRow({ table, key, value }: StoreRow): Buffer {
  const name = Buffer.from(table);
  const head = Buffer.alloc(9);
  head.writeUInt8(name.length, 0);
  head.writeUInt32BE(key.length, 1);
  head.writeUInt32BE(value.length, 5);
  return Buffer.concat([head, name, key, value]);
}

/**
 * Writes a backup file. The file gets its name only once it is complete and on disk. Otherwise, none is left.
 * @throws the reason of the signal if it is aborted
 */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  rows: AsyncIterable<StoreRow>,
  signal?: AbortSignal,
): Promise<BackupSummary> {
  const draft = `${path}.part`;
  const file = await open(draft, "w", FILE_MODE);
  try {
    const counter = createRowCounter();
    let pieces: Uint8Array[] = [Buffer.from(`${JSON.stringify(header)}\n`)];
    let length = 0;
    const flush = async () => {
      await file.writeFile(Buffer.concat(pieces));
      pieces = [];
      length = 0;
    };
    for await (const row of rows) {
      signal?.throwIfAborted();
      const encoded = encodeRow(row);
      counter.add(encoded, row.table);
      pieces.push(encoded);
      length += encoded.length;
      if (length >= PIECE_LENGTH) await flush();
    }
    const summary = counter.summary();
    // A table without a name ends the rows.
    pieces.push(Buffer.of(0), Buffer.from(`${JSON.stringify(summary)}\n`));
    await flush();
    await file.sync();
    await file.close();
    await rename(draft, path);
    return summary;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Yields the header, the rows and at last the summary of a backup file.
 * @throws {TypeError} if it is damaged or no backup, after the rows before the damage
 */
export async function* readBackupFile(path: string): AsyncGenerator<BackupHeader | StoreRow | BackupSummary> {
  const counter = createRowCounter();
  const damaged = () => new TypeError(`${path} is damaged or cut short`);
  let buffer = Buffer.alloc(0);
  const stream = createReadStream(path, { highWaterMark: PIECE_LENGTH })[Symbol.asyncIterator]();
  /** Reads until the buffer has this many bytes, and returns whether it has. */
  const fill = async (length: number): Promise<boolean> => {
    const pieces: Buffer[] = [buffer];
    let filled = buffer.length;
    while (filled < length) {
      const { value, done } = await stream.next();
      if (done) break;
      pieces.push(value);
      filled += value.length;
    }
    if (pieces.length > 1) buffer = Buffer.concat(pieces);
    return filled >= length;
  };

  await fill(MAX_HEADER_LENGTH);
  const end = buffer.indexOf("\n");
  yield parseHeader(path, end < 0 ? "" : buffer.toString("utf8", 0, end));
  buffer = buffer.subarray(end + 1);
  for (;;) {
    if (!(await fill(1))) throw damaged();
    const nameLength = buffer.readUInt8(0);
    if (nameLength === 0) break;
    if (!(await fill(9))) throw damaged();
    const [keyLength, valueLength] = [buffer.readUInt32BE(1), buffer.readUInt32BE(5)];
    const length = 9 + nameLength + keyLength + valueLength;
    if (!(await fill(length))) throw damaged();
    const [nameEnd, keyEnd] = [9 + nameLength, 9 + nameLength + keyLength];
    const table = buffer.toString("utf8", 9, nameEnd);
    counter.add(buffer.subarray(0, length), table);
    yield { table, key: buffer.subarray(nameEnd, keyEnd), value: buffer.subarray(keyEnd, length) };
    buffer = buffer.subarray(length);
  }
  await fill(Number.MAX_SAFE_INTEGER);
  const summary = counter.summary();
  if (buffer.toString("utf8", 1) !== `${JSON.stringify(summary)}\n`) throw damaged();
  yield summary;
}

/**
 * Parses the first line of a backup.
 * @throws {TypeError} if it is not the first line of a backup that this version can read
 */
function parseHeader(path: string, line: string): BackupHeader {
  let header: Partial<BackupHeader> = {};
  try {
    header = JSON.parse(line);
  } catch {
    // The line is not JSON, so it is something else.
  }
  if (typeof header.assay_backup !== "number") throw new TypeError(`${path} is not a backup of Assay`);
  if (header.assay_backup !== 1) {
    throw new TypeError(`A later version of Assay made ${path}; restore it with that version`);
  }
  return header as BackupHeader;
}
