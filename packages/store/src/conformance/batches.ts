import assert from "node:assert/strict";
import type { Operation } from "../store.ts";
import type { StoreCase } from "./case.ts";
import { append, claim, failedOf, put, recordsOf, resultsOf, textAt, utf8 } from "./values.ts";

/** Cases about batches: all operations or none, in order. */
export const batchCases: StoreCase[] = [
  {
    title: "a batch of every kind of operation is applied completely",
    async run({ open }) {
      const store = await open();
      await put(store, "old", "x");
      await append(store, "log", "r1", "r2", "r3");
      const lease = await store.lease("writer", "me", 60_000);
      const results = resultsOf(
        await store.batch([
          { type: "fence", lease: "writer", token: lease!.token },
          { type: "put", key: "new", value: utf8("n") },
          { type: "delete", key: "old" },
          { type: "append", journal: "log", records: [utf8("r4"), utf8("r5")] },
          { type: "rewrite", journal: "log", position: 2, record: utf8("R2") },
          { type: "trim", journal: "log", through: 1 },
          { type: "claim", set: "ids", generation: 1, keep: 1, members: ["a"] },
        ]),
      );
      assert.deepEqual(results, [0, 1, 0, 5, 0, 0, 0]);
      assert.equal(await textAt(store, "new"), "n");
      assert.equal(await store.get("old"), null);
      assert.deepEqual(await recordsOf(store, "log"), [
        [2, "R2"],
        [3, "r3"],
        [4, "r4"],
        [5, "r5"],
      ]);
      assert.deepEqual(await claim(store, "ids", 1, ["a"]), ["a"]);
    },
  },
  {
    title: "a batch with one failed condition changes nothing",
    async run({ open }) {
      const store = await open();
      await put(store, "kept", "k");
      await append(store, "log", "r1", "r2");
      await claim(store, "ids", 1, ["taken"]);
      const others: Operation[] = [
        { type: "put", key: "new", value: utf8("n") },
        { type: "put", key: "kept", value: utf8("changed") },
        { type: "delete", key: "kept" },
        { type: "append", journal: "log", records: [utf8("r3")] },
        { type: "rewrite", journal: "log", position: 1, record: utf8("R1") },
        { type: "trim", journal: "log", through: 2 },
        { type: "claim", set: "ids", generation: 1, keep: 1, members: ["free"] },
      ];
      const failing: Operation[] = [
        { type: "put", key: "kept", value: utf8("x"), ifAbsent: "fail" },
        { type: "put", key: "kept", value: utf8("x"), ifVersion: 9 },
        { type: "delete", key: "kept", ifVersion: 9 },
        { type: "rewrite", journal: "log", position: 9, record: utf8("x") },
        { type: "claim", set: "ids", generation: 1, keep: 1, members: ["taken"] },
        { type: "fence", lease: "writer", token: 1 },
      ];
      for (const operation of failing) {
        assert.deepEqual(failedOf(await store.batch([operation, ...others])), [0], operation.type);
        assert.equal(await textAt(store, "kept"), "k");
        assert.equal((await store.get("kept"))?.version, 1);
        assert.equal(await store.get("new"), null);
        assert.equal(await store.head("log"), 2);
        assert.deepEqual(await recordsOf(store, "log"), [
          [1, "r1"],
          [2, "r2"],
        ]);
      }
      assert.deepEqual(await claim(store, "ids", 1, ["free"]), []);
    },
  },
  {
    title: "every failed condition is named, not only the first",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "x");
      await claim(store, "ids", 1, ["m1", "m2"]);
      const result = await store.batch([
        { type: "put", key: "b", value: utf8("x") },
        { type: "put", key: "a", value: utf8("x"), ifAbsent: "fail" },
        { type: "claim", set: "ids", generation: 1, keep: 1, members: ["m0", "m1", "m2", "m3"] },
        { type: "delete", key: "a", ifVersion: 7 },
        { type: "claim", set: "ids", generation: 1, keep: 1, members: ["m4"] },
      ]);
      assert.deepEqual(failedOf(result), [1, 2, 3]);
      assert.deepEqual("claimed" in result && [...result.claimed], [[2, ["m1", "m2"]]]);
    },
  },
  {
    title: "operations see the effects of earlier ones in the batch",
    async run({ open }) {
      const store = await open();
      const results = resultsOf(
        await store.batch([
          { type: "put", key: "a", value: utf8("one"), ifAbsent: "fail" },
          { type: "put", key: "a", value: utf8("two"), ifVersion: 1 },
          { type: "delete", key: "a", ifVersion: 2 },
          { type: "put", key: "a", value: utf8("three"), ifVersion: 0 },
          { type: "append", journal: "log", records: [utf8("r1")] },
          { type: "append", journal: "log", records: [utf8("r2")] },
          { type: "rewrite", journal: "log", position: 1, record: utf8("R1") },
        ]),
      );
      assert.deepEqual(results.slice(4), [1, 2, 0]);
      assert.equal(await textAt(store, "a"), "three");
      assert.deepEqual(await recordsOf(store, "log"), [
        [1, "R1"],
        [2, "r2"],
      ]);
    },
  },
  {
    title: "an empty batch succeeds",
    async run({ open }) {
      assert.deepEqual(resultsOf(await (await open()).batch([])), []);
    },
  },
  {
    title: "exactly one of several simultaneous batches creates the same entry",
    async run({ open }) {
      const store = await open();
      const attempts = Array.from({ length: 20 }, (_, index) =>
        store.batch([
          { type: "put", key: "name", value: utf8(String(index)), ifAbsent: "fail" },
          { type: "append", journal: "log", records: [utf8(String(index))] },
        ]),
      );
      const won = (await Promise.all(attempts)).flatMap((result, index) => (result.ok ? [String(index)] : []));
      assert.equal(won.length, 1);
      assert.equal(await textAt(store, "name"), won[0]);
      assert.deepEqual(await recordsOf(store, "log"), [[1, won[0]]]);
    },
  },
  {
    title: "a closed store rejects every call",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "x");
      await store.close();
      await store.close();
      for (const attempt of [() => store.get("a"), () => put(store, "a", "y"), () => store.increment("n", 1)]) {
        await assert.rejects(attempt, { name: "StoreUnavailable" });
      }
    },
  },
];
