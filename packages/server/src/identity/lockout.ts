import type { Store } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { networkOf } from "./network.ts";
import { createAttempts } from "./shared-attempts.ts";

/**
 * Slows down password guessing, per pair of client network and account. Attackers therefore cannot lock out users: the
 * right password always works from another address.
 */
export interface Lockout {
  /** @throws ApiError 429 while this address must wait before it tries this account again */
  check(address: string | null, account: string): Promise<void>;
  failed(address: string | null, account: string): Promise<void>;
  succeeded(address: string | null, account: string): Promise<void>;
}

/** Wrong passwords without delay, for typos. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 15 * 60_000;
/** Creates the delays. Servers on one store count failures together, and forget them an hour after the last one. */
export function createLockout(store: Store, runtime: Runtime): Lockout {
  const failures = createAttempts(store, runtime, "logins");
  const nameOf = (address: string | null, account: string) => `${networkOf(address)} ${account.toLowerCase()}`;

  return {
    async check(address, account) {
      const last = await failures.find(nameOf(address, account));
      if (!last || last.count < FREE_FAILURES) return;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (last.count - FREE_FAILURES), MAX_DELAY_MS);
      const left = last.at + delay - runtime.now();
      if (left <= 0) return;
      throw new ApiError(429, "Rate limit exceeded. Please retry after 60 seconds.", {
        "Retry-After": String(Math.ceil(left / 1000)),
      });
    },
    async failed(address, account) {
      await failures.add(nameOf(address, account));
    },
    succeeded: (address, account) => failures.forget(nameOf(address, account)),
  };
}
