/** Creates ids of the form UUIDv7: their order in time keeps the server's index of seen ids local and fast. */
export function createEventIds(now: () => number = Date.now): () => string {
  return () => {
    const time = Math.floor(now()).toString(16).padStart(12, "0");
    const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => byte.toString(16).padStart(2, "0"));
    // What it is goes to two of the random digits.
    return (time + random.join("")).replace(/(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-7$3-8$4-");
  };
}
