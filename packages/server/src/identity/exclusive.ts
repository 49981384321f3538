import { setTimeout as wait } from "node:timers/promises";
import { keyOf, type Store } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { type Fence, LeaseLost } from "../storage/change.ts";

/**
 * Runs work of one name on one node at a time, and one after the other there. The work sees what other nodes wrote
 * before it. Its changes must have the fence, so that they fail if the node was too slow and another one took over.
 * @throws ApiError 503 if other nodes do not finish within ten seconds
 */
export type Exclusively = <T>(name: string, work: (fence: Fence) => Promise<T>) => Promise<T>;

const LEASE_MS = 5_000;
/** Longer than a lease, so that the work of a dead node does not stop that of others. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 25;

/** @param catchUp applies the changes of other nodes */
export function createExclusively(store: Store, runtime: Runtime, catchUp: () => Promise<void>): Exclusively {
  return async (name, work) => {
    const lease = keyOf("identity", "exclusive", name);
    const holder = runtime.id();
    const deadline = performance.now() + PATIENCE_MS;
    let held = await store.lease(lease, holder, LEASE_MS);
    while (!held) {
      if (performance.now() > deadline) throw busy();
      await wait(RETRY_MS);
      held = await store.lease(lease, holder, LEASE_MS);
    }
    try {
      await catchUp();
      return await work({ lease, token: held.token });
    } catch (error) {
      throw error instanceof LeaseLost ? busy() : error;
    } finally {
      await store.release(lease, holder).catch(() => {});
    }
  };
}

function busy(): ApiError {
  return new ApiError(503, "Another server makes such a change; try again", { "Retry-After": "1" });
}
