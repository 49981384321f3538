// Generated from the contract by `pnpm generate`; do not edit.

export const methods = {
  auth: {
    /** Create an account with the role VIEWER and send a confirmation code by e-mail */
    signup: "POST /auth/signup",
    /** Confirm an account with the code from the e-mail; the code is valid once, for 15 minutes and five attempts per client network */
    confirm: "POST /auth/confirm",
    /** Send a new confirmation code; the response is the same if there is no such account */
    resendConfirmation: "POST /auth/resend-confirmation",
    /** Send a code for setting a new password; the response is the same if there is no such account */
    forgotPassword: "POST /auth/forgot-password",
    /** Set a new password with the code from the e-mail; ends all sessions */
    resetPassword: "POST /auth/reset-password",
    /** Exchange a username and password, form-encoded or JSON, for tokens */
    token: "POST /auth/token",
    /** Exchange a username and password for tokens */
    login: "POST /auth/login",
    /** Exchange a refresh token for new tokens; each refresh token is valid once */
    refresh: "POST /auth/refresh",
    /** End the session and revoke its refresh tokens */
    logout: "POST /auth/logout",
    /** Retrieve the signed-in user */
    me: "GET /auth/me",
  },
  users: {
    /** Retrieve the signed-in user */
    me: "GET /users/me",
    /** List users: all for an ADMIN, only oneself for other users */
    list: "GET /users/",
    /** Create a confirmed user; only a superuser can create a superuser */
    create: "POST /users/",
    /** Retrieve a user: oneself, or anyone as an ADMIN */
    get: "GET /users/{user_id}",
    /** Update oneself (full_name, password), or as an ADMIN anyone but superusers */
    update: "PUT /users/{user_id}",
  },
  adminUsers: {
    /** List all users */
    list: "GET /admin/users",
    /** Update the role, the custom roles, the active state or the superuser flag of a user */
    update: "PATCH /admin/users/{user_id}",
    /** Deactivate a user and revoke their sessions and keys; what they created stays */
    delete: "DELETE /admin/users/{user_id}",
  },
  roles: {
    /** List built-in and custom roles with their permissions */
    list: "GET /roles",
    /** Create a custom role, which adds permissions to the built-in role of its holders */
    create: "POST /roles",
    /** Update a custom role; the change applies to its holders from the next request on */
    update: "PUT /roles/{role_name}",
    /** Delete a custom role that no user has */
    delete: "DELETE /roles/{role_name}",
    /** List the permissions of a user: one's own, or anyone's as ADMIN */
    permissions: "GET /users/{user_id}/permissions",
  },
  grants: {
    /** List the active temporary grants of a user */
    list: "GET /users/{user_id}/grants",
    /** Grant a user a permission temporarily, for at most a year */
    create: "POST /users/{user_id}/grants",
    /** Revoke a temporary grant */
    revoke: "DELETE /users/{user_id}/grants/{grant_id}",
  },
  apiKeys: {
    /** Create an API key; only this response contains its secret */
    create: "POST /api-keys",
    /** List API keys: all for DEVELOPER and ADMIN, the caller's own for other roles */
    list: "GET /api-keys",
    /** Retrieve what the API key of this request may do */
    current: "GET /api-keys/current",
    /** Create a key that replaces another; both are valid until you revoke the old one */
    rotate: "POST /api-keys/{id}/rotate",
    /** Revoke an API key permanently */
    revoke: "DELETE /api-keys/{id}",
  },
  environments: {
    /** List the environments of the server, the default one first */
    list: "GET /environments",
  },
  experiments: {
    /** List experiments: filter, search and sort */
    list: "GET /experiments/",
    /** Create an experiment */
    create: "POST /experiments/",
    /** Retrieve an experiment by id or key */
    get: "GET /experiments/{experiment_id}",
    /** Update an experiment: absent fields keep their value, null clears a field */
    update: "PUT /experiments/{experiment_id}",
    /** Update an experiment, like PUT */
    patch: "PATCH /experiments/{experiment_id}",
    /** Delete a DRAFT experiment */
    delete: "DELETE /experiments/{experiment_id}",
    /** Start or resume an experiment: from DRAFT or PAUSED to ACTIVE */
    start: "POST /experiments/{experiment_id}/start",
    /** Pause an experiment: from ACTIVE to PAUSED */
    pause: "POST /experiments/{experiment_id}/pause",
    /** Complete an experiment: from ACTIVE or PAUSED to COMPLETED; with a winner, the bound flag serves it to all users */
    complete: "POST /experiments/{experiment_id}/complete",
    /** Archive an experiment: from any other status to ARCHIVED */
    archive: "POST /experiments/{experiment_id}/archive",
    /** Clone an experiment as a new DRAFT */
    clone: "POST /experiments/{experiment_id}/clone",
    /** Preview the URL that a user would be redirected to */
    previewSplitUrl: "GET /experiments/{experiment_id}/split-url/preview",
    /** Retrieve the results of an experiment, like `GET /results/{experiment_id}` */
    results: "GET /experiments/{experiment_id}/results",
  },
  wizard: {
    /** Create a draft of an experiment */
    create: "POST /wizard/drafts",
    /** List the caller's drafts, last updated first */
    list: "GET /wizard/drafts",
    /** Retrieve one of the caller's drafts, with the body that submit would send */
    get: "GET /wizard/drafts/{id}",
    /** Save a step of a draft; invalid values are kept, and validate reports them */
    update: "PUT /wizard/drafts/{id}",
    /** Discard a draft */
    delete: "DELETE /wizard/drafts/{id}",
    /** Validate a draft: the errors that submit would return, by step */
    validate: "POST /wizard/drafts/{id}/validate",
    /** Create the experiment in `preview` and delete the draft */
    submit: "POST /wizard/drafts/{id}/submit",
  },
  notifications: {
    /** Retrieve the caller's notification preferences: events and channels */
    getPreferences: "GET /notifications/preferences",
    /** Update the caller's notification preferences: absent fields keep their value, null clears a field */
    updatePreferences: "PUT /notifications/preferences",
    /** List the notification preferences of all users who changed them */
    listPreferences: "GET /notifications/admin/preferences",
    /** List sent and failed notifications with their recipients, newest first; kept for 30 days, at most 10,000 */
    listDeliveries: "GET /notifications/delivery-log",
    /** Send a test notification to the caller's channels and report the outcome of each */
    test: "POST /notifications/test",
  },
  results: {
    /** Retrieve the results of an experiment, including every acknowledged event */
    get: "GET /results/{experiment_id}",
    /** Retrieve what to know first: the decision, the effects by the test that decides, the split and warnings */
    overview: "GET /results/{experiment_id}/overview",
    /** Retrieve sequential results, which stay valid under daily looks, with an alpha-spending schedule and a stopping decision */
    sequential: "GET /results/{experiment_id}/sequential",
    /** Retrieve CUPED results: effects adjusted by what the same users did before their exposure */
    cuped: "GET /results/{experiment_id}/cuped",
    /** Retrieve the effects by segments of an attribute, with Bonferroni-corrected thresholds */
    breakdown: "GET /results/{experiment_id}/breakdown",
    /** Retrieve the effect day by day, for charts */
    timeseries: "GET /results/{experiment_id}/timeseries",
  },
  counters: {
    /** Retrieve the counters of an experiment */
    get: "GET /counters/{experiment_id}",
    /** Increment one counter */
    increment: "POST /counters/{experiment_id}/increment",
    /** Increment several counters, all or none */
    bulk: "POST /counters/{experiment_id}/bulk",
    /** Reset all counters of an experiment to 0 */
    reset: "DELETE /counters/{experiment_id}",
  },
  warehouse: {
    /** List warehouse connections, newest first */
    connections: "GET /warehouse/connections",
    /** Create a warehouse connection, without testing it */
    createConnection: "POST /warehouse/connections",
    /** Retrieve a warehouse connection, without its password */
    connection: "GET /warehouse/connections/{id}",
    /** Update a warehouse connection; a new host or port requires the password again */
    updateConnection: "PUT /warehouse/connections/{id}",
    /** Delete a warehouse connection; the results of its syncs stay */
    deleteConnection: "DELETE /warehouse/connections/{id}",
    /** Test a connection: stored settings, settings of the body, or both, where the body takes precedence */
    testConnection: "POST /warehouse/connections/test",
    /** Compute the sums of an experiment in a warehouse; its results use the warehouse from then on */
    sync: "POST /warehouse/sync/{experiment_id}",
  },
  bandit: {
    /** Retrieve the weights of a bandit and the data behind them; works for every experiment */
    get: "GET /bandit/{experiment_id}",
    /** Compute the weights of a bandit now, as the hourly job does */
    update: "POST /bandit/{experiment_id}/update",
    /** Set the weights of a bandit manually */
    setWeights: "PUT /bandit/{experiment_id}/weights",
  },
  interactions: {
    /** Scan the running experiments for interactions */
    scan: "GET /interactions/scan",
    /** Test whether the effect of one experiment depends on the arm of another */
    pair: "GET /interactions/{exp_a_id}/{exp_b_id}",
    /** Test whether the effects of two experiments wear off over time */
    novelty: "GET /interactions/{exp_a_id}/{exp_b_id}/novelty",
  },
  etl: {
    /** List the data jobs with their latest runs */
    jobs: "GET /etl/jobs",
    /** Start a run of a data job; each node runs one at a time, the others wait */
    run: "POST /etl/jobs/{job_name}/run",
    /** Retrieve a run and its progress */
    get: "GET /etl/jobs/{run_id}",
    /** List the log lines of a run, oldest first */
    logs: "GET /etl/jobs/{run_id}/logs",
    /** Cancel a run, which stops within a second; 400 if it has ended */
    cancel: "POST /etl/jobs/{run_id}/cancel",
  },
  featureFlags: {
    /** List feature flags: filter and search */
    list: "GET /feature-flags/",
    /** Create a feature flag */
    create: "POST /feature-flags/",
    /** Retrieve a feature flag by id or key */
    get: "GET /feature-flags/{id}",
    /** Update a feature flag: absent fields keep their value, null clears a field */
    update: "PUT /feature-flags/{id}",
    /** Update a feature flag, like PUT */
    patch: "PATCH /feature-flags/{id}",
    /** Update only the rollout percentage of a feature flag */
    setRollout: "PATCH /feature-flags/{id}/rollout",
    /** Delete a feature flag */
    delete: "DELETE /feature-flags/{id}",
    /** Enable, disable or archive up to 100 feature flags; each succeeds or fails independently */
    bulkToggle: "POST /feature-flags/bulk-toggle",
    /** Explain step by step what one flag or all flags serve a user, also with an unsaved change */
    explain: "POST /feature-flags/explain",
    /** List the changes of a feature flag, newest first; by id also after its deletion */
    history: "GET /feature-flags/{id}/history",
    /** Evaluate whether each feature flag is on for a user */
    forUser: "GET /feature-flags/user/{user_id}",
    /** Evaluate a feature flag for a user; `explain=true` adds a trace */
    evaluate: "POST /feature-flags/{key}/evaluate",
  },
  segments: {
    /** Create a segment of users, by user id and by condition */
    create: "POST /segments",
    /** List segments in order of creation */
    list: "GET /segments",
    /** Retrieve a segment by id or name */
    get: "GET /segments/{id}",
    /** Update a segment: absent fields keep their value, null clears a field */
    update: "PUT /segments/{id}",
    /** Delete a segment that no definition refers to */
    delete: "DELETE /segments/{id}",
    /** Check whether a user is a member of a segment, and why */
    evaluate: "POST /segments/{id}/evaluate",
  },
  search: {
    /** Find flags, experiments, segments and people by a part of their key or name */
    find: "GET /search",
  },
  mutualExclusionGroups: {
    /** List mutual exclusion groups in order of creation */
    list: "GET /mutual-exclusion-groups",
    /** Create a mutual exclusion group: each user takes part in at most one of its experiments */
    create: "POST /mutual-exclusion-groups",
    /** Retrieve a group with the slots of its experiments */
    get: "GET /mutual-exclusion-groups/{group_id}",
    /** Update a group: absent fields keep their value, null clears a field; slots do not change */
    update: "PUT /mutual-exclusion-groups/{group_id}",
    /** Archive a group: it accepts no more experiments, and its experiments keep their slots */
    archive: "DELETE /mutual-exclusion-groups/{group_id}",
    /** Add a DRAFT experiment to a group */
    addExperiment: "POST /mutual-exclusion-groups/{group_id}/experiments",
    /** Remove a DRAFT experiment from its group */
    removeExperiment: "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}",
  },
  holdout: {
    /** Retrieve the active holdout, or null */
    active: "GET /holdout",
    /** List holdouts in order of creation */
    list: "GET /holdout/all",
    /** Create a holdout, which keeps a share of all users out of every experiment; it is ACTIVE unless created as a DRAFT */
    create: "POST /holdout",
    /** Rename, start (ACTIVE) or end (ENDED) a holdout */
    update: "PUT /holdout/{id}",
    /** Retrieve a holdout with the combined effect of the experiments */
    get: "GET /holdout/{id}",
    /** Check whether a user is held out */
    check: "GET /holdout/check/{uid}",
  },
  tracking: {
    /** List the stored assignments of a user */
    assignments: "GET /tracking/assignments/{user_id}",
    /** Assign a user to a variant of an experiment; a stored assignment does not change */
    assign: "POST /tracking/assign",
    /** Link an anonymous id to a user id for analysis; the first exposure counts */
    identify: "POST /tracking/identify",
    /** Export all stored data of one person, in parts of less than 10 MB; the `Link` header leads to the next part */
    exportUser: "GET /tracking/users/{user_id}",
    /** Erase the assignments and events of one person, and list what is left; results are computed again */
    eraseUser: "DELETE /tracking/users/{user_id}",
    /** Record one event; a 201 means that it is stored durably */
    track: "POST /tracking/track",
    /** Record up to 5,000 events; a 201 means that the accepted events are stored durably */
    events: "POST /tracking/events",
  },
  openfeature: {
    /** Retrieve all definitions that a provider needs to evaluate locally */
    definitions: "GET /openfeature/flags",
    /** Evaluate one flag remotely */
    evaluate: "POST /openfeature/evaluate",
    /** Evaluate up to 1,000 pairs of flag and user; the answers keep the order of the requests */
    bulkEvaluate: "POST /openfeature/bulk-evaluate",
    /** Stream changes of definitions as server-sent events: `definitions` names what changed; `refetch` means that a change was missed */
    stream: "GET /openfeature/stream",
  },
  proposals: {
    /** Propose a change of a protected environment, which another user approves */
    create: "POST /proposals",
    /** List proposals, newest first */
    list: "GET /proposals",
    /** Retrieve a proposal with its difference from the present state */
    get: "GET /proposals/{id}",
    /** Approve a proposal of another user and apply it; you need the rights of its route */
    approve: "POST /proposals/{id}/approve",
    /** Reject a proposal of another user; you need the rights of its route */
    reject: "POST /proposals/{id}/reject",
    /** Withdraw your own proposal */
    withdraw: "POST /proposals/{id}/withdraw",
  },
  auditLogs: {
    /** List the entries of the audit trail, newest first */
    list: "GET /audit-logs",
    /** Count the entries by action, actor and day */
    stats: "GET /audit-logs/stats",
    /** Stream the audit trail as server-sent events: `audit` is an entry; `gap` means that the reader was too slow, and ends the stream */
    stream: "GET /audit-logs/stream",
    /** Retrieve an entry of the audit trail */
    get: "GET /audit-logs/{id}",
  },
  compliance: {
    /** List the audit trail with its seals, oldest first */
    auditEvents: "GET /compliance/audit-events",
    /** Report evidence for SOC 2 controls over the last 365 days */
    soc2: "GET /compliance/reports/soc2",
    /** Report evidence for ISO 27001 controls over the last 730 days */
    iso27001: "GET /compliance/reports/iso27001",
    /** Export the sealed audit trail as JSON or CSV, in signed parts of at most 10 MB; the `Link` header leads to the next part */
    export: "GET /compliance/export",
  },
  integrations: {
    /** Connect an issue tracker, a CRM or a code host */
    create: "POST /integrations",
    /** List integrations, without their config */
    list: "GET /integrations",
    /** Retrieve an integration with its config; secrets are masked */
    get: "GET /integrations/{id}",
    /** Update an integration: config is merged by key, a masked secret keeps its value */
    update: "PUT /integrations/{id}",
    /** Deactivate an integration and erase its secrets; its record stays */
    deactivate: "DELETE /integrations/{id}",
    /** List the latest 1,000 incoming and outgoing messages of an integration, newest first */
    deliveries: "GET /integrations/{id}/deliveries",
    /** Test an integration: call the other system with the stored credentials */
    test: "POST /integrations/{id}/test",
    /** Receive a webhook of an issue tracker */
    trackerWebhook: "POST /integrations/{id}/webhook/tracker",
    /** Receive a webhook of a CRM */
    crmWebhook: "POST /integrations/{id}/webhook/crm",
    /** Receive a signed webhook of a code host */
    codehostWebhook: "POST /integrations/{id}/webhook/codehost",
  },
  mcp: {
    /** Describe the MCP server: its address, authentication and tools */
    manifest: "GET /mcp/manifest",
    /** Call the MCP server (Model Context Protocol, streamable HTTP); tools have the rights of the caller */
    call: "POST /mcp",
  },
  rolloutSchedules: {
    /** Create a schedule that rolls out a flag in stages */
    create: "POST /rollout-schedules",
    /** List rollout schedules, newest first */
    list: "GET /rollout-schedules",
    /** Retrieve a rollout schedule, with the current evidence for its next METRIC stage */
    get: "GET /rollout-schedules/{id}",
    /** Rename a schedule, or replace the stages of a DRAFT */
    update: "PUT /rollout-schedules/{id}",
    /** Delete a DRAFT, COMPLETED or CANCELLED schedule */
    delete: "DELETE /rollout-schedules/{id}",
    /** Activate a schedule: from DRAFT or PAUSED to ACTIVE */
    activate: "POST /rollout-schedules/{id}/activate",
    /** Pause a schedule: from ACTIVE to PAUSED; the percentage stays */
    pause: "POST /rollout-schedules/{id}/pause",
    /** Cancel a schedule: from DRAFT, ACTIVE or PAUSED to CANCELLED; the percentage stays */
    cancel: "POST /rollout-schedules/{id}/cancel",
  },
  rolloutStages: {
    /** Add a stage at the end of a schedule */
    create: "POST /rollout-schedules/{id}/stages",
    /** Update a stage that has not begun */
    update: "PUT /rollout-schedules/stages/{stage_id}",
    /** Remove a stage that has not begun */
    delete: "DELETE /rollout-schedules/stages/{stage_id}",
    /** Start the next stage now, regardless of its trigger */
    advance: "POST /rollout-schedules/stages/{stage_id}/advance",
  },
  safety: {
    /** Retrieve the safety settings of all flags */
    settings: "GET /safety/settings",
    /** Update the safety settings of all flags */
    updateSettings: "PUT /safety/settings",
    /** Retrieve the monitored metrics of a flag, with live values and health */
    flag: "GET /safety/feature-flags/{id}",
    /** Update the safety settings of a flag: absent fields keep their value */
    updateFlag: "PUT /safety/feature-flags/{id}",
    /** Roll a flag back immediately, by default to 0 %; at 0 % no user gets the flag, not even by a rule */
    rollback: "POST /safety/rollback/{flag_id}",
    /** List rollbacks, newest first */
    history: "GET /safety/rollback-history",
  },
  scheduler: {
    /** Check whether the scheduler runs, and which jobs failed */
    health: "GET /scheduler/health",
    /** List the scheduled jobs with their last and next run */
    list: "GET /scheduler/jobs",
    /** Retrieve a scheduled job by name */
    get: "GET /scheduler/jobs/{job_name}",
    /** Run a job now on this node; 409 while any node runs it */
    trigger: "POST /scheduler/jobs/{job_name}/trigger",
  },
  ai: {
    /** Draft an experiment, with its sample size, from a description in plain English */
    design: "POST /ai/design",
    /** Interpret the results of an experiment: a summary, a recommendation and every caveat */
    interpret: "POST /ai/interpret/{experiment_id}",
    /** Compute how many users and days an experiment needs */
    sampleSize: "GET /ai/sample-size",
    /** List the templates of experiments */
    templates: "GET /ai/templates",
    /** Retrieve a template */
    template: "GET /ai/templates/{id}",
  },
} as const;
