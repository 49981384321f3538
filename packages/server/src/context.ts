import { createEngine, SCHEMA_VERSION } from "@assay/core";
import { describeWideModes, memoryStore, namespaced, requireRestored, toStore } from "@assay/store";
import { createAnalysis } from "./analysis/analysis.ts";
import { createAudit } from "./audit/audit.ts";
import { defineCollections } from "./collections.ts";
import { createAnnouncements } from "./definitions/announcements.ts";
import { createFlagUsage } from "./definitions/flag-usage.ts";
import { createSnapshot } from "./definitions/snapshot.ts";
import { stepLimit } from "./definitions/step-limit.ts";
import { createStreamPlaces } from "./definitions/stream-places.ts";
import { noMetrics } from "./ground/metrics.ts";
import { createPrometheus } from "./ground/prometheus.ts";
import { createRuntime } from "./ground/runtime.ts";
import { createAccessTrail } from "./identity/access.ts";
import { type ActorNames, createActorNames } from "./identity/actor-names.ts";
import { createTrail } from "./identity/trail.ts";
import { requireStrongSecrets } from "./identity/weak-secrets.ts";
import { createMailQueue } from "./mail/mail-queue.ts";
import { logMailer } from "./mail/mailer.ts";
import { type AssayOptions, definedOnly } from "./options.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { requireKeys } from "./secrets/secrets.ts";
import { createCollections } from "./storage/collections.ts";
import { logDamage } from "./storage/damage-log.ts";
import { STORE_DEADLINE_MS, withDeadline } from "./storage/deadline.ts";
import { openFormat } from "./storage/format.ts";
import { requireFreeNamespace } from "./storage/namespace.ts";
import { observeStore } from "./storage/observed-store.ts";
import { watchWrites } from "./storage/write-watch.ts";

/** What every area depends on: store, records, snapshot, audit trail. Created synchronously. */
export type Context = ReturnType<typeof createContext>;

/** @throws TypeError for invalid options */
export function createContext(options: AssayOptions) {
  requireStrongSecrets(options);
  if (options.secretKeys) requireKeys(options.secretKeys);
  requireFreeNamespace(options.namespace ?? "");
  const metrics = options.metrics ? createPrometheus() : noMetrics;
  const runtime = createRuntime(definedOnly({ now: options.now, id: options.id, logger: options.logger, metrics }));
  const root = toStore(options.storage ?? memoryStore());
  let isReloading = false;
  const answering = withDeadline(root, options.storeDeadlineMs ?? STORE_DEADLINE_MS, () => reload());
  const writes = watchWrites(namespaced(observeStore(answering, runtime), options.namespace ?? ""), runtime);
  logDamage(writes.store, runtime);
  const maxStreams = options.maxStreams ?? 10_000;
  // The trail comes before the documents that name its actors, and names them only once there are readers.
  const actorNames: ActorNames = { nameOf: (author) => createActorNames(records).nameOf(author) };
  const audit = createAudit(writes.store, runtime, actorNames, maxStreams, options.audit);
  const { store } = audit;
  const collections = createCollections(store, runtime);
  const records = defineCollections(collections);
  /** Reloads all data after a write that the server answered with 503 has reached the store. */
  const reload = () => {
    if (isReloading) return;
    isReloading = true;
    collections
      .reload()
      .catch((error: unknown) => runtime.logger.warn("Cannot load the data again", { error: String(error) }))
      .finally(() => {
        isReloading = false;
      });
  };
  const engine = createEngine(
    { schema_version: SCHEMA_VERSION, flags: [], segments: [], groups: [], holdout: null, experiments: [] },
    { now: runtime.now, limit: stepLimit },
  );
  const snapshot = createSnapshot(engine, records, options.namespace || "default");
  const flagUsage = createFlagUsage(store, runtime, records.flags);
  const announcements = createAnnouncements(
    engine,
    createStreamPlaces(maxStreams, definedOnly(options.clientStreams ?? {})),
  );
  // Closes streams when their caller loses access.
  records.apiKeys.onChange(({ after }) => after?.is_active || announcements.recheck());
  records.users.onChange(({ after }) => (after?.is_active && !after.deleted_at) || announcements.recheck());
  metrics.watch({
    streams: () => ({ definitions: announcements.count, audit: audit.feed.count }),
    isWritable: () => writes.failure() === null,
    damagedRecords: () => store.quarantined().length,
  });
  const analysis = createAnalysis(store, runtime, { trimJournal: !options.keepRawEvents });
  const trail = createTrail(collections, runtime);
  const access = createAccessTrail(trail, runtime);
  const mailer = options.mailer ?? logMailer(runtime.logger);
  const mailQueue = createMailQueue(mailer, runtime);

  return {
    runtime,
    audit,
    actorNames,
    store,
    writes,
    collections,
    records,
    engine,
    snapshot,
    flagUsage,
    announcements,
    analysis,
    trail,
    access,
    mailer,
    mailQueue,
    outbound: createOutbound({ runtime, ...options.outbound }),
    /** Loads the stored data. */
    async open(): Promise<void> {
      await runtime.tracing.load();
      const warning = options.exports && describeWideModes([options.exports.directory]);
      if (warning) runtime.logger.warn(warning);
      await requireRestored(answering);
      await openFormat(store, runtime);
      await collections.open();
      await flagUsage.open();
      snapshot.refresh();
    },
    /** Writes pending data and closes the store. Do not use the context afterwards. */
    async close(): Promise<void> {
      access.close();
      await analysis.close();
      await Promise.all([trail.flush(), flagUsage.close(), mailQueue.flush()]);
      mailer.close?.();
      await audit.close();
      await collections.close();
      await store.close();
      metrics.close();
    },
  };
}
