import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Operation } from "@assay/store";
import { open } from "lmdb";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lmdbStore } from "./lmdb-store.ts";

let path = "";
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-lmdb-damage-"));
});
afterEach(() => rm(path, { recursive: true }));

/** Changes the values of a database of a closed store; null removes. */
async function change(name: string, to: (key: string, value: Buffer) => Buffer | null): Promise<void> {
  const root = open<Buffer>({ path, noSubdir: false, encoding: "binary", overlappingSync: false });
  const bytes = name === "members" || name === "records";
  const database = root.openDB<Buffer, Buffer | string>({
    name,
    encoding: "binary",
    ...(bytes && { keyEncoding: "binary" }),
  });
  for (const { key, value } of [...database.getRange()]) {
    const changed = to(key.toString("latin1" as never), Buffer.from(value));
    if (changed) await database.put(key, changed);
    else await database.remove(key);
  }
  await root.close();
}

const flip = (value: Buffer) => {
  value[value.length - 1]! ^= 1;
  return value;
};
const text = (record: Uint8Array) => Buffer.from(record).toString();
const record = (value: string) => new Uint8Array(Buffer.from(value));

async function withJournal(trim: number): Promise<void> {
  const store = lmdbStore({ path });
  await store.batch([{ type: "append", journal: "log", records: ["one", "two", "three"].map(record) }]);
  if (trim > 0) await store.batch([{ type: "trim", journal: "log", through: trim }]);
  await store.close();
}

test.each([0, 1, 3])("recovers a damaged head, with %d records trimmed, and reuses no position", async (trim) => {
  await withJournal(trim);
  await change("heads", (_, value) => flip(value));
  const heard: string[] = [];
  const store = lmdbStore({ path, onQuarantine: ({ key }) => heard.push(key) });
  expect(await store.head("log")).toBe(3);
  expect((await store.read("log", 0, 10)).map(({ position }) => position)).toEqual([1, 2, 3].slice(trim));
  const result = await store.batch([{ type: "append", journal: "log", records: [record("four")] }]);
  expect(result).toMatchObject({ ok: true, results: [4] });
  expect(heard).toEqual(["log#head"]);
  // Its copy has repaired it.
  expect(store.quarantined()).toEqual([]);
  await store.close();
  const again = lmdbStore({ path, onQuarantine: ({ key }) => heard.push(key) });
  expect(await again.head("log")).toBe(4);
  expect(heard).toEqual(["log#head"]);
  await again.close();
});

test("without a copy of its head, a journal continues after its last record", async () => {
  await withJournal(1);
  await change("heads", (_, value) => flip(value));
  await change("states", (key, value) => (key.startsWith("heads/") ? null : value));
  const store = lmdbStore({ path });
  expect(await store.head("log")).toBe(3);
  expect((await store.read("log", 1, 10)).map((one) => text(one.record))).toEqual(["two", "three"]);
  await store.close();
});

test("a damaged lease is free, and its next token is higher than the lost one", async () => {
  const store = lmdbStore({ path });
  const lost = await store.lease("job", "one", 60_000);
  await store.close();
  await change("states", (_, value) => flip(value));
  const heard: string[] = [];
  const again = lmdbStore({ path, onQuarantine: ({ key }) => heard.push(key) });
  const lease = await again.lease("job", "two", 60_000);
  expect(lease!.token).toBeGreaterThan(lost!.token);
  const fenced = await again.batch([{ type: "fence", lease: "job", token: lost!.token }]);
  expect(fenced).toMatchObject({ ok: false });
  expect(heard).toEqual(["leases/job#state"]);
  await again.close();
});

test("a damaged window of a set and damaged members affect no other claim", async () => {
  const claim = (member: string): Operation => ({
    type: "claim",
    set: "ids",
    generation: 1,
    keep: 2,
    members: [member],
  });
  const store = lmdbStore({ path });
  await store.batch([claim("a")]);
  await store.batch([claim("b")]);
  await store.close();
  await change("states", (_, value) => flip(value));
  await change("members", (key, value) => (key.endsWith("a") ? value.subarray(0, 3) : value));
  const heard: string[] = [];
  const again = lmdbStore({ path, onQuarantine: ({ key }) => heard.push(key) });
  expect(await again.batch([claim("b")])).toMatchObject({ ok: false });
  expect(await again.batch([claim("a")])).toMatchObject({ ok: true });
  expect(await again.batch([claim("a")])).toMatchObject({ ok: false });
  expect(heard).toEqual(["claims/ids#state"]);
  await again.close();
});

test("lists what earlier versions set aside", async () => {
  const store = lmdbStore({ path });
  await store.batch([{ type: "put", key: "a", value: record("x") }]);
  await store.close();
  const root = open<Buffer, string>({ path, noSubdir: false, encoding: "binary", overlappingSync: false });
  const quarantine = root.openDB<Buffer, string>({ name: "quarantine", encoding: "binary" });
  await quarantine.put("gone", Buffer.from("whatever it was"));
  await quarantine.put("a", Buffer.from("replaced since"));
  await root.close();
  const again = lmdbStore({ path });
  expect(again.quarantined()).toMatchObject([{ key: "gone" }]);
  await again.close();
  expect(again.quarantined()).toEqual([]);
});
