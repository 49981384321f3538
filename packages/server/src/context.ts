import { createEngine, SCHEMA_VERSION } from "@assay/core";
import { describeWideModes, memoryStore, namespaced, requireRestored, type Store, toStore } from "@assay/store";
import { type Analysis, createAnalysis } from "./analysis/analysis.ts";
import { createAnswering } from "./analysis/answering.ts";
import { createAskedAnalysis } from "./analysis/asked-analysis.ts";
import { createCopiedAnalysis } from "./analysis/copied-analysis.ts";
import { createAudit } from "./audit/audit.ts";
import { defineCollections, type Records } from "./collections.ts";
import { createAnnouncements } from "./definitions/announcements.ts";
import { createFlagUsage } from "./definitions/flag-usage.ts";
import { createSnapshot } from "./definitions/snapshot.ts";
import { stepLimit } from "./definitions/step-limit.ts";
import { createStreamPlaces } from "./definitions/stream-places.ts";
import { noMetrics } from "./ground/metrics.ts";
import { createPrometheus } from "./ground/prometheus.ts";
import { createRuntime, type Runtime } from "./ground/runtime.ts";
import { rolesOf, type ServerRole } from "./ground/server-role.ts";
import { createPageLinks, requirePublicUrl } from "./http/page-links.ts";
import { createAccessTrail } from "./identity/access.ts";
import { type ActorNames, createActorNames } from "./identity/actor-names.ts";
import { createTrail } from "./identity/trail.ts";
import { requireStrongSecrets } from "./identity/weak-secrets.ts";
import { createMailQueue } from "./mail/mail-queue.ts";
import { logMailer } from "./mail/mailer.ts";
import type { ApiKeyRecord } from "./model/api-key.ts";
import { type AssayOptions, definedOnly } from "./options.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { requireKeys } from "./secrets/secrets.ts";
import type { Collection } from "./storage/collection.ts";
import { createCollections } from "./storage/collections.ts";
import { logDamage } from "./storage/damage-log.ts";
import { STORE_DEADLINE_MS, withDeadline } from "./storage/deadline.ts";
import {
  claimEnvironment,
  type EnvironmentName,
  protectedAmong,
  requireEnvironmentNames,
} from "./storage/environment.ts";
import { openFormat } from "./storage/format.ts";
import { requireFreeNamespace } from "./storage/namespace.ts";
import { observeStore } from "./storage/observed-store.ts";
import { watchWrites } from "./storage/write-watch.ts";

/** What every area depends on: store, records, snapshot, audit trail. Created synchronously. */
export type Context = ReturnType<typeof createContext>;

/** The documents that are the same in every environment. */
type People = Pick<Records, "users" | "sessions" | "codes" | "roles" | "grants">;

/** What the environments of a server have in common. */
type Common = ReturnType<typeof createCommon>;

/**
 * Creates the context of each environment, the first one first. Without the option `environments` there is one.
 * @throws TypeError for invalid options
 */
export function createContexts(options: AssayOptions): [Context, ...Context[]] {
  const { environments, namespace = "" } = options;
  requireFreeNamespace(namespace);
  if (environments) requireEnvironmentNames(environments, namespace);
  const [first = namespace || "default", ...others] = environments ?? [];
  const common = createCommon(options, [first, ...others]);
  const home = createContext(options, common, { name: first, first, namespace });
  return [
    home,
    ...others.map((name) => createContext(options, common, { name, first, namespace: name }, home.records)),
  ];
}

function createCommon(options: AssayOptions, environments: readonly string[]) {
  requireStrongSecrets(options);
  if (options.secretKeys) requireKeys(options.secretKeys);
  if (options.publicUrl !== undefined) requirePublicUrl(options.publicUrl);
  const metrics = options.metrics ? createPrometheus() : noMetrics;
  const runtime = createRuntime(definedOnly({ now: options.now, id: options.id, logger: options.logger, metrics }));
  const maxStreams = options.maxStreams ?? 10_000;
  return {
    runtime,
    roles: rolesOf(options.roles),
    root: toStore(options.storage ?? memoryStore()),
    maxStreams,
    streamPlaces: createStreamPlaces(maxStreams, definedOnly(options.clientStreams ?? {})),
    mailer: options.mailer ?? logMailer(runtime.logger),
    outbound: createOutbound({ runtime, ...options.outbound }),
    /** The names of all environments, the first one first. */
    environments,
    /** The names of the environments whose changes need approval. */
    guarded: protectedAmong(environments, options.protected ?? []),
    /** The API keys of each environment. */
    apiKeysOfAll: [] as Collection<ApiKeyRecord>[],
  };
}

/** @param people those of the first environment; undefined for the first itself */
function createContext(
  options: AssayOptions,
  common: Common,
  place: EnvironmentName & { namespace: string },
  people?: People,
) {
  const { runtime, maxStreams, mailer, apiKeysOfAll } = common;
  const { name, namespace } = place;
  // The first environment closes the store, after the others.
  const root = people ? { ...common.root, close: async () => {} } : common.root;
  let isReloading = false;
  const answering = withDeadline(root, options.storeDeadlineMs ?? STORE_DEADLINE_MS, () => reload());
  const writes = watchWrites(namespaced(observeStore(answering, runtime), namespace), runtime);
  logDamage(writes.store, runtime);
  // The trail comes before the documents that name its actors, and names them only once there are readers.
  const actorNames: ActorNames = { nameOf: (author) => createActorNames(records).nameOf(author) };
  const audit = createAudit(writes.store, runtime, actorNames, maxStreams, name, options.audit);
  const { store } = audit;
  const collections = createCollections(store, runtime);
  const own = defineCollections(collections);
  const records: Records = people ? { ...own, ...peopleOf(people) } : own;
  apiKeysOfAll.push(records.apiKeys);
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
  const snapshot = createSnapshot(engine, records, name);
  const flagUsage = createFlagUsage(store, runtime, records.flags);
  const announcements = createAnnouncements(engine, common.streamPlaces);
  // Closes streams when their caller loses access.
  records.apiKeys.onChange(({ after }) => after?.is_active || announcements.recheck());
  records.users.onChange(({ after }) => (after?.is_active && !after.deleted_at) || announcements.recheck());
  const analysis = createContextAnalysis(store, runtime, options, common.roles);
  const requests = common.roles.has("analysis") ? createAnswering(store, runtime, analysis) : null;
  const trail = createTrail(collections, runtime);
  const access = createAccessTrail(trail, runtime);
  const mailQueue = createMailQueue(mailer, runtime);

  return {
    runtime,
    environment: { name, all: common.environments, guarded: common.guarded },
    apiKeysOfAll,
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
    roles: common.roles,
    trail,
    access,
    mailer,
    mailQueue,
    outbound: common.outbound,
    /** The addresses of pages, for messages. */
    pageLinks: createPageLinks(options, options.environments && name),
    /** Loads the stored data. */
    async open(): Promise<void> {
      await runtime.tracing.load();
      const warning = options.exports && describeWideModes([options.exports.directory]);
      if (warning) runtime.logger.warn(warning);
      await requireRestored(answering);
      if (options.environments) await claimEnvironment(store, place);
      await openFormat(store, runtime);
      await collections.open();
      await flagUsage.open();
      await analysis.open();
      await requests?.start();
      snapshot.refresh();
    },
    /** Writes pending data and closes the store. Do not use the context afterwards. */
    async close(): Promise<void> {
      access.close();
      await requests?.close();
      await analysis.close();
      await Promise.all([trail.flush(), flagUsage.close(), mailQueue.flush()]);
      if (!people) {
        mailer.close?.();
        await options.events?.close();
      }
      await audit.close();
      await collections.close();
      await store.close();
      if (!people) runtime.metrics.close();
    },
  };
}

/** Without the role `analysis`, the others are asked. */
function createContextAnalysis(
  store: Store,
  runtime: Runtime,
  { events, keepRawEvents, analysisThreads: threads }: AssayOptions,
  roles: ReadonlySet<ServerRole>,
): Analysis {
  const isAnalysing = roles.has("analysis");
  const options = { threads, trimJournal: !keepRawEvents, compacts: isAnalysing };
  const local = events
    ? createCopiedAnalysis(store, runtime, events, options)
    : createAnalysis(store, runtime, options);
  return isAnalysing ? local : createAskedAnalysis(store, runtime, local);
}

function peopleOf({ users, sessions, codes, roles, grants }: People): People {
  return { users, sessions, codes, roles, grants };
}
