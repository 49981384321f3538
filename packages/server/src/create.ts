import { contract, type TrackingEvent } from "@assay/contract";
import { createEngine, type Engine, SCHEMA_VERSION } from "@assay/core";
import { H3 } from "h3";
import { createAnalysis } from "./analysis/analysis.ts";
import { createAiService } from "./areas/ai/service.ts";
import { apiKeyCollection } from "./areas/api-keys/record.ts";
import { createApiKeyService } from "./areas/api-keys/service.ts";
import { createKeyUsage } from "./areas/api-keys/usage.ts";
import { createAuditLogService } from "./areas/audit-logs/service.ts";
import { createAccountService } from "./areas/auth/accounts.ts";
import { sessionCollection } from "./areas/auth/record.ts";
import { createAuthService } from "./areas/auth/service.ts";
import { createBanditUpdateJob } from "./areas/bandit/job.ts";
import { createBanditService } from "./areas/bandit/service.ts";
import { createComplianceService } from "./areas/compliance/service.ts";
import { createCounterService } from "./areas/counters/service.ts";
import { createRetentionJob } from "./areas/etl/job.ts";
import { createEtlService, type EtlService } from "./areas/etl/service.ts";
import { createTasks } from "./areas/etl/tasks.ts";
import { createExperimentScheduleJob } from "./areas/experiments/job.ts";
import { experimentCollection } from "./areas/experiments/record.ts";
import { createExperimentService } from "./areas/experiments/service.ts";
import { createFlagHistoryService } from "./areas/feature-flags/history.ts";
import { flagCollection } from "./areas/feature-flags/record.ts";
import { createFeatureFlagService } from "./areas/feature-flags/service.ts";
import { createFlagUse, withUse } from "./areas/feature-flags/use.ts";
import { holdoutCollection } from "./areas/holdout/record.ts";
import { createHoldoutService } from "./areas/holdout/service.ts";
import { createIntegrations, type Integrations } from "./areas/integrations/integrations.ts";
import { integrationCollection } from "./areas/integrations/record.ts";
import { createInteractionService } from "./areas/interactions/service.ts";
import { createMcpService } from "./areas/mcp/service.ts";
import { groupCollection } from "./areas/mutual-exclusion-groups/record.ts";
import { createGroupService } from "./areas/mutual-exclusion-groups/service.ts";
import { createNotifications } from "./areas/notifications/notifications.ts";
import { preferencesCollection } from "./areas/notifications/record.ts";
import type { NotificationService } from "./areas/notifications/service.ts";
import { mountOfrep } from "./areas/ofrep/routes.ts";
import { createOfrepService } from "./areas/ofrep/service.ts";
import { mountManifest } from "./areas/openfeature/manifest.ts";
import { createOpenFeatureService } from "./areas/openfeature/service.ts";
import { comparePair } from "./areas/results/comparison.ts";
import { toRows } from "./areas/results/rows.ts";
import { createResultsService } from "./areas/results/service.ts";
import { grantCollection, roleCollection } from "./areas/roles/record.ts";
import { createRoleService } from "./areas/roles/service.ts";
import { createRolloutAdvanceJob } from "./areas/rollout-schedules/job.ts";
import { scheduleCollection } from "./areas/rollout-schedules/record.ts";
import { createRolloutScheduleService } from "./areas/rollout-schedules/service.ts";
import { createSafetyCheckJob } from "./areas/safety/job.ts";
import { flagSafetyCollection, rollbackCollection, safetySettingsCollection } from "./areas/safety/record.ts";
import { createSafetyService } from "./areas/safety/service.ts";
import { createSchedulerService } from "./areas/scheduler/service.ts";
import { segmentCollection } from "./areas/segments/record.ts";
import { createSegmentService } from "./areas/segments/service.ts";
import { createTrackingService } from "./areas/tracking/service.ts";
import { userCollection } from "./areas/users/record.ts";
import { createUserService } from "./areas/users/service.ts";
import { createEngines } from "./areas/warehouse/engines.ts";
import { connectionCollection, syncCollection } from "./areas/warehouse/record.ts";
import { createWarehouseService } from "./areas/warehouse/service.ts";
import { draftCollection } from "./areas/wizard/record.ts";
import { createWizardService } from "./areas/wizard/service.ts";
import { createAudit } from "./audit/audit.ts";
import { createAnnouncements } from "./definitions/announcements.ts";
import { createSnapshot } from "./definitions/snapshot.ts";
import type { EventAnswer } from "./events/ingest.ts";
import { handlers } from "./handlers.ts";
import { standardHeaders, toErrorResponse } from "./http/boundary.ts";
import { createCors } from "./http/cors.ts";
import { requireHttps } from "./http/https-rule.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createLimiter, DEFAULT_LIMITS } from "./http/limits.ts";
import { createOverrides } from "./http/overrides.ts";
import { createPeer } from "./http/peer.ts";
import { actorOf } from "./http/pipeline.ts";
import { API_PREFIX, mountRoutes } from "./http/router.ts";
import { mountSystem } from "./http/system.ts";
import { createAccessTrail } from "./identity/access.ts";
import { codeCollection, createCodes } from "./identity/codes.ts";
import { createGuard } from "./identity/guard.ts";
import { createLockout } from "./identity/lockout.ts";
import { createExternalIdentity } from "./identity/oidc/external.ts";
import { createPasswords } from "./identity/passwords.ts";
import { createStreamTokens } from "./identity/stream-tokens.ts";
import { createTokenSigner } from "./identity/tokens.ts";
import { createTrail } from "./identity/trail.ts";
import { requireStrongSecrets } from "./identity/weak-secrets.ts";
import type { Job } from "./jobs/job.ts";
import { createScheduler, type Scheduler } from "./jobs/scheduler.ts";
import { logMailer } from "./mail/mailer.ts";
import { createOutbox } from "./mail/outbox.ts";
import { createNodeHandler, type NodeHandler } from "./node.ts";
import type { AssayOptions } from "./options.ts";
import { createAddressRule } from "./outbound/address.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { createRuntime } from "./runtime.ts";
import { loadSecrets } from "./secrets/ring.ts";
import { requireKeys } from "./secrets/secrets.ts";
import type { Services } from "./services.ts";
import { SYSTEM } from "./storage/change.ts";
import { createCollections } from "./storage/collections.ts";
import { memoryStore, namespaced, toStore } from "./storage/index.ts";

/** A running server, to be mounted wherever the host listens. */
export interface Assay {
  /** Answers a web request. */
  fetch(request: Request): Promise<Response>;
  /** Answers a `node:http` request; also a middleware for Express. */
  node: NodeHandler;
  /** Evaluates in-process, with no HTTP; follows every change at once. */
  engine: Engine;
  /**
   * Records one event in-process, as `POST /tracking/track` does; resolves once it is durable.
   * @throws ApiError 422 where the event is not acceptable
   */
  track(event: TrackingEvent): Promise<EventAnswer>;
  /** Resolves when everything is loaded; requests wait for it by themselves. Rejects where the store cannot be opened. */
  ready: Promise<void>;
  /** Ends the live streams, which never end by themselves, so that a host can finish its requests before it closes. */
  endStreams(): void;
  /** Finishes what is under way and closes the store. */
  close(): Promise<void>;
}

/**
 * Creates a server over any storage.
 *
 * @example
 * const assay = createAssay({ storage: lmdbStore({ path: "data" }), admin: { username: "admin", password } });
 * createServer(assay.node).listen(4400);
 */
export function createAssay(options: AssayOptions = {}): Assay {
  requireStrongSecrets(options);
  if (options.secretKeys) requireKeys(options.secretKeys);
  const runtime = createRuntime(definedOnly({ now: options.now, id: options.id, logger: options.logger }));
  const base = (options.basePath ?? "").replace(/\/$/, "");
  const storage = namespaced(toStore(options.storage ?? memoryStore()), options.namespace ?? "");
  const audit = createAudit(storage, runtime, options.maxStreams ?? 10_000, options.audit);
  const { store } = audit;
  const engine = createEngine(
    { schema_version: SCHEMA_VERSION, flags: [], segments: [], groups: [], holdout: null, experiments: [] },
    { now: runtime.now },
  );

  const collections = createCollections(store, runtime);
  const users = collections.define(userCollection);
  const sessions = collections.define(sessionCollection);
  const codes = collections.define(codeCollection);
  const roles = collections.define(roleCollection);
  const grants = collections.define(grantCollection);
  const apiKeys = collections.define(apiKeyCollection);
  const flags = collections.define(flagCollection);
  const experiments = collections.define(experimentCollection);
  const segments = collections.define(segmentCollection);
  const groups = collections.define(groupCollection);
  const holdouts = collections.define(holdoutCollection);
  const integrations = collections.define(integrationCollection);
  const connections = collections.define(connectionCollection);
  const syncs = collections.define(syncCollection);
  const drafts = collections.define(draftCollection);
  const schedules = collections.define(scheduleCollection);
  const safetySettings = collections.define(safetySettingsCollection);
  const flagSafety = collections.define(flagSafetyCollection);
  const rollbacks = collections.define(rollbackCollection);
  const preferences = collections.define(preferencesCollection);

  const peer = createPeer(options.trustProxy);
  const cors = options.cors ? createCors(options.cors) : null;
  const overrides = createOverrides(options.overrides, runtime);
  const trail = createTrail(collections, runtime);
  const access = createAccessTrail(trail, runtime);
  const idempotency = createIdempotency(store, runtime);
  const passwords = createPasswords(options.passwordCost);
  const lockout = createLockout(runtime);
  const external = options.identity && createExternalIdentity(options.identity, { runtime, users, trail, lockout });
  const mailer = options.mailer ?? logMailer(runtime.logger);
  const outbox = createOutbox(mailer, runtime);
  const outbound = createOutbound({ runtime, ...options.outbound });
  const usage = createKeyUsage(store, runtime);
  const snapshot = createSnapshot(
    engine,
    { flags, experiments, segments, groups, holdouts },
    options.namespace || "default",
  );
  const userService = createUserService({ runtime, passwords, users, sessions, apiKeys, roles });
  const flagUse = createFlagUse(store, runtime, flags);
  const featureFlags = createFeatureFlagService({ flags, experiments, engine, snapshot, runtime, use: flagUse });
  const announcements = createAnnouncements(engine, options.maxStreams ?? 10_000);
  // Whoever loses their rights stops listening at once.
  apiKeys.onChange(({ after }) => after?.is_active || announcements.recheck());
  users.onChange(({ after }) => (after?.is_active && !after.deleted_at) || announcements.recheck());
  const analysis = createAnalysis(store, runtime, { trimJournal: !options.keepRawEvents });
  const tracking = createTrackingService({
    store,
    runtime,
    collections,
    experiments,
    flags,
    engine,
    analysis,
    flagUse,
  });
  const groupService = createGroupService({ runtime, groups, experiments });
  const results = createResultsService({ runtime, experiments, analysis, synced: (id) => syncs.get(id) });
  const counters = createCounterService({ store, runtime, experiments });
  const bandit = createBanditService({ runtime, experiments, analysis });

  const rolloutSchedules = createRolloutScheduleService({ runtime, schedules, featureFlags, analysis });
  const safety = createSafetyService({
    runtime,
    settings: safetySettings,
    flagSettings: flagSafety,
    rollbacks,
    featureFlags,
    analysis,
    pauseSchedules: rolloutSchedules.pauseAll,
  });

  let etl: EtlService | undefined;
  let scheduler: Scheduler | undefined;
  let notifications: NotificationService | undefined;
  const engines = createEngines(options.warehouse, createAddressRule(options.outbound?.allowPrivateNetworks ?? false));
  let thirdParties: Integrations | undefined;

  async function start(): Promise<(request: Request) => Response | Promise<Response>> {
    await collections.open();
    await usage.load();
    await flagUse.open();
    snapshot.refresh();
    // Where a provider keeps the people, its claims say who administers.
    if (options.admin && !options.identity) {
      const { username, password, email = `${username}@localhost.localdomain` } = options.admin;
      await userService.ensureAdministrator({ username, password, email }, { actor: SYSTEM, action: "user.create" });
    }
    const tokens = await createTokenSigner(
      store,
      runtime,
      (options.accessTokenMinutes ?? 30) * 60,
      options.signingKeyDays,
    );
    const openfeature = createOpenFeatureService({ engine, flags: featureFlags, announcements, use: flagUse });
    const secrets = await loadSecrets(store, options.secretKeys);
    const streamTokens = await createStreamTokens(store, runtime);
    const ofrep = createOfrepService({ flags: featureFlags, openfeature, tokens: streamTokens, engine });
    const experimentDeps = { runtime, experiments, flags, featureFlags, snapshot, slots: groupService };
    const experimentService = createExperimentService(experimentDeps);
    const keys = createApiKeyService({ runtime, apiKeys, users, usage, trail, access });
    const sources = { experiments, flags, schedules, results, keys };
    const telling = createNotifications({ store, runtime, users, preferences, secrets, mailer, outbound, ...sources });
    notifications = telling.service;
    const warehouse = createWarehouseService({ runtime, secrets, connections, syncs, experiments, engines });
    const { exports, retention } = options;
    const data = { store, runtime, analysis, experiments, syncs, sync: warehouse.sync, exports, retention };
    etl = createEtlService({ store, runtime, trail, tasks: createTasks(data) });
    await etl.start();
    const jobs: Job[] = [
      createExperimentScheduleJob(experimentService),
      createRolloutAdvanceJob(rolloutSchedules),
      createSafetyCheckJob(safety),
      createBanditUpdateJob({ bandit }),
      ...telling.jobs,
      createRetentionJob(data),
    ];
    const { catchUp } = collections;
    scheduler = createScheduler({ store, runtime, jobs, catchUp, isTicking: options.jobs ?? true });
    const roleService = createRoleService({ runtime, roles, grants, users });
    thirdParties = createIntegrations({
      store,
      runtime,
      integrations,
      experiments,
      users,
      roles: roleService,
      experimentService,
      resultsOf: (id) => results.get(id, { type: "ANONYMOUS", actor: SYSTEM }),
      secrets,
      outbound,
      trail,
      access,
      isTicking: options.jobs ?? true,
    });
    const interactions = createInteractionService({ runtime, experiments, analysis, compare: comparePair });
    const services: Services = {
      users: userService,
      roles: roleService,
      auth:
        external?.auth ??
        createAuthService({ runtime, passwords, users: userService, sessions, tokens, trail, lockout }),
      accounts:
        external?.accounts ??
        createAccountService({
          users: userService,
          codes: createCodes({ runtime, codes, passwords }),
          outbox,
          mode: options.signup ?? "OPEN",
          invited: options.invited ?? [],
        }),
      apiKeys: keys,
      featureFlags,
      flagHistory: createFlagHistoryService({ featureFlags, log: audit.log }),
      experiments: experimentService,
      segments: createSegmentService({ runtime, segments, flags, experiments, snapshot }),
      groups: groupService,
      holdout: createHoldoutService({ runtime, holdouts, analysis, compare: toRows }),
      notifications,
      wizard: createWizardService({ drafts, experiments, experimentService }),
      auditLogs: createAuditLogService(audit),
      compliance: createComplianceService({ store, runtime, log: audit.log, trail, ...(await audit.start()) }),
      openfeature,
      tracking,
      results,
      counters,
      ai: createAiService({
        results,
        interactions,
        check: experimentService.preview,
        model: options.languageModel,
        logger: runtime.logger,
      }),
      bandit,
      integrations: thirdParties.service,
      interactions,
      warehouse,
      etl,
      mcp: createMcpService({
        allows: (...asked) => guard.allows(...asked),
        dispatch: (request) => app.fetch(request),
      }),
      rolloutSchedules,
      safety,
      scheduler: createSchedulerService({ scheduler, runtime, trail }),
    };
    const guard = createGuard(services);
    const limits = options.rateLimit === false ? false : { ...DEFAULT_LIMITS, ...definedOnly(options.rateLimit ?? {}) };
    const app = new H3({ onError: (error) => toErrorResponse(error, standardHeaders(runtime.id()), runtime.logger) });
    mountSystem(app, base, { store, tokens });
    external?.mount(app, base, (request) => actorOf(request, runtime, peer));
    const limiter = createLimiter(limits);
    const deps = { runtime, services, guard, limiter, peer, access, idempotency, overrides, cors };
    mountOfrep(app, base, { ...deps, ofrep });
    mountManifest(app, base, { ...deps, flags: featureFlags });
    mountRoutes(app, base, contract, handlers, deps);
    idempotency.start();
    await scheduler.start();
    return options.requireHttps ? requireHttps(app.fetch, peer, runtime) : app.fetch;
  }

  const started = start();
  const ready = started.then(() => {});
  ready.catch(() => {});

  const fetch = async (request: Request): Promise<Response> => {
    try {
      return await (await started)(request);
    } catch (error) {
      return toErrorResponse(error, standardHeaders(runtime.id()), runtime.logger);
    }
  };

  return {
    fetch,
    node: createNodeHandler(fetch, (path) => owns(base, path)),
    engine: withUse(engine, flagUse),
    async track(event) {
      await ready;
      return tracking.track(event);
    },
    ready,
    endStreams() {
      announcements.close();
      audit.feed.close();
    },
    async close() {
      announcements.close();
      await ready.catch(() => {});
      await scheduler?.close();
      await notifications?.close();
      await etl?.close();
      idempotency.close();
      access.close();
      await thirdParties?.close();
      await tracking.close();
      await analysis.close();
      await Promise.all([trail.flush(), usage.flush(), flagUse.close(), outbox.flush()]);
      mailer.close?.();
      await audit.close();
      await collections.close();
      await store.close();
    },
  };
}

const SYSTEM_PATHS = [
  "/healthz",
  "/readyz",
  "/.well-known/jwks.json",
  "/openapi.json",
  "/docs",
  "/oidc/login",
  "/oidc/callback",
  "/openfeature/v0/manifest",
];

/** Whether a path is ours; as a middleware we leave the others to the host. */
function owns(base: string, path: string): boolean {
  if (!path.startsWith(base)) return false;
  const own = path.slice(base.length);
  return (
    own === API_PREFIX || own.startsWith(`${API_PREFIX}/`) || own.startsWith("/ofrep/") || SYSTEM_PATHS.includes(own)
  );
}

function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
