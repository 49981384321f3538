import { createHash } from "node:crypto";
import { memoryStore, type Store } from "@assay/store";
import { expect, test } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { createAttempts } from "./shared-attempts.ts";

const HOUR = 3_600_000;

function serverOn(store: Store, clock: { now: number }, kind = "logins") {
  return createAttempts(store, createRuntime({ now: () => clock.now, logger: silentLogger }), kind);
}

/** Returns names that share a record. */
function neighbours(count: number): string[] {
  const slotOf = (name: string) => createHash("sha256").update(name).digest("hex").slice(0, 3);
  const found: string[] = [];
  for (let number = 0; found.length < count; number++) {
    if (found.length === 0 || slotOf(`n${number}`) === slotOf(found[0]!)) found.push(`n${number}`);
  }
  return found;
}

test("two servers on one store count the attempts of a name together, and forget them together", async () => {
  const [store, clock] = [memoryStore(), { now: HOUR }];
  const [one, other] = [serverOn(store, clock), serverOn(store, clock)];
  expect(await one.find("ada")).toBeUndefined();
  await one.add("ada");
  clock.now += 5;
  expect(await other.add("ada")).toEqual({ count: 2, at: HOUR + 5, before: HOUR });
  expect(await one.find("ada")).toEqual({ count: 2, at: HOUR + 5, before: HOUR });
  expect(await one.find("bob")).toBeUndefined();
  expect(await serverOn(store, clock, "codes").find("ada")).toBeUndefined();
  await other.forget("ada");
  expect(await one.find("ada")).toBeUndefined();
});

test("simultaneous attempts on two servers all count, and no more than allowed are taken", async () => {
  const [store, clock] = [memoryStore(), { now: HOUR }];
  const servers = [serverOn(store, clock), serverOn(store, clock)];
  await Promise.all(Array.from({ length: 40 }, (_, index) => servers[index % 2]!.add("ada")));
  expect((await servers[0]!.find("ada"))?.count).toBe(40);
  const taken = await Promise.all(
    Array.from({ length: 20 }, (_, index) => servers[index % 2]!.add("bob", (known) => (known?.count ?? 0) < 5)),
  );
  expect(taken.filter((attempt) => attempt !== null).map(({ count }) => count)).toEqual(
    expect.arrayContaining([1, 2, 3, 4, 5]),
  );
  expect(taken.filter((attempt) => attempt !== null)).toHaveLength(5);
});

test("attempts are forgotten an hour after the last one", async () => {
  const [store, clock] = [memoryStore(), { now: HOUR }];
  const server = serverOn(store, clock);
  await server.add("ada");
  clock.now += HOUR - 1;
  expect((await server.add("ada"))?.count).toBe(2);
  clock.now += HOUR;
  expect(await server.find("ada")).toBeUndefined();
  expect(await server.add("ada")).toEqual({ count: 1, at: clock.now, before: null });
});

test("new names do not push out a name with many attempts; the space is bounded, and holds no names", async () => {
  const [store, clock] = [memoryStore(), { now: HOUR }];
  const server = serverOn(store, clock);
  const [victim, ...others] = neighbours(12);
  for (let count = 0; count < 3; count++) await server.add(victim!);
  for (const name of others) {
    clock.now++;
    await server.add(name);
  }
  expect((await server.find(victim!))?.count).toBe(3);
  expect(await server.find(others[0]!)).toBeUndefined();
  expect((await server.find(others.at(-1)!))?.count).toBe(1);
  const entries = await store.list("attempts/");
  expect(entries).toHaveLength(1);
  const text = new TextDecoder().decode(entries[0]!.value);
  expect(JSON.parse(text)).toHaveLength(8);
  expect(text).not.toContain(victim);
});

test("forgetting a name that has no attempts writes nothing", async () => {
  const store = memoryStore();
  await serverOn(store, { now: HOUR }).forget("ada");
  expect(await store.list("attempts/")).toEqual([]);
});
