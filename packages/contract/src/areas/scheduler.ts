import * as z from "zod";
import { page, paging, Timestamp } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

export const RUN_STATUSES = ["SUCCEEDED", "FAILED"] as const;

/** A scheduled job, which one node runs at a time, with its last run. */
export const ScheduledJob = z
  .object({
    name: z.string(),
    description: z.string(),
    schedule: z.string().meta({ description: "Cron expression with five fields, in UTC", examples: ["* * * * *"] }),
    enabled: z.boolean().meta({ description: "Whether any node starts scheduled jobs" }),
    last_run_at: Timestamp.nullable(),
    last_status: z.enum(RUN_STATUSES).nullable(),
    last_error: z.string().nullable().meta({ description: "Error of the last run, if it FAILED" }),
    last_duration_ms: z.int().nullable(),
    next_run_at: Timestamp,
    running: z.boolean(),
  })
  .meta({ id: "ScheduledJob" });
export type ScheduledJob = z.infer<typeof ScheduledJob>;

/** Whether the scheduler runs, and which jobs need attention. */
export const SchedulerHealth = z
  .object({
    status: z
      .enum(["HEALTHY", "DEGRADED", "STOPPED"])
      .meta({ description: "DEGRADED: a job failed or is overdue. STOPPED: no node starts scheduled jobs" }),
    last_tick_at: Timestamp.nullable().meta({ description: "When a node last checked for due jobs, accurate to 30 s" }),
    running: z.array(z.string()),
    failed: z.array(z.string()),
    overdue: z
      .array(z.string())
      .meta({ description: "Names of jobs that are due for more than five minutes and not running" }),
  })
  .meta({ id: "SchedulerHealth" });
export type SchedulerHealth = z.infer<typeof SchedulerHealth>;

const reads = { auth: { user: true }, limit: "api" } as const;
const byName = z.object({ job_name: z.string().min(1).max(100) });

export const scheduler = defineArea({
  "GET /scheduler/health": {
    ...reads,
    operationId: "scheduler.health",
    summary: "Check whether the scheduler runs, and which jobs failed",
    response: SchedulerHealth,
  },
  "GET /scheduler/jobs": {
    ...reads,
    operationId: "scheduler.list",
    summary: "List the scheduled jobs with their last and next run",
    query: z.object(paging(100, 100)),
    response: page(ScheduledJob),
  },
  "GET /scheduler/jobs/{job_name}": {
    ...reads,
    operationId: "scheduler.get",
    summary: "Retrieve a scheduled job by name",
    params: byName,
    response: ScheduledJob,
  },
  "POST /scheduler/jobs/{job_name}/trigger": {
    operationId: "scheduler.trigger",
    summary: "Run a job now on this node; 409 while any node runs it",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byName,
    status: 202,
    response: ScheduledJob,
  },
});
