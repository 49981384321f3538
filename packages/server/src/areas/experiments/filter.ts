import type { EXPERIMENT_ORDERS } from "@assay/contract";
import { contains, orderBy } from "../../http/page.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Status } from "./status.ts";

type Field = (typeof EXPERIMENT_ORDERS)[number];

/** Filter and order of a list of experiments. */
export interface ExperimentFilter {
  status_filter?: Status | undefined;
  search?: string | undefined;
  sort_by: Field;
  sort_order: "asc" | "desc";
  /** Instead of `sort_by` and `sort_order`. Names and keys are then sorted in any letter case. */
  sort?: Field | `-${Field}` | undefined;
  /** Id of the creator. */
  owner_id?: string | undefined;
  /** Id or key of the flag. */
  flag?: string | undefined;
}

/**
 * Filters and sorts experiments, with ties broken by id.
 * @param flagKey key of the flag of the filter; null if there is no such flag
 */
export function filterExperiments(
  experiments: ExperimentRecord[],
  filter: ExperimentFilter,
  flagKey: string | null,
): ExperimentRecord[] {
  const { status_filter, search, sort_by, sort_order, sort, owner_id, flag } = filter;
  const isFolded = (field: Field) => sort !== undefined && (field === "name" || field === "key");
  return experiments
    .filter((one) => !status_filter || one.status === status_filter)
    .filter(({ created_by }) => owner_id === undefined || created_by === owner_id)
    .filter((one) => flag === undefined || (flagKey !== null && one.feature_flag_key === flagKey))
    .filter(({ key, name, description }) => contains([key, name, description], search))
    .sort(
      orderBy(sort ?? `${sort_order === "asc" ? "" : "-"}${sort_by}`, (one, field: Field) =>
        isFolded(field) ? (one[field]?.toLowerCase() ?? null) : one[field],
      ),
    );
}
