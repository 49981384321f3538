import { invalid } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";

export const unknownMetric = (metric: string) =>
  invalid(["query", "metric_id"], `The experiment has no metric "${metric}"`, "unknown_metric");

/**
 * Returns the requested metric, null for all.
 * @throws ApiError 422 if the experiment does not have it
 */
export function metricOf({ metrics }: ExperimentRecord, idOrName: string | undefined): string | null {
  if (idOrName === undefined) return null;
  const isKnown = metrics.length === 0 || metrics.some(({ id, name }) => id === idOrName || name === idOrName);
  if (!isKnown) throw unknownMetric(idOrName);
  return idOrName;
}

/** Returns the id of the primary metric, or else of the first one; null without metrics. */
export function defaultMetric({ metrics }: ExperimentRecord): string | null {
  return (metrics.find(({ role }) => role === "PRIMARY") ?? metrics[0])?.id ?? null;
}

/**
 * Returns the number of the requested treatment, by default the first.
 * @throws ApiError 422 if the experiment does not have it
 */
export function armOf(record: ExperimentRecord, variant: string | undefined): number {
  if (variant === undefined) return 1;
  const arm = armsOf(record).findIndex(({ id, key }) => key === variant || id === variant);
  if (arm < 1) throw invalid(["query", "variant"], `The experiment has no treatment "${variant}"`, "unknown_variant");
  return arm;
}
