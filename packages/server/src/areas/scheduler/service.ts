import type { ScheduledJob, SchedulerHealth } from "@assay/contract";
import { conflict, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Trail } from "../../identity/trail.ts";
import type { Job } from "../../jobs/job.ts";
import type { Scheduler } from "../../jobs/scheduler.ts";
import type { JobState } from "../../jobs/state.ts";
import type { Actor } from "../../storage/change.ts";

export interface SchedulerService {
  list(): Promise<ScheduledJob[]>;
  /** @throws ApiError 404 */
  require(name: string): Promise<ScheduledJob>;
  /** Starts a run and returns at once. @throws ApiError 404, 409 while it runs on any node */
  trigger(name: string, actor: Actor): Promise<ScheduledJob>;
  health(): Promise<SchedulerHealth>;
}

/** A job that is this late and not running is overdue. */
const OVERDUE_MS = 5 * 60_000;

export function createSchedulerService(deps: {
  scheduler: Scheduler;
  runtime: Runtime;
  trail: Trail;
}): SchedulerService {
  const { scheduler, runtime, trail } = deps;

  function find(name: string): Job {
    const job = scheduler.jobs.find((one) => one.name === name);
    if (!job) throw notFound();
    return job;
  }

  async function show(job: Job, state?: JobState): Promise<ScheduledJob> {
    const { isTicking } = await scheduler.clock();
    return toScheduledJob(job, state ?? (await scheduler.stateOf(job)), isTicking);
  }

  const service: SchedulerService = {
    async list() {
      const { isTicking } = await scheduler.clock();
      const show = async (job: Job) => toScheduledJob(job, await scheduler.stateOf(job), isTicking);
      return Promise.all(scheduler.jobs.map(show));
    },
    require: async (name) => show(find(name)),
    async trigger(name, actor) {
      const job = find(name);
      const state = await scheduler.trigger(job);
      if (!state) throw conflict(`Job "${name}" is running`);
      trail.record({ action: "job.trigger", actor, resource_type: "job", resource_id: name, resource_name: name });
      return show(job, state);
    },
    async health() {
      const [jobs, { isTicking, lastTickAt }] = await Promise.all([service.list(), scheduler.clock()]);
      const late = timestampOf(runtime.now() - OVERDUE_MS);
      const named = (isSo: (job: ScheduledJob) => boolean) => jobs.filter(isSo).map(({ name }) => name);
      const failed = named(({ last_status }) => last_status === "FAILED");
      const overdue = named(({ next_run_at, running }) => next_run_at < late && !running);
      const needsLook = failed.length > 0 || overdue.length > 0;
      return {
        status: isTicking ? (needsLook ? "DEGRADED" : "HEALTHY") : "STOPPED",
        last_tick_at: lastTickAt === null ? null : timestampOf(lastTickAt),
        running: named(({ running }) => running),
        failed,
        overdue,
      };
    },
  };
  return service;
}

function toScheduledJob({ name, description, schedule }: Job, state: JobState, enabled: boolean): ScheduledJob {
  const { last_run_at, last_status, last_error, last_duration_ms, next_run_at, running_since } = state;
  return {
    name,
    description,
    schedule,
    enabled,
    last_run_at: last_run_at === null ? null : timestampOf(last_run_at),
    last_status,
    last_error,
    last_duration_ms,
    next_run_at: timestampOf(next_run_at),
    running: running_since !== null,
  };
}
