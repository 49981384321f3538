import type { Quarantine } from "../quarantine.ts";
import { MAX_QUARANTINED } from "../quarantine.ts";
import type { SortedKeys } from "../sorted-keys.ts";
import type { QuarantinedRecord } from "../store.ts";
import type { Items } from "./items.ts";
import { quarantinedAt } from "./text.ts";
import type { ItemWrites } from "./write-ahead.ts";

/** Receives the writes that set a damaged item aside. They happen later, if the item is still `raw` then. */
export type Suspect = (id: string, raw: string, writes: ItemWrites) => void;

/** The damage that was found, and what is set aside. */
export interface SetAside {
  suspect: Suspect;
  /** Returns whether there is damage for `clear` to set aside. */
  isSuspect(): boolean;
  /** Returns whether the record of this name is damaged in its place. */
  isDamaged(name: string): boolean;
  /** Sets aside the damage found so far. It needs exclusive access, like every write. */
  clear(commit: (writes: ItemWrites) => Promise<void>): Promise<void>;
  /** Returns the current damage. */
  records(): QuarantinedRecord[];
}

const START = "quarantine/";

/** Returns the id under which a damaged item, or a part of it, is set aside. */
export const quarantineId = (id: string, part?: number) =>
  part === undefined ? `${START}${id}` : `${START}${id}/${part}`;

/** Opens the items that are set aside in a storage. */
export async function openSetAside(items: Items, ids: SortedKeys, damage: Quarantine): Promise<SetAside> {
  const suspects: { id: string; raw: string; writes: ItemWrites }[] = [];
  const times = new Map<string, number>();
  for (const id of ids.range(START, undefined, MAX_QUARANTINED)) {
    times.set(id, quarantinedAt((await items.read(id)) ?? ""));
  }
  const isDamaged = (name: string) =>
    suspects.some(({ writes }) => [...writes.keys()].some((id) => id.startsWith(START) && nameOf(id) === name));

  function* kept(): Generator<QuarantinedRecord> {
    for (const id of ids.range(START, undefined, MAX_QUARANTINED)) {
      yield { key: nameOf(id), reason: "Its checksum failed, and it was set aside", at: times.get(id) ?? 0 };
    }
  }

  return {
    suspect: (id, raw, writes) => void suspects.push({ id, raw, writes }),
    isSuspect: () => suspects.length > 0,
    isDamaged,
    async clear(commit) {
      for (const { id, raw, writes } of suspects.splice(0)) if ((await items.read(id)) === raw) await commit(writes);
    },
    records: () =>
      damage.records({
        kept: kept(),
        stateOf(name) {
          if (isDamaged(name)) return "DAMAGED";
          const id = idOf(name);
          return id !== null && ids.has(id) ? "GOOD" : "MISSING";
        },
      }),
  };
}

/**
 * Returns the name of an item: the key of an entry, `journal#position` of a record, `journal#head` of a head,
 * `leases/name#state` of a lease.
 */
function nameOf(id: string): string {
  const [, kind = "", ...rest] = id.split("/");
  const name = rest.join("/");
  if (kind === "entries") return name;
  if (kind === "leases") return `leases/${name}#state`;
  if (kind.endsWith("-heads")) return `${name}#head`;
  return `${rest.slice(0, -2).join("/")}#${rest.at(-1)}`;
}

/** Returns the id of the item that replaces what is set aside under a name; null if none does. */
function idOf(name: string): string | null {
  if (!name.includes("#")) return `entries/${name}`;
  if (name.endsWith("#state")) return name.slice(0, -"#state".length);
  return name.endsWith("#head") ? `journals-heads/${name.slice(0, -"#head".length)}` : null;
}
