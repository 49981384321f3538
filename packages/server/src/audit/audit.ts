import type { Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import type { ActorNames } from "../identity/actor-names.ts";
import { withAppendNotice } from "../storage/append-notice.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import type { AuditHead } from "./chain.ts";
import { type AuditFeed, createAuditFeed } from "./feed.ts";
import { type AuditKey, loadKey, toAuditKey } from "./keys.ts";
import { type AuditLog, createAuditLog } from "./log.ts";
import { createSealer, type Sealer } from "./sealer.ts";

/** Options for sealing the audit trail. */
export interface AuditOptions {
  /** Secret that signs the seals, at least 32 characters. @default generated and kept in the store */
  key?: string;
  /**
   * Called with each new head of the chain, and the name of its environment. Keep the heads where the owner of the store
   * cannot change them.
   */
  anchor?: (head: AuditHead, environment: string) => void | Promise<void>;
}

/** Readers of the audit trail. Collections and `identity/trail.ts` write it. */
export interface Audit {
  /** The store to write through. It notifies readers of new entries at once. */
  store: Store;
  log: AuditLog;
  feed: AuditFeed;
  /** Starts sealing. */
  start(): Promise<{ sealer: Sealer; key: AuditKey }>;
  /** Ends the streams and seals the remaining entries. */
  close(): Promise<void>;
}

/**
 * @param maxStreams maximum number of concurrent live readers
 * @param environment the name that the anchor gets
 * @throws TypeError if the key is too short
 */
export function createAudit(
  inner: Store,
  runtime: Runtime,
  names: ActorNames,
  maxStreams: number,
  environment: string,
  options: AuditOptions = {},
): Audit {
  const ownKey = options.key === undefined ? null : toAuditKey(options.key);
  let sealer: Sealer | undefined;
  const store = withAppendNotice(inner, AUDIT_JOURNAL, () => {
    feed.advance();
    sealer?.schedule();
  });
  const log = createAuditLog(store);
  const feed = createAuditFeed(store, runtime, maxStreams, names);
  return {
    store,
    log,
    feed,
    async start() {
      const key = ownKey ?? (await loadKey(store));
      const anchor = options.anchor && ((head: AuditHead) => options.anchor?.(head, environment));
      sealer = createSealer({ store, runtime, key, anchor });
      sealer.schedule();
      return { sealer, key };
    },
    async close() {
      feed.close();
      await sealer?.close();
    },
  };
}
