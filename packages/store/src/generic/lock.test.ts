import { hostname } from "node:os";
import { createStorage } from "unstorage";
import { afterEach, expect, test, vi } from "vitest";
import { genericStore } from "./generic-store.ts";

const lock = "assay:lock@";
const holder = { instance: "other", host: "elsewhere", pid: 1, started: "1", beat: Date.now() };

afterEach(() => {
  vi.useRealTimers();
});

async function storageWith(text: string) {
  const storage = createStorage();
  await storage.setItem(lock, text);
  return storage;
}

test("rejects a second instance while the holder on another host is alive, and names an alternative", async () => {
  const storage = await storageWith(`lock ${JSON.stringify(holder)}`);
  const beating = setInterval(() => {
    void storage.setItem(lock, `lock ${JSON.stringify({ ...holder, beat: Date.now() })}`);
  }, 500);
  await expect(genericStore(storage).get("a")).rejects.toThrow(/in use by process 1 on elsewhere.*lmdbStore/);
  clearInterval(beating);
});

/** Reads from a store and returns after how many seconds the answer came, by a clock that waits for it. */
async function secondsUntilAnswer(text: string): Promise<number> {
  vi.useFakeTimers();
  const store = genericStore(await storageWith(text));
  const start = Date.now();
  let end: number | undefined;
  const reading = store.get("a").then((entry) => {
    end = Date.now();
    return entry;
  });
  while (end === undefined) await vi.advanceTimersByTimeAsync(100);
  expect(await reading).toBeNull();
  await store.close();
  return (end - start) / 1_000;
}

test("replaces a holder on another host that is silent for six seconds", async () => {
  const renewed = { ...holder, beat: Date.now() };
  expect(Math.floor(await secondsUntilAnswer(`lock ${JSON.stringify(renewed)}`))).toBe(6);
});

test.each([
  ["was silent for an hour", `lock ${JSON.stringify({ ...holder, beat: Date.now() - 3_600_000 })}`],
  ["died while it wrote its lock", `lock {"instance":"oth`],
])("replaces a holder that %s at once", async (_, text) => {
  expect(Math.floor(await secondsUntilAnswer(text))).toBe(0);
});

test("an instance that was replaced rejects every call", async () => {
  const storage = createStorage();
  const store = genericStore(storage);
  await store.increment("n", 1);
  await storage.setItem(lock, `lock ${JSON.stringify({ ...holder, host: hostname() })}`);
  await expect
    .poll(() => store.increment("n", 1).then(String, (error: Error) => error.message))
    .toContain("taken this storage over");
  await store.close();
  expect(await storage.getItem(lock), "the lock of the other stays").toContain("other");
});

test("rejects a storage that does not list its keys", async () => {
  const data = new Map<string, string>();
  const storage = createStorage({
    driver: {
      hasItem: (key) => data.has(key),
      getItem: (key) => data.get(key) ?? null,
      setItem: (key, value) => void data.set(key, value),
      removeItem: (key) => void data.delete(key),
      getKeys: () => [],
    },
  });
  await expect(genericStore(storage).get("a")).rejects.toThrow(/does not list/);
});

test("rejects a storage that stores nothing", async () => {
  const storage = createStorage({
    driver: { hasItem: () => false, getItem: () => null, setItem: () => {}, getKeys: () => [] },
  });
  await expect(genericStore(storage).get("a")).rejects.toMatchObject({ name: "StoreRefused" });
});
