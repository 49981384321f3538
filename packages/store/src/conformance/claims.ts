import assert from "node:assert/strict";
import type { StoreCase } from "./case.ts";
import { append, claim, failedOf, recordsOf, resultsOf, utf8 } from "./values.ts";

/** Cases about claims: members of a set, each once within some generations. */
export const claimCases: StoreCase[] = [
  {
    title: "a member is claimed once, and a later claim names it",
    async run({ open }) {
      const store = await open();
      assert.deepEqual(await claim(store, "ids", 1, ["a", "b", "c"]), []);
      assert.deepEqual(await claim(store, "ids", 1, ["x", "b", "y", "c"]), ["b", "c"]);
    },
  },
  {
    title: "a failed claim claims none of its members",
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 1, ["a"]);
      assert.deepEqual(await claim(store, "ids", 1, ["b", "a", "c"]), ["a"]);
      assert.deepEqual(await claim(store, "ids", 1, ["b", "c"]), []);
    },
  },
  {
    title: "a member counts for the kept generations, then it is free again",
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 10, ["a"], 3);
      assert.deepEqual(await claim(store, "ids", 11, ["a"], 3), ["a"]);
      assert.deepEqual(await claim(store, "ids", 12, ["b"], 3), []);
      assert.deepEqual(await claim(store, "ids", 12, ["a"], 3), ["a"]);
      assert.deepEqual(await claim(store, "ids", 13, ["a"], 3), []);
      assert.deepEqual(await claim(store, "ids", 15, ["a"], 3), ["a"]);
      assert.deepEqual(await claim(store, "ids", 15, ["b"], 3), []);
    },
  },
  {
    title: "a failed claim forgets nothing",
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 1, ["a"], 2);
      await claim(store, "ids", 2, ["b"], 2);
      // Generation 3 would forget "a", but the claim of "b" fails.
      assert.deepEqual(await claim(store, "ids", 3, ["b", "c"], 2), ["b"]);
      assert.deepEqual(await claim(store, "ids", 2, ["a"], 2), ["a"]);
    },
  },
  {
    title: "a claim with an old generation counts for the newest one",
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 20, ["a"], 2);
      assert.deepEqual(await claim(store, "ids", 10, ["b", "c"], 2), []);
      assert.deepEqual(await claim(store, "ids", 10, ["a"], 2), ["a"]);
      assert.deepEqual(await claim(store, "ids", 21, ["b"], 2), ["b"]);
      assert.deepEqual(await claim(store, "ids", 22, ["b"], 2), []);
    },
  },
  {
    title: "a member twice in one claim counts once",
    async run({ open }) {
      const store = await open();
      assert.deepEqual(await claim(store, "ids", 1, ["a", "b", "a"]), []);
      assert.deepEqual(await claim(store, "ids", 1, ["a", "a"]), ["a"]);
    },
  },
  {
    title: "the second of two claims of a member in one batch fails with its index",
    async run({ open }) {
      const store = await open();
      const result = await store.batch([
        { type: "claim", set: "ids", generation: 1, keep: 1, members: ["a", "b"] },
        { type: "claim", set: "ids", generation: 1, keep: 1, members: ["b", "c"] },
      ]);
      assert.deepEqual(failedOf(result), [1]);
      assert.deepEqual("claimed" in result && result.claimed.get(1), ["b"]);
      assert.deepEqual(await claim(store, "ids", 1, ["a", "b", "c"]), []);
    },
  },
  {
    title: "a claim of no members forgets nothing",
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 1, ["a"]);
      assert.deepEqual(await claim(store, "ids", 9, []), []);
      assert.deepEqual(await claim(store, "ids", 1, ["a"]), ["a"]);
    },
  },
  {
    title: "a claim without a whole generation, or that keeps none, is refused",
    async run({ open }) {
      const store = await open();
      for (const [generation, keep] of [
        [0.5, 1],
        [Number.NaN, 1],
        [2 ** 53, 1],
        [1, 0],
        [1, 1.5],
      ] as const) {
        await assert.rejects(claim(store, "ids", generation, ["a"], keep), TypeError, `${generation}, ${keep}`);
      }
      assert.deepEqual(await claim(store, "ids", 1, ["a"]), []);
    },
  },
  {
    title: "UUIDs are claimed once, between, before and around those claimed earlier",
    async run({ open }) {
      const store = await open();
      const ids = (from: number, to: number, step = 1) =>
        Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => {
          return `0190a000-0000-7000-8000-${String(from + index * step).padStart(12, "0")}`;
        });
      assert.deepEqual(await claim(store, "ids", 1, ids(20, 38, 2)), []);
      assert.deepEqual(await claim(store, "ids", 1, ids(21, 39, 2).reverse()), []);
      assert.deepEqual(await claim(store, "ids", 1, ids(0, 9)), []);
      assert.deepEqual(await claim(store, "ids", 1, ids(10, 20)), ids(20, 20));
      assert.deepEqual(await claim(store, "ids", 1, ids(9, 19)), ids(9, 9));
      assert.deepEqual(await claim(store, "ids", 1, ids(30, 45)), ids(30, 39));
      assert.deepEqual(await claim(store, "ids", 1, ids(5, 100, 15)), [...ids(5, 5), ...ids(20, 20), ...ids(35, 35)]);
      assert.deepEqual(await claim(store, "ids", 1, ids(10, 19)), []);
      assert.deepEqual(await claim(store, "ids", 1, ids(40, 60)), []);
    },
  },
  {
    title: "UUIDs that differ in one character are different members",
    async run({ open }) {
      const store = await open();
      const uuid = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";
      // Each digit with its bits inverted, and characters that are not hexadecimal digits.
      const others = [...uuid].flatMap((character, at) =>
        (character === "-" ? ["0"] : [(15 - Number.parseInt(character, 16)).toString(16), "g", "-", "é"]).map(
          (other) => uuid.slice(0, at) + other + uuid.slice(at + 1),
        ),
      );
      assert.deepEqual(await claim(store, "ids", 1, [uuid]), []);
      assert.deepEqual(await claim(store, "ids", 1, others), []);
      for (const other of others) assert.deepEqual(await claim(store, "ids", 1, [other]), [other]);
      assert.deepEqual(await claim(store, "ids", 1, [uuid, `${uuid}0`, uuid.slice(1)]), [uuid]);
    },
  },
  {
    title: "sets are separate",
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 1, ["a"]);
      assert.deepEqual(await claim(store, "ids/x", 1, ["a"]), []);
      assert.deepEqual(await claim(store, "ids", 1, ["a"]), ["a"]);
      assert.deepEqual(await store.list(""), [], "members are no entries");
    },
  },
  {
    title: "members are arbitrary texts, compared exactly",
    async run({ open }) {
      const store = await open();
      const uuid = "018f3f2a-7c1e-7b3a-9d2e-5a1b2c3d4e5f";
      const members = [
        uuid,
        uuid.toUpperCase(),
        uuid.replaceAll("-", ""),
        `${uuid} `,
        "",
        " ",
        "a\nb",
        "a,b",
        "A",
        "a",
      ];
      members.push(
        "é",
        "e\u0301",
        "\u0000",
        "\ud800",
        "\udfff",
        "x".repeat(64),
        "x".repeat(65),
        "x".repeat(5_000),
        "123",
        "null",
      );
      assert.deepEqual(await claim(store, "ids", 1, members), []);
      for (const member of members) assert.deepEqual(await claim(store, "ids", 1, [member]), [member]);
      assert.deepEqual(await claim(store, "ids", 1, ["x".repeat(66), "\ud801", "b"]), []);
    },
  },
  {
    title: "simultaneous claims give each member to one of them",
    async run({ open }) {
      const store = await open();
      const attempts = Array.from({ length: 30 }, (_, index) => claim(store, "ids", 1, [`m${index % 10}`]));
      const won = (await Promise.all(attempts)).filter((already) => already.length === 0);
      assert.equal(won.length, 10);
    },
  },
  {
    title: "records and the claims of their ids are atomic",
    async run({ open }) {
      const store = await open();
      const send = (id: string) =>
        store.batch([
          { type: "claim", set: "ids", generation: 1, keep: 1, members: [id] },
          { type: "append", journal: "events", records: [utf8(id)] },
        ]);
      await Promise.all(["a", "b", "a", "c", "b"].map(send));
      assert.deepEqual((await recordsOf(store, "events")).map(([, text]) => text).sort(), ["a", "b", "c"]);
    },
  },
  {
    title: "claims and forgotten generations are the same after reopening",
    needs: ["reopen"],
    async run({ open }) {
      const store = await open();
      await claim(store, "ids", 1, ["a", "e\n\ud800"], 2);
      await claim(store, "ids", 2, ["b"], 2);
      await claim(store, "ids", 3, ["c"], 2);
      await store.close();
      const again = await open();
      assert.deepEqual(await claim(again, "ids", 3, ["a", "b", "c", "d"], 2), ["b", "c"]);
      assert.deepEqual(await claim(again, "ids", 2, ["a", "e\n\ud800"], 2), []);
      assert.deepEqual(await claim(again, "ids", 4, ["a"], 2), ["a"]);
    },
  },
  {
    title: "thousands of members are claimed in one batch",
    async run({ open }) {
      const store = await open();
      const members = Array.from({ length: 5_000 }, (_, index) => `member-${index}`);
      assert.deepEqual(await claim(store, "ids", 1, members), []);
      assert.equal((await claim(store, "ids", 1, members)).length, 5_000);
      assert.deepEqual(resultsOf(await store.batch([])), []);
      assert.equal(await append(store, "log", "after"), 1);
    },
  },
];
