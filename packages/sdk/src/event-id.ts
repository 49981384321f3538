/**
 * Creates a UUIDv7. The chronological order of these ids keeps the server's index of event ids local and fast.
 * @param time milliseconds since the epoch
 */
export function createEventId(time: number): string {
  const random = [...crypto.getRandomValues(new Uint8Array(18))].map((byte) => (byte % 16).toString(16));
  const digits = Math.floor(time).toString(16).padStart(12, "0") + random.join("");
  return digits.replace(/(.{8})(.{4})(.{3})(.{3})/, "$1-$2-7$3-8$4-");
}
