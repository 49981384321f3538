import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreBackup, type Store, StoreRefused, writeBackup } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADDRESS, dropSchema, newSchema, openFixture } from "./database.fixture.ts";

const text = (value: Uint8Array) => Buffer.from(value).toString();
let path: string;
let schemas: string[];
let stores: Store[];

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-postgres-"));
  [schemas, stores] = [[], []];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  for (const schema of schemas) await dropSchema(schema);
  await rm(path, { recursive: true });
});

function open(): Store {
  const schema = newSchema();
  const store = openFixture(schema);
  schemas.push(schema);
  stores.push(store);
  return store;
}

const claim = (store: Store, generation: number, ...members: string[]) =>
  store.batch([{ type: "claim", set: "ids", generation, keep: 7, members }]);

describe.skipIf(!ADDRESS)("a backup of postgresStore", () => {
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
    await claim(store, -1, "known#1", "ß".repeat(100));
    await claim(store, 2, "newer");
    const lease = await store.lease("job", "holder", 60_000);
    await store.lease("free", "holder", 60_000);
    await store.release("free", "holder");
    const { tables } = await writeBackup(store, join(path, "copy"));
    expect(tables).toEqual({ entries: 3, journals: 1, records: 2, leases: 2, claim_sets: 1, claims: 3 });

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
    expect(await claim(copy, 2, "new", "known#1", "newer", "ß".repeat(100))).toMatchObject({
      claimed: new Map([[0, ["known#1", "newer", "ß".repeat(100)]]]),
    });
    expect(await copy.lease("job", "other", 1_000)).toBeNull();
    expect(await copy.lease("job", "holder", 60_000)).toMatchObject({ token: lease!.token });
    expect(await copy.lease("free", "other", 60_000)).toMatchObject({ token: 2 });
  });

  test("contains whole batches while another process writes", async () => {
    const store = open();
    const pair = (n: number) => ["a", "z"].map((key) => ({ type: "put" as const, key, value: Buffer.from(String(n)) }));
    await store.batch(pair(0));
    await store.batch(
      Array.from({ length: 1_200 }, (_, index) => ({ type: "put" as const, key: `m/${index}`, value: Buffer.of(1) })),
    );
    let isWriting = true;
    const write = async () => {
      for (let n = 1; isWriting; n++) await store.batch(pair(n));
    };
    const backup = async () => {
      await writeBackup(store, join(path, "copy"));
      isWriting = false;
    };
    await Promise.all([write(), backup()]);
    const copy = open();
    await restoreBackup(copy, join(path, "copy"));
    const [first, last] = [await copy.get("a"), await copy.get("z")];
    expect([first?.version, text(first!.value)]).toEqual([last?.version, text(last!.value)]);
  });

  test("is refused where there is data already", async () => {
    const store = open();
    await store.increment("n", 1);
    await writeBackup(store, join(path, "copy"));
    await expect(restoreBackup(store, join(path, "copy"))).rejects.toThrow(StoreRefused);
  });
});
