import { type AssayError, isAssayError } from "./error.ts";

/** Time and chance, injected so that tests decide both. */
export interface Clock {
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** Waits; rejects with the signal's reason once it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", abort, { once: true });
    }),
};

const FIRST_DELAY = 250;
const LONGEST_DELAY = 8_000;

/** Milliseconds before attempt number `attempt` + 1: the server's own wish, or doubling with half of it jitter. */
export function retryDelay(error: AssayError, attempt: number, random: number): number {
  const backOff = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt) * (0.5 + random / 2);
  // Everyone is told the same number of seconds; the jitter on top keeps them from coming back at once.
  return error.retryAfter === undefined ? backOff : error.retryAfter * 1000 + FIRST_DELAY * random;
}

/** A 429 was refused before it did anything; the rest may have done it already and needs `replaySafe`. */
export function isRetryable(error: unknown, replaySafe: boolean): error is AssayError {
  if (!isAssayError(error)) return false;
  if (error.status === 429) return true;
  return replaySafe && (error.status >= 500 || error.code === "NETWORK" || error.code === "TIMEOUT");
}

/** Whether sending a request twice has the effect of sending it once. */
export function isReplaySafe(method: string, path: string, body: unknown, idempotencyKey?: string): boolean {
  // PUT and PATCH set fields to values. Evaluations are POSTs only because their context does not fit a URL.
  return method !== "POST" || !!idempotencyKey || /evaluate$/.test(path) || hasEventIds(body);
}

/** Events that carry an id of their own are counted once however often they are sent. */
function hasEventIds(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  if (Array.isArray(body)) return body.length > 0 && body.every(hasEventIds);
  if ("events" in body) return Array.isArray(body.events) && hasEventIds(body.events);
  return "event_id" in body && !!body.event_id && "event_type" in body;
}
