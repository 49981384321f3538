import { keyOf, type Store, StoreUnavailable } from "@assay/store";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";

/** A store, and whether writes to it succeed. */
export interface WriteWatch {
  /** The store to write through. */
  store: Store;
  /** Why writes fail, in a sentence for `/readyz`. Null while they succeed. */
  failure(): string | null;
}

const PROBE_KEY = keyOf("health", "probe");
/** As large as a usual change, so that the probe fails whenever changes would. */
const PROBE_LENGTH = 16_384;
const PROBE_MS = 1_000;
const UNKNOWN = "The store does not answer";

/**
 * Watches the writes to a store. After a write fails with {@link StoreUnavailable}, writes a probe every second until
 * one succeeds, so that a server without traffic notices the recovery too.
 */
export function watchWrites(inner: Store, runtime: Runtime): WriteWatch {
  let failure: string | null = null;
  let stop = () => {};
  let isProbing = false;
  let isClosed = false;

  async function probe(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    try {
      await inner.batch([{ type: "put", key: PROBE_KEY, value: new Uint8Array(PROBE_LENGTH) }]);
      stop();
      failure = null;
      if (!isClosed) runtime.logger.info("Writes to the store work again");
    } catch (error) {
      failure = describeUnavailable(error);
    } finally {
      isProbing = false;
    }
  }

  function note(error: unknown): void {
    if (isClosed || !isUnavailable(error)) return;
    if (failure === null) {
      runtime.logger.error("Writes to the store fail", { error: String(error) });
      stop = every(PROBE_MS, probe);
    }
    failure = describeUnavailable(error);
  }

  function watched<T>(writing: Promise<T>): Promise<T> {
    writing.catch(note);
    return writing;
  }

  const store: Store = {
    ...inner,
    batch: (operations) => watched(inner.batch(operations)),
    increment: (key, by) => watched(inner.increment(key, by)),
    lease: (name, holder, ttlMs) => watched(inner.lease(name, holder, ttlMs)),
    release: (name, holder) => watched(inner.release(name, holder)),
    publish: (channel, message) => watched(inner.publish(channel, message)),
    async close() {
      isClosed = true;
      stop();
      await inner.close();
    },
  };
  return { store, failure: () => failure };
}

/** Whether an error is {@link StoreUnavailable}, also from another copy of this package. */
export function isUnavailable(error: unknown): error is Error {
  return error instanceof StoreUnavailable || (error instanceof Error && error.name === "StoreUnavailable");
}

/** Why a store is unavailable, in a message safe to publish. */
export function describeUnavailable(error: unknown): string {
  return isUnavailable(error) && "reason" in error && typeof error.reason === "string" ? error.reason : UNKNOWN;
}
