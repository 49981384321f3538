import assert from "node:assert/strict";
import type { StoreCase } from "./case.ts";
import { append, failedOf, recordsOf, resultsOf, textOf, utf8 } from "./values.ts";

/** Cases about journals. */
export const journalCases: StoreCase[] = [
  {
    title: "an empty journal has head 0 and no records",
    async run({ open }) {
      const store = await open();
      assert.equal(await store.head("log"), 0);
      assert.deepEqual(await store.read("log", 0, 10), []);
    },
  },
  {
    title: "appended records have the positions from 1, in order",
    async run({ open }) {
      const store = await open();
      assert.equal(await append(store, "log", "a"), 1);
      assert.equal(await append(store, "log", "b", "c"), 3);
      assert.equal(await store.head("log"), 3);
      assert.deepEqual(await recordsOf(store, "log"), [
        [1, "a"],
        [2, "b"],
        [3, "c"],
      ]);
    },
  },
  {
    title: "appending no records returns the head and changes nothing",
    async run({ open }) {
      const store = await open();
      assert.equal(await append(store, "log"), 0);
      await append(store, "log", "a");
      assert.equal(await append(store, "log"), 1);
      assert.equal(await store.head("log"), 1);
    },
  },
  {
    title: "pages of a journal put together are the whole journal",
    async run({ open }) {
      const store = await open();
      const texts = Array.from({ length: 300 }, (_, index) => `record ${index} ${"x".repeat(index % 40)}`);
      for (let start = 0; start < texts.length; start += 50)
        await append(store, "log", ...texts.slice(start, start + 50));
      const seen: string[] = [];
      for (let position = 0; ; ) {
        const page = await store.read("log", position, 64);
        if (page.length === 0) break;
        assert.ok(page.length <= 64);
        for (const { position: at, record } of page) {
          assert.equal(at, position + 1);
          position = at;
          seen.push(textOf(record));
        }
      }
      assert.deepEqual(seen, texts);
      assert.deepEqual(await store.read("log", 300, 10), []);
      assert.deepEqual(await store.read("log", 5_000, 10), []);
      assert.deepEqual(await store.read("log", 0, 0), []);
    },
  },
  {
    title: "journals are separate, even if one name is a prefix of the other",
    async run({ open }) {
      const store = await open();
      await append(store, "log", "a");
      await append(store, "log/x", "b", "c");
      await append(store, "log0", "d");
      assert.deepEqual(await recordsOf(store, "log"), [[1, "a"]]);
      assert.deepEqual(await recordsOf(store, "log/x"), [
        [1, "b"],
        [2, "c"],
      ]);
      assert.equal(await store.head("log0"), 1);
      assert.deepEqual(await store.list(""), [], "records are no entries");
    },
  },
  {
    title: "records are bytes: empty, binary, with line breaks, and large",
    async run({ open }) {
      const store = await open();
      const records = [
        new Uint8Array(0),
        Uint8Array.from({ length: 256 }, (_, index) => index),
        utf8("line\nline\r\n\n"),
        new Uint8Array(300_000).fill(7),
        utf8('{"a":1}'),
      ];
      await store.batch([{ type: "append", journal: "log", records }]);
      const read = await store.read("log", 0, 10);
      assert.equal(read.length, records.length);
      for (const [index, { record }] of read.entries()) assert.equal(Buffer.compare(record, records[index]!), 0);
    },
  },
  {
    title: "a rewritten record keeps its position, longer or shorter",
    async run({ open }) {
      const store = await open();
      await append(store, "log", "one", "two", "three");
      for (const text of ["", "2".repeat(5_000), "zwei"]) {
        resultsOf(await store.batch([{ type: "rewrite", journal: "log", position: 2, record: utf8(text) }]));
        assert.deepEqual(await recordsOf(store, "log"), [
          [1, "one"],
          [2, text],
          [3, "three"],
        ]);
      }
    },
  },
  {
    title: "rejects a rewrite of an absent record",
    async run({ open }) {
      const store = await open();
      await append(store, "log", "a", "b");
      await store.batch([{ type: "trim", journal: "log", through: 1 }]);
      for (const position of [0, 1, 3]) {
        const record = utf8("x");
        assert.deepEqual(failedOf(await store.batch([{ type: "rewrite", journal: "log", position, record }])), [0]);
      }
      assert.deepEqual(await recordsOf(store, "log"), [[2, "b"]]);
    },
  },
  {
    title: "trimming removes the oldest records and keeps the head",
    async run({ open }) {
      const store = await open();
      await append(store, "log", ..."abcdefghij");
      resultsOf(await store.batch([{ type: "trim", journal: "log", through: 7 }]));
      assert.deepEqual(await recordsOf(store, "log"), [
        [8, "h"],
        [9, "i"],
        [10, "j"],
      ]);
      assert.deepEqual(await recordsOf(store, "log", 8, 1), [[9, "i"]]);
      assert.equal(await store.head("log"), 10);
      resultsOf(await store.batch([{ type: "trim", journal: "log", through: 3 }]));
      assert.equal((await store.read("log", 0, 10)).length, 3);
    },
  },
  {
    title: "an empty trimmed journal continues at its head",
    async run({ open }) {
      const store = await open();
      await append(store, "log", "a", "b");
      resultsOf(await store.batch([{ type: "trim", journal: "log", through: 100 }]));
      assert.deepEqual(await store.read("log", 0, 10), []);
      assert.equal(await store.head("log"), 2);
      assert.equal(await append(store, "log", "c"), 3);
      assert.deepEqual(await recordsOf(store, "log"), [[3, "c"]]);
    },
  },
  {
    title: "an empty trimmed journal continues at its head after reopening",
    needs: ["reopen"],
    async run({ open }) {
      const store = await open();
      await append(store, "log", "a", "b");
      await store.batch([{ type: "trim", journal: "log", through: 2 }]);
      await store.close();
      const again = await open();
      assert.equal(await again.head("log"), 2);
      assert.equal(await append(again, "log", "c"), 3);
      assert.deepEqual(await recordsOf(again, "log"), [[3, "c"]]);
    },
  },
  {
    title: "simultaneous appends get distinct positions in the order of their results",
    async run({ open }) {
      const store = await open();
      const appends = Array.from({ length: 40 }, (_, index) => append(store, "log", `${index}a`, `${index}b`));
      const positions = await Promise.all(appends);
      assert.equal(new Set(positions).size, 40);
      const records = new Map(await recordsOf(store, "log"));
      assert.equal(records.size, 80);
      for (const [index, last] of positions.entries()) {
        assert.equal(records.get(last - 1), `${index}a`);
        assert.equal(records.get(last), `${index}b`);
      }
    },
  },
  {
    title: "a trim beyond every position removes all records and keeps the head",
    async run({ open }) {
      const store = await open();
      await store.batch([{ type: "append", journal: "log", records: [Buffer.from("one"), Buffer.from("two")] }]);
      const { ok } = await store.batch([{ type: "trim", journal: "log", through: Number.POSITIVE_INFINITY }]);
      assert.equal(ok, true);
      assert.deepEqual(await recordsOf(store, "log"), []);
      assert.equal(await store.head("log"), 2);
    },
  },
];
