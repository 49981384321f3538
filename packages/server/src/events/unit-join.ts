import type { Join } from "@assay/analysis";
import type { ExperimentRecord } from "../model/experiment.ts";
import { clusterAttribute } from "../model/experiment-subject.ts";
import type { FlagRecord } from "../model/feature-flag.ts";

/**
 * Returns the join of a user to the unit that the experiment, or its flag, buckets by. Empty if that is the user, or if
 * the attributes do not contain it. In a switchback it has the time of the exposure.
 */
export function toUnitJoins(
  userId: string,
  experiment: Pick<ExperimentRecord, "id" | "bucket_by" | "switchback">,
  flag: FlagRecord | undefined,
  attributes: Record<string, unknown>,
  time: number,
): Join[] {
  const attribute = clusterAttribute(experiment, flag);
  if (attribute === null || !Object.hasOwn(attributes, attribute)) return [];
  const unit = attributes[attribute];
  if ((typeof unit !== "string" && typeof unit !== "number") || unit === "") return [];
  const join = { userId, unitId: `${attribute}=${unit}`, experimentId: experiment.id };
  return [experiment.switchback ? { ...join, time } : join];
}
