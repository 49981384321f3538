import { expect, test, vi } from "vitest";
import { createCache, type ItemStorage } from "./cache.ts";
import { NO_DEFINITIONS, parseDefinitions } from "./definition-format.ts";

const text = JSON.stringify(NO_DEFINITIONS);

function cacheOver(storage: ItemStorage, onError: (error: unknown) => void = () => {}, unit = "") {
  return createCache(storage, () => ["flags", unit], parseDefinitions, onError);
}

function memory() {
  const items = new Map<string, string>();
  return { items, getItem: (key: string) => items.get(key) ?? null, setItem: items.set.bind(items) };
}

test("load returns what was saved, whether the storage returns text or parsed JSON", async () => {
  const storage = memory();
  const cache = cacheOver(storage);
  expect(await cache.load()).toBeUndefined();
  cache.save(text, '"1"');
  await cache.idle();
  const entry = { definitions: NO_DEFINITIONS, etag: '"1"' };
  expect(await cache.load()).toEqual(entry);
  const parsing = { ...storage, getItem: async (key: string) => JSON.parse(storage.getItem(key) ?? "null") };
  expect(await cacheOver(parsing).load()).toEqual(entry);
});

test("load returns nothing that was saved for another unit, and reports no error", async () => {
  const storage = memory();
  const cache = cacheOver(storage, undefined, "ada");
  cache.save(text, null);
  await cache.idle();
  const onError = vi.fn();
  expect(await cacheOver(storage, onError, "bob").load()).toBeUndefined();
  expect(await cacheOver(storage, onError, "ada").load()).toEqual({ definitions: NO_DEFINITIONS, etag: null });
  expect(onError).not.toHaveBeenCalled();
});

test.each([
  "",
  "{",
  "[]",
  '{"flags":7}',
  text,
  '["","",{"flags":7}]',
  JSON.stringify(["", "", { ...NO_DEFINITIONS, schema_version: 99 }]),
])("load reports an error for an item that contains %j", async (item) => {
  const onError = vi.fn();
  const cache = cacheOver({ getItem: () => item, setItem() {} }, onError);
  expect(await cache.load()).toBeUndefined();
  expect(onError).toHaveBeenCalledOnce();
});

test("the cache reports errors of the storage, and writes again with the next save", async () => {
  const errors: unknown[] = [];
  const saved: string[] = [];
  let isFull = true;
  const setItem = (_: string, value: string) => {
    if (isFull) throw new Error("full");
    saved.push(value);
  };
  const getItem = () => Promise.reject(new Error("gone"));
  const cache = cacheOver({ getItem, setItem }, (error) => errors.push(String(error)));
  cache.save("1", null);
  await cache.idle();
  isFull = false;
  cache.save("2", null);
  await cache.idle();
  expect(await cache.load()).toBeUndefined();
  expect(saved).toEqual(['["",null,2]']);
  expect(errors).toEqual(["Error: full", "Error: gone"]);
});

test("during a write, only the last save waits", async () => {
  const saved: string[] = [];
  const releases: (() => void)[] = [];
  const setItem = (_: string, value: string) => {
    saved.push(JSON.parse(value)[2]);
    return new Promise<void>((resolve) => releases.push(resolve));
  };
  const cache = cacheOver({ getItem: () => null, setItem });
  for (const value of ["1", "2", "3"]) cache.save(value, null);
  releases.shift()?.();
  await vi.waitFor(() => expect(saved).toEqual([1, 3]));
  releases.shift()?.();
  await cache.idle();
});
