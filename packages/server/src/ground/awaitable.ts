/**
 * A value, or a promise of it. Most steps of a request return the value without waiting. A promise for each step would
 * slow down an evaluation over HTTP by a few per cent (`pnpm bench --only=http`).
 */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value at once, or when its promise is fulfilled. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does work, and handles its error, whether it throws or rejects. */
export function orElse<T>(work: () => Awaitable<T>, onError: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}
