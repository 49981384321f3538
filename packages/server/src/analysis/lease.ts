import { setTimeout as delay } from "node:timers/promises";
import type { Lease, Store } from "@assay/store";
import { COMPACTION_LEASE } from "./storage.ts";

/** How often to ask for the lease while events are copied, and how long to wait in between, in milliseconds. */
const TRIES = 100;
const WAIT_MS = 100;

/**
 * Takes the lease for writing chunks. It is also that of copying, which releases it every few seconds: with a copy, this waits
 * for it. Returns null if another node keeps it.
 */
export async function takeLease(
  store: Store,
  holder: string,
  milliseconds: number,
  isCopied: boolean,
): Promise<Lease | null> {
  for (let tries = isCopied ? TRIES : 1; tries > 0; tries--) {
    const lease = await store.lease(COMPACTION_LEASE, holder, milliseconds);
    if (lease) return lease;
    if (tries > 1) await delay(WAIT_MS);
  }
  return null;
}
