import { randomInt } from "node:crypto";

const FIRST_SLOTS = 1_024;

/** Texts, each with a number, known by their fingerprints alone. */
export interface FingerprintTable {
  /** The number of pairs. */
  readonly size: number;
  /** Whether a pair was added. Among 200,000 pairs, another one is taken for one of them once in about 10^13 lookups. */
  has(text: string, number: number): boolean;
  /** Adds a pair, unless the table has it. */
  add(text: string, number: number): void;
  clear(): void;
}

/**
 * Creates an empty table. A pair takes eight bytes, so that most lookups find their slot in the processor's caches, where
 * a `Set` of many texts waits for memory several times: `pnpm --filter @assay/server bench:fingerprints` compares them.
 */
export function createFingerprintTable(): FingerprintTable {
  // Unknown outside, so that nobody can choose texts with the same fingerprint.
  const [firstSeed, secondSeed] = [randomInt(2 ** 32), randomInt(2 ** 32)];
  /** The halves of fingerprints, side by side. The first half is 0 in a free slot, and in no other. */
  let slots = new Int32Array(2 * FIRST_SLOTS);
  let size = 0;
  // The fingerprint in question. A pair of numbers to return would be an object for each lookup.
  let [first, second] = [0, 0];

  /** Two hashes by multiplication, as FNV, whose bits are mixed as MurmurHash3 does at its end. */
  function take(text: string, number: number): void {
    let a = firstSeed ^ number;
    let b = secondSeed;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      // Turned, because the low bits of a product depend on nothing but low bits.
      b = Math.imul(((b << 5) | (b >>> 27)) ^ code, 0x5f356495);
    }
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    first = a | 1;
    second = b;
  }

  /** Returns the index of the fingerprint, or of the free slot for it: the first one after the slot that it names. */
  function find(): number {
    const last = slots.length - 1;
    let at = (second << 1) & last;
    while (slots[at] !== 0 && (slots[at] !== first || slots[at + 1] !== second)) at = (at + 2) & last;
    return at;
  }

  function put(): void {
    const at = find();
    if (slots[at] !== 0) return;
    slots[at] = first;
    slots[at + 1] = second;
    size++;
  }

  function grow(): void {
    const before = slots;
    slots = new Int32Array(2 * before.length);
    size = 0;
    for (let at = 0; at < before.length; at += 2) {
      first = before[at]!;
      second = before[at + 1]!;
      if (first !== 0) put();
    }
  }

  return {
    get size() {
      return size;
    },
    has(text, number) {
      take(text, number);
      return slots[find()] !== 0;
    },
    add(text, number) {
      // Half of the slots stay free, so that a free one is near.
      if (4 * size >= slots.length) grow();
      take(text, number);
      put();
    },
    clear() {
      slots.fill(0);
      size = 0;
    },
  };
}
