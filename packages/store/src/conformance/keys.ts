import assert from "node:assert/strict";
import { keyOf, partOf, prefixOf } from "../key.ts";
import type { StoreCase } from "./case.ts";
import { put, textAt, utf8 } from "./values.ts";

/** Texts that collide, change type, vanish or escape somewhere if used unencoded as keys. */
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

/** Cases about valid keys and values. */
export const keyCases: StoreCase[] = [
  {
    title: "every text makes a distinct key, as a part before others and as the last",
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
    title: "accepts the longest key",
    async run({ open }) {
      const store = await open();
      const key = keyOf(..."abcdef".split("").map((letter) => letter.repeat(127)));
      assert.equal(key.length, 767);
      await put(store, `n${"s".repeat(200)}/${key}`, "long");
      assert.equal(await textAt(store, `n${"s".repeat(200)}/${key}`), "long");
    },
  },
  {
    title: "rejects a key that keyOf did not make",
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
    title: "returns every byte of a value in its order",
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
    title: "returns a value that looks like another type unchanged",
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
    title: "returns an empty value as empty",
    async run({ open }) {
      const store = await open();
      await put(store, "empty", "");
      const entry = await store.get("empty");
      assert.equal(entry?.value.length, 0);
      assert.equal((await store.list("empty")).length, 1);
    },
  },
  {
    title: "returns a value of 1 MB unchanged, text or not",
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
    title: "changing the bytes before or after a call does not change the stored value",
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
];
