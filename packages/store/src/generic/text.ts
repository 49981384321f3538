import { crc32 } from "node:zlib";
import { checksumOf } from "../entry.ts";

/**
 * The first word of every value. It begins with a letter, because unstorage would parse "123" as a number and "{}" as
 * an object, and its raw items differ between drivers.
 */
const MARK = "assay1";
const SEALED = /^assay1 ([0-9a-f]{8}) (\d+) /;
const LINE = /^([0-9a-f]{8}) (.*)$/;
/** Control characters, which some databases and line formats would change. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
const UNSAFE = /[\u0000-\u001f\u007f\u2028\u2029\ufeff]/;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Packs bytes with a number (a version) for an item with this id: the mark, a CRC-32 of all of it, the number, the
 * body.
 */
export function sealText(id: string, version: number, bytes: Uint8Array): string {
  const rest = `${version} ${bodyOf(bytes)}`;
  return `${MARK} ${hexOf(crc32(rest, crc32(id)))} ${rest}`;
}

/** Unpacks {@link sealText}'s result; null if it is damaged or was packed for another item. */
export function openText(id: string, text: string): { version: number; bytes: Uint8Array } | null {
  const match = SEALED.exec(text);
  if (!match) return null;
  const rest = text.slice(MARK.length + 10);
  const bytes = bytesOf(text.slice(match[0].length));
  return bytes && match[1] === hexOf(crc32(rest, crc32(id))) ? { version: Number(match[2]), bytes } : null;
}

/** Packs a damaged item with the time when it was found, in milliseconds since 1970, for later inspection. */
export function sealQuarantined(raw: string, at: number): string {
  return sealText("quarantine", at, encoder.encode(raw));
}

/** Returns the time when a damaged item was found, in milliseconds since 1970; 0 if it was not recorded. */
export function quarantinedAt(text: string): number {
  return openText("quarantine", text)?.version ?? 0;
}

/** The beginning of an item of lines. */
export const LINES_START = `${MARK}\n`;

/** Returns the line of the record at a position of a journal or set; null stands for a record that was set aside. */
export function sealLine(position: number, bytes: Uint8Array | null): string {
  return bytes ? `${hexOf(checksumOf(position, bytes))} ${bodyOf(bytes)}\n` : "-\n";
}

/** A parsed line: its bytes, null if it was set aside, or its raw text if it is damaged. */
export type OpenedLine = Uint8Array | null | { damaged: string };

/**
 * Parses the lines of an item whose first record is at the position `first`. `torn` is a last line that was cut short.
 */
export function openLines(text: string, first: number): { lines: OpenedLine[]; torn: string | null } {
  const [, ...rest] = text.split("\n");
  const torn = rest.pop() ?? text;
  const lines = rest.map((line, index): OpenedLine => {
    if (line === "-") return null;
    const match = LINE.exec(line);
    const bytes = match && bytesOf(match[2] ?? "");
    return bytes && match?.[1] === hexOf(checksumOf(first + index, bytes)) ? bytes : { damaged: line };
  });
  return { lines, torn: torn === "" ? null : torn };
}

function bodyOf(bytes: Uint8Array): string {
  try {
    const text = decoder.decode(bytes);
    if (!UNSAFE.test(text)) return `t${text}`;
  } catch {
    // Not UTF-8.
  }
  return `b${Buffer.from(bytes).toString("base64")}`;
}

function bytesOf(body: string): Uint8Array | null {
  if (body.startsWith("t")) return encoder.encode(body.slice(1));
  return body.startsWith("b") ? new Uint8Array(Buffer.from(body.slice(1), "base64")) : null;
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}
