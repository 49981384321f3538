/** Creates ids of the form UUIDv7: their order in time keeps the server's index of seen ids local and fast. */
export function createEventIds(now: () => number = Date.now): () => string {
  const bytes = new Uint8Array(16);
  return () => {
    crypto.getRandomValues(bytes);
    const time = now();
    for (let index = 0; index < 6; index++) bytes[index] = Math.floor(time / 2 ** (8 * (5 - index)));
    bytes[6] = (bytes[6]! & 0x0f) | 0x70;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
}
