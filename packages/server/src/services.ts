import { createAiService } from "./areas/ai/service.ts";
import { createApiKeyService } from "./areas/api-keys/service.ts";
import { createAuditLogService } from "./areas/audit-logs/service.ts";
import { createAccountService } from "./areas/auth/accounts.ts";
import { createExternalIdentity } from "./areas/auth/oidc/external.ts";
import { createAuthService } from "./areas/auth/service.ts";
import { createBanditUpdateJob } from "./areas/bandit/job.ts";
import { createBanditService } from "./areas/bandit/service.ts";
import { createComplianceService } from "./areas/compliance/service.ts";
import { createCounterService } from "./areas/counters/service.ts";
import { createRetentionJob } from "./areas/etl/job.ts";
import { createEtlService } from "./areas/etl/service.ts";
import { createTasks } from "./areas/etl/tasks.ts";
import { createExperimentScheduleJob } from "./areas/experiments/job.ts";
import { createExperimentService } from "./areas/experiments/service.ts";
import { createFlagHistoryService } from "./areas/feature-flags/history.ts";
import { createFeatureFlagService } from "./areas/feature-flags/service.ts";
import { createHoldoutService } from "./areas/holdout/service.ts";
import { createIntegrations } from "./areas/integrations/integrations.ts";
import { createInteractionService } from "./areas/interactions/service.ts";
import { createMcpService } from "./areas/mcp/service.ts";
import { createGroupService } from "./areas/mutual-exclusion-groups/service.ts";
import { createNotifications } from "./areas/notifications/notifications.ts";
import { createOfrepService } from "./areas/ofrep/service.ts";
import { createOpenFeatureService } from "./areas/openfeature/service.ts";
import { comparePair } from "./areas/results/comparison.ts";
import { toRows } from "./areas/results/rows.ts";
import { createResultsService } from "./areas/results/service.ts";
import { createRoleService } from "./areas/roles/service.ts";
import { createRolloutAdvanceJob } from "./areas/rollout-schedules/job.ts";
import { createRolloutScheduleService } from "./areas/rollout-schedules/service.ts";
import { createSafetyCheckJob } from "./areas/safety/job.ts";
import { createSafetyService } from "./areas/safety/service.ts";
import { createSchedulerService } from "./areas/scheduler/service.ts";
import { createSegmentService } from "./areas/segments/service.ts";
import { createTrackingService } from "./areas/tracking/service.ts";
import { createUserService } from "./areas/users/service.ts";
import { createEngines } from "./areas/warehouse/engines.ts";
import { createWarehouseService } from "./areas/warehouse/service.ts";
import { createWizardService } from "./areas/wizard/service.ts";
import type { Context } from "./context.ts";
import { createCodes } from "./identity/codes.ts";
import { createLockout } from "./identity/lockout.ts";
import { createPasswords } from "./identity/passwords.ts";
import { createRights } from "./identity/rights.ts";
import { createStreamTokens } from "./identity/stream-tokens.ts";
import { createTokenSigner } from "./identity/tokens.ts";
import type { Job } from "./jobs/job.ts";
import { createScheduler } from "./jobs/scheduler.ts";
import type { AssayOptions } from "./options.ts";
import { createAddressRule } from "./outbound/address.ts";
import { loadSecrets } from "./secrets/ring.ts";
import { SYSTEM } from "./storage/change.ts";

/**
 * Creates the services in order of their dependencies.
 *
 * @param mcp what the Model Context Protocol endpoint needs of the API
 */
export async function compose(context: Context, options: AssayOptions, mcp: Parameters<typeof createMcpService>[0]) {
  const { store, runtime, engine, snapshot, analysis, trail, access, outbox, outbound, mailer, audit } = context;
  const { collections, records, flagUsage, announcements } = context;
  const { users, sessions, codes, roles, grants, apiKeys, flags, experiments, syncs, drafts } = records;
  const isTicking = options.jobs ?? true;
  const secrets = await loadSecrets(store, options.secretKeys);
  const streamTokens = await createStreamTokens(store, runtime);
  const lifetime = (options.accessTokenMinutes ?? 30) * 60;
  const tokens = await createTokenSigner(store, runtime, lifetime, options.signingKeyDays);

  // Users and keys.
  const passwords = createPasswords(options.passwordCost);
  const lockout = createLockout(runtime);
  const external = options.identity && createExternalIdentity(options.identity, { runtime, users, trail, lockout });
  const userService = createUserService({ runtime, passwords, users, sessions, apiKeys, roles });
  // If a provider manages users, its claims decide who is an administrator.
  if (options.admin && !options.identity) {
    const { username, password, email = `${username}@localhost.localdomain` } = options.admin;
    await userService.ensureAdministrator({ username, password, email }, { actor: SYSTEM, action: "user.create" });
  }
  const roleService = createRoleService({ runtime, roles, grants, users });
  const rights = createRights(records, roleService);
  const keys = createApiKeyService({ runtime, apiKeys, users, usage: context.usage, trail, access });
  const auth =
    external?.auth ?? createAuthService({ runtime, passwords, users: userService, sessions, tokens, trail, lockout });
  const accounts =
    external?.accounts ??
    createAccountService({
      users: userService,
      codes: createCodes({ runtime, codes, passwords }),
      outbox,
      mode: options.signup ?? "OPEN",
      invited: options.invited ?? [],
    });

  // Flags and experiments.
  const featureFlags = createFeatureFlagService({
    flags,
    experiments,
    engine,
    snapshot,
    runtime,
    use: flagUsage,
    rights,
  });
  const openfeature = createOpenFeatureService({ engine, flags: featureFlags, announcements, use: flagUsage });
  const ofrep = createOfrepService({
    flags: featureFlags,
    openfeature,
    tokens: streamTokens,
    engine,
    catchUp: collections.catchUp,
  });
  const slots = createGroupService({ runtime, groups: records.groups, experiments, rights });
  const experimentDeps = { runtime, experiments, flags, featureFlags, snapshot, slots, rights };
  const experimentService = createExperimentService(experimentDeps);

  // Events and results.
  const tracking = createTrackingService({
    store,
    runtime,
    collections,
    experiments,
    flags,
    engine,
    analysis,
    flagUsage,
  });
  const results = createResultsService({ runtime, experiments, analysis, synced: (id) => syncs.get(id) });
  const interactions = createInteractionService({ runtime, experiments, analysis, compare: comparePair });
  const bandit = createBanditService({ runtime, experiments, analysis });

  // Delivery.
  const { schedules } = records;
  const rolloutSchedules = createRolloutScheduleService({ runtime, schedules, featureFlags, analysis, rights });
  const safety = createSafetyService({
    runtime,
    settings: records.safetySettings,
    flagSettings: records.flagSafety,
    rollbacks: records.rollbacks,
    featureFlags,
    analysis,
    rights,
    async pauseSchedules(...given) {
      await collections.catchUp();
      return rolloutSchedules.pauseAll(...given);
    },
  });
  const telling = createNotifications({
    store,
    runtime,
    users,
    preferences: records.preferences,
    secrets,
    mailer,
    outbound,
    experiments,
    flags,
    schedules,
    results,
    keys,
  });

  // Third parties and data.
  const thirdParties = createIntegrations({
    store,
    runtime,
    integrations: records.integrations,
    experiments,
    users,
    roles: roleService,
    rights,
    experimentService,
    resultsOf: (id) => results.get(id, { type: "ANONYMOUS", actor: SYSTEM }),
    secrets,
    outbound,
    trail,
    access,
    isTicking,
  });
  const engines = createEngines(options.warehouse, createAddressRule(options.outbound?.allowPrivateNetworks ?? false));
  const { connections } = records;
  const warehouse = createWarehouseService({ runtime, secrets, connections, syncs, experiments, engines, rights });
  const { exports, retention } = options;
  const data = { store, runtime, analysis, experiments, syncs, sync: warehouse.sync, exports, retention };
  const etl = createEtlService({ store, runtime, trail, tasks: createTasks(data) });
  const ai = createAiService({
    results,
    interactions,
    check: experimentService.preview,
    model: options.languageModel,
    logger: runtime.logger,
  });

  const jobs: Job[] = [
    createExperimentScheduleJob(experimentService),
    createRolloutAdvanceJob(rolloutSchedules),
    createSafetyCheckJob(safety),
    createBanditUpdateJob({ bandit }),
    ...telling.jobs,
    createRetentionJob(data),
  ];
  const scheduler = createScheduler({ store, runtime, jobs, catchUp: collections.catchUp, isTicking });

  return {
    services: {
      auth,
      accounts,
      users: userService,
      roles: roleService,
      apiKeys: keys,
      experiments: experimentService,
      featureFlags,
      flagHistory: createFlagHistoryService({ featureFlags, log: audit.log }),
      segments: createSegmentService({ runtime, segments: records.segments, flags, experiments, snapshot }),
      groups: slots,
      holdout: createHoldoutService({ runtime, holdouts: records.holdouts, analysis, compare: toRows }),
      openfeature,
      tracking,
      results,
      interactions,
      bandit,
      counters: createCounterService({ store, runtime, experiments }),
      rolloutSchedules,
      safety,
      scheduler: createSchedulerService({ scheduler, runtime, trail }),
      notifications: telling.service,
      wizard: createWizardService({ drafts, experiments, experimentService }),
      integrations: thirdParties.service,
      warehouse,
      etl,
      ai,
      mcp: createMcpService(mcp),
      auditLogs: createAuditLogService(audit),
      compliance: createComplianceService({ store, runtime, log: audit.log, trail, ...(await audit.start()) }),
    },
    ofrep,
    tokens,
    /** Set if an OpenID Connect provider manages users. */
    external,
    /** Starts background work. */
    async start() {
      await etl.start();
      await scheduler.start();
    },
    /** Stops background work and waits for it to finish. */
    async close() {
      await scheduler.close();
      await telling.service.close();
      await etl.close();
      await thirdParties.close();
      await tracking.close();
    },
  };
}

/** The services, what other parts of the server need of them, and their start and close. */
export type Composition = Awaited<ReturnType<typeof compose>>;

/** The services of every area. */
export type Services = Composition["services"];
