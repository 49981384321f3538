import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Returns the expected `X-Hub-Signature-256` of these bytes. */
export function signatureOf(bytes: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;
}

/** Compares in constant time, for any lengths. */
export function isSame(given: string | null, expected: string): boolean {
  return given !== null && timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
