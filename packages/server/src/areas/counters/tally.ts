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
import { earlierEffect, isOnce, type Mark, markEffect } from "../../storage/once.ts";

/** An increment of one counter of a variant. */
export interface Addition {
  variantKey: string;
  counter: CounterName;
  amount: number;
}

/**
 * What is stored of one experiment: an entry per counter, one for the time of the last increment, and one for the
 * position of the last reset.
 */
export interface Tally {
  /** What was incremented. */
  counts(variantKey: string): Record<CounterName, number>;
  /** ISO 8601. Null if nothing was counted. */
  updatedAt: string | null;
  /** Position in the journal of events at the last reset; tracked events up to it do not count. 0 before the first. */
  after: number;
  entries: readonly StoreEntry[];
}

const AREA = "counters";
/** Maximum number of attempts of a batch under contention. */
const ATTEMPTS = 50;

const keyFor = (experimentId: string, variantKey: string, counter: CounterName) =>
  keyOf(AREA, experimentId, "count", variantKey, counter);
const timeKey = (experimentId: string) => keyOf(AREA, experimentId, "updated");
const resetKey = (experimentId: string) => keyOf(AREA, experimentId, "reset");

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
  const reset = values.get(resetKey(experimentId));
  return {
    counts: (variantKey) =>
      Object.fromEntries(COUNTERS.map((counter) => [counter, count(variantKey, counter)])) as Record<
        CounterName,
        number
      >,
    updatedAt: time ? parseBytes<string>(time) : null,
    after: reset ? parseBytes<number>(reset) : 0,
    entries: found,
  };
}

/**
 * Increments counters, all or none, once per `Idempotency-Key`. Safe with concurrent nodes and processes.
 * @returns false if every attempt lost to a concurrent write; nothing is counted then
 */
export async function addAll(
  store: Store,
  experimentId: string,
  additions: readonly Addition[],
  now: string,
): Promise<boolean> {
  if (earlierEffect(AREA) !== undefined) return true;
  if (isSimple(additions)) {
    const [first] = additions as [Addition];
    const key = keyFor(experimentId, first.variantKey, first.counter);
    await Promise.all([store.increment(key, first.amount), store.batch([putTime(experimentId, now)])]);
    return true;
  }
  const mark = markEffect(AREA, experimentId);
  const isCounted = await addTogether(store, experimentId, additions, now, mark);
  if (isCounted) mark?.committed();
  return isCounted;
}

/** Whether additions need no batch: a single one, of a request without an `Idempotency-Key`. */
export function isSimple(additions: readonly Addition[]): boolean {
  return additions.length === 1 && !isOnce();
}

/**
 * Increments several counters together. The store increments only one counter at a time, so this writes the new sums on
 * condition that they have not changed, and retries if they have.
 */
async function addTogether(
  store: Store,
  experimentId: string,
  additions: readonly Addition[],
  now: string,
  mark: Mark | null,
): Promise<boolean> {
  const marked = mark ? [mark.operation] : [];
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
    const { ok } = await store.batch([...(await Promise.all(puts)), putTime(experimentId, now), ...marked]);
    if (ok) return true;
  }
  return false;
}

/** Returns the operations that delete everything stored of an experiment. */
export function removeAll({ entries }: Tally): Operation[] {
  return entries.map(({ key }) => ({ type: "delete", key }));
}

/** Returns the operations that reset all counters, with events up to a position of the journal. */
export function resetAll(tally: Tally, experimentId: string, position: number): Operation[] {
  const key = resetKey(experimentId);
  const others = tally.entries.filter((entry) => entry.key !== key);
  return [...removeAll({ ...tally, entries: others }), { type: "put", key, value: toBytes(position) }];
}

function putTime(experimentId: string, now: string): Operation {
  return { type: "put", key: timeKey(experimentId), value: toBytes(now) };
}
