import { assertKey } from "./key.ts";
import type { BatchResult, ClaimOperation, Operation } from "./store.ts";

/** The reads that a batch needs before it changes data. They are synchronous, inside the store's transaction. */
export interface BatchReader {
  /** Returns the version of an entry; 0 if there is none. */
  version(key: string): number;
  head(journal: string): number;
  /** Returns whether a record exists: it was appended and not trimmed. */
  holds(journal: string, position: number): boolean;
  window(set: string): ClaimWindow;
  /** Returns the generation in which each member was last claimed, in their order; undefined for forgotten ones. */
  claimedIn(set: string, members: readonly string[]): readonly (number | undefined)[];
  /** Returns the token of the lease's holder; 0 if the lease is free. */
  leaseToken(lease: string): number;
}

/** The valid generations of a set. */
export interface ClaimWindow {
  /** The newest generation of any claim. Claims with an older one count in it. */
  latest: number;
  /** The oldest generation that is still remembered. */
  floor: number;
}

/** The writes of a batch without a failed condition. */
export interface BatchEffects {
  /** Entries put, or null for deleted ones. */
  entries: Map<string, { value: Uint8Array; version: number } | null>;
  /** Records appended or rewritten, by journal and position. */
  records: Map<string, Map<number, Uint8Array>>;
  heads: Map<string, number>;
  /** The last position to remove, by journal; applied after `records`. */
  trims: Map<string, number>;
  windows: Map<string, ClaimWindow>;
  /** Claims by set, in their order. */
  claims: Map<string, Claimed[]>;
}

/** The members of one claim. One that is listed twice is claimed once. */
export interface Claimed {
  generation: number;
  members: readonly string[];
}

/**
 * Decides a batch. Operations see the effects of those before them in the same batch, and the answer reports every
 * failed condition. It is pure except for the reader: so all stores give the same answers and only write the effects.
 */
export function decideBatch(
  operations: Operation[],
  reader: BatchReader,
): { result: BatchResult; effects: BatchEffects } {
  const effects: BatchEffects = {
    entries: new Map(),
    records: new Map(),
    heads: new Map(),
    trims: new Map(),
    windows: new Map(),
    claims: new Map(),
  };
  const results: number[] = [];
  const failed: number[] = [];
  const claimed = new Map<number, string[]>();
  const versionOf = (key: string) => {
    const staged = effects.entries.get(key);
    return staged === undefined ? reader.version(key) : (staged?.version ?? 0);
  };
  const headOf = (journal: string) => effects.heads.get(journal) ?? reader.head(journal);

  /** Returns the operation's result, or null if its condition failed. */
  const decide = (operation: Operation, index: number): number | null => {
    switch (operation.type) {
      case "put": {
        assertKey(operation.key);
        const version = versionOf(operation.key);
        if (operation.ifVersion !== undefined && operation.ifVersion !== version) return null;
        if (operation.ifAbsent === "fail" && version > 0) return null;
        if (operation.ifAbsent === "skip" && version > 0) return 0;
        effects.entries.set(operation.key, { value: operation.value, version: version + 1 });
        return version + 1;
      }
      case "delete": {
        assertKey(operation.key);
        if (operation.ifVersion !== undefined && operation.ifVersion !== versionOf(operation.key)) return null;
        effects.entries.set(operation.key, null);
        return 0;
      }
      case "append": {
        assertKey(operation.journal);
        let head = headOf(operation.journal);
        const records = stagedRecords(effects, operation.journal);
        for (const record of operation.records) records.set(++head, record);
        effects.heads.set(operation.journal, head);
        return head;
      }
      case "rewrite": {
        assertKey(operation.journal);
        const { journal, position } = operation;
        const records = stagedRecords(effects, journal);
        const trimmed = position <= (effects.trims.get(journal) ?? 0);
        if (trimmed || !(records.has(position) || reader.holds(journal, position))) return null;
        records.set(position, operation.record);
        return 0;
      }
      case "trim": {
        assertKey(operation.journal);
        const through = Math.min(operation.through, headOf(operation.journal));
        const before = effects.trims.get(operation.journal) ?? 0;
        if (through > before) effects.trims.set(operation.journal, through);
        return 0;
      }
      case "claim": {
        const already = decideClaim(operation, reader, effects);
        if (already.length === 0) return 0;
        claimed.set(index, already);
        return null;
      }
      case "fence":
        assertKey(operation.lease);
        return operation.token > 0 && operation.token === reader.leaseToken(operation.lease) ? 0 : null;
    }
  };

  for (const [index, operation] of operations.entries()) {
    const result = decide(operation, index);
    if (result === null) failed.push(index);
    results.push(result ?? 0);
  }
  return { result: failed.length > 0 ? { ok: false, failed, claimed } : { ok: true, results }, effects };
}

function decideClaim(operation: ClaimOperation, reader: BatchReader, effects: BatchEffects): string[] {
  const { set, generation, keep } = operation;
  assertKey(set);
  if (!Number.isSafeInteger(generation) || !Number.isSafeInteger(keep) || keep < 1) {
    throw new TypeError("A claim needs an integer generation and keeps at least one");
  }
  if (operation.members.length === 0) return [];
  const previous = effects.windows.get(set) ?? reader.window(set);
  // The clocks of processes differ: a late claim with an older generation must not be forgotten early.
  const latest = Math.max(previous.latest, generation);
  const window = { latest, floor: Math.max(previous.floor, latest - keep + 1) };
  const staged = effects.claims.get(set) ?? [];
  // A member claimed by another operation of this batch counts as claimed before. Most batches have one claim.
  const before = staged.length > 0 ? generationsOf(staged) : null;
  const stored = reader.claimedIn(set, operation.members);
  const already = operation.members.filter((member, index) => {
    const claimedIn = before?.get(member) ?? stored[index];
    return claimedIn !== undefined && claimedIn >= window.floor;
  });
  effects.claims.set(set, [...staged, { generation: latest, members: operation.members }]);
  effects.windows.set(set, window);
  return already.length > 0 ? [...new Set(already)] : already;
}

function generationsOf(claims: readonly Claimed[]): Map<string, number> {
  return new Map(claims.flatMap(({ generation, members }) => members.map((member) => [member, generation] as const)));
}

/** Returns the newest generation that contains a member; undefined if none does. */
export function lastClaim(generations: ReadonlyMap<number, ReadonlySet<string>>, member: string): number | undefined {
  let found: number | undefined;
  for (const [generation, members] of generations) {
    if (members.has(member) && generation > (found ?? Number.NEGATIVE_INFINITY)) found = generation;
  }
  return found;
}

function stagedRecords(effects: BatchEffects, journal: string): Map<number, Uint8Array> {
  const records = effects.records.get(journal) ?? new Map<number, Uint8Array>();
  effects.records.set(journal, records);
  return records;
}
