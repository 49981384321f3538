import type { Runtime } from "../runtime.ts";
import { withAppendNotice } from "../storage/append-notice.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { type AuditFeed, createAuditFeed } from "./feed.ts";
import { type AuditLog, createAuditLog } from "./log.ts";

/** Everything that reads the audit trail; it is written by the collections and by `identity/trail.ts`. */
export interface Audit {
  /** The store to write through, so that readers hear of new entries at once. */
  store: Store;
  log: AuditLog;
  feed: AuditFeed;
  close(): Promise<void>;
}

/** @param maxStreams the most readers of the live trail at a time */
export function createAudit(inner: Store, runtime: Runtime, maxStreams: number): Audit {
  const store = withAppendNotice(inner, AUDIT_JOURNAL, () => feed.advance());
  const log = createAuditLog(store);
  const feed = createAuditFeed(store, runtime, maxStreams);
  return {
    store,
    log,
    feed,
    async close() {
      feed.close();
    },
  };
}
