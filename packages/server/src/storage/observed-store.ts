import type { Store } from "@assay/store";
import { noMetrics, type StoreCall } from "../ground/metrics.ts";
import type { Runtime } from "../ground/runtime.ts";

/** Measures the calls to a store, and gives batches a span inside the span of a request or job. */
export function observeStore(inner: Store, { metrics, tracing }: Pick<Runtime, "metrics" | "tracing">): Store {
  async function measured<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    let hasFailed = true;
    try {
      const answer = await work();
      hasFailed = false;
      return answer;
    } finally {
      metrics.stored(call, (performance.now() - started) / 1000, hasFailed);
    }
  }

  const timed = metrics === noMetrics ? <T>(_: StoreCall, work: () => Promise<T>) => work() : measured;

  return {
    ...inner,
    get: (key) => timed("get", () => inner.get(key)),
    list: (prefix, options) => timed("list", () => inner.list(prefix, options)),
    batch(operations) {
      const attributes = {
        "db.system.name": inner.name,
        "db.operation.name": "batch",
        "db.operation.batch.size": operations.length,
      };
      return tracing.child("store batch", attributes, () => timed("batch", () => inner.batch(operations)));
    },
    increment: (key, by) => timed("increment", () => inner.increment(key, by)),
    read: (journal, after, limit) => timed("read", () => inner.read(journal, after, limit)),
    head: (journal) => timed("head", () => inner.head(journal)),
    lease: (name, holder, ttlMs) => timed("lease", () => inner.lease(name, holder, ttlMs)),
    release: (name, holder) => timed("release", () => inner.release(name, holder)),
    publish: (channel, message) => timed("publish", () => inner.publish(channel, message)),
  };
}
