import { createHash } from "node:crypto";
import { keyOf, type Store } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";

/** Attempts under one name. Times are in milliseconds since 1970. */
export interface Attempt {
  count: number;
  /** Time of the last one. */
  at: number;
  /** Time of the one before; null if there is none. */
  before: number | null;
}

/**
 * Counts attempts, such as wrong passwords, in the store: several servers on one store count together. It stores hashes
 * of the names. Attempts are forgotten an hour after the last one.
 */
export interface Attempts {
  find(name: string): Promise<Attempt | undefined>;
  /**
   * Counts an attempt if `allows` permits it, at once on all servers.
   * @returns the attempts including this one; null if it is not allowed
   */
  add(name: string, allows?: (known: Attempt | undefined) => boolean): Promise<Attempt | null>;
  forget(name: string): Promise<void>;
}

type Row = [name: string, count: number, at: number, before: number | null];

const FORGOTTEN_MS = 60 * 60_000;
/** Names share records by the first digits of their hash: 4,096 records of 8 names bound the space. */
const SLOT_DIGITS = 3;
const SLOT_NAMES = 8;
/** Maximum number of tries of a write under contention of other servers. */
const WRITES = 50;

/** Creates the attempts of one kind, such as `logins`. */
export function createAttempts(store: Store, runtime: Runtime, kind: string): Attempts {
  const turns = new Map<string, Promise<unknown>>();

  const placeOf = (name: string) => {
    const hash = createHash("sha256").update(name).digest("hex").slice(0, 32);
    return { hash, key: keyOf("attempts", kind, hash.slice(0, SLOT_DIGITS)) };
  };

  async function read(key: string): Promise<{ rows: Row[]; version: number }> {
    const entry = await store.get(key);
    const rows = entry ? parseBytes<Row[]>(entry.value) : [];
    return {
      rows: rows.filter(([, , at]) => runtime.now() - at < FORGOTTEN_MS),
      version: entry?.version ?? 0,
    };
  }

  /** Changes a record, in turn with the other changes of this server. `decide` returns null to leave it as it is. */
  function change(key: string, decide: (rows: Row[]) => Row[] | null): Promise<void> {
    const write = async () => {
      for (let number = 0; number < WRITES; number++) {
        const { rows, version } = await read(key);
        const next = decide(rows);
        if (next === null) return;
        const { ok } = await store.batch([{ type: "put", key, value: toBytes(next), ifVersion: version }]);
        if (ok) return;
      }
      throw new ApiError(503, "Too many attempts at once", { "Retry-After": "1" });
    };
    const turn = (turns.get(key) ?? Promise.resolve()).then(write, write);
    const end = () => {
      if (turns.get(key) === turn) turns.delete(key);
    };
    turns.set(key, turn);
    turn.then(end, end);
    return turn;
  }

  return {
    async find(name) {
      const { hash, key } = placeOf(name);
      const { rows } = await read(key);
      return toAttempt(rows.find(([one]) => one === hash));
    },
    async add(name, allows = () => true) {
      const { hash, key } = placeOf(name);
      let added: Attempt | null = null;
      await change(key, (rows) => {
        added = null;
        const known = toAttempt(rows.find(([one]) => one === hash));
        if (!allows(known)) return null;
        const next: Attempt = { count: (known?.count ?? 0) + 1, at: runtime.now(), before: known?.at ?? null };
        added = next;
        return [...withRoom(rows.filter(([one]) => one !== hash)), [hash, next.count, next.at, next.before]];
      });
      return added;
    },
    async forget(name) {
      const { hash, key } = placeOf(name);
      await change(key, (rows) => {
        const others = rows.filter(([one]) => one !== hash);
        return others.length === rows.length ? null : others;
      });
    },
  };
}

/** Drops the name with the fewest attempts if a record is full, so that new names do not push out a name under attack. */
function withRoom(rows: Row[]): Row[] {
  if (rows.length < SLOT_NAMES) return rows;
  const [dropped] = [...rows].sort(([, count, at], [, otherCount, otherAt]) => count - otherCount || at - otherAt);
  return rows.filter((row) => row !== dropped);
}

function toAttempt(row: Row | undefined): Attempt | undefined {
  return row && { count: row[1], at: row[2], before: row[3] };
}
