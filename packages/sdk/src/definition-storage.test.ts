import { expect, test, vi } from "vitest";
import { NO_DEFINITIONS } from "./definition-body.ts";
import { createDefinitionStorage } from "./definition-storage.ts";

const text = JSON.stringify(NO_DEFINITIONS);

test("what was saved is loaded, as text or as the JSON that some storages make of it", async () => {
  const items = new Map<string, string>();
  const storage = { getItem: (key: string) => items.get(key) ?? null, setItem: items.set.bind(items) };
  const kept = createDefinitionStorage(storage, "flags", () => {});
  expect(await kept.load()).toBeUndefined();
  kept.save(text);
  await kept.idle();
  expect(await kept.load()).toEqual(NO_DEFINITIONS);
  const parsing = { ...storage, getItem: async (key: string) => JSON.parse(items.get(key) ?? "null") };
  expect(await createDefinitionStorage(parsing, "flags", () => {}).load()).toEqual(NO_DEFINITIONS);
});

test.each(["", "{", "[]", '{"flags":7}', JSON.stringify({ ...NO_DEFINITIONS, schema_version: 99 })])(
  "an item that holds %j is no definitions, and is told",
  async (item) => {
    const onError = vi.fn();
    const kept = createDefinitionStorage({ getItem: () => item, setItem() {} }, "flags", onError);
    expect(await kept.load()).toBeUndefined();
    expect(onError).toHaveBeenCalledOnce();
  },
);

test("a storage that throws is told, and the next save goes through", async () => {
  const errors: unknown[] = [];
  const saved: string[] = [];
  let isFull = true;
  const setItem = (_: string, value: string) => {
    if (isFull) throw new Error("full");
    saved.push(value);
  };
  const getItem = () => Promise.reject(new Error("gone"));
  const kept = createDefinitionStorage({ getItem, setItem }, "flags", (error) => errors.push(String(error)));
  kept.save("first");
  await kept.idle();
  isFull = false;
  kept.save("second");
  await kept.idle();
  expect(await kept.load()).toBeUndefined();
  expect(saved).toEqual(["second"]);
  expect(errors).toEqual(["Error: full", "Error: gone"]);
});

test("while one is being written only the newest waits", async () => {
  const saved: string[] = [];
  const releases: (() => void)[] = [];
  const setItem = (_: string, value: string) => {
    saved.push(value);
    return new Promise<void>((resolve) => releases.push(resolve));
  };
  const kept = createDefinitionStorage({ getItem: () => null, setItem }, "flags", () => {});
  for (const value of ["1", "2", "3"]) kept.save(value);
  releases.shift()?.();
  await vi.waitFor(() => expect(saved).toEqual(["1", "3"]));
  releases.shift()?.();
  await kept.idle();
});
