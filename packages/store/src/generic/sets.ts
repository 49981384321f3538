import { type Claimed, type ClaimWindow, lastClaim } from "../batch.ts";
import type { Chunks } from "./chunks.ts";
import type { ItemWrites } from "./write-ahead.ts";

/** The claimed members in memory, stored as chunks: one append-only journal for each generation of a set. */
export interface Sets {
  /** Loads a set into memory. The other functions require loaded sets. */
  load(set: string): Promise<void>;
  window(set: string): ClaimWindow;
  claimedIn(set: string, members: readonly string[]): readonly (number | undefined)[];
  /** Adds the writes of claims (and of forgotten generations) to `writes`. */
  stage(set: string, window: ClaimWindow, claims: readonly Claimed[], writes: ItemWrites): Promise<void>;
}

interface LoadedSet extends ClaimWindow {
  generations: Map<number, Set<string>>;
}

const UNKNOWN: ClaimWindow = { latest: Number.NEGATIVE_INFINITY, floor: Number.NEGATIVE_INFINITY };

/** Creates the sets over separate chunks. */
export function createSets(chunks: Chunks): Sets {
  const sets = new Map<string, LoadedSet>();
  const journalOf = (set: string, generation: number) => `${set}/${generation}`;

  return {
    async load(set) {
      if (sets.has(set)) return;
      const generations = new Map<number, Set<string>>();
      for (const name of chunks.namesBelow(set)) {
        const generation = Number(name);
        if (!Number.isSafeInteger(generation)) continue;
        const records = await chunks.read(journalOf(set, generation), 0, Number.POSITIVE_INFINITY);
        generations.set(generation, new Set(records.map(({ record }) => textOf(record))));
      }
      sets.set(set, { ...UNKNOWN, latest: Math.max(UNKNOWN.latest, ...generations.keys()), generations });
    },
    window: (set) => sets.get(set) ?? UNKNOWN,
    claimedIn(set, members) {
      const generations = sets.get(set)?.generations ?? new Map<number, Set<string>>();
      return members.map((member) => lastClaim(generations, member));
    },
    async stage(set, window, claims, writes) {
      const { generations } = sets.get(set) ?? { generations: new Map<number, Set<string>>() };
      const records = new Map<number, Map<number, Uint8Array>>();
      for (const { generation, members } of claims) {
        if (generation < window.floor) continue;
        const claimed = generations.get(generation) ?? new Set<string>();
        generations.set(generation, claimed);
        const appended = records.get(generation) ?? new Map<number, Uint8Array>();
        records.set(generation, appended);
        let head = (await chunks.head(journalOf(set, generation))) + appended.size;
        for (const member of members) {
          if (claimed.size === claimed.add(member).size) continue;
          appended.set(++head, new TextEncoder().encode(JSON.stringify(member)));
        }
      }
      for (const [generation, appended] of records) {
        await chunks.stage(journalOf(set, generation), appended, undefined, writes);
      }
      for (const generation of generations.keys()) {
        if (generation >= window.floor) continue;
        generations.delete(generation);
        chunks.stageDrop(journalOf(set, generation), writes);
      }
      sets.set(set, { ...window, generations });
    },
  };
}

/** Returns the member of a record. Members are JSON, which can escape a lone surrogate; UTF-8 cannot. */
function textOf(record: Uint8Array): string {
  const member: unknown = JSON.parse(new TextDecoder().decode(record));
  return typeof member === "string" ? member : "";
}
