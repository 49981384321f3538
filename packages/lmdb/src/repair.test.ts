import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkStore, genericStore, repairStore, type Store, StoreRefused, writeBackup } from "@assay/store";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { damage } from "./damage.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";

let path: string;
let file: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-repair-"));
  file = join(path, "copy");
});
afterEach(() => rm(path, { recursive: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);
const put = (store: Store, key: string, value: string) => store.batch([{ type: "put", key, value: bytes(value) }]);
const namesOf = (damaged: { key: string }[]) => damaged.map(({ key }) => key).sort();

async function fill(store: Store): Promise<void> {
  for (const key of ["a", "b", "c"]) await put(store, key, `value of ${key}`);
  const records = Array.from({ length: 2_500 }, (_, index) => bytes(`record ${index + 1}`));
  await store.batch([{ type: "append", journal: "log", records }]);
}

describe("lmdb", () => {
  const open = () => lmdbStore({ path: join(path, "data") });

  test("a check finds damage that nothing has read yet, in entries and in journals", async () => {
    const store = open();
    await fill(store);
    expect(await checkStore(store)).toEqual({ entries: 3, records: 2_500, damaged: [] });
    await store.close();
    await damage(join(path, "data"), { key: "b" });
    await damage(join(path, "data"), { journal: "log", position: 2_001 });
    const again = open();
    const found = await checkStore(again);
    expect([found.entries, found.records, namesOf(found.damaged)]).toEqual([2, 2_499, ["b", "log#2001"]]);
    await again.close();
  });

  test("a repair puts back what is damaged, with its version and position, and nothing else", async () => {
    const store = open();
    await fill(store);
    await put(store, "b", "second value");
    await writeBackup(store, file);
    await put(store, "a", "newer than the backup");
    await put(store, "d", "not in the backup");
    await store.close();
    for (const key of ["b", "c", "d"]) await damage(join(path, "data"), { key });
    await damage(join(path, "data"), { journal: "log", position: 7 });
    const again = open();
    expect(await again.get("c")).toBeNull();
    await put(again, "c", "made again");
    const { repaired, left } = await repairStore(again, file);
    expect([repaired.sort(), namesOf(left)]).toEqual([["b", "log#7"], ["d"]]);
    expect(await again.get("b")).toMatchObject({ version: 2, value: bytes("second value") });
    expect(text((await again.get("a"))?.value)).toBe("newer than the backup");
    expect(text((await again.get("c"))?.value)).toBe("made again");
    expect(text((await again.read("log", 6, 1))[0]?.record)).toBe("record 7");
    await put(again, "d", "made again");
    expect(await checkStore(again)).toEqual({ entries: 4, records: 2_500, damaged: [] });
    await again.close();
  });
});

describe("generic", () => {
  const open = () => {
    const storage = createStorage({ driver: fsDriver({ base: join(path, "files") }) });
    return { storage, store: genericStore(storage) };
  };

  test("a check finds damage, and a repair puts entries back", async () => {
    const { storage, store } = open();
    await fill(store);
    await writeBackup(store, file);
    await store.close();
    const name = (await storage.getKeys()).find((key) => key.includes("entries") && key.includes(":b"))!;
    await storage.setItem(name, `${await storage.getItem(name)}x`);
    const again = open().store;
    const found = await checkStore(again);
    expect([found.entries, found.records, namesOf(found.damaged)]).toEqual([2, 2_500, ["b"]]);
    expect(await repairStore(again, file)).toEqual({ repaired: ["b"], left: [] });
    expect(text((await again.get("b"))?.value)).toBe("value of b");
    await expect(repairStore(lmdbStore({ path: join(path, "data") }), file)).rejects.toThrow(StoreRefused);
    await again.close();
  });

  describe("records of a journal", () => {
    const line = (number: number) => `record ${number} ${"x".repeat(500)}`;
    /** 200 records, in chunks of about 65. */
    async function fillLog(): Promise<void> {
      const { store } = open();
      for (let number = 1; number <= 200; number++) {
        await store.batch([{ type: "append", journal: "log", records: [bytes(line(number))] }]);
      }
      await writeBackup(store, file);
      await store.close();
    }
    async function chunks(): Promise<string[]> {
      const names = await open().storage.getKeys();
      return names.filter((name) => name.includes("journals") && name.includes("log")).sort();
    }
    async function change(chunk: string, by: (text: string) => string): Promise<void> {
      const { storage } = open();
      await storage.setItem(chunk, by(String(await storage.getItem(chunk))));
    }
    const recordsIn = async (store: Store) =>
      (await store.read("log", 0, 1_000)).map(({ position, record }) => [position, text(record)]);
    const everything = Array.from({ length: 200 }, (_, index) => [index + 1, line(index + 1)]);
    const numbersIn = (damaged: { key: string }[]) => damaged.map(({ key }) => Number(key.split("#")[1]));

    test("damaged ones are named, set aside, and put back in their places from a backup", async () => {
      await fillLog();
      const [first, second] = await chunks();
      await change(first!, (whole) => whole.replace("record 3 ", "record X "));
      await change(second!, (whole) => whole.replace("record 70 ", "record Y "));
      const { store } = open();
      expect(namesOf((await checkStore(store)).damaged)).toEqual(["log#3", "log#70"]);
      await store.close();
      // They are named until they are repaired, by each process.
      const again = open().store;
      expect(namesOf(again.quarantined())).toEqual([]);
      expect(namesOf((await checkStore(again)).damaged)).toEqual(["log#3", "log#70"]);
      expect(await repairStore(again, null)).toMatchObject({
        repaired: [],
        left: [{ key: "log#3" }, { key: "log#70" }],
      });
      expect(await repairStore(again, file)).toEqual({ repaired: ["log#3", "log#70"], left: [] });
      expect(await recordsIn(again)).toEqual(everything);
      await again.batch([{ type: "append", journal: "log", records: [bytes("next")] }]);
      await again.close();
      const last = open().store;
      expect(await checkStore(last)).toMatchObject({ records: 201, damaged: [] });
      expect((await recordsIn(last)).at(-1)).toEqual([201, "next"]);
      await last.close();
    });

    test("records missing from a chunk that is cut short are named one by one, and put back", async () => {
      await fillLog();
      const [, second, third] = await chunks();
      const before = Number(/(\d{16})/.exec(third!)![1]);
      await change(second!, (whole) => whole.slice(0, whole.indexOf("record 90 ") + 4));
      const { store } = open();
      const { damaged } = await checkStore(store);
      expect(numbersIn(damaged)).toEqual(Array.from({ length: before - 90 }, (_, index) => 90 + index));
      expect(damaged.slice(0, 2).map(({ reason }) => reason)).toEqual([
        "This record is cut short",
        "This record is missing",
      ]);
      expect((await repairStore(store, file)).left).toEqual([]);
      expect(await recordsIn(store)).toEqual(everything);
      await store.close();
    });

    test("a chunk that ends after a whole record too early misses the records after it", async () => {
      await fillLog();
      const [first, second] = await chunks();
      const next = Number(/(\d{16})/.exec(second!)![1]);
      await change(first!, (whole) =>
        whole
          .split("\n")
          .slice(0, next - 2)
          .join("\n")
          .concat("\n"),
      );
      const { store } = open();
      expect(numbersIn((await checkStore(store)).damaged)).toEqual([next - 2, next - 1]);
      await store.close();
    });

    test("a torn tail is named, cut, and put back; the next record takes its place", async () => {
      await fillLog();
      const tail = (await chunks()).at(-1)!;
      await change(tail, (whole) => whole.slice(0, -3));
      const { store } = open();
      expect((await checkStore(store)).damaged).toMatchObject([{ key: "log#200", reason: "This record is cut short" }]);
      await store.close();
      expect(String(await open().storage.getItem(tail))).toMatch(/\n$/);
      const again = open().store;
      expect(await repairStore(again, file)).toEqual({ repaired: ["log#200"], left: [] });
      expect(await recordsIn(again)).toEqual(everything);
      await again.close();
      await change(tail, (whole) => whole.slice(0, -3));
      const third = open().store;
      expect(await third.batch([{ type: "append", journal: "log", records: [bytes("new")] }])).toMatchObject({
        results: [200],
      });
      expect((await checkStore(third)).damaged).toEqual([]);
      expect((await recordsIn(third)).at(-1)).toEqual([200, "new"]);
      await third.close();
    });

    test("a record that the backup has damaged too stays named", async () => {
      await fillLog();
      const [first] = await chunks();
      await change(first!, (whole) => whole.replace("record 3 ", "record X "));
      const { store } = open();
      await writeBackup(store, `${file}-2`);
      expect(await repairStore(store, `${file}-2`)).toMatchObject({ repaired: [], left: [{ key: "log#3" }] });
      await store.close();
    });
  });
});
