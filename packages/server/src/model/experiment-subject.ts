import type { BaselinePlan, Subject } from "@assay/analysis";
import type { ExperimentRecord } from "./experiment.ts";
import type { FlagRecord } from "./feature-flag.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

const subjects = new WeakMap<ExperimentRecord, Subject>();

/** Returns the parts of an experiment that its analysis depends on. Records are replaced, never changed. */
export function toSubject(record: ExperimentRecord): Subject {
  const subject = subjects.get(record) ?? createSubject(record);
  subjects.set(record, subject);
  return subject;
}

function createSubject(record: ExperimentRecord): Subject {
  const baseline = baselineOf(record);
  return {
    experimentId: record.id,
    variants: armsOf(record).map(({ key }) => key),
    history: record.status_history.map(({ status, at }) => ({ status, at: Date.parse(at) })),
    metrics: record.metrics.length > 0 ? record.metrics : null,
    ...(record.allocation !== "FIXED" && { keepsFirstArm: true }),
    ...(baseline && { baseline }),
    ...clustersOf(record),
    ...switchbackOf(record),
  };
}

/** Returns how the analysis adjusts the metrics of an experiment, or null if it does not. */
export function baselineOf({ variance_reduction: reduction }: ExperimentRecord): BaselinePlan | null {
  if (!reduction || reduction.method === "NONE") return null;
  const { method, lookback_days, covariates = [], attributes = [] } = reduction;
  return { method, lookbackMs: lookback_days * DAY, covariates, attributes: [...new Set(attributes)] };
}

/**
 * Returns the clustering of an experiment. An experiment over a flag buckets as the flag did when its events arrived.
 * The flag may have changed since.
 */
function clustersOf({ bucket_by, feature_flag_key }: ExperimentRecord): Pick<Subject, "clusters"> {
  if (feature_flag_key !== null) return { clusters: "IF_KNOWN" };
  return isAttribute(bucket_by) ? { clusters: "REQUIRED" } : {};
}

/** Only exposures name the clusters of a switchback, also if it is on a flag. */
function switchbackOf({ switchback }: ExperimentRecord): Pick<Subject, "clusters" | "switchback"> {
  if (!switchback) return {};
  const { period_minutes, washout_minutes } = switchback;
  return {
    clusters: "REQUIRED",
    switchback: { periodMs: period_minutes * MINUTE, washoutMs: washout_minutes * MINUTE },
  };
}

/**
 * Returns the attribute by which an experiment assigns users together, or null if it assigns each user individually.
 */
export function clusterAttribute(
  record: Pick<ExperimentRecord, "bucket_by">,
  flag: Pick<FlagRecord, "bucket_by"> | undefined,
): string | null {
  const { bucket_by } = flag ?? record;
  return isAttribute(bucket_by) ? bucket_by : null;
}

function isAttribute(bucketBy: string | null): bucketBy is string {
  return bucketBy !== null && bucketBy !== "user_id" && bucketBy !== "targetingKey";
}

/** Returns the arms of an experiment, control first: the first one marked as control, or the first. */
export function armsOf(record: Pick<ExperimentRecord, "variants">): ExperimentRecord["variants"] {
  const control = record.variants.find((variant) => variant.is_control) ?? record.variants[0];
  return control ? [control, ...record.variants.filter((variant) => variant !== control)] : [];
}
