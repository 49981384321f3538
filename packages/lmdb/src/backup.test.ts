import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { genericStore, requireRestored, restoreBackup, type Store, StoreRefused, writeBackup } from "@assay/store";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lmdbStore } from "./lmdb-store.ts";

let path: string;
let open: Store[] = [];
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-backup-"));
  open = [];
});
afterEach(async () => {
  for (const store of open) await store.close();
  await rm(path, { recursive: true });
});

const KINDS: Record<string, (name: string) => Store> = {
  lmdb: (name) => lmdbStore({ path: join(path, name) }),
  generic: (name) => genericStore(createStorage({ driver: fsDriver({ base: join(path, name) }) })),
};
/** More than a store reads in one turn of the event loop, so that writes fall between. */
const MANY = 1_500;
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array) => new TextDecoder().decode(value);

describe.each(Object.keys(KINDS))("%s", (kind) => {
  function opened(name: string): Store {
    const store = KINDS[kind]!(name);
    open.push(store);
    return store;
  }

  const claim = (store: Store, member: string) =>
    store.batch([{ type: "claim", set: "ids", generation: 1, keep: 7, members: [member] }]);

  test("a backup that is stopped leaves no file, and the next one replaces what a killed process left", async () => {
    const store = opened("data");
    for (let number = 0; number < 40; number++) {
      await store.batch([{ type: "put", key: `key-${number}`, value: bytes("value") }]);
    }
    const stop = new AbortController();
    const copy = join(path, "copy");
    const rows = store.rows!;
    const stopping = {
      ...store,
      async *rows() {
        let count = 0;
        for await (const row of rows()) {
          if (++count === 20) stop.abort(new Error("stopped"));
          yield row;
        }
      },
    };
    await expect(writeBackup(stopping, copy, { signal: stop.signal })).rejects.toThrow("stopped");
    expect((await readdir(path)).filter((name) => name.startsWith("copy"))).toEqual([]);
    await writeFile(`${copy}.part`, "half of an earlier backup ".repeat(100_000));
    const { tables } = await writeBackup(store, copy, { signal: new AbortController().signal });
    expect(Object.values(tables).reduce((sum, rows) => sum + rows)).toBeGreaterThanOrEqual(40);
    expect((await readdir(path)).filter((name) => name.startsWith("copy"))).toEqual(["copy"]);
  });

  test("a restored store answers as the one that was backed up, and continues it", async () => {
    const store = opened("one");
    await store.batch([{ type: "put", key: "a", value: bytes("first") }]);
    await store.batch([{ type: "put", key: "a", value: bytes("second\u0000\n") }]);
    await store.batch([{ type: "put", key: "empty", value: new Uint8Array() }]);
    await store.increment("n", 41);
    const records = ["one", "two", "three"].map(bytes);
    await store.batch([{ type: "append", journal: "log", records }]);
    await store.batch([{ type: "trim", journal: "log", through: 1 }]);
    await claim(store, "known");
    const lease = await store.lease("job", "holder", 60_000);
    const { tables } = await writeBackup(store, join(path, "copy"));
    expect(Object.values(tables).every((rows) => rows > 0)).toBe(true);

    const copy = opened("two");
    await restoreBackup(copy, join(path, "copy"));
    expect(await copy.get("a")).toMatchObject({ version: 2, value: bytes("second\u0000\n") });
    expect((await copy.get("empty"))?.value).toHaveLength(0);
    expect((await copy.list("")).map(({ key }) => key)).toEqual(["a", "empty", "n"]);
    expect(await copy.increment("n", 1)).toBe(42);
    const read = await copy.read("log", 0, 10);
    expect(read.map(({ position, record }) => [position, text(record)])).toEqual([
      [2, "two"],
      [3, "three"],
    ]);
    expect(await copy.batch([{ type: "append", journal: "log", records: [bytes("four")] }])).toMatchObject({
      results: [4],
    });
    expect(await claim(copy, "known")).toMatchObject({ ok: false });
    expect(await claim(copy, "new")).toMatchObject({ ok: true });
    expect(await copy.batch([{ type: "fence", lease: "job", token: lease!.token }])).toMatchObject({ ok: true });
    expect(copy.quarantined()).toEqual([]);
  });

  test("a backup contains whole batches only, and each that was acknowledged before", async () => {
    const store = opened("one");
    const keys = Array.from({ length: MANY }, (_, index) => `m/${index}`);
    await store.batch(keys.map((key) => ({ type: "put", key, value: bytes("x".repeat(1_000)) })));
    let pairs = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        const value = bytes(String(pairs + 1));
        // The first and the last key of the store.
        await store.batch([
          { type: "put", key: "a", value },
          { type: "put", key: "z", value },
        ]);
        pairs++;
      }
    })();
    await expect.poll(() => pairs).toBeGreaterThan(5);
    const before = pairs;
    await writeBackup(store, join(path, "copy"));
    isDone = true;
    await writing;
    const copy = opened("two");
    await restoreBackup(copy, join(path, "copy"));
    const [first, last] = [await copy.get("a"), await copy.get("z")];
    expect(text(first!.value)).toBe(text(last!.value));
    expect(Number(text(first!.value))).toBeGreaterThanOrEqual(before);
    expect(await copy.list("m/", { limit: 2 * MANY })).toHaveLength(MANY);
  });

  test("a restore that was interrupted is refused until it is done again elsewhere", async () => {
    const store = opened("one");
    await store.batch([{ type: "put", key: "a", value: bytes("x") }]);
    await writeBackup(store, join(path, "copy"));
    const broken = opened("two");
    const failing: Store = { ...broken, load: () => Promise.reject(new Error("Killed")) };
    await expect(restoreBackup(failing, join(path, "copy"))).rejects.toThrow("Killed");
    await expect(requireRestored(broken)).rejects.toThrow(StoreRefused);
    await expect(restoreBackup(broken, join(path, "copy"))).rejects.toThrow("There is data already");
    await requireRestored(store);
  });

  test("a file that is damaged, cut short or something else is refused before anything is written", async () => {
    const store = opened("one");
    for (const key of ["a", "b", "c"]) await store.batch([{ type: "put", key, value: bytes(`value of ${key}`) }]);
    await writeBackup(store, join(path, "copy"));
    const whole = await readFile(join(path, "copy"));
    const copy = opened("two");
    const refused = async (content: Uint8Array, why: string) => {
      await writeFile(join(path, "other"), content);
      await expect(restoreBackup(copy, join(path, "other"))).rejects.toThrow(why);
    };
    // Each byte after the first line, and each length.
    for (let at = whole.indexOf("\n") + 1; at < whole.length; at += 7) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1;
      await refused(flipped, "is damaged or cut short");
      await refused(whole.subarray(0, at), "is damaged or cut short");
    }
    await refused(bytes("something else"), "is not a backup of Assay");
    await refused(bytes('{"assay_backup":2}\n'), "A later version of Assay made");
    await restoreBackup(copy, join(path, "copy"));
    expect(await copy.list("")).toHaveLength(3);
  });
});
