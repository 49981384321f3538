import type { BaselinePlan, Subject } from "@assay/analysis";
import type { ExperimentRecord } from "./experiment.ts";

const DAY = 86_400_000;

/** The parts of an experiment that its analysis depends on. */
export function toSubject(record: ExperimentRecord): Subject {
  const baseline = baselineOf(record);
  return {
    experimentId: record.id,
    variants: armsOf(record).map(({ key }) => key),
    history: record.status_history.map(({ status, at }) => ({ status, at: Date.parse(at) })),
    metrics: record.metrics.length > 0 ? record.metrics : null,
    ...(record.allocation !== "FIXED" && { keepsFirstArm: true }),
    ...(baseline && { baseline }),
  };
}

/** How the metrics of an experiment are adjusted; null if they are not. */
export function baselineOf({ variance_reduction: reduction }: ExperimentRecord): BaselinePlan | null {
  if (!reduction || reduction.method === "NONE") return null;
  const { method, lookback_days, covariates = [], attributes = [] } = reduction;
  return { method, lookbackMs: lookback_days * DAY, covariates, attributes: [...new Set(attributes)] };
}

/** The arms of an experiment, control first: the first one marked as control, or the first. */
export function armsOf(record: Pick<ExperimentRecord, "variants">): ExperimentRecord["variants"] {
  const control = record.variants.find((variant) => variant.is_control) ?? record.variants[0];
  return control ? [control, ...record.variants.filter((variant) => variant !== control)] : [];
}
