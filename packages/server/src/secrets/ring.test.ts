import { memoryStore } from "@assay/store";
import { expect, test } from "vitest";
import { loadSecrets } from "./ring.ts";

const KEY = "a key of the operations team, thirty-two";

test("without keys one is made once, and both of two nodes that start at once have it", async () => {
  const store = memoryStore();
  const [one, other] = await Promise.all([loadSecrets(store), loadSecrets(store)]);
  expect(other.open(one.seal("token", "id"), "id")).toBe("token");
  expect((await loadSecrets(store)).isCurrent(one.seal("token", "id"))).toBe(true);
});

test("keys that come later seal from then on, and what the store's own sealed still opens", async () => {
  const store = memoryStore();
  const before = (await loadSecrets(store)).seal("token", "id");
  const secrets = await loadSecrets(store, [KEY]);
  expect([secrets.open(before, "id"), secrets.isCurrent(before)]).toEqual(["token", false]);
});

test("with keys from the start none is kept in the store", async () => {
  const store = memoryStore();
  await loadSecrets(store, [KEY]);
  expect(await store.list("")).toEqual([]);
});
