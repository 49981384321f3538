import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Status } from "./status.ts";

/** Filter and order of a list of experiments. */
export interface ExperimentFilter {
  status_filter?: Status | undefined;
  search?: string | undefined;
  sort_by: "created_at" | "updated_at" | "name" | "key" | "status" | "start_date" | "end_date";
  sort_order: "asc" | "desc";
}

/** Filters and sorts experiments, with ties broken by id. */
export function filterExperiments(experiments: ExperimentRecord[], filter: ExperimentFilter): ExperimentRecord[] {
  const { status_filter, search, sort_by, sort_order } = filter;
  const needle = search?.toLowerCase();
  const direction = sort_order === "asc" ? 1 : -1;
  return experiments
    .filter((one) => !status_filter || one.status === status_filter)
    .filter((one) => !needle || `${one.key}\n${one.name}\n${one.description}`.toLowerCase().includes(needle))
    .sort((a, b) => direction * (compare(a[sort_by] ?? "", b[sort_by] ?? "") || compare(a.id, b.id)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
