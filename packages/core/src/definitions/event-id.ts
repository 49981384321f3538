/** Creates ids of the form UUIDv7: their order in time keeps the server's index of seen ids local and fast. */
export function createEventIds(now: () => number = Date.now): () => string {
  const random = new Uint8Array(10);
  return () => {
    const time = Math.floor(now()).toString(16).padStart(12, "0");
    crypto.getRandomValues(random);
    random[0] = (random[0]! & 0x0f) | 0x70;
    random[2] = (random[2]! & 0x3f) | 0x80;
    const hex = time + Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
}
