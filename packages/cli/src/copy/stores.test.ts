import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lmdbStore } from "@assay/lmdb";
import { postgresStore } from "@assay/postgres";
import { redisStore } from "@assay/redis";
import {
  copyStore,
  genericStore,
  memoryStore,
  type Operation,
  requireRestored,
  type Store,
  StoreRefused,
} from "@assay/store";
import fc from "fast-check";
import { createStorage } from "unstorage";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, newPlace } from "../database.fixture.ts";

let directory: string;
let ending: (() => Promise<void>)[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-copy-"));
  ending = [];
});
afterEach(async () => {
  for (const end of ending.reverse()) await end();
  await rm(directory, { recursive: true });
});

const { ASSAY_TEST_POSTGRES: POSTGRES, ASSAY_TEST_REDIS: REDIS } = process.env;

/** Opens a new store of each kind. */
const OPENS: Record<string, (place: string) => Store> = {
  lmdb: (place) => lmdbStore({ path: join(directory, place) }),
  generic: () => genericStore(createStorage()),
  ...(POSTGRES && { postgres: (place) => postgresStore({ connectionString: POSTGRES, schema: place }) }),
  ...(REDIS && { redis: (place) => redisStore({ url: REDIS, name: place, durable: false }) }),
};
const TARGETS = Object.keys(OPENS).filter((kind) => kind !== "generic");

function open(kind: string): Store {
  const place = newPlace("copy");
  const store = OPENS[kind]!(place);
  const database = DATABASES.find((one) => one.kind.startsWith(kind));
  if (database) ending.push(() => database.clear([place]));
  ending.push(() => store.close());
  return store;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const claim = (store: Store, generation: number, ...members: string[]) =>
  store.batch([{ type: "claim", set: "ids", generation, keep: 3, members }]);
const append = (store: Store, journal: string, ...records: string[]) =>
  store.batch([{ type: "append", journal, records: records.map(bytes) }]);

const UUID = "0190a3c4-7b1e-7c3d-8f00-0123456789ab";
const MEMBERS = [UUID, UUID.toUpperCase(), "order-1", "ß", "x".repeat(100), "\ud800", "a#b:c d"];

/** Fills a store with everything that it can hold. */
async function fill(store: Store): Promise<void> {
  await store.batch([
    { type: "put", key: "a", value: bytes("first") },
    { type: "put", key: "empty", value: new Uint8Array() },
    { type: "put", key: "gone", value: bytes("x") },
  ]);
  await store.batch([
    { type: "put", key: "a", value: bytes("second\u0000\n\ufeff") },
    { type: "delete", key: "gone" },
  ]);
  await store.increment("n", 41);
  await append(store, "log", "one", "two", "", "four");
  await store.batch([{ type: "trim", journal: "log", through: 1 }]);
  await append(store, "trimmed", "one", "two");
  await store.batch([{ type: "trim", journal: "trimmed", through: 2 }]);
  await claim(store, 6, "forgotten");
  await claim(store, 8, ...MEMBERS);
  await claim(store, 9, "newer");
  await store.lease("held", "holder", 60_000);
  await store.lease("free", "holder", 60_000);
  await store.release("free", "holder");
}

describe.each(Object.keys(OPENS).flatMap((from) => TARGETS.map((to) => [from, to] as const)))(
  "from %s to %s",
  (from, to) => {
    test("everything is copied, and the copy goes on where its source was", async () => {
      const [source, target] = [open(from), open(to)];
      await fill(source);
      const summary = await copyStore(source, target);
      expect(summary.rows).toEqual({ entry: 3, head: 2, record: 3, lease: 2, window: 1, member: expect.any(Number) });
      await requireRestored(target);

      expect((await target.list("")).filter(({ key }) => key !== "copying")).toEqual(await source.list(""));
      expect(await target.increment("n", 1)).toBe(42);
      expect(await target.read("log", 0, 10)).toEqual(await source.read("log", 0, 10));
      expect(await append(target, "log", "five")).toEqual({ ok: true, results: [5] });
      expect(await append(target, "trimmed", "three")).toEqual({ ok: true, results: [3] });
      expect(await target.read("trimmed", 0, 10)).toEqual([{ position: 3, record: bytes("three") }]);
      const known = [...MEMBERS, "newer"];
      expect(await claim(target, 9, "new", ...known)).toMatchObject({ ok: false, claimed: new Map([[0, known]]) });
      // The source's holder has no lease on the copy, and its token is not valid there.
      expect(await target.batch([{ type: "fence", lease: "held", token: 1 }])).toMatchObject({ ok: false });
      expect(await target.lease("held", "other", 60_000)).toMatchObject({ token: 2 });
      expect(await target.lease("free", "other", 60_000)).toMatchObject({ token: 2 });
      // Generation 8 is forgotten at 11, and 9 is not.
      expect(await claim(target, 11, ...MEMBERS)).toMatchObject({ ok: true });
      expect(await claim(target, 11, "newer")).toMatchObject({ ok: false });
    });
  },
);

describe.each(TARGETS)("into %s", (to) => {
  test("a second copy loads what is new, and follows what has changed", async () => {
    const [source, target] = [open("lmdb"), open(to)];
    await fill(source);
    const first = await copyStore(source, target);
    expect(await copyStore(source, target)).toMatchObject({ checksum: first.checksum });
    await source.batch([
      { type: "put", key: "a", value: bytes("third") },
      { type: "delete", key: "empty" },
      { type: "put", key: "b", value: bytes("new") },
    ]);
    await append(source, "log", "five");
    await append(source, "other", "one");
    await source.batch([{ type: "trim", journal: "log", through: 2 }]);
    await claim(source, 9, "newest");
    await claim(source, 10, "later");
    const second = await copyStore(source, target);
    // Records 3 and 4 of the log, and the members of generation 8, were there.
    expect(second.loaded).toBe(Object.values(second.rows).reduce((sum, rows) => sum + rows) - 2 - MEMBERS.length);
    expect((await target.list("")).map(({ key, version }) => [key, version])).toEqual([
      ["a", 3],
      ["b", 1],
      ["copying", expect.any(Number)],
      ["n", 1],
    ]);
    expect((await target.read("log", 0, 10)).map(({ position }) => position)).toEqual([3, 4, 5]);
    expect(await claim(target, 10, "later", "newest", UUID)).toMatchObject({
      claimed: new Map([[0, ["later", "newest", UUID]]]),
    });
  });

  test("a generation that was copied and then forgotten is not part of the copy", async () => {
    const [source, target] = [open("lmdb"), open(to)];
    await claim(source, 1, "old", "both");
    await copyStore(source, target);
    await claim(source, 4, "both");
    const { rows } = await copyStore(source, target);
    expect(rows).toMatchObject({ window: 1, member: 1 });
    expect(await claim(target, 4, "both", "old")).toMatchObject({ ok: false, claimed: new Map([[0, ["both"]]]) });
    expect(await claim(target, 4, "old")).toMatchObject({ ok: true });
  });

  test("a record that was rewritten after it was copied is copied again", async () => {
    const [source, target] = [open("lmdb"), open(to)];
    await append(source, "log", "user 1", "user 2");
    await copyStore(source, target);
    await source.batch([{ type: "rewrite", journal: "log", position: 1, record: bytes("erased") }]);
    await copyStore(source, target);
    expect(await target.read("log", 0, 1)).toEqual([{ position: 1, record: bytes("erased") }]);
  });

  test("an interrupted copy is refused as data, and goes on where it was", async () => {
    const [source, target] = [open("lmdb"), open(to)];
    for (let part = 0; part < 4; part++) await append(source, "log", ...Array(8).fill("x".repeat(100_000)));
    const stop = new AbortController();
    const copying = copyStore(source, target, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("Stopped")),
    });
    await expect(copying).rejects.toThrow("Stopped");
    await expect(requireRestored(target)).rejects.toThrow("A copy into this data is not complete; run the copy again");
    const { loaded, rows } = await copyStore(source, target);
    expect(rows.record).toBe(32);
    expect(loaded).toBeLessThan(25);
    await requireRestored(target);
    expect(await target.read("log", 0, 100)).toHaveLength(32);
  });

  test("other data is never overwritten", async () => {
    const [source, target] = [open("lmdb"), open(to)];
    await source.increment("n", 1);
    await target.increment("m", 1);
    await expect(copyStore(source, target)).rejects.toThrow("There is data in the target already");
    expect(await target.get("n")).toBeNull();
    const other = open(to);
    await copyStore(source, other);
    await append(other, "log", "written by a server");
    await expect(copyStore(source, other)).rejects.toThrow("The target has changed since it was copied");
  });

  test("any sequence of changes is followed, copy by copy", async () => {
    const change = fc.oneof(
      fc.record({
        type: fc.constant("put" as const),
        key: fc.constantFrom("a", "b", "c"),
        value: fc.uint8Array({ maxLength: 9 }),
      }),
      fc.record({ type: fc.constant("delete" as const), key: fc.constantFrom("a", "b", "c") }),
      fc.record({
        type: fc.constant("append" as const),
        journal: fc.constantFrom("x", "y"),
        records: fc.array(fc.uint8Array({ maxLength: 9 }), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ type: fc.constant("trim" as const), journal: fc.constantFrom("x", "y"), through: fc.nat(9) }),
      fc.record({
        type: fc.constant("claim" as const),
        set: fc.constantFrom("s", "t"),
        generation: fc.integer({ min: -2, max: 6 }),
        keep: fc.constant(3),
        members: fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 2 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const [source, target] = [open("lmdb"), open(to)];
          for (const changes of rounds) {
            for (const operation of changes) await source.batch([operation as Operation]);
            await copyStore(source, target);
            expect((await target.list("")).filter(({ key }) => key !== "copying")).toEqual(await source.list(""));
            for (const journal of ["x", "y"]) {
              expect(await target.read(journal, 0, 100)).toEqual(await source.read(journal, 0, 100));
              expect(await target.head(journal)).toBe(await source.head(journal));
            }
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});

test("what cannot be copied is refused with the reason", async () => {
  const [lmdb, generic] = [open("lmdb"), open("generic")];
  await expect(copyStore(memoryStore(), lmdb)).rejects.toThrow('A store of the kind "memory" cannot be copied');
  await expect(copyStore(lmdb, generic)).rejects.toThrow(
    /^A store of the kind "generic.*" cannot be the target of a copy$/,
  );
});

test("a damaged record stops the copy, which names it", async () => {
  const storage = createStorage();
  const source = genericStore(storage);
  ending.push(() => source.close());
  await append(source, "log", "one", "two");
  const [id] = (await storage.getKeys()).filter((key) => key.includes("journals,"));
  await storage.setItem(id!, String(await storage.getItem(id!)).replace("two", "owt"));
  const copying = copyStore(source, open("lmdb"));
  await expect(copying).rejects.toThrow("log#2 is damaged; run assay repair before the copy");
  await expect(copying).rejects.toBeInstanceOf(StoreRefused);
});
