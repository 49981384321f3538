import { createHash } from "node:crypto";
import { type Claimed, type ClaimWindow, type DecodedMember, openEntry, sealEntry } from "@assay/store";
import type { Environment } from "./environment.ts";
import type { SetAside } from "./set-aside.ts";
import { STEP_LENGTH, type Sweeper } from "./sweeper.ts";

const SET_LENGTH = 6;
const TEXT = 1;
const UUID = 2;
const HASH = 3;
const MAX_TEXT_LENGTH = 64;
const UUID_LENGTH = 36;
const UUID_BYTES = 16;
const DASH = 0x2d;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** The prefix, the kind and the bytes of a UUID. */
const UUID_KEY_LENGTH = SET_LENGTH + 1 + UUID_BYTES;
const GENERATION_LENGTH = 8;
/** The number of members from which one lookup of a range may save time. */
const GAP_FROM = 8;
const NEVER = Number.MIN_SAFE_INTEGER;

/** The claimed members in LMDB. Changes run inside a write transaction. */
export interface Claims {
  window(set: string): ClaimWindow;
  /** Returns the generation in which each member was last claimed; undefined for forgotten ones. */
  claimedIn(set: string, members: readonly string[]): readonly (number | undefined)[];
  claim(set: string, window: ClaimWindow, claims: readonly Claimed[]): void;
}

/** The members of a lookup with their keys. A key is valid until the next one is read. */
interface Lookup {
  set: string;
  members: readonly string[];
  keyAt(index: number): Buffer;
}

const listed =
  (keys: readonly Buffer[]): Lookup["keyAt"] =>
  (index) =>
    keys[index]!;
const NOTHING: Lookup = { set: "", members: [], keyAt: listed([]) };

/** Creates the claim sets of an environment. It removes forgotten members in the background. */
export function createClaims({ members, states }: Environment, sweeper: Sweeper, setAside: SetAside): Claims {
  const prefixes = new Map<string, Buffer>();
  /** The members of the last lookup with their keys, because they are claimed next. */
  let looked = NOTHING;
  const knownPrefixOf = (set: string): Buffer => {
    const prefix = prefixes.get(set) ?? prefixOf(set);
    prefixes.set(set, prefix);
    return prefix;
  };
  const windowOf = (set: string): ClaimWindow => {
    const sealed = states.get(stateOf(set));
    const entry = sealed && openEntry(stateOf(set), sealed);
    if (!entry) {
      if (sealed) setAside.state(stateOf(set));
      // A damaged window forgets nothing. The next claim recreates it.
      return { latest: NEVER, floor: NEVER };
    }
    const view = new DataView(entry.value.buffer);
    return { latest: view.getFloat64(0), floor: view.getFloat64(8) };
  };

  /** Creates the step of a sweep over the members of a set. Each call goes on where the previous one ended. */
  const sweepOf = (set: string, prefix: Buffer) => {
    let start: Buffer = prefix;
    return () => {
      const { floor } = windowOf(set);
      const step = [...members.entries({ start, end: endOf(prefix), limit: STEP_LENGTH })];
      for (const { key, value } of step) if ((generationOf(value) ?? NEVER) < floor) members.remove(key);
      const last = step.at(-1)?.key;
      if (last) start = Buffer.concat([last, Buffer.alloc(1)]);
      return step.length < STEP_LENGTH;
    };
  };

  /**
   * Whether no member is stored between the first and the last of some UUIDs, these included. UUIDs that grow with time
   * (version 7) mostly lie in such a gap, so that one lookup answers for all of them.
   */
  const isGap = (uuids: readonly string[], keys: Buffer): boolean => {
    let [first, last] = [0, 0];
    for (let index = 1; index < uuids.length; index++) {
      // Lower-case UUIDs have the order of their bytes.
      if (uuids[index]! < uuids[first]!) first = index;
      else if (uuids[index]! > uuids[last]!) last = index;
    }
    const [start, end] = [first, last].map((index) =>
      keys.subarray(index * UUID_KEY_LENGTH).subarray(0, UUID_KEY_LENGTH),
    );
    const [found] = members.keys({ start, end: Buffer.concat([end!, Buffer.of(0)]), limit: 1 });
    return found === undefined;
  };

  return {
    window: windowOf,
    claimedIn(set, wanted) {
      const prefix = knownPrefixOf(set);
      const uuids = uuidKeysOf(prefix, wanted);
      const keyAt = uuids ? inTurn(uuids) : listed(wanted.map((member) => keyOf(prefix, member)));
      looked = { set, members: wanted, keyAt };
      if (uuids && wanted.length >= GAP_FROM && isGap(wanted, uuids)) return [];
      return wanted.map((_, index) => {
        const value = members.get(keyAt(index));
        return value && generationOf(value);
      });
    },
    claim(set, window, claims) {
      const prefix = knownPrefixOf(set);
      const before = windowOf(set);
      if (before.latest !== window.latest || before.floor !== window.floor) {
        const value = new Uint8Array(16);
        const view = new DataView(value.buffer);
        view.setFloat64(0, window.latest);
        view.setFloat64(8, window.floor);
        states.put(stateOf(set), sealEntry(stateOf(set), value, 1));
      }
      const value = Buffer.alloc(GENERATION_LENGTH);
      const known = looked.set === set ? looked : NOTHING;
      for (const { generation, members: claimed } of claims) {
        value.writeDoubleBE(generation);
        const isKnown = claimed === known.members;
        claimed.forEach((member, index) => {
          members.put(isKnown ? known.keyAt(index) : keyOf(prefix, member), value);
        });
      }
      looked = NOTHING;
      if (before.floor !== window.floor && before.floor !== NEVER)
        sweeper.sweep(stateOf(set), () => sweepOf(set, prefix));
    },
  };
}

/**
 * Returns the prefix of a set's keys: six bytes of its name's hash, because a table of millions must not repeat the
 * name.
 */
export function prefixOf(set: string): Buffer {
  return createHash("sha256").update(set).digest().subarray(0, SET_LENGTH);
}

/** Returns the key of a member whose text or hash is known. */
export function memberKeyOf(prefix: Buffer, member: DecodedMember): Buffer {
  return member.text !== undefined ? keyOf(prefix, member.text) : Buffer.concat([prefix, Buffer.of(HASH), member.hash]);
}

/** Reads a member from its key and value. The generation is undefined if it is damaged. */
export function memberOf(key: Buffer, value: Uint8Array) {
  const [kind, rest] = [key[SET_LENGTH], key.subarray(SET_LENGTH + 1)];
  const uuid = () => rest.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const member: DecodedMember = kind === HASH ? { hash: rest } : { text: kind === UUID ? uuid() : rest.toString() };
  return { prefix: key.subarray(0, SET_LENGTH), member, generation: generationOf(value) };
}

/** Reads a generation; undefined if it is damaged, so that the member is claimed again. */
function generationOf(value: Uint8Array): number | undefined {
  if (value.length !== GENERATION_LENGTH) return undefined;
  const generation = new DataView(value.buffer, value.byteOffset, value.byteLength).getFloat64(0);
  return Number.isSafeInteger(generation) ? generation : undefined;
}

function stateOf(set: string): string {
  return `claims/${set}`;
}

function endOf(prefix: Buffer): Buffer {
  return Buffer.concat([prefix, Buffer.of(0xff)]);
}

function keyOf(prefix: Buffer, member: string): Buffer {
  const uuid = uuidKeyOf(prefix, member);
  if (uuid) return uuid;
  if (member.length <= MAX_TEXT_LENGTH && !LONE_SURROGATE.test(member)) {
    return Buffer.concat([prefix, Buffer.of(TEXT), Buffer.from(member)]);
  }
  return Buffer.concat([prefix, Buffer.of(HASH), createHash("sha256").update(member, "utf16le").digest()]);
}

function uuidKeyOf(prefix: Buffer, member: string): Buffer | null {
  const key = Buffer.allocUnsafe(UUID_KEY_LENGTH);
  return writeUuidKey(key, 0, prefix, member) ? key : null;
}

/** Returns the keys of lower-case UUIDs one after another, because a buffer for each takes most memory of a claim. */
function uuidKeysOf(prefix: Buffer, uuids: readonly string[]): Buffer | null {
  const keys = Buffer.allocUnsafe(uuids.length * UUID_KEY_LENGTH);
  for (let index = 0; index < uuids.length; index++) {
    if (!writeUuidKey(keys, index * UUID_KEY_LENGTH, prefix, uuids[index]!)) return null;
  }
  return keys;
}

/** Reads keys of {@link uuidKeysOf}, one at a time. LMDB copies them. */
function inTurn(keys: Buffer): Lookup["keyAt"] {
  const key = Buffer.allocUnsafe(UUID_KEY_LENGTH);
  return (index) => {
    const start = index * UUID_KEY_LENGTH;
    for (let at = 0; at < UUID_KEY_LENGTH; at++) key[at] = keys[start + at]!;
    return key;
  };
}

/**
 * Writes the key of a lower-case UUID, with its 16 bytes. Returns false for any other text. It parses by hand, because
 * this dominates the cost of a claim.
 */
function writeUuidKey(target: Buffer, start: number, prefix: Buffer, member: string): boolean {
  if (member.length !== UUID_LENGTH) return false;
  for (const at of DASHES) if (member.charCodeAt(at) !== DASH) return false;
  for (let at = 0; at < SET_LENGTH; at++) target[start + at] = prefix[at]!;
  target[start + SET_LENGTH] = UUID;
  for (let byte = 0; byte < UUID_BYTES; byte++) {
    const at = DIGITS[byte]!;
    // Characters beyond ASCII read as undefined, which makes the byte NaN.
    const value = HEX[member.charCodeAt(at)]! * 16 + HEX[member.charCodeAt(at + 1)]!;
    if (!(value >= 0)) return false;
    target[start + SET_LENGTH + 1 + byte] = value;
  }
  return true;
}

const DASHES = [8, 13, 18, 23];
/** The position of the first digit of each byte. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** The value of each ASCII character as a lower-case hexadecimal digit, NaN for others. */
const HEX = Float64Array.from({ length: 128 }, (_, code) => "0123456789abcdef".indexOf(String.fromCharCode(code))).map(
  (digit) => (digit < 0 ? Number.NaN : digit),
);
