import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Operation, Store } from "@assay/store";
import { createStorage } from "unstorage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdDatabase } from "./database.ts";
import lmdbDriver from "./driver.ts";
import { lmdbStore } from "./lmdb-store.ts";
import { createSmallDisk, noSmallDisk, type SmallDisk } from "./small-disk.fixture.ts";

const PAGE = 4_096;
const EIO = 5;
const FULL = { name: "StoreUnavailable", reason: "LMDB could not commit: No space left on device" };

let disk: SmallDisk;
let path: string;
beforeEach(() => {
  if (noSmallDisk) return;
  disk = createSmallDisk(2 ** 20);
  path = join(disk.path, "data");
});
afterEach(() => noSmallDisk ?? disk.remove());

/** One change of several parts, which must exist whole or not at all. */
function changeOf(number: number, size: number): Operation[] {
  return [
    { type: "put", key: `entries/${number}`, value: new Uint8Array(size).fill(number) },
    { type: "append", journal: "log", records: [new Uint8Array([number])] },
    { type: "claim", set: "ids", generation: 1, keep: 2, members: [String(number)] },
  ];
}

/**
 * Makes a commit fail in LMDB itself: between the check and the commit, the disk fills except for two pages, so that
 * LMDB's write is cut short.
 */
async function failInLmdb(): Promise<void> {
  const { database, release } = holdDatabase({ path });
  const { entries, write } = database.environment;
  const failing = write(() => {
    entries.put("half", new Uint8Array(100_000));
    disk.fill(2 * PAGE);
  });
  await expect(failing).rejects.toMatchObject({ ...FULL, cause: { code: EIO } });
  await release();
}

/** Writes changes until one is rejected; returns the numbers of the acknowledged ones and of the rejected one. */
async function writeUntilFull(store: Store, first: number, size: number): Promise<number> {
  for (let number = first; ; number++) {
    try {
      await store.batch(changeOf(number, size));
    } catch (error) {
      expect(error).toMatchObject(FULL);
      return number;
    }
  }
}

async function expectExactly(store: Store, end: number, size: number): Promise<void> {
  const numbers = Array.from({ length: end }, (_, number) => number);
  const entries = await store.list("entries/");
  expect(entries.map(({ key }) => Number(key.slice("entries/".length))).sort((a, b) => a - b)).toEqual(numbers);
  for (const { key, value } of entries) {
    expect(Buffer.from(value).equals(Buffer.alloc(size, Number(key.slice("entries/".length))))).toBe(true);
  }
  expect((await store.read("log", 0, 1_000)).map(({ record }) => record[0])).toEqual(numbers);
  const claimed = await store.batch([
    { type: "claim", set: "ids", generation: 1, keep: 2, members: [...numbers.map(String), "none"] },
  ]);
  expect(claimed.ok ? [] : claimed.claimed.get(0)).toEqual(numbers.map(String));
}

test.skipIf(noSmallDisk)("a full disk rejects whole changes, and accepts them again once there is space", async () => {
  const size = 10_000;
  disk.fill(400_000);
  let store = lmdbStore({ path });
  let end = 0;
  for (let round = 0; round < 3; round++) {
    end = await writeUntilFull(store, end, size);
    expect(end).toBeGreaterThan(5 * (round + 1));
    for (let again = 0; again < 3; again++) await expect(store.batch(changeOf(end, size))).rejects.toMatchObject(FULL);
    await expectExactly(store, end, size);
    disk.free();
    await store.batch(changeOf(end++, size));
    await expectExactly(store, end, size);
    disk.fill(100_000);
  }
  await store.close();
  disk.free();
  store = lmdbStore({ path });
  await expectExactly(store, end, size);
  await store.close();
});

test.skipIf(noSmallDisk)("rejects a change larger than the disk as a whole", async () => {
  const store = lmdbStore({ path });
  await store.batch(changeOf(0, 10));
  const many = Array.from({ length: 4_000 }, (_, index): Operation => {
    return { type: "put", key: `many/${index}`, value: new Uint8Array(1_000) };
  });
  await expect(store.batch(many)).rejects.toMatchObject(FULL);
  expect(await store.list("many/")).toEqual([]);
  await expectExactly(store, 1, 10);
  await store.close();
});

test.skipIf(noSmallDisk)(
  "a commit that LMDB could not write completely leaves nothing, and LMDB continues from its file",
  async () => {
    const store = lmdbStore({ path });
    for (let end = 1; end <= 3; end++) {
      await store.batch(changeOf(end - 1, 10));
      await failInLmdb();
      expect(await store.get("half")).toBeNull();
      disk.free();
      await expectExactly(store, end, 10);
    }
    await store.close();
  },
);

test.skipIf(noSmallDisk)("keeps a sixteenth of the disk free, and twice the space of the change", async () => {
  const store = lmdbStore({ path });
  await store.batch(changeOf(0, 10));
  const reserve = 2 ** 20 / 16;
  disk.fill(reserve - PAGE);
  await expect(store.batch(changeOf(1, 10))).rejects.toMatchObject(FULL);
  disk.fill(reserve + 2 * PAGE);
  await store.batch(changeOf(1, 10));
  disk.fill(reserve + 2 * 50_000);
  await expect(store.batch(changeOf(2, 50_000))).rejects.toMatchObject(FULL);
  disk.fill(reserve + 2 * 50_000 + PAGE);
  await store.batch(changeOf(2, 50_000));
  await store.close();
});

test.skipIf(noSmallDisk)(
  "all callers of a failed commit are rejected, and later ones are served in order",
  async () => {
    const store = lmdbStore({ path });
    disk.fill();
    const together = Array.from({ length: 20 }, (_, number) => store.batch(changeOf(number, 100_000)));
    const settled = await Promise.allSettled(together);
    expect(settled.map(({ status }) => status)).toEqual(together.map(() => "rejected"));
    disk.free();
    expect(await store.increment("n", 1)).toBe(1);
    expect(await Promise.all([store.increment("n", 1), store.increment("n", 1), store.get("none")])).toEqual([
      2,
      3,
      null,
    ]);
    await store.close();
  },
);

test.skipIf(noSmallDisk)("a failed commit rejects its callers and leaves no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const store = lmdbStore({ path });
  disk.fill();
  for (let round = 0; round < 3; round++) {
    await expect(store.batch(changeOf(0, 100_000))).rejects.toMatchObject(FULL);
    disk.free();
    await failInLmdb();
    // No other request reaches the store in this turn; one would handle the pending failure.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  await store.close();
});

test.skipIf(noSmallDisk)("rejects a new database without space, and creates it once there is space", async () => {
  for (const pages of [0, 1, 2, 3, 4, 5, 7, 10, 16, 31]) {
    disk.fill(pages * PAGE);
    expect(() => lmdbStore({ path })).toThrow(/LMDB cannot make its files in .*: No space left on device/);
    expect(readdirSync(path)).toEqual([]);
    disk.free();
  }
  disk.fill(32 * PAGE);
  const store = lmdbStore({ path });
  expect(await store.increment("n", 1)).toBe(1);
  await store.close();
});

test.skipIf(noSmallDisk)("does not recreate a missing data file when LMDB restarts", async () => {
  const store = lmdbStore({ path });
  await store.batch(changeOf(0, 10));
  await failInLmdb();
  disk.free();
  renameSync(join(path, "data.mdb"), join(disk.path, "elsewhere"));
  const gone = { reason: "LMDB could not open its files again: No such file or directory" };
  await expect(store.get("entries/0")).rejects.toMatchObject(gone);
  await expect(store.batch(changeOf(1, 10))).rejects.toMatchObject(gone);
  expect(readdirSync(path)).toEqual(["lock.mdb", "probe"]);
  renameSync(join(disk.path, "elsewhere"), join(path, "data.mdb"));
  await store.batch(changeOf(1, 10));
  await expectExactly(store, 2, 10);
  await store.close();
});

test.skipIf(noSmallDisk)("a store that is closed after a failure stays closed", async () => {
  const store = lmdbStore({ path });
  await failInLmdb();
  await store.close();
  await expect(store.get("entries/0")).rejects.toMatchObject({ name: "StoreUnavailable" });
  disk.free();
  const again = lmdbStore({ path });
  await expectExactly(again, 0, 10);
  await again.close();
});

test.skipIf(noSmallDisk)("the driver's items survive a full disk", async () => {
  const storage = createStorage({ driver: lmdbDriver({ path }) });
  await storage.setItem("kept", "text");
  disk.fill();
  await expect(storage.setItem("large", "x".repeat(200_000))).rejects.toMatchObject(FULL);
  expect(await storage.getKeys()).toEqual(["kept"]);
  disk.free();
  await storage.setItem("large", "x".repeat(200_000));
  expect(await storage.getItem("kept")).toBe("text");
  await storage.dispose();
});
