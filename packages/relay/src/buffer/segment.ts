import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type EventRecord, fromLine } from "./record.ts";

/** One file of events. New records go to its end. */
export interface Segment {
  id: number;
  path: string;
  file: FileHandle;
  /** Bytes that are on the disk. */
  size: number;
}

/** A record, and the position after it. A damaged one has no events. */
export interface Placed {
  record: EventRecord | undefined;
  end: number;
}

const NAME = /^events-(\d{8})\.log$/;
const WINDOW = 1 << 20;
const LINE_END = 0x0a;

/** Returns the number of a file of events; undefined for other files. */
export function segmentId(name: string): number | undefined {
  const [, digits] = NAME.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Opens a file of events, or creates it. */
export async function openSegment(directory: string, id: number): Promise<Segment> {
  const path = join(directory, `events-${String(id).padStart(8, "0")}.log`);
  const file = await open(path, "a+", 0o600);
  return { id, path, file, size: (await file.stat()).size };
}

/** Appends bytes and waits until they are on the disk. */
export async function append(segment: Segment, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await segment.file.write(bytes, written)).bytesWritten;
  }
  await segment.file.datasync();
  segment.size += bytes.length;
}

export async function remove({ file, path }: Segment): Promise<void> {
  await file.close();
  await unlink(path);
}

/** Reads records from a position. Bytes after the last line end, the torn end of a crash, are no record. */
export async function* readRecords(segment: Segment, from: number): AsyncGenerator<Placed> {
  let bytes = Buffer.alloc(0);
  let start = from;
  for (let position = from; position < segment.size; ) {
    const window = Buffer.allocUnsafe(Math.min(WINDOW, segment.size - position));
    const { bytesRead } = await segment.file.read(window, 0, window.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    bytes = Buffer.concat([bytes, window.subarray(0, bytesRead)]);
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END)) {
      start += end + 1;
      const line = bytes.toString("utf8", 0, end);
      bytes = bytes.subarray(end + 1);
      yield { record: fromLine(line), end: start };
    }
  }
}
