import type { Results } from "@assay/contract";
import type { Runtime } from "../../ground/runtime.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { isOver } from "../../model/experiment-outcome.ts";
import { isVisible } from "../../model/experiment-visibility.ts";
import { liftOf, type PastLift, type PastLifts } from "../../model/lift.ts";
import type { Collection } from "../../storage/collection.ts";

/** Maximum number of experiments with past lifts: those that ended last. */
const MAX_PAST_EXPERIMENTS = 100;
/** Milliseconds that the lifts of a completed experiment stay cached. Its counts hardly change any more. */
const KEPT_MS = 86_400_000;

export function createPastLifts(deps: {
  runtime: Pick<Runtime, "now">;
  experiments: Pick<Collection<ExperimentRecord>, "all">;
  resultsOf(experimentId: string, caller: Caller): Promise<Results>;
}): PastLifts {
  const { runtime, experiments, resultsOf } = deps;
  const kept = new Map<string, { version: number; at: number; lifts: PastLift[] }>();
  let last: { parts: PastLift[][]; lifts: readonly PastLift[] } = { parts: [], lifts: [] };

  async function read(experiment: ExperimentRecord, caller: Caller): Promise<PastLift[]> {
    const known = kept.get(experiment.id);
    const now = runtime.now();
    if (known?.version === experiment.version && now - known.at < KEPT_MS) return known.lifts;
    const lifts = toLifts(experiment, await resultsOf(experiment.id, caller));
    kept.set(experiment.id, { version: experiment.version, at: now, lifts });
    return lifts;
  }

  return async (caller) => {
    const past = experiments
      .all()
      .filter((experiment) => isOver(experiment) && isVisible(experiment, caller))
      .sort((a, b) => (a.ended_at! < b.ended_at! ? 1 : -1))
      .slice(0, MAX_PAST_EXPERIMENTS);
    const parts: PastLift[][] = [];
    for (const experiment of past) parts.push(await read(experiment, caller));
    const ids = new Set(past.map(({ id }) => id));
    for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    const isSame = parts.length === last.parts.length && parts.every((part, index) => part === last.parts[index]);
    if (!isSame) last = { parts, lifts: parts.flat() };
    return last.lifts;
  };
}

function toLifts(experiment: ExperimentRecord, { metrics, confidence_level }: Results): PastLift[] {
  return metrics.flatMap((row) => {
    const metric = experiment.metrics.find(({ id }) => id === row.metric_id);
    const lift = metric?.role === "PRIMARY" ? liftOf(row, metric.direction, confidence_level) : null;
    return metric && lift ? [{ ...lift, experiment, metric, variant: row.variant }] : [];
  });
}
