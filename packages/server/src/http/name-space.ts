import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** Names that strangers choose (addresses, usernames), kept from growing without bound. */
export interface NameSpace {
  /** The name itself while there is room; in a flood of new ones, one of a few names they share. */
  admit(name: string): string;
}

/** Names known at once; about 30 MB with their counts. */
const CAPACITY = 50_000;
const SHARED = 1024;

/**
 * Names are forgotten one to two windows after they were first admitted. Which ones share is salted, so that nobody can
 * choose whose allowance to use up.
 */
export function createNameSpace(windowMs: number, capacity: number = CAPACITY): NameSpace {
  const salt = randomBytes(16).toString("hex");
  let current = new Set<string>();
  let previous = new Set<string>();
  let endsAt = 0;

  return {
    admit(name) {
      const now = Date.now();
      if (now >= endsAt) {
        previous = now < endsAt + windowMs ? current : new Set();
        current = new Set();
        endsAt = now + windowMs;
      }
      if (current.has(name) || previous.has(name)) return name;
      if (current.size + previous.size >= capacity) return `shared ${crc32(salt + name) % SHARED}`;
      current.add(name);
      return name;
    },
  };
}
