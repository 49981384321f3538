import type { Store } from "@assay/store";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode } from "./node.fixture.ts";

const [path = "", key = "", batches = "0"] = process.argv.slice(2);

/**
 * Returns a store that ends its process as `kill -9` does, a number of batches after the one that creates an
 * experiment.
 */
function deadly(store: Store): Store {
  let left: number | null = null;
  return {
    ...store,
    async batch(operations) {
      const result = await store.batch(operations);
      if (operations.some((one) => one.type === "put" && one.key.startsWith("experiments/doc/")))
        left = Number(batches);
      if (left !== null && left-- <= 0) process.kill(process.pid, "SIGKILL");
      return result;
    },
  };
}

const outbound = { allowPrivateNetworks: true };
const node = createNode({ storage: deadly(lmdbStore({ path })), jobs: false, outbound });
const variants = [{ key: "a" }, { key: "b" }];
await node.ask("POST", "/experiments/", { key, name: key, status: "ACTIVE", variants, crm_campaign_id: key });
// The effects of the change run until the store ends them.
setInterval(() => {}, 1000);
