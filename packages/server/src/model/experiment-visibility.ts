import { notFound } from "../ground/errors.ts";
import type { Collection } from "../storage/collection.ts";
import { findByIdOrKey } from "../storage/lookup.ts";
import { type Caller, seesDrafts } from "./caller.ts";
import type { ExperimentRecord } from "./experiment.ts";

/** Whether this caller may see an experiment. A DRAFT is hidden from VIEWER. */
export function isVisible({ status }: Pick<ExperimentRecord, "status">, caller: Caller): boolean {
  return status !== "DRAFT" || seesDrafts(caller);
}

/**
 * Returns an experiment by id or key, if visible to this caller. A DRAFT is hidden from VIEWER.
 * @throws ApiError 404
 */
export function requireVisible(
  experiments: Collection<ExperimentRecord>,
  idOrKey: string,
  caller: Caller,
): ExperimentRecord {
  const experiment = findByIdOrKey(experiments, idOrKey);
  if (!experiment || !isVisible(experiment, caller)) throw notFound();
  return experiment;
}
