const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** JSON as stores keep it: UTF-8 bytes. */
export function toBytes(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

/** @throws SyntaxError if the bytes are not JSON */
export function parseBytes<T>(bytes: Uint8Array): T {
  return JSON.parse(decoder.decode(bytes)) as T;
}
