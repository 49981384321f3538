import { type Store, StoreUnavailable } from "@assay/store";

/** How long a call to the store may take, in milliseconds. */
export const STORE_DEADLINE_MS = 10_000;

/**
 * Wraps a store so that its calls reject with {@link StoreUnavailable} if it does not answer in time. A stopped process
 * can hold the lock of a database, and a frozen database keeps connections open. A write may still happen later.
 * @param onLate called when a write succeeds after its deadline
 */
export function withDeadline(inner: Store, milliseconds: number, onLate: () => void): Store {
  const reason = `The store did not answer within ${milliseconds / 1000} seconds`;

  function inTime<T>(answer: Promise<T>, onLateAnswer = () => {}): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new StoreUnavailable(reason, { reason }));
      }, milliseconds);
      answer.then(
        (value) => {
          clearTimeout(timer);
          if (isLate) onLateAnswer();
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }

  return {
    ...inner,
    get: (key) => inTime(inner.get(key)),
    list: (prefix, options) => inTime(inner.list(prefix, options)),
    batch: (operations) => inTime(inner.batch(operations), onLate),
    increment: (key, by) => inTime(inner.increment(key, by)),
    read: (journal, after, limit) => inTime(inner.read(journal, after, limit)),
    head: (journal) => inTime(inner.head(journal)),
    lease: (name, holder, ttlMs) => inTime(inner.lease(name, holder, ttlMs)),
    release: (name, holder) => inTime(inner.release(name, holder)),
    publish: (channel, message) => inTime(inner.publish(channel, message)),
    subscribe: (channel, listener) => inTime(inner.subscribe(channel, listener)),
    close: () => inTime(inner.close()),
  };
}
