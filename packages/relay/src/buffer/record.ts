import { crc32 } from "node:zlib";

/** The events of one accepted request. */
export interface EventRecord {
  /** Time of receipt in milliseconds since 1970. */
  at: number;
  /** The CLIENT key that sent them, and an origin that may use it. Null for events of SERVER keys. */
  sender: Sender | null;
  events: object[];
}

/** A CLIENT key. Pages contain it, so it is no secret. */
export interface Sender {
  key: string;
  origin: string | null;
}

/** Writes a record as a line: the checksum and the JSON, which contains no line end. */
export function toLine(record: EventRecord): string {
  const json = JSON.stringify(record);
  return `${crc32(json).toString(16).padStart(8, "0")} ${json}\n`;
}

/** Reads a line without its end; undefined if it is damaged. */
export function fromLine(line: string): EventRecord | undefined {
  const json = line.slice(9);
  return line.length > 9 && Number.parseInt(line.slice(0, 8), 16) === crc32(json) ? JSON.parse(json) : undefined;
}
