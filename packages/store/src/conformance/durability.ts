import assert from "node:assert/strict";
import type { Store } from "../store.ts";
import type { StoreCase } from "./case.ts";
import { append, claim, eventually, pause, put, recordsOf, textAt, utf8 } from "./values.ts";

/** Cases about durability after a close, a crash and damage. */
export const durabilityCases: StoreCase[] = [
  {
    title: "everything is present after reopening",
    needs: ["reopen"],
    async run({ open }) {
      const store = await open();
      await put(store, "a", "one");
      await put(store, "a", "two");
      await put(store, "b", "gone");
      await store.batch([{ type: "delete", key: "b" }]);
      await store.increment("n", 41);
      await append(store, "log", "r1", "r2", "r3");
      await store.batch([
        { type: "trim", journal: "log", through: 1 },
        { type: "rewrite", journal: "log", position: 2, record: utf8("R2") },
      ]);
      await store.close();
      const again = await open();
      assert.deepEqual(
        (await again.list("")).map(({ key, version }) => [key, version]),
        [
          ["a", 2],
          ["n", 1],
        ],
      );
      assert.equal(await textAt(again, "a"), "two");
      assert.equal(await again.increment("n", 1), 42);
      assert.deepEqual(await recordsOf(again, "log"), [
        [2, "R2"],
        [3, "r3"],
      ]);
      assert.equal(await append(again, "log", "r4"), 4);
      assert.deepEqual(again.quarantined(), []);
    },
  },
  {
    title: "claims are present after reopening, all of a batch with several",
    needs: ["reopen"],
    async run({ open }) {
      const store = await open();
      const members = [["a", "b", "a"], ["c"], ["d", "e"]];
      await store.batch(members.map((some) => ({ type: "claim", set: "ids", generation: 1, keep: 2, members: some })));
      await claim(store, "ids", 2, ["f"], 2);
      await store.close();
      const again = await open();
      assert.deepEqual(await claim(again, "ids", 2, ["a", "b", "c", "d", "e", "f", "g"], 2), [..."abcdef"]);
      assert.deepEqual(again.quarantined(), []);
    },
  },
  {
    title: "a damaged entry is set aside: absent for get, list and conditions, and reported",
    needs: ["damage", "reopen"],
    async run({ open, damage }) {
      const store = await open();
      for (const key of ["p/a", "p/b", "p/c"]) await put(store, key, `value of ${key}`);
      await store.close();
      await damage({ key: "p/b" });
      const again = await open();
      assert.deepEqual(
        (await again.list("p/")).map((entry) => entry.key),
        ["p/a", "p/c"],
      );
      assert.deepEqual(
        (await again.list("p/", { limit: 2 })).map((entry) => entry.key),
        ["p/a", "p/c"],
        "a page is not shorter for it",
      );
      assert.equal(await again.get("p/b"), null);
      assert.equal(again.quarantined().length, 1);
      assert.equal(again.quarantined()[0]?.key, "p/b");
      assert.ok(again.quarantined()[0]!.reason.length > 0);
      assert.ok((await put(again, "p/b", "made again", { ifAbsent: "fail" })).ok);
      assert.equal(await textAt(again, "p/b"), "made again");
    },
  },
  {
    title: "a damaged entry stays set aside after reopening",
    needs: ["damage", "reopen"],
    async run({ open, damage }) {
      const store = await open();
      await put(store, "a", "x");
      await store.close();
      await damage({ key: "a" });
      const second = await open();
      assert.equal(await second.get("a"), null);
      await put(second, "a", "new");
      await second.close();
      const third = await open();
      assert.equal(await textAt(third, "a"), "new");
      assert.deepEqual(third.quarantined(), []);
    },
  },
  {
    title: "lists what is set aside after reopening too, until a write replaces it",
    needs: ["damage", "reopen"],
    async run({ open, damage }) {
      const store = await open();
      for (const key of ["a", "b"]) await put(store, key, "x");
      await append(store, "log", "first", "second");
      await store.close();
      await damage({ key: "a" });
      await damage({ key: "b" });
      await damage({ journal: "log", position: 1 });
      const second = await open();
      await second.list("");
      await recordsOf(second, "log");
      const names = (one: Store) =>
        one
          .quarantined()
          .map(({ key }) => key)
          .sort();
      assert.deepEqual(names(second), ["a", "b", "log#1"]);
      await put(second, "b", "made again");
      assert.deepEqual(names(second), ["a", "log#1"]);
      await second.close();
      const third = await open();
      assert.equal(await third.get("a"), null);
      assert.deepEqual(names(third), ["a", "log#1"]);
      for (const { reason, at } of third.quarantined()) assert.ok(reason.length > 0 && at > 0);
      await put(third, "a", "made again");
      assert.deepEqual(names(third), ["log#1"]);
      await third.close();
      const fourth = await open();
      await fourth.list("");
      assert.deepEqual(names(fourth), ["log#1"]);
    },
  },
  {
    title: "reports each damaged record to a listener once, also records found before it subscribed",
    needs: ["damage", "reopen"],
    async run({ open, damage }) {
      const store = await open();
      for (const key of ["a", "b", "c"]) await put(store, key, "x");
      await store.close();
      for (const key of ["a", "b", "c"]) await damage({ key });
      const again = await open();
      const heard: string[] = [];
      assert.equal(await again.get("a"), null);
      const stop = again.onQuarantine?.(({ key }) => heard.push(key));
      for (let round = 0; round < 3; round++) for (const key of ["a", "b"]) assert.equal(await again.get(key), null);
      assert.deepEqual(heard, ["a", "b"]);
      stop?.();
      assert.equal(await again.get("c"), null);
      assert.deepEqual(heard, ["a", "b"]);
    },
  },
  {
    title: "a damaged counter starts again instead of failing",
    needs: ["damage", "reopen"],
    async run({ open, damage }) {
      const store = await open();
      await store.increment("n", 7);
      await store.close();
      await damage({ key: "n" });
      const again = await open();
      assert.equal(await again.increment("n", 1), 1);
      assert.equal(again.quarantined().length, 1);
    },
  },
  {
    title: "a damaged record in a journal is skipped and reported; the others keep their positions",
    needs: ["damage", "reopen"],
    async run({ open, damage }) {
      const store = await open();
      await append(store, "log", "first record", "second record", "third record");
      await store.close();
      await damage({ journal: "log", position: 2 });
      const again = await open();
      assert.deepEqual(await recordsOf(again, "log", 0, 2), [
        [1, "first record"],
        [3, "third record"],
      ]);
      assert.equal(await again.head("log"), 3);
      assert.equal(again.quarantined().length, 1);
      assert.equal(again.quarantined()[0]?.key, "log#2");
      assert.equal(await append(again, "log", "fourth"), 4);
      await again.close();
      const third = await open();
      assert.deepEqual(
        (await recordsOf(third, "log")).map(([position]) => position),
        [1, 3, 4],
      );
    },
  },
  {
    title: "drops a last record that a crash cut short and did not acknowledge, and reuses its position",
    needs: ["tear", "reopen"],
    async run({ open, tear }) {
      const store = await open();
      await append(store, "log", "first", "second", "cut short");
      await store.close();
      await tear("log");
      const again = await open();
      assert.deepEqual(await recordsOf(again, "log"), [
        [1, "first"],
        [2, "second"],
      ]);
      assert.equal(await append(again, "log", "third"), 3);
      await again.close();
      assert.deepEqual((await recordsOf(await open(), "log")).at(-1), [3, "third"]);
    },
  },
  {
    title: "after kill -9 during writes, every acknowledged batch is present and every other one whole or absent",
    needs: ["children", "reopen"],
    async run({ open, fork }) {
      const acknowledged = new Set<string>();
      for (let round = 0; round < 2; round++) {
        const [child] = await fork(1);
        const written = child!.perform("write", `w${round}`, 100_000, (step) => acknowledged.add(`w${round}/${step}`));
        written.catch(() => {});
        const before = acknowledged.size;
        await eventually(() => acknowledged.size >= before + 60, 20_000);
        child!.kill();
        await child!.gone;
      }
      const store = await open();
      for (const name of ["w0", "w1"]) {
        const entries = await store.list(`${name}/0`, { limit: 200_000 });
        const steps = entries.map((entry) => entry.key.slice(3));
        const records = await recordsOf(store, name, 0, 200_000);
        assert.deepEqual(
          records.map(([, text]) => text),
          steps,
        );
        assert.equal(await store.head(name), steps.length);
        assert.equal(await textAt(store, `${name}/last`), steps.at(-1)?.repeat(200));
        assert.deepEqual(await claim(store, name, 1, [...steps, "new"], 1), steps);
        for (const key of acknowledged) if (key.startsWith(name)) assert.ok(steps.includes(key.slice(3)), key);
      }
      assert.deepEqual(store.quarantined(), []);
    },
  },
  {
    title: "rejects a second live instance with a message that names an alternative",
    needs: ["exclusive"],
    async run({ open, fork }) {
      const store = await open();
      await put(store, "a", "x");
      await assert.rejects(
        async () => (await open()).get("a"),
        (error: Error) => error.name === "StoreRefused" && error.message.includes("lmdb"),
      );
      const [child] = await fork(1);
      await assert.rejects(child!.perform("open", "a", 0), /StoreRefused/);
      await put(store, "a", "y");
      assert.equal(await textAt(store, "a"), "y");
    },
  },
  {
    title: "replaces an instance at once whose process was killed",
    needs: ["exclusive", "reopen"],
    async run({ open, fork }) {
      const [child] = await fork(1);
      await child!.perform("increment", "n", 3);
      await assert.rejects(async () => (await open()).get("n"), { name: "StoreRefused" });
      child!.kill();
      await child!.gone;
      const start = Date.now();
      assert.equal(await textAt(await open(), "n"), "3");
      assert.ok(Date.now() - start < 1_000);
    },
  },
  {
    title: "a closed store lets the process end and the next instance open",
    needs: ["reopen"],
    async run({ open }) {
      const first = await open();
      await first.subscribe("flags", () => {});
      await first.close();
      await pause(5);
      const second = await open();
      await put(second, "a", "x");
      assert.equal(await textAt(second, "a"), "x");
    },
  },
];
