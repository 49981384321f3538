import * as z from "zod";
import { page, paging, Timestamp } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

export const RUN_STATUSES = ["SUCCEEDED", "FAILED"] as const;

/** A job that one node runs on a schedule, and its last run. */
export const ScheduledJob = z
  .object({
    name: z.string(),
    description: z.string(),
    schedule: z.string().meta({ description: "Five fields of cron, UTC", examples: ["* * * * *"] }),
    enabled: z.boolean().meta({ description: "Whether any node starts jobs by the clock" }),
    last_run_at: Timestamp.nullable(),
    last_status: z.enum(RUN_STATUSES).nullable(),
    last_error: z.string().nullable().meta({ description: "Why the last run FAILED" }),
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
      .meta({ description: "DEGRADED: a job failed or is overdue. STOPPED: no node starts jobs by the clock" }),
    last_tick_at: Timestamp.nullable().meta({ description: "When a node last looked at the clock, give or take 30 s" }),
    running: z.array(z.string()),
    failed: z.array(z.string()),
    overdue: z.array(z.string()).meta({ description: "Due for more than five minutes and not running" }),
  })
  .meta({ id: "SchedulerHealth" });
export type SchedulerHealth = z.infer<typeof SchedulerHealth>;

const reads = { auth: { user: true }, limit: "api" } as const;
const byName = z.object({ job_name: z.string().min(1).max(100) });

export const scheduler = defineArea({
  "GET /scheduler/health": {
    ...reads,
    operationId: "scheduler.health",
    summary: "Whether jobs start by the clock, and which of them failed",
    response: SchedulerHealth,
  },
  "GET /scheduler/jobs": {
    ...reads,
    operationId: "scheduler.list",
    summary: "The jobs, each with its last run and its next",
    query: z.object(paging(100, 100)),
    response: page(ScheduledJob),
  },
  "GET /scheduler/jobs/{job_name}": {
    ...reads,
    operationId: "scheduler.get",
    summary: "A job, by its name",
    params: byName,
    response: ScheduledJob,
  },
  "POST /scheduler/jobs/{job_name}/trigger": {
    operationId: "scheduler.trigger",
    summary: "Run a job now, on this node; 409 while it runs anywhere",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byName,
    status: 202,
    response: ScheduledJob,
  },
});
