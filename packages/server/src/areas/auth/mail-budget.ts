import type { Store } from "@assay/store";
import type { Runtime } from "../../ground/runtime.ts";
import { CODE_MINUTES } from "../../identity/codes.ts";
import { type Attempt, createAttempts } from "../../identity/shared-attempts.ts";

/**
 * Limits the mails of one kind to one address: two at once, then one per lifetime of a code. This is at most five per
 * hour, and the owner of the account always has a valid code, even while a stranger requests codes all the time.
 */
export interface MailBudget {
  /** Returns whether a mail may go to this address now, and counts it if so. */
  take(address: string): Promise<boolean>;
}

const HOUR_MS = 3_600_000;

/** Creates the budget of one kind of mails. Servers on one store count together. */
export function createMailBudget(store: Store, runtime: Runtime, kind: string): MailBudget {
  const mails = createAttempts(store, runtime, `mails-${kind}`);
  return {
    async take(address) {
      const now = runtime.now();
      const mayFollow = ({ at, before }: Attempt) =>
        before === null || now - before >= HOUR_MS || now - at >= CODE_MINUTES * 60_000;
      return (await mails.add(address.toLowerCase(), (known) => !known || mayFollow(known))) !== null;
    },
  };
}
