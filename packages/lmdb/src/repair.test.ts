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
});
