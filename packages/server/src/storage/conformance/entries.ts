import assert from "node:assert/strict";
import { keyOf, partOf, prefixOf } from "../key.ts";
import type { StoreCase } from "./case.ts";
import { failedOf, put, resultsOf, textAt, textOf, utf8 } from "./values.ts";

/** Texts that alias, retype, vanish or escape somewhere when they are used as keys as they are. */
const zoo = [
  ..."a A b B é É ß ẞ İ ı 中 😀 \u0000 \u0001 \n \t \u007f \u0080 \u00a0 \u2028 \ufeff \uffff \ud800 \udfff".split(" "),
  ..."a? a?b a:b a/b a\\b a%b a%2fb %61 a$ $ . .. ... .a a. a..b ../a ~ ~~ ~61 + = - _ _a * | < > \" ' ` # & ; ,".split(
    " ",
  ),
  ...'123 0123 1e3 -0 true null undefined NaN {} [] "a" __proto__ constructor toString node_modules .git con nul'.split(
    " ",
  ),
  ..." |  |a |a b|e\u0301|\u212b|\u00c5|a\u0000b|A\ud800|A\udc00|lock|meta|head".split("|"),
  "",
  "x".repeat(255),
  "x".repeat(256),
  "X".repeat(300),
  "é".repeat(300),
];

/** Cases about single entries: keys, values, versions and their conditions. */
export const entryCases: StoreCase[] = [
  {
    title: "every text makes a key of its own, as a part before others and as the last",
    async run({ open }) {
      const store = await open();
      const texts = [...new Set(zoo)];
      const keys = texts.flatMap((text) => [keyOf("zoo", text), keyOf("zoo", text, "below")]);
      await Promise.all(keys.map((key, index) => put(store, key, `value ${index}`)));
      for (const [index, key] of keys.entries()) assert.equal(await textAt(store, key), `value ${index}`, key);
      const listed = await store.list(prefixOf("zoo"));
      assert.deepEqual(
        listed.map((entry) => entry.key),
        [...keys].sort(),
      );
      for (const { key } of listed) {
        const text = partOf(key.split("/")[1] ?? "");
        assert.ok(text === null || texts.includes(text), key);
      }
    },
  },
  {
    title: "every text of the key zoo survives reopening",
    needs: ["reopen"],
    async run({ open }) {
      const store = await open();
      const keys = [...new Set(zoo)].map((text) => keyOf("zoo", text, "below"));
      await store.batch(keys.map((key) => ({ type: "put", key, value: utf8(key) })));
      await store.close();
      const again = await open();
      assert.deepEqual(
        (await again.list("zoo/")).map((entry) => entry.key),
        [...keys].sort(),
      );
      for (const key of keys) assert.equal(await textAt(again, key), key);
    },
  },
  {
    title: "the longest key is a key",
    async run({ open }) {
      const store = await open();
      const key = keyOf(..."abcdef".split("").map((letter) => letter.repeat(127)));
      assert.equal(key.length, 767);
      await put(store, `n${"s".repeat(200)}/${key}`, "long");
      assert.equal(await textAt(store, `n${"s".repeat(200)}/${key}`), "long");
    },
  },
  {
    title: "a text that keyOf did not make is refused as a key",
    async run({ open }) {
      const store = await open();
      for (const key of ["", "A", "a?b", "a b", "/a", "a/", "a//b", "é"]) {
        await assert.rejects(put(store, key, "x"), TypeError, key);
        await assert.rejects(store.get(key), TypeError, key);
      }
    },
  },
  {
    title: "a missing key is null",
    async run({ open }) {
      assert.equal(await (await open()).get("missing"), null);
    },
  },
  {
    title: "values are bytes: every byte, in any order, comes back",
    async run({ open }) {
      const store = await open();
      const values = [
        Uint8Array.from({ length: 512 }, (_, index) => index % 256),
        Uint8Array.from([0]),
        Uint8Array.from([0xff, 0xfe]),
        Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]),
        Uint8Array.from([0xed, 0xa0, 0x80]),
        Uint8Array.from([0x0d, 0x0a, 0x0d]),
      ];
      for (const [index, value] of values.entries()) {
        await store.batch([{ type: "put", key: `bytes/${index}`, value }]);
        assert.deepEqual(new Uint8Array((await store.get(`bytes/${index}`))!.value), value);
      }
    },
  },
  {
    title: "a value that looks like another type stays as it is",
    async run({ open }) {
      const store = await open();
      const texts = [
        "123",
        "true",
        "null",
        "undefined",
        "{}",
        '{"__proto__":1}',
        '"quoted"',
        " padded ",
        "1e400",
        "\ufeffx",
      ];
      await store.batch(texts.map((text, index) => ({ type: "put", key: `typed/${index}`, value: utf8(text) })));
      for (const [index, text] of texts.entries()) assert.equal(await textAt(store, `typed/${index}`), text);
    },
  },
  {
    title: "an empty value is there, and empty",
    async run({ open }) {
      const store = await open();
      await put(store, "empty", "");
      const entry = await store.get("empty");
      assert.equal(entry?.value.length, 0);
      assert.equal((await store.list("empty")).length, 1);
    },
  },
  {
    title: "a value of 1 MB comes back whole, text or not",
    async run({ open }) {
      const store = await open();
      const binary = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 31) % 251);
      const text = "flag é ".repeat(131_072);
      await store.batch([
        { type: "put", key: "big/binary", value: binary },
        { type: "put", key: "big/text", value: utf8(text) },
      ]);
      assert.equal(Buffer.compare((await store.get("big/binary"))!.value, binary), 0);
      assert.ok((await textAt(store, "big/text")) === text);
    },
  },
  {
    title: "a value does not change with the bytes it was put from or given out as",
    async run({ open }) {
      const store = await open();
      const value = utf8("before");
      await store.batch([{ type: "put", key: "own", value }]);
      value.fill(0);
      (await store.get("own"))!.value.fill(0);
      (await store.list("own"))[0]!.value.fill(0);
      assert.equal(await textAt(store, "own"), "before");
    },
  },
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
    title: "a deleted entry is gone from get and list, and can be made again",
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
    title: "deleting what is not there is no failure",
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
    title: "a put with ifVersion 0 asks for a missing entry",
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
    title: "a put with ifAbsent fails where the entry exists, or leaves it and goes on",
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
    title: "what is no counter is not counted",
    async run({ open }) {
      const store = await open();
      await put(store, "a", "text");
      await assert.rejects(store.increment("a", 1), TypeError);
      await assert.rejects(store.increment("b", 0.5), TypeError);
      assert.equal(await textAt(store, "a"), "text");
    },
  },
  {
    title: "increments at the same time all count, each with an answer of its own",
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
    title: "of compare-and-set writers at the same time, one at a time wins and none is lost",
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
