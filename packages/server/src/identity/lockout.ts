import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { networkOf } from "./network.ts";

/**
 * Slows down password guessing, per pair of client network and account. Attackers therefore cannot lock out users: the
 * right password always works from another address.
 */
export interface Lockout {
  /** @throws ApiError 429 while this address must wait before it tries this account again */
  check(address: string | null, account: string): void;
  failed(address: string | null, account: string): void;
  succeeded(address: string | null, account: string): void;
}

/** Wrong passwords without delay, for typos. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 15 * 60_000;
/** Failures expire after this long without another one. */
const FORGOTTEN_MS = 60 * 60_000;
/** Maximum number of remembered pairs. Evicts the pair with the oldest last failure first. */
const CAPACITY = 10_000;

interface Failures {
  count: number;
  lastAt: number;
}

export function createLockout(runtime: Runtime): Lockout {
  const failures = new Map<string, Failures>();
  const keyOf = (address: string | null, account: string) => `${networkOf(address)} ${account.toLowerCase()}`;

  function recent(key: string): Failures | undefined {
    const last = failures.get(key);
    return last && runtime.now() - last.lastAt < FORGOTTEN_MS ? last : undefined;
  }

  return {
    check(address, account) {
      const last = recent(keyOf(address, account));
      if (!last || last.count < FREE_FAILURES) return;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (last.count - FREE_FAILURES), MAX_DELAY_MS);
      const left = last.lastAt + delay - runtime.now();
      if (left <= 0) return;
      throw new ApiError(429, "Rate limit exceeded. Please retry after 60 seconds.", {
        "Retry-After": String(Math.ceil(left / 1000)),
      });
    },
    failed(address, account) {
      const key = keyOf(address, account);
      const count = (recent(key)?.count ?? 0) + 1;
      failures.delete(key);
      if (failures.size >= CAPACITY) failures.delete(failures.keys().next().value!);
      failures.set(key, { count, lastAt: runtime.now() });
    },
    succeeded(address, account) {
      failures.delete(keyOf(address, account));
    },
  };
}
