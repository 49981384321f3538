import type { Runtime } from "../../ground/runtime.ts";
import { CODE_MINUTES } from "../../identity/codes.ts";

/**
 * Limits the mails of one kind to one address: two at once, then one per lifetime of a code. This is at most five per
 * hour, and the owner of the account always has a valid code, even while a stranger requests codes all the time.
 */
export interface MailBudget {
  /** Returns whether a mail may go to this address now, and counts it if so. */
  take(address: string): boolean;
}

const AT_ONCE = 2;
const HOUR_MS = 3_600_000;
/** Maximum number of remembered addresses. Evicts the address with the oldest mail first. */
const CAPACITY = 10_000;

/** Creates a budget, which this node keeps in memory. */
export function createMailBudget(runtime: Runtime): MailBudget {
  const sent = new Map<string, number[]>();
  return {
    take(address) {
      const key = address.toLowerCase();
      const now = runtime.now();
      const recent = (sent.get(key) ?? []).filter((at) => now - at < HOUR_MS);
      if (recent.length >= AT_ONCE && now - recent.at(-1)! < CODE_MINUTES * 60_000) return false;
      sent.delete(key);
      if (sent.size >= CAPACITY) sent.delete(sent.keys().next().value!);
      sent.set(key, [...recent, now]);
      return true;
    },
  };
}
