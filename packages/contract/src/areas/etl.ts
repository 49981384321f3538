import * as z from "zod";
import { JsonObject, page, paging, strict, Timestamp, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

export const ETL_STATUSES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] as const;

const Instant = z.iso.datetime({ offset: true }).or(z.iso.date());
const ExperimentId = z.string().min(1).max(255).optional();

/** `parameters` of a run of events-export. */
export const EventsExportParameters = strict({
  format: upper(["NDJSON", "PARQUET"]).default("NDJSON"),
  start_date: Instant.optional().meta({ description: "Start, inclusive: export events received from then on" }),
  end_date: Instant.optional().meta({ description: "End, exclusive: export events received before then" }),
  experiment_id: ExperimentId.meta({ description: "Id of an experiment: export only events that name it by id" }),
});
export type EventsExportParameters = z.output<typeof EventsExportParameters>;

/** `parameters` of a run for one experiment or all: results-recompute, warehouse-sync. */
export const ExperimentParameters = strict({
  experiment_id: ExperimentId.meta({ description: "Id or key of one experiment; all experiments if absent" }),
});
export type ExperimentParameters = z.output<typeof ExperimentParameters>;

/** One run of a data job. */
export const EtlRun = z
  .object({
    run_id: Uuid,
    job_name: z.string(),
    status: z.enum(ETL_STATUSES),
    progress: z.number().min(0).max(1),
    processed: z.int().meta({ description: "Number of events or experiments processed, depending on the job" }),
    parameters: JsonObject,
    files: z
      .array(z.object({ name: z.string(), rows: z.int(), bytes: z.int() }))
      .meta({ description: "Files that the run wrote to the exports directory of the server" }),
    created_by: z
      .string()
      .nullable()
      .meta({ description: "Id of the user who started the run; null if the server did" }),
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
    parameters: JsonObject.meta({ description: "JSON Schema of the parameters of a run" }),
    latest_runs: z.array(EtlRun).meta({ description: "The latest runs, newest first, at most 5" }),
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
    summary: "List the data jobs with their latest runs",
    query: z.object(paging(100, 100)),
    response: page(EtlJob),
  },
  "POST /etl/jobs/{job_name}/run": {
    ...admins,
    operationId: "etl.run",
    summary: "Start a run of a data job; each node runs one at a time, the others wait",
    params: z.object({ job_name: z.string().min(1).max(100) }),
    body: z.object({ parameters: JsonObject.optional() }).optional(),
    status: 202,
    response: EtlRun,
  },
  "GET /etl/jobs/{run_id}": {
    ...reads,
    operationId: "etl.get",
    summary: "Retrieve a run and its progress",
    params: byRun,
    response: EtlRun,
  },
  "GET /etl/jobs/{run_id}/logs": {
    ...reads,
    operationId: "etl.logs",
    summary: "List the log lines of a run, oldest first",
    params: byRun,
    response: EtlLogs,
  },
  "POST /etl/jobs/{run_id}/cancel": {
    ...admins,
    operationId: "etl.cancel",
    summary: "Cancel a run, which stops within a second; 400 if it has ended",
    params: byRun,
    response: EtlRun,
  },
});
