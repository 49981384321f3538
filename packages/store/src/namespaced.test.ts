import { expect, test } from "vitest";
import { claim, put, recordsOf, textAt, utf8 } from "./conformance/values.ts";
import { memoryStore } from "./memory-store.ts";
import { namespaced } from "./namespaced.ts";

test("two namespaces of a store are separate", async () => {
  const store = memoryStore();
  const production = namespaced(store, "production");
  const staging = namespaced(store, "Staging");
  const heard: string[] = [];
  await staging.subscribe("flags", (message) => heard.push(message));
  for (const [name, part] of Object.entries({ production, staging })) {
    await put(part, "a", name);
    await part.batch([{ type: "append", journal: "log", records: [utf8(name)] }]);
    expect(await claim(part, "ids", 1, ["x"])).toEqual([]);
    expect(await part.lease("job", name, 60_000)).not.toBeNull();
    await part.publish("flags", name);
  }
  expect(await textAt(production, "a")).toBe("production");
  expect((await staging.list("")).map((entry) => entry.key)).toEqual(["a"]);
  expect(await recordsOf(staging, "log")).toEqual([[1, "staging"]]);
  expect((await store.list("")).map((entry) => entry.key)).toEqual(["=53taging/a", "production/a"]);
  await expect.poll(() => heard).toEqual(["staging"]);
});

test("does not report the damage of other namespaces", () => {
  const store = memoryStore();
  const record = (key: string) => ({ key, reason: "damaged", at: 1 });
  store.quarantined = () => [record("a/x"), record("b/x"), record("a/log#3")];
  expect(namespaced(store, "a").quarantined()).toEqual([record("x"), record("log#3")]);
});

test("reports the damage of its namespace to a listener, by the names in it", () => {
  const store = memoryStore();
  const record = (key: string) => ({ key, reason: "damaged", at: 1 });
  const heard: string[] = [];
  let isOver = false;
  store.onQuarantine = (listener) => {
    for (const key of ["a/x", "b/x", "a/log#3"]) listener(record(key));
    return () => {
      isOver = true;
    };
  };
  namespaced(store, "a").onQuarantine?.(({ key }) => heard.push(key))();
  expect([heard, isOver]).toEqual([["x", "log#3"], true]);
});

test("without a namespace returns the store itself", () => {
  const store = memoryStore();
  expect(namespaced(store, "")).toBe(store);
});
