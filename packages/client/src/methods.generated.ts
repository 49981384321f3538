// Generated from the contract by `pnpm generate`; do not edit.

export const methods = {
  auth: {
    /** Create an account as VIEWER; a confirmation code is sent by e-mail */
    signup: "POST /auth/signup",
    /** Confirm an account with the code from the e-mail: 15 minutes, five tries, one use */
    confirm: "POST /auth/confirm",
    /** Send a new confirmation code; the same answer whether or not there is such an account */
    resendConfirmation: "POST /auth/resend-confirmation",
    /** Send a code to set a new password; the same answer whether or not there is such an account */
    forgotPassword: "POST /auth/forgot-password",
    /** Set a new password with the code from the e-mail; ends every session */
    resetPassword: "POST /auth/reset-password",
    /** Exchange username and password, form-encoded or JSON, for tokens */
    token: "POST /auth/token",
    /** Exchange username and password for tokens */
    login: "POST /auth/login",
    /** Exchange a refresh token for new tokens; the old one is spent */
    refresh: "POST /auth/refresh",
    /** End the session: revokes its refresh tokens */
    logout: "POST /auth/logout",
    /** The signed-in user's profile */
    me: "GET /auth/me",
  },
  users: {
    /** The signed-in user */
    me: "GET /users/me",
    /** Users: all for a superuser, oneself for anyone else */
    list: "GET /users/",
    /** Create a confirmed user */
    create: "POST /users/",
    /** A user: oneself, or anyone for a superuser */
    get: "GET /users/{user_id}",
    /** Change oneself (full_name, password), or anyone as a superuser */
    update: "PUT /users/{user_id}",
  },
  adminUsers: {
    /** All users */
    list: "GET /admin/users",
    /** Change a user's role and custom roles, or switch the account on or off */
    update: "PATCH /admin/users/{user_id}",
    /** Deactivate a user, their sessions and their keys; what they made stays */
    delete: "DELETE /admin/users/{user_id}",
  },
  roles: {
    /** Built-in and custom roles with their permissions */
    list: "GET /roles",
    /** Create a custom role; it widens what the built-in role of its holders allows */
    create: "POST /roles",
    /** Change a custom role, for all its holders from the next request on */
    update: "PUT /roles/{role_name}",
    /** Delete a custom role that no user has */
    delete: "DELETE /roles/{role_name}",
    /** What a user may do: oneself, or anyone for ADMIN */
    permissions: "GET /users/{user_id}/permissions",
  },
  grants: {
    /** A user's temporary grants that are in force */
    list: "GET /users/{user_id}/grants",
    /** Give a user a permission until a time, at most a year ahead */
    create: "POST /users/{user_id}/grants",
    /** Take a grant back at once */
    revoke: "DELETE /users/{user_id}/grants/{grant_id}",
  },
  apiKeys: {
    /** Create an API key; its secret is in this answer and nowhere else */
    create: "POST /api-keys",
    /** API keys: all for DEVELOPER and ADMIN, one's own for others */
    list: "GET /api-keys",
    /** Revoke an API key for good */
    revoke: "DELETE /api-keys/{id}",
  },
  experiments: {
    /** Experiments, filtered, searched and sorted */
    list: "GET /experiments/",
    /** Create an experiment */
    create: "POST /experiments/",
    /** An experiment, by id or key */
    get: "GET /experiments/{experiment_id}",
    /** Change an experiment: absent fields keep their value, null clears */
    update: "PUT /experiments/{experiment_id}",
    /** The same as PUT */
    patch: "PATCH /experiments/{experiment_id}",
    /** Delete a DRAFT experiment */
    delete: "DELETE /experiments/{experiment_id}",
    /** DRAFT or PAUSED to ACTIVE */
    start: "POST /experiments/{experiment_id}/start",
    /** ACTIVE to PAUSED */
    pause: "POST /experiments/{experiment_id}/pause",
    /** ACTIVE or PAUSED to COMPLETED; a winner is served to everyone by the bound flag */
    complete: "POST /experiments/{experiment_id}/complete",
    /** Any status but ARCHIVED to ARCHIVED */
    archive: "POST /experiments/{experiment_id}/archive",
    /** A new DRAFT with the same design */
    clone: "POST /experiments/{experiment_id}/clone",
    /** Which URL a user would be sent to */
    previewSplitUrl: "GET /experiments/{experiment_id}/split-url/preview",
    /** The same, under the experiment */
    results: "GET /experiments/{experiment_id}/results",
  },
  wizard: {
    /** Begin an experiment step by step */
    create: "POST /wizard/drafts",
    /** The caller's own drafts, the last changed first */
    list: "GET /wizard/drafts",
    /** One of the caller's own drafts, with the body that submit would create */
    get: "GET /wizard/drafts/{id}",
    /** Save a step; unfinished and wrong values are kept, and named by validate */
    update: "PUT /wizard/drafts/{id}",
    /** Throw a draft away */
    delete: "DELETE /wizard/drafts/{id}",
    /** What submit would refuse, step by step */
    validate: "POST /wizard/drafts/{id}/validate",
    /** Create the experiment that `preview` shows; the draft is then gone */
    submit: "POST /wizard/drafts/{id}/submit",
  },
  notifications: {
    /** The events that the caller is notified of, and the channels */
    getPreferences: "GET /notifications/preferences",
    /** Change the caller's own preferences: absent fields keep their value, null clears */
    updatePreferences: "PUT /notifications/preferences",
    /** The preferences of all users who have set any */
    listPreferences: "GET /notifications/admin/preferences",
    /** Sent and failed notifications with their recipients, newest first; kept for 30 days, at most 10,000 */
    listDeliveries: "GET /notifications/delivery-log",
    /** Send a test to the caller's own channels now, and say what happened on each */
    test: "POST /notifications/test",
  },
  results: {
    /** Results of an experiment, current to the last acknowledged event */
    get: "GET /results/{experiment_id}",
    /** Tests that may be looked at any day, an alpha-spending schedule and whether to stop */
    sequential: "GET /results/{experiment_id}/sequential",
    /** Effects adjusted by what the same users did before */
    cuped: "GET /results/{experiment_id}/cuped",
    /** Effects by the segments of an attribute, with Bonferroni-corrected thresholds */
    breakdown: "GET /results/{experiment_id}/breakdown",
    /** The effect day by day, for plots */
    timeseries: "GET /results/{experiment_id}/timeseries",
  },
  counters: {
    /** The running counts of an experiment */
    get: "GET /counters/{experiment_id}",
    /** Add to one counter */
    increment: "POST /counters/{experiment_id}/increment",
    /** Add to several counters, to all or to none */
    bulk: "POST /counters/{experiment_id}/bulk",
    /** Set every counter of an experiment back to 0 */
    reset: "DELETE /counters/{experiment_id}",
  },
  warehouse: {
    /** Connections to warehouses, newest first */
    connections: "GET /warehouse/connections",
    /** Keep a connection to a warehouse; it is not tried */
    createConnection: "POST /warehouse/connections",
    /** One connection, without its password */
    connection: "GET /warehouse/connections/{id}",
    /** Change a connection; a new host or port needs the password again */
    updateConnection: "PUT /warehouse/connections/{id}",
    /** Forget a connection; results that came through it stay */
    deleteConnection: "DELETE /warehouse/connections/{id}",
    /** Connect now, with stored settings, those of the body, or these over those */
    testConnection: "POST /warehouse/connections/test",
    /** Let the warehouse sum an experiment up; results come from there from then on */
    sync: "POST /warehouse/sync/{experiment_id}",
  },
  bandit: {
    /** Weights of a bandit and what they rest on; for any experiment */
    get: "GET /bandit/{experiment_id}",
    /** Compute the weights now, as the hourly job does */
    update: "POST /bandit/{experiment_id}/update",
    /** Set the weights of a bandit manually */
    setWeights: "PUT /bandit/{experiment_id}/weights",
  },
  interactions: {
    /** Which of the running experiments disturb each other */
    scan: "GET /interactions/scan",
    /** Whether the effect of one experiment depends on the arm in another */
    pair: "GET /interactions/{exp_a_id}/{exp_b_id}",
    /** Whether the effects of two experiments wear off */
    novelty: "GET /interactions/{exp_a_id}/{exp_b_id}/novelty",
  },
  etl: {
    /** The data jobs, each with its last runs */
    jobs: "GET /etl/jobs",
    /** Begin a run; each node does one at a time, others wait */
    run: "POST /etl/jobs/{job_name}/run",
    /** A run, as it stands now */
    get: "GET /etl/jobs/{run_id}",
    /** What a run had to say, oldest first */
    logs: "GET /etl/jobs/{run_id}/logs",
    /** Stop a run within a second; 400 where it has ended */
    cancel: "POST /etl/jobs/{run_id}/cancel",
  },
  featureFlags: {
    /** Feature flags, filtered and searched */
    list: "GET /feature-flags/",
    /** Create a feature flag */
    create: "POST /feature-flags/",
    /** A feature flag, by id or key */
    get: "GET /feature-flags/{id}",
    /** Change a feature flag: absent fields keep their value, null clears */
    update: "PUT /feature-flags/{id}",
    /** The same as PUT */
    patch: "PATCH /feature-flags/{id}",
    /** Change the rollout percentage only */
    setRollout: "PATCH /feature-flags/{id}/rollout",
    /** Delete a feature flag */
    delete: "DELETE /feature-flags/{id}",
    /** Enable, disable or archive up to 100 flags; each succeeds or fails by itself */
    bulkToggle: "POST /feature-flags/bulk-toggle",
    /** What was done to a feature flag, newest first; by id also after it was deleted */
    history: "GET /feature-flags/{id}/history",
    /** Whether each flag is on for a user */
    forUser: "GET /feature-flags/user/{user_id}",
    /** Evaluate a flag for a user; `explain=true` adds the trace */
    evaluate: "POST /feature-flags/{key}/evaluate",
  },
  segments: {
    /** Create a segment of users, by id and by condition */
    create: "POST /segments",
    /** Segments, in order of creation */
    list: "GET /segments",
    /** A segment, by id or name */
    get: "GET /segments/{id}",
    /** Change a segment: absent fields keep their value, null clears */
    update: "PUT /segments/{id}",
    /** Delete a segment that nothing refers to */
    delete: "DELETE /segments/{id}",
    /** Whether a user is a member, and why */
    evaluate: "POST /segments/{id}/evaluate",
  },
  mutualExclusionGroups: {
    /** Mutual-exclusion groups, in order of creation */
    list: "GET /mutual-exclusion-groups",
    /** Create a group of experiments of which every user is in one at most */
    create: "POST /mutual-exclusion-groups",
    /** A group with the slots of its experiments */
    get: "GET /mutual-exclusion-groups/{group_id}",
    /** Change a group: absent fields keep their value, null clears; slots stay */
    update: "PUT /mutual-exclusion-groups/{group_id}",
    /** Archive a group: it takes no more experiments, those in it keep their slots */
    archive: "DELETE /mutual-exclusion-groups/{group_id}",
    /** Give a DRAFT experiment a slot */
    addExperiment: "POST /mutual-exclusion-groups/{group_id}/experiments",
    /** Take a DRAFT experiment out of its group */
    removeExperiment: "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}",
  },
  holdout: {
    /** The active holdout, or null */
    active: "GET /holdout",
    /** Every holdout, in order of creation */
    list: "GET /holdout/all",
    /** Hold a share of everyone out of every experiment; ACTIVE at once unless it is a DRAFT */
    create: "POST /holdout",
    /** Rename, start (ACTIVE) or end (ENDED) a holdout */
    update: "PUT /holdout/{id}",
    /** A holdout, and the effect of the experiments that it withholds */
    get: "GET /holdout/{id}",
    /** Whether a user is held out */
    check: "GET /holdout/check/{uid}",
  },
  tracking: {
    /** The stored assignments of a user */
    assignments: "GET /tracking/assignments/{user_id}",
    /** Assign a user to an experiment's variant, once */
    assign: "POST /tracking/assign",
    /** Join an anonymous id and a user id for analysis; the first exposure wins */
    identify: "POST /tracking/identify",
    /** Everything kept of one person, in parts of less than 10 MB that `Link` leads through */
    exportUser: "GET /tracking/users/{user_id}",
    /** Erase one person: assignments and events; results recompute */
    eraseUser: "DELETE /tracking/users/{user_id}",
    /** Record one event; a 201 means it is stored durably */
    track: "POST /tracking/track",
    /** Record one event or up to 5,000; a 201 means the accepted ones are stored durably */
    events: "POST /tracking/events",
  },
  openfeature: {
    /** Everything a provider needs to evaluate locally */
    definitions: "GET /openfeature/flags",
    /** Evaluate one flag remotely */
    evaluate: "POST /openfeature/evaluate",
    /** Evaluate up to 1,000 flag and user pairs, answered in order */
    bulkEvaluate: "POST /openfeature/bulk-evaluate",
    /** Server-sent events: `definitions` names what changed, `refetch` says that something was missed */
    stream: "GET /openfeature/stream",
  },
  auditLogs: {
    /** The audit trail, newest first */
    list: "GET /audit-logs",
    /** Number of entries by action, actor and day */
    stats: "GET /audit-logs/stats",
    /** Server-sent events: `audit` is an entry, `gap` says that the reader was too slow and ends the stream */
    stream: "GET /audit-logs/stream",
    /** One entry of the audit trail */
    get: "GET /audit-logs/{id}",
  },
  compliance: {
    /** The audit trail with its seals, oldest first */
    auditEvents: "GET /compliance/audit-events",
    /** Evidence for SOC 2 controls over the last 365 days */
    soc2: "GET /compliance/reports/soc2",
    /** Evidence for ISO 27001 controls over the last 730 days */
    iso27001: "GET /compliance/reports/iso27001",
    /** The sealed trail as JSON or CSV, in signed parts of at most 10 MB; `Link` leads to the next */
    export: "GET /compliance/export",
  },
  integrations: {
    /** Connect an issue tracker, a CRM or a code host */
    create: "POST /integrations",
    /** Integrations, without their config */
    list: "GET /integrations",
    /** An integration with its config, secrets masked */
    get: "GET /integrations/{id}",
    /** Change an integration: config is merged by key, a masked secret keeps its value */
    update: "PUT /integrations/{id}",
    /** Deactivate an integration: its secrets are erased, the record stays */
    deactivate: "DELETE /integrations/{id}",
    /** What came in and went out, newest first; the last 1,000 are kept */
    deliveries: "GET /integrations/{id}/deliveries",
    /** Call the other system with the stored credentials */
    test: "POST /integrations/{id}/test",
    /** An event of the issue tracker */
    trackerWebhook: "POST /integrations/{id}/webhook/tracker",
    /** An event of the CRM */
    crmWebhook: "POST /integrations/{id}/webhook/crm",
    /** An event of the code host, signed */
    codehostWebhook: "POST /integrations/{id}/webhook/codehost",
  },
  mcp: {
    /** What the MCP server is, where it is, and its tools */
    manifest: "GET /mcp/manifest",
    /** Model Context Protocol, streamable HTTP; its tools do what the caller may do */
    call: "POST /mcp",
  },
  rolloutSchedules: {
    /** Plan how a flag is rolled out, stage by stage */
    create: "POST /rollout-schedules",
    /** Rollout schedules, newest first */
    list: "GET /rollout-schedules",
    /** A rollout schedule, with how the next METRIC stage stands */
    get: "GET /rollout-schedules/{id}",
    /** Rename a schedule, or replace the stages of a DRAFT */
    update: "PUT /rollout-schedules/{id}",
    /** Delete a schedule that is DRAFT, COMPLETED or CANCELLED */
    delete: "DELETE /rollout-schedules/{id}",
    /** DRAFT or PAUSED to ACTIVE */
    activate: "POST /rollout-schedules/{id}/activate",
    /** ACTIVE to PAUSED; the percentage stays */
    pause: "POST /rollout-schedules/{id}/pause",
    /** DRAFT, ACTIVE or PAUSED to CANCELLED; the percentage stays */
    cancel: "POST /rollout-schedules/{id}/cancel",
  },
  rolloutStages: {
    /** Add a stage at the end */
    create: "POST /rollout-schedules/{id}/stages",
    /** Change a stage that has not begun */
    update: "PUT /rollout-schedules/stages/{stage_id}",
    /** Remove a stage that has not begun */
    delete: "DELETE /rollout-schedules/stages/{stage_id}",
    /** Start the next stage now, regardless of its trigger */
    advance: "POST /rollout-schedules/stages/{stage_id}/advance",
  },
  safety: {
    /** What is watched of every flag */
    settings: "GET /safety/settings",
    /** Change the safety settings of all flags */
    updateSettings: "PUT /safety/settings",
    /** What is watched of a flag, with live values and health */
    flag: "GET /safety/feature-flags/{id}",
    /** Change the safety settings of a flag; absent fields keep their value */
    updateFlag: "PUT /safety/feature-flags/{id}",
    /** Roll a flag back at once, to 0 % by default; at 0 no user gets it, not even by a rule */
    rollback: "POST /safety/rollback/{flag_id}",
    /** Every rollback, newest first */
    history: "GET /safety/rollback-history",
  },
  scheduler: {
    /** Whether jobs start by the clock, and which of them failed */
    health: "GET /scheduler/health",
    /** The jobs, each with its last run and its next */
    list: "GET /scheduler/jobs",
    /** A job, by its name */
    get: "GET /scheduler/jobs/{job_name}",
    /** Run a job now, on this node; 409 while it runs anywhere */
    trigger: "POST /scheduler/jobs/{job_name}/trigger",
  },
  ai: {
    /** A complete draft of an experiment from a description, with its sample size */
    design: "POST /ai/design",
    /** What the stored results say, what to do, and every caveat */
    interpret: "POST /ai/interpret/{experiment_id}",
    /** Users and days an experiment needs */
    sampleSize: "GET /ai/sample-size",
    /** Templates of experiments */
    templates: "GET /ai/templates",
    /** A template of an experiment */
    template: "GET /ai/templates/{id}",
  },
} as const;
