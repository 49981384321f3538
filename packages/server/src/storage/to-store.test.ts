import { createStorage, prefixStorage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";
import { expect, test } from "vitest";
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
