import { keyOf, type Store } from "@assay/store";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import { createSlices } from "../ground/slices.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { parseBytes, toBytes } from "../storage/json.ts";
import { type AuditHead, GENESIS, hashParts, linkHash, SEALS_JOURNAL, type Seal, sign } from "./chain.ts";
import { toAuditRecord } from "./entry.ts";
import type { AuditKey } from "./keys.ts";

/** Seals audit entries in the background, on one node at a time. */
export interface Sealer {
  /** Call after appending an entry. Seals it soon. */
  schedule(): void;
  /** Seals all entries, unless another node holds the lease. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

/** Receives the end of the chain. Keep it elsewhere, so that the owner of the store cannot cut the trail unnoticed. */
export type Anchor = (head: AuditHead) => void | Promise<void>;

export const HEAD_KEY = keyOf("audit", "head");
const LEASE = "audit-sealer";
const LEASE_MS = 10_000;
const DELAY_MS = 200;
/** A node may die with the lease and leave entries unsealed, so each node looks for these at this interval. */
const POLL_MS = 5000;
/** Entries are up to 2 MB each, so pages are small. */
const PAGE = 100;

export function createSealer(deps: {
  store: Store;
  runtime: Runtime;
  key: AuditKey;
  anchor: Anchor | undefined;
}): Sealer {
  const { store, runtime, key, anchor } = deps;
  const holder = runtime.id();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sealing: Promise<void> | null = null;
  let isClosed = false;
  const stop = store.capabilities.multiProcess ? every(POLL_MS, schedule) : () => {};

  async function seal(): Promise<void> {
    const lease = await store.lease(LEASE, holder, LEASE_MS);
    if (!lease) return;
    let head: AuditHead | null = null;
    const slices = createSlices();
    for (;;) {
      const stored = await store.get(HEAD_KEY);
      // If the head is damaged, the chain continues after the last readable seal.
      const last = stored ? parseBytes<AuditHead>(stored.value) : await readLastSeal(store);
      const records = await store.read(AUDIT_JOURNAL, last?.sequence ?? 0, PAGE);
      if (records.length === 0) break;
      const seals: Seal[] = [];
      let hash = last?.hash ?? GENESIS;
      let sequence = last?.sequence ?? 0;
      const link = (id: string | null, parts: Seal["parts"]) => {
        sequence++;
        hash = linkHash(hash, sequence, parts);
        seals.push({ sequence, id, parts, hash, signature: sign(hash, key.secret), key_id: key.id });
      };
      for (const record of records) {
        // Seals share the positions of their entries, so unreadable entries get seals too.
        while (sequence + 1 < record.position) link(null, null);
        const entry = toAuditRecord(record);
        link(entry.id, hashParts(entry));
        if (slices.isOver()) await slices.next();
      }
      const { signature } = seals.at(-1)!;
      head = { sequence, hash, signature, key_id: key.id };
      const { ok } = await store.batch([
        { type: "fence", lease: LEASE, token: lease.token },
        { type: "append", journal: SEALS_JOURNAL, records: seals.map(toBytes) },
        { type: "put", key: HEAD_KEY, value: toBytes(head), ifVersion: stored?.version ?? 0 },
      ]);
      if (!ok) return;
      if (records.length < PAGE) break;
      await store.lease(LEASE, holder, LEASE_MS);
    }
    if (head) await tell(head);
  }

  async function tell(head: AuditHead): Promise<void> {
    try {
      await anchor?.(head);
    } catch (error) {
      runtime.logger.error("The audit head could not be anchored", { sequence: head.sequence, error: String(error) });
    }
  }

  async function catchUp(): Promise<void> {
    // A pass in flight may have read the trail before the newest entry was appended.
    await sealing?.catch(() => {});
    sealing ??= seal().finally(() => {
      sealing = null;
    });
    await sealing;
  }

  function schedule(): void {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      catchUp().catch((error: unknown) =>
        runtime.logger.warn("The audit trail is not sealed", { error: String(error) }),
      );
    }, DELAY_MS);
    timer.unref();
  }

  return {
    schedule,
    catchUp,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      stop();
      await catchUp().catch(() => {});
      await store.release(LEASE, holder).catch(() => {});
    },
  };
}

/** Returns the last readable seal, or null if there is none. */
async function readLastSeal(store: Store): Promise<Seal | null> {
  const end = await store.head(SEALS_JOURNAL);
  for (let before = end; before > 0; before -= PAGE) {
    const records = await store.read(SEALS_JOURNAL, Math.max(0, before - PAGE), PAGE);
    const last = records.at(-1);
    if (last) return parseBytes<Seal>(last.record);
  }
  return null;
}
