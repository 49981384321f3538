/**
 * A value, or a promise of it. The steps of every request return the value where they need not wait, as most do not: a
 * promise for each costs an evaluation over HTTP some per cent (`pnpm --filter @assay/server bench:http`).
 */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value at once, or when its promise is fulfilled. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
