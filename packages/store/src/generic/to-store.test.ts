import { createStorage, type Driver, prefixStorage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";
import { expect, test, vi } from "vitest";
import { memoryStore } from "../memory-store.ts";
import { genericStore } from "./generic-store.ts";
import { toStore } from "./to-store.ts";

const own = memoryStore();
const carrying = () => ({ ...memoryDriver(), store: () => own });

test("returns a store unchanged", () => {
  expect(toStore(own)).toBe(own);
});

test("returns the store of a root driver that carries one", () => {
  const storage = createStorage({ driver: carrying() });
  expect(toStore(storage)).toBe(own);
  expect(storage.getMounts("").length, "looking at a storage leaves no mount behind").toBe(1);
});

test("ignores the store of a root driver under a prefix", async () => {
  const storage = createStorage({ driver: carrying() });
  const store = toStore(prefixStorage(storage, "app"));
  expect(store.name).toBe("generic (memory)");
  await store.increment("n", 1);
  expect((await storage.getKeys()).every((key) => key.startsWith("app:assay:"))).toBe(true);
  expect(storage.getMounts("").length).toBe(1);
  await store.close();
});

test("ignores the store of a driver that is not mounted at the root", () => {
  const storage = createStorage();
  storage.mount("data", carrying());
  expect(toStore(storage).name).toBe("generic (memory)");
});

/** Returns a driver like one with a connection, and whether that is still open. */
function connected(more: Partial<Driver> & { store?: () => unknown } = {}) {
  const dispose = vi.fn();
  const storage = createStorage({ driver: { ...memoryDriver(), name: "connected", dispose, ...more } });
  return { storage, dispose };
}

test("disposes of a storage with its store, after the last write", async () => {
  const { storage, dispose } = connected();
  const store = toStore(storage);
  await store.increment("n", 1);
  const isLocked = async () => (await storage.getKeys()).some((key) => key.startsWith("assay:lock"));
  expect(await isLocked()).toBe(true);
  dispose.mockImplementation(async () => expect(await isLocked()).toBe(false));
  await store.close();
  expect(dispose).toHaveBeenCalledOnce();
});

test("disposes of a storage if its store cannot be closed, and if the driver carries the store", async () => {
  const fails = { ...memoryStore(), close: () => Promise.reject(new Error("gone")) };
  const { storage, dispose } = connected({ store: () => fails });
  await expect(toStore(storage).close()).rejects.toThrow("gone");
  expect(dispose).toHaveBeenCalledOnce();
});

test("keeps a storage open that is a part of another one, or whose store the host makes", async () => {
  const { storage, dispose } = connected();
  for (const store of [toStore(prefixStorage(storage, "app")), toStore(genericStore(storage))]) {
    await store.increment("n", 1);
    await store.close();
  }
  expect(dispose).not.toHaveBeenCalled();
});

test("a storage in memory keeps its data", async () => {
  const storage = createStorage();
  const first = toStore(storage);
  await first.increment("n", 1);
  await first.close();
  expect(await toStore(storage).increment("n", 1)).toBe(2);
});
