import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreBackup, type Store, StoreRefused, StoreUnavailable, writeBackup } from "@assay/store";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { redisStore } from "./redis-store.ts";
import { IS_INSTALLED, type Server, startServer } from "./server.fixture.ts";

const text = (value: Uint8Array) => Buffer.from(value).toString();
let server: Server;
let path: string;
let stores: Store[];
let count = 0;

describe.skipIf(!IS_INSTALLED)("a backup of redisStore", () => {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), "assay-redis-backup-"));
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await rm(path, { recursive: true });
  });

  function open(name = `backup-${count++}`): Store {
    const store = redisStore({ url: server.url, name });
    stores.push(store);
    return store;
  }

  const claim = (store: Store, generation: number, ...members: string[]) =>
    store.batch([{ type: "claim", set: "ids", generation, keep: 7, members }]);

  test("restores entries, counters, journals, claims and leases, and the copy continues them", async () => {
    const store = open();
    await store.batch([{ type: "put", key: "a", value: Buffer.from("first") }]);
    await store.batch([{ type: "put", key: "a", value: Buffer.from("second\u0000\n") }]);
    await store.batch([{ type: "put", key: "empty", value: new Uint8Array() }]);
    await store.increment("n", 41);
    await store.batch([
      { type: "append", journal: "log", records: ["one", "two", "three"].map((one) => Buffer.from(one)) },
    ]);
    await store.batch([{ type: "trim", journal: "log", through: 1 }]);
    await claim(store, -1, "known 1", "ß".repeat(100));
    await claim(store, 2, "newer");
    const lease = await store.lease("job", "the holder", 60_000);
    await store.lease("free", "holder", 60_000);
    await store.release("free", "holder");
    const { tables } = await writeBackup(store, join(path, "copy"));
    expect(tables).toEqual({ heads: 1, trims: 1, leases: 2, sets: 1, entries: 3, records: 2, members: 3 });

    const copy = open();
    await restoreBackup(copy, join(path, "copy"));
    expect((await copy.list("")).map(({ key, version, value }) => [key, version, text(value)])).toEqual([
      ["a", 2, "second\u0000\n"],
      ["empty", 1, ""],
      ["n", 1, "41"],
    ]);
    expect(await copy.increment("n", 1)).toBe(42);
    expect((await copy.read("log", 0, 10)).map(({ position, record }) => [position, text(record)])).toEqual([
      [2, "two"],
      [3, "three"],
    ]);
    expect(await copy.batch([{ type: "append", journal: "log", records: [Buffer.from("four")] }])).toEqual({
      ok: true,
      results: [4],
    });
    expect(await copy.journals?.()).toEqual(["log"]);
    expect(await claim(copy, 2, "new", "known 1", "newer", "ß".repeat(100))).toMatchObject({
      claimed: new Map([[0, ["known 1", "newer", "ß".repeat(100)]]]),
    });
    expect(await copy.lease("job", "other", 1_000)).toBeNull();
    expect(await copy.lease("job", "the holder", 60_000)).toMatchObject({ token: lease!.token });
    expect(await copy.lease("free", "other", 60_000)).toMatchObject({ token: 2 });
  });

  test("contains whole batches while another process writes, whose writes wait", async () => {
    const store = open("busy");
    const other = open("busy");
    const pair = (n: number) => ["a", "z"].map((key) => ({ type: "put" as const, key, value: Buffer.from(String(n)) }));
    await store.batch(pair(0));
    await store.batch(
      Array.from({ length: 1_200 }, (_, index) => ({ type: "put" as const, key: `m/${index}`, value: Buffer.of(1) })),
    );
    let isWriting = true;
    let written = 0;
    const write = async () => {
      for (; isWriting; written++) await other.batch(pair(written));
    };
    const backup = async () => {
      await expect.poll(() => written).toBeGreaterThan(0);
      await writeBackup(store, join(path, "copy"));
      const before = written;
      await expect.poll(() => written).toBeGreaterThan(before);
      isWriting = false;
    };
    await Promise.all([write(), backup()]);
    const copy = open();
    await restoreBackup(copy, join(path, "copy"));
    const [first, last] = [await copy.get("a"), await copy.get("z")];
    expect([first?.version, text(first!.value)]).toEqual([last?.version, text(last!.value)]);
  });

  test("fails if writes went on meanwhile, and if another one runs", async () => {
    const store = open("slow");
    await store.increment("n", 1);
    const rows = store.rows!()[Symbol.asyncIterator]();
    await rows.next();
    await expect(store.rows!()[Symbol.asyncIterator]().next()).rejects.toThrow(
      "Another backup of this Redis store runs",
    );
    await server.execute("DEL", "assay:{slow}:pause");
    const rest = async () => {
      while (!(await rows.next()).done);
    };
    await expect(rest()).rejects.toThrow("The backup took too long between two steps");
    await expect(rest()).resolves.toBeUndefined();
    expect(await store.increment("n", 1)).toBe(2);
  });

  test("that was left in the middle lets writes go on", async () => {
    const store = open("left");
    await store.increment("n", 1);
    for await (const _ of store.rows!()) break;
    expect(await store.increment("n", 1)).toBe(2);
    await server.execute("SET", "assay:{left}:pause", "gone", "PX", "300");
    expect(await store.increment("n", 1)).toBe(3);
    await server.execute("SET", "assay:{left}:pause", "gone");
    const impatient = redisStore({ url: server.url, name: "left", timeoutMs: 200 });
    stores.push(impatient);
    await expect(impatient.increment("n", 1)).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await impatient.get("n"))?.version).toBe(3);
  });

  test("is refused where there is data already", async () => {
    const store = open();
    await store.increment("n", 1);
    await writeBackup(store, join(path, "copy"));
    await expect(restoreBackup(store, join(path, "copy"))).rejects.toThrow(StoreRefused);
  });
});
