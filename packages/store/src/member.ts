import { createHash } from "node:crypto";

const MAX_TEXT_LENGTH = 64;
const TEXT = 1;
const HASH = 2;

/**
 * Encodes a member of a set in at most 193 bytes, for databases that store UTF-8 or short keys: short texts as they
 * are, others and those with lone surrogates as a hash. Different members have different bytes.
 */
export function encodeMember(member: string): Buffer {
  if (member.length <= MAX_TEXT_LENGTH && !/\p{Surrogate}/u.test(member)) {
    return Buffer.concat([Buffer.of(TEXT), Buffer.from(member)]);
  }
  return Buffer.concat([Buffer.of(HASH), createHash("sha256").update(member, "utf16le").digest()]);
}

/** A decoded member: its text, or the SHA-256 of a text that is unknown. */
export type DecodedMember = { text: string; hash?: never } | { text?: never; hash: Buffer };

/** Decodes a member. */
export function decodeMember(encoded: Uint8Array): DecodedMember {
  const rest = Buffer.from(encoded.buffer, encoded.byteOffset + 1, encoded.length - 1);
  return encoded[0] === TEXT ? { text: rest.toString() } : { hash: rest };
}

/** Returns the encoding of a member whose text is unknown, from its SHA-256. */
export function encodeHash(hash: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(HASH), hash]);
}
