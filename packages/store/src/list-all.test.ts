import { expect, test, vi } from "vitest";
import { listAll } from "./list-all.ts";
import { memoryStore } from "./memory-store.ts";

async function keysOf(prefix: string, page?: number): Promise<[keys: string[], pages: number]> {
  const store = memoryStore();
  const operations = ["a/1", "b/1", "b/2", "b/3", "b/4", "c/1"].map((key) => ({
    ...({ type: "put", key, value: new Uint8Array() } as const),
  }));
  await store.batch(operations);
  const list = vi.spyOn(store, "list");
  const keys: string[] = [];
  for await (const { key } of listAll(store, prefix, page)) keys.push(key);
  return [keys, list.mock.calls.length];
}

test.each([
  [undefined, 1],
  [5, 1],
  // A full page may be the last one.
  [4, 2],
  [3, 2],
  [1, 5],
])("returns every entry of a prefix once, in order, for any page size: %s", async (page, pages) => {
  expect(await keysOf("b/", page)).toEqual([["b/1", "b/2", "b/3", "b/4"], pages]);
});

test("ends at once for a prefix without entries", async () => {
  expect(await keysOf("d/")).toEqual([[], 1]);
});
