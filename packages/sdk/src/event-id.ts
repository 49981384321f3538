/** Creates UUIDv7 ids. Their chronological order keeps the server's index of event ids local and fast. */
export function createEventIds(now: () => number = Date.now): () => string {
  return () => {
    // A bit above the highest one preserves leading zeros, and is cut off again.
    const toHex = (number: number, top: number) => (top + number).toString(16).slice(1);
    const random = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => toHex(byte, 256));
    // The version and the variant replace two of the random digits.
    const digits = toHex(Math.floor(now()), 2 ** 48) + random.join("");
    return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-7$3-8$4-");
  };
}
