const FIRST = 1_000;
const LONGEST = 60_000;
/** Seconds: a wrong clock or a typing error of a proxy must not silence a provider for longer. */
const MAX_RETRY_AFTER = 300;
/** Milliseconds that a timer can wait; a longer delay than 32 bits hold would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Seconds that an answer asks to wait, from now, five minutes at most: `Retry-After` is seconds or a date. Undefined where
 * it is absent, has passed or is neither.
 */
export function readRetryAfter(headers: Headers | undefined): number | undefined {
  const value = headers?.get("retry-after") ?? "";
  const seconds = +value || (Date.parse(value) - Date.now()) / 1_000;
  return Math.min(MAX_RETRY_AFTER, Math.max(0, seconds)) || undefined;
}

/**
 * Milliseconds before the next attempt after `failures` failed ones: doubling with half of it jitter, and never
 * earlier than the server asks for in `retryAfter` seconds.
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
      // Browsers have numbers here.
      if (typeof handle === "object") handle.unref();
    },
  };
}
