import { memoryStore } from "@assay/store";
import { expect, test } from "vitest";
import { loadSecrets } from "./ring.ts";

const KEY = "a key of the operations team, thirty-two";

test("creates a key once without configured keys, which two nodes share that start simultaneously", async () => {
  const store = memoryStore();
  const [one, other] = await Promise.all([loadSecrets(store), loadSecrets(store)]);
  expect(other.open(one.seal("token", "id"), "id")).toBe("token");
  expect((await loadSecrets(store)).isCurrent(one.seal("token", "id"))).toBe(true);
});

test("later keys encrypt from then on, and the store's own key still decrypts", async () => {
  const store = memoryStore();
  const before = (await loadSecrets(store)).seal("token", "id");
  const secrets = await loadSecrets(store, [KEY]);
  expect([secrets.open(before, "id"), secrets.isCurrent(before)]).toEqual(["token", false]);
});

test("stores no key if keys are configured from the start", async () => {
  const store = memoryStore();
  await loadSecrets(store, [KEY]);
  expect(await store.list("")).toEqual([]);
});
