import { createStorage, type Driver } from "unstorage";
import { describe, expect, test } from "vitest";
import { recordsOf, textAt, utf8 } from "../conformance/values.ts";
import type { Operation } from "../store.ts";
import { genericStore } from "./generic-store.ts";

/** Returns a driver over a map that breaks at its nth change, applies half of it, and ignores all later calls. */
function brittleDriver(data: Map<string, string>, changes: number): Driver {
  let left = changes;
  const change = (work: () => void, torn: () => void) => {
    if (left-- > 0) return work();
    if (left === -1) torn();
    throw new Error("broken");
  };
  return {
    name: "brittle",
    hasItem: (key) => data.has(key),
    getItem: (key) => data.get(key) ?? null,
    setItem: (key, value) =>
      change(
        () => void data.set(key, value),
        () => void data.set(key, value.slice(0, value.length / 2)),
      ),
    removeItem: (key) =>
      change(
        () => void data.delete(key),
        () => {},
      ),
    getKeys: () => [...data.keys()],
  };
}

const open = (data: Map<string, string>, changes = Number.POSITIVE_INFINITY) => {
  // The process of the previous instance is gone, and its lock is void.
  data.delete("assay:lock@");
  return genericStore(createStorage({ driver: brittleDriver(data, changes) }));
};

/** Returns the batch of a round: every kind of item changes, in the same way each time. */
const batchOf = (round: number): Operation[] => [
  { type: "put", key: "entry", value: utf8(`${round} `.repeat(50)) },
  { type: "put", key: `entries/${round}`, value: utf8(String(round)) },
  { type: "delete", key: `entries/${round - 1}` },
  { type: "append", journal: "log", records: [utf8(`${round}a`), utf8(`${round}b`)] },
  ...(round > 1 ? [{ type: "rewrite" as const, journal: "log", position: 2, record: utf8(`${round}`) }] : []),
  { type: "claim", set: "ids", generation: round, keep: 2, members: [`${round}`] },
];

describe("a storage that fails at any of its changes", () => {
  test.each(Array.from({ length: 45 }, (_, index) => index))("keeps every batch whole (change %i)", async (changes) => {
    const data = new Map<string, string>();
    const store = open(data, changes);
    let acknowledged = 0;
    for (let round = 1; round <= 6; round++) {
      const done = await store.batch(batchOf(round)).catch(() => null);
      if (!done) break;
      acknowledged = round;
    }
    const again = open(data);
    const last = Number((await textAt(again, "entry"))?.split(" ")[0] ?? 0);
    expect([acknowledged, acknowledged + 1]).toContain(last);
    expect(await again.head("log")).toBe(last * 2);
    expect((await again.get("entry"))?.version ?? 0).toBe(last);
    expect((await again.list("entries/")).map((entry) => entry.key)).toEqual(last ? [`entries/${last}`] : []);
    const records = (await recordsOf(again, "log")).map(([, text]) => text);
    expect(records[1]).toBe(last === 0 ? undefined : last === 1 ? "1b" : String(last));
    expect(again.quarantined()).toEqual([]);
    const next = await again.batch([{ type: "claim", set: "ids", generation: last, keep: 2, members: [`${last}`] }]);
    expect(next.ok).toBe(last === 0);
  });

  test("continues in the same instance when the storage recovers", async () => {
    const data = new Map<string, string>();
    let broken = false;
    const whole = brittleDriver(data, Number.POSITIVE_INFINITY);
    const driver: Driver = {
      ...whole,
      setItem(key, value, options) {
        if (broken && key.includes("log")) throw new Error("broken");
        return whole.setItem?.(key, value, options);
      },
    };
    const store = genericStore(createStorage({ driver }));
    await store.batch(batchOf(1));
    broken = true;
    await expect(store.batch(batchOf(2))).rejects.toMatchObject({ name: "StoreUnavailable" });
    await expect(store.get("entry")).rejects.toMatchObject({ name: "StoreUnavailable" });
    broken = false;
    // Its intent was written, so it has happened.
    expect(await store.head("log")).toBe(4);
    expect((await store.get("entry"))?.version).toBe(2);
    await store.batch(batchOf(3));
    expect(await store.head("log")).toBe(6);
    await store.close();
    expect([...data.keys()].filter((key) => /lock|intent/.test(key))).toEqual([]);
  });
});
