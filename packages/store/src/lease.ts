import type { Lease } from "./store.ts";

/** The stored state of a lease. A released lease stays, without a holder, so that its token keeps growing. */
export interface LeaseRecord {
  holder: string | null;
  token: number;
  expiresAt: number;
}

/** Takes or renews a lease. Returns the record to write, or null while another holder has it. */
export function nextLease(
  current: LeaseRecord | undefined,
  holder: string,
  ttlMs: number,
  now: number,
): LeaseRecord | null {
  const alive = current !== undefined && current.holder !== null && current.expiresAt > now;
  if (alive && current.holder !== holder) return null;
  // An expired lease gets a new token even for the same holder, which may be a restarted process of the same name.
  const token = alive ? current.token : (current?.token ?? 0) + 1;
  return { holder, token, expiresAt: now + ttlMs };
}

/** Returns the record after a release; null if this holder does not have the lease. */
export function releasedLease(current: LeaseRecord | undefined, holder: string): LeaseRecord | null {
  return current?.holder === holder ? { ...current, holder: null } : null;
}

/** Returns the token that a fence must have; 0 if the lease is free. */
export function fenceToken(current: LeaseRecord | undefined): number {
  return current && current.holder !== null ? current.token : 0;
}

/** Returns the lease as its holder gets it. */
export function leaseOf(record: LeaseRecord): Lease {
  return { token: record.token, expiresAt: record.expiresAt };
}
