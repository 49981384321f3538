import type { FieldChange, Refuse, StoredDefinition } from "@assay/client/definitions";

/** The fields of an experiment that change only in DRAFT, because they decide assignments or estimates. */
const STRUCTURE = [
  ...["key", "experiment_type", "variants", "targeting_rules", "rules", "overrides", "factors", "design"],
  ...["default_value", "split_url_config", "feature_flag_key", "bucket_by", "switchback", "allocation"],
  "variance_reduction",
];
/** The fields of a flag that do not change while an experiment is ACTIVE on it. */
const SERVING = ["rollout_percentage", "targeting_rules", "rules", "rules_enabled", "variants", "bucket_by"];

/** Returns why definitions of a server cannot change, as far as it shows before the change. */
export function locksOf(stored: readonly StoredDefinition[]): Refuse {
  const running = new Map(
    stored
      .filter(({ kind, status }) => kind === "experiment" && status === "ACTIVE")
      .map(({ key, fields }) => [fields.feature_flag_key, key]),
  );
  return ({ kind, key, status }, changes) => {
    if (kind === "segment") return null;
    if (kind === "experiment") return lockOfExperiment(status, changes);
    const experiment = running.get(key);
    const locked = experiment === undefined ? [] : fieldsOf(changes, SERVING);
    return locked.length > 0
      ? `${locked.join(", ")} cannot change while experiment "${experiment}" is ACTIVE on it`
      : null;
  };
}

function lockOfExperiment(status: string, changes: readonly FieldChange[]): string | null {
  if (status === "DRAFT") return null;
  if (status === "COMPLETED" || status === "ARCHIVED") return `it is ${status}`;
  const locked = fieldsOf(changes, STRUCTURE);
  return locked.length > 0 ? `it is ${status}, and ${locked.join(", ")} can change only in DRAFT` : null;
}

function fieldsOf(changes: readonly FieldChange[], locked: readonly string[]): string[] {
  return changes.map(({ field }) => field).filter((field) => locked.includes(field));
}
