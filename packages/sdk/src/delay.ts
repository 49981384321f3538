const FIRST = 1_000;
const LONGEST = 60_000;
/** Seconds: a wrong clock or a proxy's typing error must not silence a provider for longer. */
const MAX_RETRY_AFTER = 300;
/** The maximum delay of a timer in milliseconds; a delay beyond 32 bits would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Seconds to wait from now, by an answer's `Retry-After` (seconds or a date), five minutes at most. Undefined if it is
 * absent, in the past or invalid.
 */
export function readRetryAfter(headers: Headers | undefined): number | undefined {
  const value = headers?.get("retry-after") ?? "";
  const seconds = +value || (Date.parse(value) - Date.now()) / 1_000;
  return Math.min(MAX_RETRY_AFTER, Math.max(0, seconds)) || undefined;
}

/**
 * Milliseconds before the next attempt after `failures` failures: doubling, half of it jitter, and never less than the
 * `retryAfter` seconds that the server requests.
 */
export function backOff(failures: number, retryAfter = 0): number {
  const delay = Math.min(LONGEST, FIRST * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
  return retryAfter > 0 ? retryAfter * 1_000 + delay : delay;
}

/** One timer at a time, which never keeps a process alive. */
export interface Timer {
  /** Replaces any timer that is set. */
  set(milliseconds: number, task: () => void): void;
  clear(): void;
}

export function createTimer(): Timer {
  let handle: ReturnType<typeof setTimeout> | undefined;
  const clear = () => clearTimeout(handle);
  return {
    clear,
    set(milliseconds, task) {
      clear();
      handle = setTimeout(task, Math.min(milliseconds, LONGEST_DELAY));
      // Timers are numbers in browsers.
      if (typeof handle === "object") handle.unref();
    },
  };
}
