import assert from "node:assert/strict";
import { keyOf, partOf } from "../key.ts";
import type { Store } from "../store.ts";
import type { StoreCase } from "./case.ts";
import { put, textOf, utf8 } from "./values.ts";

async function keysOf(store: Store, prefix: string, after?: string, limit?: number): Promise<string[]> {
  return (await store.list(prefix, { after, limit })).map((entry) => entry.key);
}

/** Cases about lists: order, prefixes and pages. */
export const listCases: StoreCase[] = [
  {
    title: "a list is in byte order, for any order of writes",
    async run({ open }) {
      const store = await open();
      const keys = ["b", "a", "a/b", "a-b", "a.b", "a0", "aa", "+20", "=41", "~c3~a9", "_", "z", "0", "-"];
      for (const key of keys) await put(store, key, key);
      const expected = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(await keysOf(store, ""), expected);
    },
  },
  {
    title: "a list contains exactly the keys with the prefix",
    async run({ open }) {
      const store = await open();
      for (const key of ["flags", "flags/a", "flags/b", "flags/b/history/1", "flags-old/a", "flagsa", "flag/a"]) {
        await put(store, key, key);
      }
      assert.deepEqual(await keysOf(store, "flags/"), ["flags/a", "flags/b", "flags/b/history/1"]);
      assert.deepEqual(await keysOf(store, "flags/b"), ["flags/b", "flags/b/history/1"]);
      assert.deepEqual(await keysOf(store, "nothing/"), []);
      assert.equal((await keysOf(store, "")).length, 7);
    },
  },
  {
    title: "all pages together are the whole list",
    async run({ open }) {
      const store = await open();
      const keys = Array.from({ length: 25 }, (_, index) => `p/${String(index).padStart(3, "0")}`);
      await store.batch(keys.map((key) => ({ type: "put", key, value: utf8(key) })));
      const seen: string[] = [];
      for (let page = await keysOf(store, "p/", undefined, 7); page.length > 0; ) {
        assert.ok(page.length <= 7);
        seen.push(...page);
        page = await keysOf(store, "p/", page.at(-1), 7);
      }
      assert.deepEqual(seen, keys);
    },
  },
  {
    title: "after may name an absent key, before the prefix or behind it",
    async run({ open }) {
      const store = await open();
      for (const key of ["p/a", "p/c", "q/a"]) await put(store, key, key);
      assert.deepEqual(await keysOf(store, "p/", "p/b"), ["p/c"]);
      assert.deepEqual(await keysOf(store, "p/", "a"), ["p/a", "p/c"]);
      assert.deepEqual(await keysOf(store, "p/", "p/c"), []);
      assert.deepEqual(await keysOf(store, "p/", "z"), []);
    },
  },
  {
    title: "a list has at most 1,000 entries by default, or the given limit",
    async run({ open }) {
      const store = await open();
      const keys = Array.from({ length: 1_050 }, (_, index) => `p/${String(index).padStart(4, "0")}`);
      await store.batch(keys.map((key) => ({ type: "put", key, value: utf8("x") })));
      assert.equal((await keysOf(store, "p/")).length, 1_000);
      assert.equal((await keysOf(store, "p/", undefined, 2_000)).length, 1_050);
      assert.deepEqual(await keysOf(store, "p/", undefined, 0), []);
      assert.deepEqual(await keysOf(store, "p/", undefined, 1), ["p/0000"]);
    },
  },
  {
    title: "a list contains values and versions",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "one");
      await put(store, "a", "two");
      const [entry] = await store.list("a");
      assert.equal(textOf(entry!.value), "two");
      assert.equal(entry!.version, 2);
    },
  },
  {
    title: "lists texts in the order of their code points",
    async run({ open }) {
      const store = await open();
      const texts = ["", "0", "9", "A", "Z", "_", "a", "z", "é", "中", "😀"];
      for (const text of [...texts].reverse()) await put(store, keyOf("t", text), text);
      const listed = (await keysOf(store, "t/")).map((key) => partOf(key.slice(2)));
      assert.deepEqual(listed, texts);
    },
  },
  {
    title: "a list during writes contains only whole entries, each once and in order",
    async run({ open }) {
      const store = await open();
      const keys = Array.from({ length: 20 }, (_, index) => `p/${String(index).padStart(2, "0")}`);
      const writing = (async () => {
        for (let round = 0; round < 10; round++) {
          await store.batch(keys.map((key) => ({ type: "put", key, value: utf8(`${round} `.repeat(500)) })));
        }
      })();
      for (let look = 0; look < 10; look++) {
        const entries = await store.list("p/");
        assert.deepEqual(
          entries.map((entry) => entry.key),
          entries.length > 0 ? keys : [],
        );
        // One batch wrote them all, so a list shows all of them from the same round.
        assert.ok(new Set(entries.map((entry) => textOf(entry.value))).size <= 1);
        for (const { value } of entries) assert.equal(value.length, 1_000);
      }
      await writing;
    },
  },
];
