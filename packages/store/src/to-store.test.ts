import { createStorage, type Driver, prefixStorage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";
import { expect, test, vi } from "vitest";
import { genericStore } from "./generic-store.ts";
import { memoryStore } from "./memory-store.ts";
import { toStore } from "./to-store.ts";

const own = memoryStore();
const carrying = () => ({ ...memoryDriver(), store: () => own });

test("a store is taken as it is", () => {
  expect(toStore(own)).toBe(own);
});

test("a root driver that carries a store gives that", () => {
  const storage = createStorage({ driver: carrying() });
  expect(toStore(storage)).toBe(own);
  expect(storage.getMounts("").length, "looking at a storage leaves no mount behind").toBe(1);
});

test("a root driver that carries a store is passed by under a prefix", async () => {
  const storage = createStorage({ driver: carrying() });
  const store = toStore(prefixStorage(storage, "app"));
  expect(store.name).toBe("generic (memory)");
  await store.increment("n", 1);
  expect((await storage.getKeys()).every((key) => key.startsWith("app:assay:"))).toBe(true);
  expect(storage.getMounts("").length).toBe(1);
  await store.close();
});

test("a driver that carries a store but is mounted below the root is passed by", () => {
  const storage = createStorage();
  storage.mount("data", carrying());
  expect(toStore(storage).name).toBe("generic (memory)");
});

/** A driver like one with a connection, and whether that is still open. */
function connected(more: Partial<Driver> & { store?: () => unknown } = {}) {
  const dispose = vi.fn();
  const storage = createStorage({ driver: { ...memoryDriver(), name: "connected", dispose, ...more } });
  return { storage, dispose };
}

test("a storage is disposed of with the store that is made of it, after the last write", async () => {
  const { storage, dispose } = connected();
  const store = toStore(storage);
  await store.increment("n", 1);
  const isLocked = async () => (await storage.getKeys()).some((key) => key.startsWith("assay:lock"));
  expect(await isLocked()).toBe(true);
  dispose.mockImplementation(async () => expect(await isLocked()).toBe(false));
  await store.close();
  expect(dispose).toHaveBeenCalledOnce();
});

test("a storage is disposed of where its store cannot be closed, and where the driver carries the store", async () => {
  const fails = { ...memoryStore(), close: () => Promise.reject(new Error("gone")) };
  const { storage, dispose } = connected({ store: () => fails });
  await expect(toStore(storage).close()).rejects.toThrow("gone");
  expect(dispose).toHaveBeenCalledOnce();
});

test("a storage stays open where it is a part of another one, or where the host makes the store of it", async () => {
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
