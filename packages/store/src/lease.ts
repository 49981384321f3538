import type { Lease } from "./store.ts";

/** What a store keeps of a lease; a released one stays, without holder, so that its token goes on growing. */
export interface LeaseRecord {
  holder: string | null;
  token: number;
  expiresAt: number;
}

/** Takes or renews a lease: the record to write, or null while somebody else holds it. */
export function nextLease(
  current: LeaseRecord | undefined,
  holder: string,
  ttlMs: number,
  now: number,
): LeaseRecord | null {
  const alive = current !== undefined && current.holder !== null && current.expiresAt > now;
  if (alive && current.holder !== holder) return null;
  // Whoever lets a lease expire gets a new token even if nobody came between: its holder may be a restarted namesake.
  const token = alive ? current.token : (current?.token ?? 0) + 1;
  return { holder, token, expiresAt: now + ttlMs };
}

/** The record after a release; null where this holder has nothing to release. */
export function releasedLease(current: LeaseRecord | undefined, holder: string): LeaseRecord | null {
  return current?.holder === holder ? { ...current, holder: null } : null;
}

/** The token that a fence must show, 0 where nobody holds the lease. */
export function fenceToken(current: LeaseRecord | undefined): number {
  return current && current.holder !== null ? current.token : 0;
}

/** What the holder of a record is told. */
export function leaseOf(record: LeaseRecord): Lease {
  return { token: record.token, expiresAt: record.expiresAt };
}
