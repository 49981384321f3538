import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { genericStore, toStore } from "@assay/store";
import { createStorage, prefixStorage } from "unstorage";
import { afterEach, beforeEach, expect, test } from "vitest";
import lmdbDriver from "./driver.ts";

let path = "";
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-lmdb-driver-"));
});
afterEach(() => rm(path, { recursive: true }));

test("keeps items of an unstorage storage, also after it is disposed", async () => {
  const storage = createStorage({ driver: lmdbDriver({ path }) });
  await storage.setItem("a:b", { nested: ["é"] });
  await storage.setItem("a:c", "text");
  await storage.setItem("b", 1);
  await storage.setItemRaw("raw", new Uint8Array([0, 255, 128]));
  await storage.dispose();
  const again = createStorage({ driver: lmdbDriver({ path }) });
  expect(await again.getItem("a:b")).toEqual({ nested: ["é"] });
  expect(new Uint8Array((await again.getItemRaw("raw")) ?? [])).toEqual(new Uint8Array([0, 255, 128]));
  expect(await again.getKeys()).toEqual(["a:b", "a:c", "b", "raw"]);
  expect(await again.getKeys("a")).toEqual(["a:b", "a:c"]);
  expect(await again.hasItem("a:c")).toBe(true);
  await again.removeItem("a:c");
  expect(await again.hasItem("a:c")).toBe(false);
  expect(await again.getKeys()).toEqual(["a:b", "b", "raw"]);
  await again.clear();
  expect(await again.getKeys()).toEqual([]);
  await again.dispose();
});

test("carries the LMDB store for a server; items and store are separate", async () => {
  const storage = createStorage({ driver: lmdbDriver({ path }) });
  const store = toStore(storage);
  expect(store.name).toBe("lmdb");
  await store.increment("n", 1);
  await storage.setItem("item", "x");
  expect(await storage.getKeys()).toEqual(["item"]);
  expect((await store.list("")).map((entry) => entry.key)).toEqual(["n"]);
  await store.close();
  expect(await storage.getItem("item"), "closing the store leaves the driver open").toBe("x");
  await storage.dispose();
});

test("serves the generic store like any driver if it is mounted under a prefix", async () => {
  const storage = createStorage({ driver: lmdbDriver({ path }) });
  const store = toStore(prefixStorage(storage, "app"));
  expect(store.name).toBe("generic (lmdb)");
  expect(await store.increment("n", 2)).toBe(2);
  await store.close();
  const again = genericStore(prefixStorage(storage, "app"));
  expect(await again.increment("n", 1)).toBe(3);
  await again.close();
  await storage.dispose();
});
