const FIRST_BACKOFF_MS = 1_000;
/** The longest back-off, and the pause after the server has rejected the key. */
export const MAX_BACKOFF_MS = 60_000;
/**
 * The maximum of `Retry-After` in seconds, so that a wrong clock or a misconfigured proxy cannot stop a provider for
 * longer.
 */
const MAX_RETRY_AFTER = 300;

/**
 * Reads `Retry-After`, in seconds or as a date, as seconds from now, at most five minutes. Undefined if it is absent,
 * in the past or invalid.
 */
export function readRetryAfter(headers: Headers | undefined): number | undefined {
  const value = headers?.get("retry-after") ?? "";
  const seconds = +value || (Date.parse(value) - Date.now()) / 1_000;
  return Math.min(MAX_RETRY_AFTER, Math.max(0, seconds)) || undefined;
}

/**
 * Milliseconds before the next attempt after `failures` failures, without jitter: doubles each time, at most one
 * minute.
 */
export function backOff(failures: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
}

/**
 * Milliseconds before the next attempt of a timer: the back-off, half of it jitter, on top of the `retryAfter` seconds
 * that the server requests.
 */
export function retryDelay(failures: number, retryAfter = 0): number {
  return retryAfter * 1_000 + backOff(failures) * (0.5 + Math.random() / 2);
}
