import assert from "node:assert/strict";
import type { StoreCase } from "./case.ts";
import { eventually, failedOf, pause, resultsOf, textAt, utf8 } from "./values.ts";

/** Cases about leases, fences and notices. */
export const leaseCases: StoreCase[] = [
  {
    title: "a lease has one holder at a time",
    async run({ open }) {
      const store = await open();
      const before = Date.now();
      const lease = await store.lease("job", "me", 60_000);
      assert.ok(lease && lease.token >= 1);
      assert.ok(lease.expiresAt >= before + 59_000 && lease.expiresAt <= Date.now() + 61_000);
      assert.equal(await store.lease("job", "you", 60_000), null);
      assert.ok(await store.lease("other", "you", 60_000));
    },
  },
  {
    title: "the holder renews its lease under the same token",
    async run({ open }) {
      const store = await open();
      const first = await store.lease("job", "me", 5_000);
      const renewed = await store.lease("job", "me", 60_000);
      assert.equal(renewed?.token, first?.token);
      assert.ok(renewed!.expiresAt > first!.expiresAt);
    },
  },
  {
    title: "an expired lease goes to the next holder with a higher token",
    async run({ open }) {
      const store = await open();
      const first = await store.lease("job", "me", 30);
      await pause(60);
      const second = await store.lease("job", "you", 60_000);
      assert.ok(second!.token > first!.token);
      assert.equal(await store.lease("job", "me", 60_000), null);
    },
  },
  {
    title: "a released lease goes to the next holder with a higher token, and only its holder releases it",
    async run({ open }) {
      const store = await open();
      const first = await store.lease("job", "me", 60_000);
      await store.release("job", "you");
      assert.equal(await store.lease("job", "you", 60_000), null);
      await store.release("job", "me");
      const second = await store.lease("job", "you", 60_000);
      assert.ok(second!.token > first!.token);
      await store.release("never", "me");
    },
  },
  {
    title: "a fence lets the holder write, and rejects older tokens",
    async run({ open }) {
      const store = await open();
      const first = await store.lease("job", "me", 30);
      const write = (token: number, text: string) =>
        store.batch([
          { type: "fence", lease: "job", token },
          { type: "put", key: "result", value: utf8(text) },
        ]);
      resultsOf(await write(first!.token, "mine"));
      await pause(60);
      const second = await store.lease("job", "you", 60_000);
      assert.deepEqual(failedOf(await write(first!.token, "too late")), [0]);
      resultsOf(await write(second!.token, "yours"));
      assert.equal(await textAt(store, "result"), "yours");
    },
  },
  {
    title: "a fence rejects every write after a release, and for a lease that was never taken",
    async run({ open }) {
      const store = await open();
      const lease = await store.lease("job", "me", 60_000);
      await store.release("job", "me");
      assert.deepEqual(failedOf(await store.batch([{ type: "fence", lease: "job", token: lease!.token }])), [0]);
      assert.deepEqual(failedOf(await store.batch([{ type: "fence", lease: "never", token: 0 }])), [0]);
    },
  },
  {
    title: "one of several simultaneous holders gets the lease",
    async run({ open }) {
      const store = await open();
      const attempts = Array.from({ length: 10 }, (_, index) => store.lease("job", `holder-${index}`, 60_000));
      assert.equal((await Promise.all(attempts)).filter((lease) => lease !== null).length, 1);
    },
  },
  {
    title: "tokens keep growing after reopening",
    needs: ["reopen"],
    async run({ open }) {
      const store = await open();
      const first = await store.lease("job", "me", 60_000);
      await store.release("job", "me");
      await store.close();
      const again = await open();
      assert.ok((await again.lease("job", "me", 60_000))!.token > first!.token);
    },
  },
  {
    title: "a notice reaches every subscriber of its channel, and no other",
    async run({ open }) {
      const store = await open();
      const heard: string[] = [];
      await store.subscribe("flags", (message) => heard.push(`1 ${message}`));
      await store.subscribe("flags", (message) => heard.push(`2 ${message}`));
      await store.subscribe("other", (message) => heard.push(`3 ${message}`));
      await store.publish("flags", "é {}");
      await eventually(() => heard.length >= 2);
      await pause(150);
      assert.deepEqual(heard.sort(), ["1 é {}", "2 é {}"]);
    },
  },
  {
    title: "notices arrive in the order of publishing, and not after unsubscribing",
    async run({ open }) {
      const store = await open();
      const heard: string[] = [];
      const unsubscribe = await store.subscribe("flags", (message) => heard.push(message));
      for (const message of ["1", "2", "3"]) await store.publish("flags", message);
      await eventually(() => heard.length === 3);
      await unsubscribe();
      await unsubscribe();
      await store.publish("flags", "4");
      await pause(150);
      assert.deepEqual(heard, ["1", "2", "3"]);
    },
  },
  {
    title: "a listener that throws does not affect the others",
    async run({ open }) {
      const store = await open();
      const heard: string[] = [];
      await store.subscribe("flags", () => {
        throw new Error("a listener's own trouble");
      });
      await store.subscribe("flags", (message) => heard.push(message));
      await store.publish("flags", "1");
      await eventually(() => heard.length === 1);
    },
  },
];
