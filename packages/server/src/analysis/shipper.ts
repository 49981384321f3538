import { setTimeout as delay } from "node:timers/promises";
import { type EngineLog, type EngineProgress, EngineUnavailable, type EventEngine } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import { openEngineLog } from "./engine-log.ts";
import { takeLease } from "./lease.ts";
import { createShipments } from "./shipments.ts";
import { COMPACTION_LEASE, readEpoch } from "./storage.ts";

/** The state of the copy of the events. */
export interface CopyStatus {
  /** The name of the engine. */
  engine: string;
  /** Number of journal records that are not in the copy yet; null before the copy was opened. */
  behind: number | null;
  /** When the last record in the copy was received, in milliseconds since 1970; null before the first. */
  completeUntil: number | null;
  /** Why events are not copied, in a sentence; null while they are. */
  reason: string | null;
}

/** Copies the journal of events to an engine. One node at a time does so. */
export interface Shipper {
  /** The copy. @throws EngineRefused, EngineUnavailable */
  log(): Promise<EngineLog>;
  /**
   * Copies until a position of the journal is reached, for at most some milliseconds, and returns how far the copy reaches.
   * @throws EngineUnavailable
   */
  reach(position: number, milliseconds: number): Promise<EngineProgress>;
  /** Copies in the background from now on. */
  start(): void;
  /** Position of the last record that the copy is known to have. */
  copied(): number;
  status(): Promise<CopyStatus>;
  close(): Promise<void>;
}

/** After the death of the server that copies, another one continues after this time. */
const LEASE_MS = 10_000;
const TICK_MS = 1000;
/** Milliseconds between two looks at what another node copies. */
const POLL_MS = 50;
/** Milliseconds after which a run makes room for an erasure. */
const RUN_MS = 5000;

/**
 * Creates the shipper of a store. It does nothing before it is started or asked.
 *
 * @param onCopied called with the number of events in each batch that the engine has
 */
export function createShipper(
  store: Store,
  runtime: Runtime,
  engine: EventEngine,
  onCopied: (events: number) => void,
): Shipper {
  const holder = runtime.id();
  const shipments = createShipments(store);
  let opening: Promise<EngineLog> | null = null;
  let known: EngineProgress | null = null;
  let running: Promise<EngineProgress> | null = null;
  let reason: string | null = null;
  let stop = () => {};
  let isClosed = false;

  function log(): Promise<EngineLog> {
    const current = opening ?? openEngineLog(store, runtime, engine);
    opening = current;
    current.catch(() => {
      if (opening === current) opening = null;
    });
    return current;
  }

  /** Copies what the journal has now, if no other node does. */
  async function run(): Promise<EngineProgress> {
    const copy = await log();
    const progress = await copy.progress();
    known = progress;
    if (progress.position >= (await store.head(EVENTS_JOURNAL))) return progress;
    const renew = () => store.lease(COMPACTION_LEASE, holder, LEASE_MS);
    const lease = await renew();
    if (!lease) return progress;
    const stopRenewing = every(LEASE_MS / 3, async () => {
      await renew();
    });
    try {
      const until = performance.now() + RUN_MS;
      // Another node may have copied more before it released the lease.
      known = await copy.progress();
      while (!isClosed && performance.now() < until) {
        const epoch = await readEpoch(store);
        const batch = await shipments.next(known);
        // An append after the lease has expired could bring back what was erased in the meantime.
        if (!batch || (await renew())?.token !== lease.token) break;
        await copy.append(batch);
        // The process may have stopped for longer than the lease during the append.
        if ((await renew())?.token !== lease.token && (await startAgain(copy, epoch))) return copy.progress();
        known = { ...batch.reached, gaps: [...known.gaps, ...batch.reached.gaps] };
        onCopied(batch.records.reduce((sum, { record }) => sum + record.events.length + record.joins.length, 0));
      }
      return known;
    } finally {
      stopRenewing();
      await store.release(COMPACTION_LEASE, holder).catch(() => {});
    }
  }

  /**
   * Drops the copy if events were removed from the store after an epoch, because an append may have brought them back. The
   * store has all other events, so the next run copies them again. Returns whether it did.
   */
  async function startAgain(copy: EngineLog, epoch: number): Promise<boolean> {
    let lease = null;
    while (!isClosed && !lease) lease = await takeLease(store, holder, LEASE_MS, true);
    if (!lease || (await readEpoch(store)) === epoch) return false;
    runtime.logger.warn(`Events were erased while this server stopped; they are copied to ${engine.name} again`);
    await copy.drop();
    return true;
  }

  function ship(): Promise<EngineProgress> {
    if (isClosed) return Promise.reject(new EngineUnavailable("The server is closing"));
    running ??= run()
      .then((progress) => {
        if (reason !== null) runtime.logger.info(`Events are copied to ${engine.name} again`);
        reason = null;
        return progress;
      })
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        if (reason !== message) runtime.logger.error(`Events cannot be copied to ${engine.name}`, { error: message });
        reason = message;
        throw error;
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    log,
    async reach(position, milliseconds) {
      const until = performance.now() + milliseconds;
      for (;;) {
        const progress = await ship();
        if (progress.position >= position || performance.now() >= until) return progress;
        await delay(POLL_MS);
      }
    },
    start() {
      const tick = () => void ship().catch(() => {});
      tick();
      stop = every(TICK_MS, tick);
    },
    copied: () => known?.position ?? 0,
    async status() {
      const head = known && (await store.head(EVENTS_JOURNAL).catch(() => null));
      const behind = known && head !== null ? Math.max(0, head - known.position) : null;
      return { engine: engine.name, behind, completeUntil: known?.receivedAt ?? null, reason };
    },
    async close() {
      stop();
      isClosed = true;
      await running?.catch(() => {});
      await (await opening?.catch(() => null))?.close();
    },
  };
}
