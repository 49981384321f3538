/** The first parts of all keys in a store, with which the names of journals, sets and leases begin too. */
export const KEY_AREAS: readonly string[] = [
  "aliases",
  "api-key-usage",
  "api-keys",
  "assignments",
  "attempts",
  "audit",
  "audit-seals",
  "audit-sealer",
  "changes",
  "cli",
  "codes",
  "counters",
  "environments",
  "errands",
  "etl",
  "etl-cancels",
  "etl-logs",
  "etl-runs",
  "event-details",
  "event-index",
  "event-segments",
  "events",
  "experiments",
  "feature-flags",
  "flag-use",
  "format",
  "grants",
  "health",
  "holdouts",
  "idempotency",
  "identity",
  "integration-deliveries",
  "integration-outbox",
  "integration-seen",
  "integrations",
  "mutual-exclusion-groups",
  "notification-deliveries",
  "notification-preferences",
  "proposals",
  "restoring",
  "roles",
  "rollout-schedules",
  "safety-flags",
  "safety-rollbacks",
  "safety-settings",
  "scheduler",
  "secrets",
  "segments",
  "sessions",
  "users",
  "warehouse-connections",
  "warehouse-syncs",
  "wizard-drafts",
];

/**
 * Refuses a namespace whose keys a server without a namespace would take for its own.
 * @throws TypeError
 */
export function requireFreeNamespace(namespace: string): void {
  if (!KEY_AREAS.includes(namespace)) return;
  throw new TypeError(
    `The namespace "${namespace}" has the name of a part of Assay's own data; choose another name, such as "${namespace}-1"`,
  );
}
