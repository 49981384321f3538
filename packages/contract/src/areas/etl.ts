import * as z from "zod";
import { JsonObject, page, paging, strict, Timestamp, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

export const ETL_STATUSES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] as const;

const Instant = z.iso.datetime({ offset: true }).or(z.iso.date());
const ExperimentId = z.string().min(1).max(255).optional();

/** `parameters` of a run of events-export. */
export const EventsExportParameters = strict({
  format: upper(["NDJSON", "PARQUET"]).default("NDJSON"),
  start_date: Instant.optional().meta({ description: "Events received from then on" }),
  end_date: Instant.optional().meta({ description: "Events received before then" }),
  experiment_id: ExperimentId.meta({ description: "Only events that name this one, by id" }),
});
export type EventsExportParameters = z.output<typeof EventsExportParameters>;

/** `parameters` of a run for one experiment or all: results-recompute, warehouse-sync. */
export const ExperimentParameters = strict({
  experiment_id: ExperimentId.meta({ description: "Id or key of the only one" }),
});
export type ExperimentParameters = z.output<typeof ExperimentParameters>;

/** One run of a data job. */
export const EtlRun = z
  .object({
    run_id: Uuid,
    job_name: z.string(),
    status: z.enum(ETL_STATUSES),
    progress: z.number().min(0).max(1),
    processed: z.int().meta({ description: "Events, or experiments, by the job" }),
    parameters: JsonObject,
    files: z
      .array(z.object({ name: z.string(), rows: z.int(), bytes: z.int() }))
      .meta({ description: "Written to the server's exports directory" }),
    created_by: z.string().nullable().meta({ description: "null for the server itself" }),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "EtlRun" });
export type EtlRun = z.infer<typeof EtlRun>;

/** A data job and its last runs. */
export const EtlJob = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: JsonObject.meta({ description: "JSON Schema of what a run takes" }),
    latest_runs: z.array(EtlRun).meta({ description: "Newest first, at most 5" }),
  })
  .meta({ id: "EtlJob" });
export type EtlJob = z.infer<typeof EtlJob>;

export const EtlLogs = z
  .object({
    items: z.array(z.object({ timestamp: Timestamp, level: z.enum(["INFO", "WARN", "ERROR"]), message: z.string() })),
  })
  .meta({ id: "EtlLogs" });
export type EtlLogs = z.infer<typeof EtlLogs>;

const byRun = z.object({ run_id: Uuid });
const reads = { auth: { user: true }, limit: "api" } as const;
const admins = { auth: { user: "ADMIN" }, limit: "admin" } as const;

export const etl = defineArea({
  "GET /etl/jobs": {
    ...reads,
    operationId: "etl.jobs",
    summary: "The data jobs, each with its last runs",
    query: z.object(paging(100, 100)),
    response: page(EtlJob),
  },
  "POST /etl/jobs/{job_name}/run": {
    ...admins,
    operationId: "etl.run",
    summary: "Begin a run; each node does one at a time, others wait",
    params: z.object({ job_name: z.string().min(1).max(100) }),
    body: z.object({ parameters: JsonObject.optional() }).optional(),
    status: 202,
    response: EtlRun,
  },
  "GET /etl/jobs/{run_id}": {
    ...reads,
    operationId: "etl.get",
    summary: "A run, as it stands now",
    params: byRun,
    response: EtlRun,
  },
  "GET /etl/jobs/{run_id}/logs": {
    ...reads,
    operationId: "etl.logs",
    summary: "What a run had to say, oldest first",
    params: byRun,
    response: EtlLogs,
  },
  "POST /etl/jobs/{run_id}/cancel": {
    ...admins,
    operationId: "etl.cancel",
    summary: "Stop a run within a second; 400 where it has ended",
    params: byRun,
    response: EtlRun,
  },
});
