import type { Store } from "@assay/store";
import type { Runtime } from "../runtime.ts";
import { withAppendNotice } from "../storage/append-notice.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { type AuditFeed, createAuditFeed } from "./feed.ts";
import { type AuditKey, loadKey, toAuditKey } from "./keys.ts";
import { type AuditLog, createAuditLog } from "./log.ts";
import { type Anchor, createSealer, type Sealer } from "./sealer.ts";

/** How the audit trail is sealed. */
export interface AuditOptions {
  /** Secret of the signatures, at least 32 characters. @default one that is made and kept in the store */
  key?: string;
  /** Called with each new head of the chain, to be kept where the store's owner cannot change it. */
  anchor?: Anchor;
}

/** Everything that reads the audit trail; it is written by the collections and by `identity/trail.ts`. */
export interface Audit {
  /** The store to write through, so that readers hear of new entries at once. */
  store: Store;
  log: AuditLog;
  feed: AuditFeed;
  /** Begins to seal. */
  start(): Promise<{ sealer: Sealer; key: AuditKey }>;
  /** Ends the streams and seals what is there. */
  close(): Promise<void>;
}

/**
 * @param maxStreams the most readers of the live trail at a time
 * @throws TypeError where the key is too short
 */
export function createAudit(inner: Store, runtime: Runtime, maxStreams: number, options: AuditOptions = {}): Audit {
  const ownKey = options.key === undefined ? null : toAuditKey(options.key);
  let sealer: Sealer | undefined;
  const store = withAppendNotice(inner, AUDIT_JOURNAL, () => {
    feed.advance();
    sealer?.schedule();
  });
  const log = createAuditLog(store);
  const feed = createAuditFeed(store, runtime, maxStreams);
  return {
    store,
    log,
    feed,
    async start() {
      const key = ownKey ?? (await loadKey(store));
      sealer = createSealer({ store, runtime, key, anchor: options.anchor });
      sealer.schedule();
      return { sealer, key };
    },
    async close() {
      feed.close();
      await sealer?.close();
    },
  };
}
