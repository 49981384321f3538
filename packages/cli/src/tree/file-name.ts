import { createHash } from "node:crypto";
import type { Kind } from "@assay/client/definitions";
import { FOLDERS } from "./fields.ts";

/** Longer names are cut and get a hash, because file systems allow 255 bytes. */
const MAX_LENGTH = 200;

/**
 * Returns the place of a new file in the tree: its key or name, with characters that file systems treat differently as `%`
 * and their code. Names that differ only in letter case get a number, because some file systems take them for the same.
 * @param taken the files of the tree
 */
export function newFile(kind: Kind, key: string, extension: string, taken: readonly string[]): string {
  const safe = key.replace(/^\.|[^\w .-]|[ .]$/gu, encode);
  const name = safe.length <= MAX_LENGTH ? safe : `${safe.slice(0, MAX_LENGTH - 13)}-${digestOf(key)}`;
  const isTaken = (file: string) => taken.some((other) => withoutExtension(other) === file.toLowerCase());
  for (let number = 1; ; number++) {
    const file = `${FOLDERS[kind]}/${name}${number === 1 ? "" : `~${number}`}`;
    if (!isTaken(file)) return `${file}.${extension}`;
  }
}

function withoutExtension(file: string): string {
  return file.replace(/\.(ya?ml|json)$/, "").toLowerCase();
}

function encode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
