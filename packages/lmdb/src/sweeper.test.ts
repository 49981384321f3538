import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdDatabase } from "./database.ts";
import { lmdbStore } from "./lmdb-store.ts";

test("hides trimmed records at once and removes them in the background", async () => {
  const path = await mkdtemp(join(tmpdir(), "assay-lmdb-trim-"));
  const store = lmdbStore({ path });
  const { database, release } = holdDatabase({ path });
  const { read, records: stored } = database.environment;
  const count = () => read(() => [...stored.keys({})].length);
  const records = Array.from({ length: 5_000 }, () => new Uint8Array(10));
  await store.batch([{ type: "append", journal: "log", records }]);
  await store.batch([{ type: "append", journal: "log/x", records: [new Uint8Array(1)] }]);
  await store.batch([{ type: "trim", journal: "log", through: 4_990 }]);
  expect(await count(), "one step is done with the trim itself").toBe(3_001);
  expect((await store.read("log", 0, 1_000)).map(({ position }) => position)[0]).toBe(4_991);
  const rewrite = { type: "rewrite", journal: "log", position: 4_000, record: new Uint8Array(1) } as const;
  expect((await store.batch([rewrite])).ok).toBe(false);
  await expect.poll(count).toBe(11);
  expect(await store.head("log")).toBe(5_000);
  await store.close();
  await release();
  await rm(path, { recursive: true });
});

test("removes forgotten members in the background, and keeps those of other sets and generations", async () => {
  const path = await mkdtemp(join(tmpdir(), "assay-lmdb-claims-"));
  const store = lmdbStore({ path });
  const { database, release } = holdDatabase({ path });
  const claim = (set: string, generation: number, members: string[]) =>
    store.batch([{ type: "claim", set, generation, keep: 2, members }]);
  const many = Array.from({ length: 5_000 }, (_, index) => `old-${index}`);
  await claim("ids", 1, many);
  await claim("ids", 2, ["kept"]);
  await claim("other", 1, ["kept"]);
  const { read, members } = database.environment;
  const count = () => read(() => [...members.keys({})].length);
  expect(await count()).toBe(5_002);
  await claim("ids", 3, ["new"]);
  await expect.poll(count).toBe(3);
  expect((await claim("ids", 3, ["kept"])).ok).toBe(false);
  expect((await claim("other", 1, ["kept"])).ok).toBe(false);
  expect((await claim("ids", 3, many)).ok).toBe(true);
  await store.close();
  await release();
  await rm(path, { recursive: true });
});
