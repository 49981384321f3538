import * as z from "zod";
import { IdOrKey, Name, page, paging, QueryJsonObject, sortBy, UserId, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import {
  EXPERIMENT_ORDERS,
  EXPERIMENT_STATUSES,
  Experiment,
  ExperimentCreate,
  ExperimentSummary,
  ExperimentUpdate,
} from "./experiments/experiment.ts";
import { Key } from "./experiments/key.ts";
import { SplitUrlPreview } from "./experiments/split-url.ts";

export * from "./experiments/experiment.ts";
export * from "./experiments/group-sequential.ts";
export * from "./experiments/key.ts";
export * from "./experiments/metric.ts";
export * from "./experiments/split-url.ts";
export * from "./experiments/switchback.ts";
export * from "./experiments/variance-reduction.ts";
export * from "./experiments/variant.ts";

const byExperimentId = z.object({ experiment_id: IdOrKey });
const reads = { auth: { user: true, key: "read" }, limit: "api" } as const;
const changes = { auth: { user: "DEVELOPER", own: true, key: "admin" }, limit: "api", params: byExperimentId } as const;
const moves = {
  auth: { user: "DEVELOPER", own: true },
  limit: "api",
  params: byExperimentId,
  response: Experiment,
} as const;

export const experiments = defineArea({
  "GET /experiments/": {
    ...reads,
    operationId: "experiments.list",
    summary: "List experiments: filter, search and sort",
    cache: "definitions",
    query: z.object({
      status_filter: upper(EXPERIMENT_STATUSES).optional(),
      ...paging(500, 100),
      search: z.string().max(255).optional(),
      sort_by: z
        .enum(["created_at", "updated_at", "name", "key", "status", "start_date", "end_date"])
        .default("created_at"),
      sort_order: z.enum(["asc", "desc"]).default("desc"),
      sort: sortBy(EXPERIMENT_ORDERS).optional().meta({ description: "Instead of sort_by and sort_order" }),
      owner_id: z.string().min(1).max(255).optional().meta({ description: "Id of the user who created it" }),
      flag: IdOrKey.optional().meta({ description: "Id or key of the flag that it runs on" }),
    }),
    response: page(ExperimentSummary),
  },
  "POST /experiments/": {
    operationId: "experiments.create",
    summary: "Create an experiment",
    auth: { user: "DEVELOPER", key: "admin" },
    limit: "api",
    refusesMisspelt: true,
    body: ExperimentCreate,
    status: 201,
    response: Experiment,
  },
  "GET /experiments/{experiment_id}": {
    ...reads,
    operationId: "experiments.get",
    summary: "Retrieve an experiment by id or key",
    cache: "definitions",
    params: byExperimentId,
    response: Experiment,
  },
  "PUT /experiments/{experiment_id}": {
    ...changes,
    operationId: "experiments.update",
    summary: "Update an experiment: absent fields keep their value, null clears a field",
    refusesMisspelt: true,
    body: ExperimentUpdate,
    response: Experiment,
  },
  "PATCH /experiments/{experiment_id}": {
    ...changes,
    operationId: "experiments.patch",
    summary: "Update an experiment, like PUT",
    refusesMisspelt: true,
    body: ExperimentUpdate,
    response: Experiment,
  },
  "DELETE /experiments/{experiment_id}": {
    ...changes,
    operationId: "experiments.delete",
    summary: "Delete a DRAFT experiment",
    status: 204,
  },
  "POST /experiments/{experiment_id}/start": {
    ...moves,
    operationId: "experiments.start",
    summary: "Start or resume an experiment: from DRAFT or PAUSED to ACTIVE",
  },
  "POST /experiments/{experiment_id}/pause": {
    ...moves,
    operationId: "experiments.pause",
    summary: "Pause an experiment: from ACTIVE to PAUSED",
  },
  "POST /experiments/{experiment_id}/complete": {
    ...moves,
    operationId: "experiments.complete",
    summary:
      "Complete an experiment: from ACTIVE or PAUSED to COMPLETED; with a winner, the bound flag serves it to all users",
    refusesMisspelt: true,
    body: z.object({ winner: z.string().optional() }).optional(),
  },
  "POST /experiments/{experiment_id}/archive": {
    ...moves,
    operationId: "experiments.archive",
    summary: "Archive an experiment: from any other status to ARCHIVED",
  },
  "POST /experiments/{experiment_id}/clone": {
    operationId: "experiments.clone",
    summary: "Clone an experiment as a new DRAFT",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: byExperimentId,
    refusesMisspelt: true,
    body: z.object({ name: Name.optional(), key: Key.optional() }).optional(),
    status: 201,
    response: Experiment,
  },
  "GET /experiments/{experiment_id}/split-url/preview": {
    ...reads,
    operationId: "experiments.previewSplitUrl",
    summary: "Preview the URL that a user would be redirected to",
    params: byExperimentId,
    query: z.object({ user_id: UserId, attributes: QueryJsonObject.optional() }),
    response: SplitUrlPreview,
  },
});
