import assert from "node:assert/strict";
import type { StoreCase } from "./case.ts";
import { failedOf, put, resultsOf, textAt, textOf, utf8 } from "./values.ts";

/** Cases about versions, conditions and counters of entries. */
export const entryCases: StoreCase[] = [
  {
    title: "versions start at 1 and grow by one with each put",
    async run({ open }) {
      const store = await open();
      for (const version of [1, 2, 3]) {
        assert.deepEqual(resultsOf(await put(store, "a", `v${version}`)), [version]);
        assert.equal((await store.get("a"))?.version, version);
      }
      assert.equal((await store.list("a"))[0]?.version, 3);
    },
  },
  {
    title: "a deleted entry is absent from get and list, and can be created again",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "one");
      resultsOf(await store.batch([{ type: "delete", key: "a" }]));
      assert.equal(await store.get("a"), null);
      assert.deepEqual(await store.list(""), []);
      assert.ok(resultsOf(await put(store, "a", "two", { ifAbsent: "fail" }))[0]! >= 1);
      assert.equal(await textAt(store, "a"), "two");
    },
  },
  {
    title: "deleting an absent entry succeeds",
    async run({ open }) {
      resultsOf(await (await open()).batch([{ type: "delete", key: "missing" }]));
    },
  },
  {
    title: "a put with ifVersion fails on any other version and on a missing entry",
    async run({ open }) {
      const store = await open();
      assert.deepEqual(failedOf(await put(store, "a", "x", { ifVersion: 1 })), [0]);
      await put(store, "a", "one");
      assert.deepEqual(failedOf(await put(store, "a", "x", { ifVersion: 2 })), [0]);
      assert.deepEqual(resultsOf(await put(store, "a", "two", { ifVersion: 1 })), [2]);
      assert.equal(await textAt(store, "a"), "two");
    },
  },
  {
    title: "a put with ifVersion 0 requires a missing entry",
    async run({ open }) {
      const store = await open();
      assert.deepEqual(resultsOf(await put(store, "a", "one", { ifVersion: 0 })), [1]);
      assert.deepEqual(failedOf(await put(store, "a", "two", { ifVersion: 0 })), [0]);
    },
  },
  {
    title: "a delete with ifVersion fails on any other version",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "one");
      assert.deepEqual(failedOf(await store.batch([{ type: "delete", key: "a", ifVersion: 2 }])), [0]);
      assert.equal(await textAt(store, "a"), "one");
      resultsOf(await store.batch([{ type: "delete", key: "a", ifVersion: 1 }]));
      assert.equal(await store.get("a"), null);
    },
  },
  {
    title: "a put with ifAbsent fails if the entry exists, or keeps it and continues",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "one");
      assert.deepEqual(failedOf(await put(store, "a", "two", { ifAbsent: "fail" })), [0]);
      const results = resultsOf(
        await store.batch([
          { type: "put", key: "a", value: utf8("three"), ifAbsent: "skip" },
          { type: "put", key: "b", value: utf8("new"), ifAbsent: "skip" },
        ]),
      );
      assert.deepEqual(results, [0, 1]);
      assert.equal(await textAt(store, "a"), "one");
      assert.equal((await store.get("a"))?.version, 1);
      assert.equal(await textAt(store, "b"), "new");
    },
  },
  {
    title: "a counter counts, up and down, and is an entry like others",
    async run({ open }) {
      const store = await open();
      assert.equal(await store.increment("counts/a", 5), 5);
      assert.equal(await store.increment("counts/a", -7), -2);
      assert.equal(await store.increment("counts/a", 0), -2);
      assert.equal(textOf((await store.get("counts/a"))!.value), "-2");
      await store.batch([{ type: "delete", key: "counts/a" }]);
      assert.equal(await store.increment("counts/a", 1), 1);
    },
  },
  {
    title: "rejects an increment of an entry that is not a counter",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "text");
      await assert.rejects(store.increment("a", 1), TypeError);
      await assert.rejects(store.increment("b", 0.5), TypeError);
      assert.equal(await textAt(store, "a"), "text");
    },
  },
  {
    title: "counts all simultaneous increments, each with its own result",
    async run({ open }) {
      const store = await open();
      const answers = await Promise.all(Array.from({ length: 50 }, () => store.increment("counter", 1)));
      assert.deepEqual(
        answers.sort((a, b) => a - b),
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    },
  },
  {
    title: "loses no write of simultaneous compare-and-set writers",
    async run({ open }) {
      const store = await open();
      const writer = async () => {
        for (let done = 0; done < 5; ) {
          const entry = await store.get("total");
          const next = String(Number(entry ? textOf(entry.value) : 0) + 1);
          if ((await put(store, "total", next, { ifVersion: entry?.version ?? 0 })).ok) done++;
        }
      };
      await Promise.all(Array.from({ length: 6 }, writer));
      assert.equal(await textAt(store, "total"), "30");
      assert.equal((await store.get("total"))?.version, 30);
    },
  },
];
