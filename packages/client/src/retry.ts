import { AssayError } from "./error.ts";

/** Delays and random numbers, injected for tests. */
export interface Clock {
  /** Returns a number in [0, 1). */
  random(): number;
  /** Waits; resolves early if the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  random: Math.random,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener("abort", () => resolve(clearTimeout(timer)));
    }),
};

const FIRST_DELAY = 250;
const MAX_DELAY_MS = 8_000;

/**
 * Returns the milliseconds to wait before attempt `attempt` + 1: what the server requests, or else an exponential
 * back-off of which half is random.
 */
export function retryDelay(error: AssayError, attempt: number, random: number): number {
  // All clients receive the same number of seconds; added jitter spreads their retries.
  return error.retryAfter
    ? error.retryAfter * 1_000 + FIRST_DELAY * random
    : Math.min(MAX_DELAY_MS, FIRST_DELAY * 2 ** attempt) * (0.5 + random / 2);
}

/**
 * Returns whether to send a request again. A 429 had no effect; after other errors the request may have had one, so it
 * must be `replaySafe`.
 */
export function isRetryable(error: unknown, replaySafe: boolean): error is AssayError {
  return (
    error instanceof AssayError && (error.status === 429 || (replaySafe && (!error.status || error.status >= 500)))
  );
}

/** Returns whether a request has the same effect if it is sent twice. */
export function isReplaySafe(method: string, path: string, body: unknown, idempotencyKey?: string): boolean {
  const events: unknown[] = [Object(body).events ?? body].flat();
  return (
    // PUT and PATCH set fields to values. Evaluations are POSTs only because their context does not fit a URL.
    method !== "POST" ||
    !!idempotencyKey ||
    /evaluate$/.test(path) ||
    // Events with an id are counted once however often they are sent.
    (!!events[0] && events.every((event) => Object(event).event_id))
  );
}
