import { COUNTERS, type CounterName } from "@assay/contract";
import {
  keyOf,
  listAll,
  type Operation,
  parseCounter,
  prefixOf,
  type Store,
  type StoreEntry,
  toCounter,
} from "@assay/store";
import { parseBytes, toBytes } from "../../storage/json.ts";

/** What to add to one counter of a variant. */
export interface Addition {
  variantKey: string;
  counter: CounterName;
  amount: number;
}

/** The counts of one experiment as they are stored: an entry a counter, and one for the time of the last addition. */
export interface Tally {
  counts(variantKey: string): Record<CounterName, number>;
  /** ISO 8601; null where nothing was counted. */
  updatedAt: string | null;
  entries: readonly StoreEntry[];
}

const AREA = "counters";
/** Times that a batch of additions is tried again where others count at the same moment. */
const ATTEMPTS = 50;

const keyFor = (experimentId: string, variantKey: string, counter: CounterName) =>
  keyOf(AREA, experimentId, "count", variantKey, counter);
const timeKey = (experimentId: string) => keyOf(AREA, experimentId, "updated");

/** Reads the counts of an experiment. */
export async function readTally(store: Store, experimentId: string): Promise<Tally> {
  const found: StoreEntry[] = [];
  for await (const entry of listAll(store, prefixOf(AREA, experimentId))) found.push(entry);
  const values = new Map(found.map(({ key, value }) => [key, value]));
  const count = (variantKey: string, counter: CounterName) => {
    const key = keyFor(experimentId, variantKey, counter);
    return parseCounter(key, values.get(key));
  };
  const time = values.get(timeKey(experimentId));
  return {
    counts: (variantKey) =>
      Object.fromEntries(COUNTERS.map((counter) => [counter, count(variantKey, counter)])) as Record<
        CounterName,
        number
      >,
    updatedAt: time ? parseBytes<string>(time) : null,
    entries: found,
  };
}

/** Adds to one counter; several nodes and processes may do so at once. */
export async function add(store: Store, experimentId: string, addition: Addition, now: string): Promise<void> {
  const key = keyFor(experimentId, addition.variantKey, addition.counter);
  await Promise.all([store.increment(key, addition.amount), store.batch([putTime(experimentId, now)])]);
}

/**
 * Adds to several counters, to all or to none. The store increments one counter at a time, so this writes the sums it
 * has read, on condition that nobody has counted meanwhile, and reads again where somebody has.
 * @returns false where others were faster every time; nothing is counted then
 */
export async function addAll(
  store: Store,
  experimentId: string,
  additions: readonly Addition[],
  now: string,
): Promise<boolean> {
  const sums = new Map<string, number>();
  for (const { variantKey, counter, amount } of additions) {
    const key = keyFor(experimentId, variantKey, counter);
    sums.set(key, (sums.get(key) ?? 0) + amount);
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const puts = [...sums].map(async ([key, amount]): Promise<Operation> => {
      const entry = await store.get(key);
      const value = toCounter(key, parseCounter(key, entry?.value) + amount);
      return { type: "put", key, value, ifVersion: entry?.version ?? 0 };
    });
    const { ok } = await store.batch([...(await Promise.all(puts)), putTime(experimentId, now)]);
    if (ok) return true;
  }
  return false;
}

/** What to write so that everything is counted from 0 again. */
export function removeAll({ entries }: Tally): Operation[] {
  return entries.map(({ key }) => ({ type: "delete", key }));
}

function putTime(experimentId: string, now: string): Operation {
  return { type: "put", key: timeKey(experimentId), value: toBytes(now) };
}
