import type { Subject } from "@assay/analysis";
import type { ExperimentRecord } from "./experiment.ts";

/** The parts of an experiment that its analysis depends on. */
export function toSubject(record: ExperimentRecord): Subject {
  return {
    experimentId: record.id,
    variants: armsOf(record).map(({ key }) => key),
    history: record.status_history.map(({ status, at }) => ({ status, at: Date.parse(at) })),
    metrics: record.metrics.length > 0 ? record.metrics : null,
    ...(record.allocation !== "FIXED" && { keepsFirstArm: true }),
  };
}

/** The arms of an experiment, control first: the first one marked as control, or the first. */
export function armsOf(record: Pick<ExperimentRecord, "variants">): ExperimentRecord["variants"] {
  const control = record.variants.find((variant) => variant.is_control) ?? record.variants[0];
  return control ? [control, ...record.variants.filter((variant) => variant !== control)] : [];
}
