import type { Store } from "@assay/store";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode } from "./node.fixture.ts";

// Counts once per key from argv[3] on, many at a time, and prints each key before it is sent.
const [, , path = "", from = "0", counts = "1"] = process.argv;
const SENDERS = 20;

/** Returns a store that ends its process as `kill -9` does, as soon as it has counted this many times. */
function deadly(store: Store): Store {
  let left = Number(counts);
  const counted = () => {
    if (--left <= 0) process.kill(process.pid, "SIGKILL");
  };
  return {
    ...store,
    async batch(operations) {
      const result = await store.batch(operations);
      if (result.ok && operations.some((one) => "key" in one && /^counters\/.*\/count\//.test(one.key))) counted();
      return result;
    },
    async increment(key, by) {
      const count = await store.increment(key, by);
      counted();
      return count;
    },
  };
}

const { count } = createNode({ storage: deadly(lmdbStore({ path })), jobs: false });
let next = Number(from);
const send = async () => {
  for (;;) {
    const key = String(next++);
    process.stdout.write(`${key}\n`);
    await count(key);
  }
};
await Promise.all(Array.from({ length: SENDERS }, send));
