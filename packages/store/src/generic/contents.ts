import type { BatchEffects, BatchReader } from "../batch.ts";
import { fenceToken, type LeaseRecord } from "../lease.ts";
import type { Quarantine } from "../quarantine.ts";
import { createSortedKeys } from "../sorted-keys.ts";
import type { Operation, StoreEntry } from "../store.ts";
import { createChunks } from "./chunks.ts";
import type { Items } from "./items.ts";
import type { LostRecord } from "./rows.ts";
import { openSetAside, quarantineId } from "./set-aside.ts";
import { createSets } from "./sets.ts";
import { openText, sealQuarantined, sealText } from "./text.ts";
import type { ItemWrites, WriteAhead } from "./write-ahead.ts";

/** The data of an open storage: the part in memory, and the conversion of operations to writes of items. */
export type Contents = Awaited<ReturnType<typeof readContents>>;

/** Reads the ids of a storage; everything else is read on demand. */
export async function readContents(items: Items, writeAhead: WriteAhead, damage: Quarantine) {
  const ids = createSortedKeys(await items.ids());
  const setAside = await openSetAside(items, ids, damage);
  const { suspect } = setAside;
  const floor = { items, ids, damage, suspect };
  const journals = createChunks("journals", floor);
  const memberChunks = createChunks("sets", floor);
  const sets = createSets(memberChunks);

  const entryId = (key: string) => `entries/${key}`;
  const leaseId = (name: string) => `leases/${name}`;

  const commit = async (writes: ItemWrites): Promise<void> => {
    if (writes.size === 0) return;
    await writeAhead.commit(writes);
    for (const [id, text] of writes) {
      if (text === null) ids.remove(id);
      else ids.add(id);
    }
    journals.settle();
    memberChunks.settle();
  };

  const readEntry = async (key: string): Promise<StoreEntry | null> => {
    const id = entryId(key);
    const text = ids.has(id) ? await items.read(id) : null;
    if (text === null) return null;
    const opened = openText(id, text);
    if (opened) return { key, value: opened.bytes, version: opened.version };
    damage.report(key, "This entry failed its checksum");
    setItemAside(id, text);
    return null;
  };

  const setItemAside = (id: string, text: string) => {
    const writes: ItemWrites = new Map();
    suspect(id, text, writes.set(quarantineId(id), sealQuarantined(text, damage.now())).set(id, null));
  };

  const readLease = async (name: string): Promise<LeaseRecord | undefined> => {
    const text = ids.has(leaseId(name)) ? await items.read(leaseId(name)) : null;
    if (text === null) return undefined;
    const opened = openText(leaseId(name), text);
    if (!opened) {
      damage.report(`${leaseId(name)}#state`, "This lease failed its checksum");
      setItemAside(leaseId(name), text);
      // The holder has lost the lease. The next token is above any value that the counter can have reached.
      return { holder: null, expiresAt: 0, token: damage.now() };
    }
    const { holder, expiresAt }: LeaseRecord = JSON.parse(new TextDecoder().decode(opened.bytes));
    return { holder, expiresAt, token: opened.version };
  };

  return {
    journals,
    readEntry,
    readLease,
    commit,
    entryKeys: (prefix: string, after: string | undefined, limit: number): string[] =>
      ids
        .range(entryId(prefix), after === undefined ? undefined : entryId(after), limit)
        .map((id) => id.slice(entryId("").length)),

    isSuspect: setAside.isSuspect,
    isDamaged: setAside.isDamaged,
    quarantined: setAside.records,
    clear: () => setAside.clear(commit),

    /** Reads the data that these operations need for their decision. `decided` updates it with the effects. */
    async readerFor(operations: Operation[]): Promise<BatchReader & { decided(effects: BatchEffects): void }> {
      const versions = new Map<string, number>();
      const heads = new Map<string, number>();
      const held = new Set<string>();
      const trimmed = new Map<string, number>();
      const tokens = new Map<string, number>();
      const reads = operations.map(async (operation) => {
        switch (operation.type) {
          case "put":
          case "delete":
            versions.set(operation.key, (await readEntry(operation.key))?.version ?? 0);
            break;
          case "rewrite": {
            const [record] = await journals.read(operation.journal, operation.position - 1, 1);
            if (record?.position === operation.position) held.add(`${operation.journal}#${operation.position}`);
            break;
          }
          case "append":
          case "trim":
            heads.set(operation.journal, await journals.head(operation.journal));
            break;
          case "claim":
            await sets.load(operation.set);
            break;
          case "fence":
            tokens.set(operation.lease, fenceToken(await readLease(operation.lease)));
        }
      });
      await Promise.all(reads);
      return {
        version: (key) => versions.get(key) ?? 0,
        head: (journal) => heads.get(journal) ?? 0,
        holds: (journal, position) => position > (trimmed.get(journal) ?? 0) && held.has(`${journal}#${position}`),
        window: sets.window,
        claimedIn: sets.claimedIn,
        leaseToken: (lease) => tokens.get(lease) ?? 0,
        decided(effects) {
          for (const [key, entry] of effects.entries) versions.set(key, entry?.version ?? 0);
          for (const [journal, head] of effects.heads) heads.set(journal, head);
          for (const [journal, through] of effects.trims) trimmed.set(journal, through);
          for (const [journal, records] of effects.records) {
            for (const position of records.keys()) held.add(`${journal}#${position}`);
          }
        },
      };
    },

    /** Adds the writes of a decided batch to `writes`. */
    async stage(effects: BatchEffects, writes: ItemWrites): Promise<void> {
      for (const [key, entry] of effects.entries) {
        const id = entryId(key);
        if (entry) writes.set(id, sealText(id, entry.version, entry.value));
        else if (ids.has(id) || writes.has(id)) writes.set(id, null);
      }
      for (const journal of new Set([...effects.records.keys(), ...effects.trims.keys()])) {
        const records = effects.records.get(journal) ?? new Map();
        await journals.stage(journal, records, effects.trims.get(journal), writes);
      }
      for (const [set, window] of effects.windows) {
        await sets.stage(set, window, effects.claims.get(set) ?? [], writes);
      }
    },

    /** Puts lost records back in their places. */
    async putBack(records: readonly LostRecord[]): Promise<void> {
      const writes: ItemWrites = new Map();
      const chunksOf = { journals, sets: memberChunks };
      for (const { kind, name, position, bytes } of records) {
        await chunksOf[kind].stage(name, new Map([[position, bytes]]), undefined, writes);
      }
      await commit(writes);
    },

    writeEntry: (key: string, value: Uint8Array, version: number) =>
      commit(new Map([[entryId(key), sealText(entryId(key), version, value)]])),
    writeLease: (name: string, { token, ...rest }: LeaseRecord) =>
      commit(new Map([[leaseId(name), sealText(leaseId(name), token, Buffer.from(JSON.stringify(rest)))]])),
  };
}
