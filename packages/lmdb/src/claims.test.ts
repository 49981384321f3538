import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memberOf, prefixOf } from "./claims.ts";
import { holdDatabase } from "./database.ts";
import { lmdbStore } from "./lmdb-store.ts";

const UUID = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";
/** The bytes of a key before those of the member: the set and the kind. */
const PREFIX = 7;

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-lmdb-claims-"));
});
afterEach(() => rm(path, { recursive: true }));

/** Claims members in a new store, and returns the key and the value of each. */
async function stored(...members: string[]) {
  const store = lmdbStore({ path });
  const { database, release } = holdDatabase({ path });
  await store.batch([{ type: "claim", set: "ids", generation: 7, keep: 1, members }]);
  const { environment } = database;
  const found = await environment.read(() => [...environment.members.entries({})]);
  await store.close();
  await release();
  return found;
}

test.each([
  ["a lower-case UUID", UUID, 16],
  ["an upper-case UUID", UUID.toUpperCase(), 36],
  ["a UUID with a digit that is none", UUID.replace("f", "g"), 36],
  ["a UUID with a wrong dash", UUID.replace("-", "_"), 36],
  ["a short text", "order-1", 7],
  ["a text of 64 characters", "x".repeat(64), 64],
  ["a text of 65 characters", "x".repeat(65), 32],
  ["a text with a lone surrogate", "\ud800", 32],
])("%s takes few bytes of a key, and can be read from it again", async (_, member, bytes) => {
  const [entry, ...others] = await stored(member);
  const { key, value } = entry!;
  expect(others).toEqual([]);
  expect(key).toHaveLength(PREFIX + bytes);
  const read = memberOf(key, value);
  expect(read).toMatchObject({ prefix: prefixOf("ids"), generation: 7 });
  // A hash cannot be read back.
  expect(read.member).toEqual(bytes === 32 ? { hash: key.subarray(PREFIX) } : { text: member });
});

test("UUIDs that are claimed together have the keys of UUIDs", async () => {
  const uuids = ["1", "2", "3"].map((digit) => UUID.slice(0, -1) + digit);
  const found = await stored(...uuids);
  expect(found.map(({ key, value }) => memberOf(key, value).member)).toEqual(uuids.map((text) => ({ text })));
  expect(found.map(({ key }) => key.length)).toEqual(Array(3).fill(PREFIX + 16));
});
