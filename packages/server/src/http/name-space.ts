import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** Bounds the number of names that clients choose, such as addresses and usernames. */
export interface NameSpace {
  /** Returns the name while there is room. In a flood of new names, returns one of a few shared names. */
  admit(name: string): string;
}

/** Maximum number of names; about 30 MB with their counts. */
const CAPACITY = 50_000;
const SHARED = 1024;

/**
 * Names expire one to two windows after they were first admitted. A salt decides which names share, so that attackers
 * cannot choose whose limit to use up.
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
