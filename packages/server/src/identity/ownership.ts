import type { Role } from "@assay/contract";
import type { Records } from "../collections.ts";
import type { Collection, Document, DocumentChange } from "../storage/collection.ts";

/** A kind of stored documents, named as in {@link Records}. */
export type Kind = keyof Records;
export type RecordOf<K extends Kind> = Records[K] extends Collection<infer T extends Document> ? T : never;

/** Another document that a change affects. The caller needs the right to change that one too. */
export interface Touched {
  kind: Kind;
  document: Document;
}

/** The rights to change every document of a kind. */
export interface Allowance {
  /** The built-in role needed. */
  everyone: Role;
  /** The resource that a custom role or grant must name. */
  resource: string;
}

/** Who may change the documents of one kind. */
export interface Rule<T> extends Allowance {
  /** The name of the document in a 403. */
  name(change: DocumentChange<T>): string;
  /** Ids of users who may change this document if they have at least the role `owner`. */
  owners?: (change: DocumentChange<T>) => (string | undefined)[];
  /** @default DEVELOPER */
  owner?: Role;
  /** Additional rights for single actions. */
  actions?: Record<string, Allowance>;
  /** Additional rights for rollbacks. */
  emergency?: Allowance;
  /** Other documents that the change affects. @default none */
  touches?: (change: DocumentChange<T>) => Touched[];
}

export type Rules = { [K in Kind]: Rule<RecordOf<K>> | null };

/**
 * Creates the rules for every kind of document. A rule is null if only the kind's own routes change its documents;
 * those routes check the rights.
 */
export function createRules(records: Records): Rules {
  const flagOf = (id: string | undefined) => records.flags.get(id ?? "");
  const creator = <T extends { created_by: string }>({ before, after }: DocumentChange<T>) => [
    (before ?? after)?.created_by,
  ];
  const named = <T>(kind: string, name: (document: T) => string) => ({
    name: ({ id, before, after }: DocumentChange<T>) => {
      const document = before ?? after;
      return `${kind} "${document ? name(document) : id}"`;
    },
  });

  const emergency = { everyone: "DEVELOPER", resource: "safety" } as const;

  return {
    flags: {
      resource: "feature-flags",
      ...named("feature flag", ({ key }) => key),
      everyone: "ADMIN",
      owners: creator,
      emergency,
    },
    experiments: {
      resource: "experiments",
      ...named("experiment", ({ key }) => key),
      everyone: "ADMIN",
      owners: creator,
      actions: {
        // The weights are computed from events, as in the hourly job, so the caller does not matter.
        "bandit.update": { everyone: "DEVELOPER", resource: "bandit" },
        "bandit.weights": { everyone: "ADMIN", resource: "bandit" },
      },
      touches({ before, after }) {
        const flag = after?.feature_flag_key ? records.flags.findBy("key", after.feature_flag_key) : undefined;
        if (!after || !flag) return [];
        // An ACTIVE experiment locks its flag. The start date counts too, because a job starts the experiment without a
        // caller.
        const takesHold =
          before === null ||
          before.feature_flag_key !== after.feature_flag_key ||
          (after.status === "ACTIVE" && before.status !== "ACTIVE") ||
          (after.status === "DRAFT" && before.start_date !== after.start_date);
        return takesHold ? [{ kind: "flags", document: flag }] : [];
      },
    },
    schedules: {
      resource: "rollout-schedules",
      ...named("rollout schedule", ({ name }) => name),
      everyone: "ADMIN",
      owners: (change) => [...creator(change), flagOf((change.before ?? change.after)?.feature_flag_id)?.created_by],
      emergency,
      touches({ before, after }) {
        const flag = flagOf(after?.feature_flag_id);
        // A job runs the plan without a caller, so creating it needs the right to the flag. Stopping it does not.
        const isPlan = after !== null && after !== before && after.status !== "PAUSED" && after.status !== "CANCELLED";
        return flag && isPlan ? [{ kind: "flags", document: flag }] : [];
      },
    },
    flagSafety: {
      resource: "safety",
      name: ({ id }) => `the safety settings of feature flag "${flagOf(id)?.key ?? id}"`,
      everyone: "ADMIN",
      owners: ({ id }) => [flagOf(id)?.created_by],
    },
    syncs: {
      resource: "warehouse",
      name: ({ id }) => `the results of experiment "${records.experiments.get(id)?.key ?? id}"`,
      everyone: "ADMIN",
      owners: ({ id }) => [records.experiments.get(id)?.created_by],
    },
    integrations: {
      resource: "integrations",
      ...named("integration", ({ name }) => name),
      everyone: "DEVELOPER",
      owners: creator,
      owner: "VIEWER",
    },
    groups: {
      resource: "mutual-exclusion-groups",
      ...named("mutual-exclusion group", ({ name }) => name),
      everyone: "DEVELOPER",
    },
    segments: { resource: "segments", ...named("segment", ({ name }) => name), everyone: "DEVELOPER" },
    connections: {
      resource: "warehouse",
      ...named("warehouse connection", ({ name }) => name),
      everyone: "DEVELOPER",
    },
    rollbacks: {
      resource: "safety",
      ...named("the rollback of feature flag", ({ feature_flag_key }) => feature_flag_key),
      everyone: "DEVELOPER",
    },
    holdouts: { resource: "holdout", ...named("holdout", ({ name }) => name), everyone: "ADMIN" },
    safetySettings: { resource: "safety", name: () => "the safety settings", everyone: "ADMIN" },
    users: null,
    sessions: null,
    codes: null,
    roles: null,
    grants: null,
    apiKeys: null,
    drafts: null,
    preferences: null,
    proposals: null,
  };
}
