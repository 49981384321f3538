import type { EtlJob, EtlLogs, EtlRun } from "@assay/contract";
import type { Store } from "@assay/store";
import * as z from "zod";
import { ApiError, badRequest, conflict, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { check } from "../../http/validate.ts";
import type { Trail } from "../../identity/trail.ts";
import { describeFailure } from "../../jobs/failure.ts";
import type { Change } from "../../storage/change.ts";
import { createRunner } from "./runner.ts";
import { createRuns, isOver, type StoredRun, toShown } from "./runs.ts";
import type { EtlTask } from "./tasks/task.ts";

/** Data jobs and their runs. */
export interface EtlService {
  jobs(): Promise<EtlJob[]>;
  /** @throws ApiError 404, 409 if too many runs wait, 422 */
  run(name: string, parameters: unknown, createdBy: string | null, by: Change): Promise<EtlRun>;
  /** @throws ApiError 404 */
  get(runId: string): Promise<EtlRun>;
  /** @throws ApiError 404 */
  logs(runId: string): Promise<EtlLogs>;
  /** @throws ApiError 400 if it has ended, 404 */
  cancel(runId: string, by: Change): Promise<EtlRun>;
  /** Marks runs of dead nodes as failed, and removes what they have left. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const LATEST = 5;
/** Maximum number of waiting runs per node. */
const MAX_WAITING_RUNS = 20;

/** Creates the service with some tasks. */
export function createEtlService(deps: {
  store: Store;
  runtime: Runtime;
  trail: Trail;
  tasks: readonly EtlTask[];
}): EtlService {
  const { store, runtime, trail, tasks } = deps;
  const runs = createRuns(store);
  const runner = createRunner(store, runtime, runs);

  async function require(runId: string): Promise<StoredRun> {
    const run = await runs.get(runId);
    if (!run) throw notFound();
    return settle(run);
  }

  /** Returns the current state of a run, and tidies up after it if its node turns out to be dead. */
  async function settle(run: StoredRun): Promise<StoredRun> {
    const settled = await runner.settle(run);
    if (!isOver(run) && isOver(settled)) await tidy(tasks.find(({ name }) => name === run.job_name));
    return settled;
  }

  async function tidy(task: EtlTask | undefined): Promise<void> {
    try {
      await task?.tidy?.(async (runId) => {
        const run = await runs.get(runId);
        return run !== null && isOver(await runner.settle(run));
      });
    } catch (error) {
      runtime.logger.warn("Files of interrupted runs cannot be removed", { error: describeFailure(error) });
    }
  }

  function parse(task: EtlTask, parameters: unknown): unknown {
    const parsed = check(task.parameters, parameters, ["body", "parameters"]);
    if (parsed.issues) throw new ApiError(422, parsed.issues);
    task.check?.(parsed.data);
    return parsed.data;
  }

  const noted = (by: Change, run: EtlRun) =>
    trail.record({
      actor: by.actor,
      action: by.action,
      resource_type: "etl_run",
      resource_id: run.run_id,
      resource_name: run.job_name,
      detail: { parameters: run.parameters },
    });

  return {
    async jobs() {
      const all = await Promise.all((await runs.all()).map(settle));
      return tasks.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: z.toJSONSchema(parameters, { io: "input" }) as EtlJob["parameters"],
        latest_runs: all
          .filter(({ job_name }) => job_name === name)
          .slice(0, LATEST)
          .map(toShown),
      }));
    },
    async run(name, given, createdBy, by) {
      const task = tasks.find((one) => one.name === name);
      if (!task) throw notFound();
      const parameters = parse(task, given);
      await tidy(task);
      await runs.trim();
      // The runner counts a run at once, so that requests that arrive together cannot pass the limit.
      if (runner.size > MAX_WAITING_RUNS)
        throw conflict(`${MAX_WAITING_RUNS} runs are already waiting; try again later`);
      const run: StoredRun = {
        run_id: runtime.id(),
        job_name: name,
        status: "QUEUED",
        progress: 0,
        processed: 0,
        parameters: parameters as EtlRun["parameters"],
        files: [],
        created_by: createdBy,
        created_at: timestampOf(runtime.now()),
        started_at: null,
        finished_at: null,
        error: null,
        node: runner.node,
        actor: by.actor,
      };
      noted(by, run);
      const answer = structuredClone(toShown(run));
      await runner.add(run, task, parameters);
      return answer;
    },
    get: async (runId) => toShown(await require(runId)),
    async logs(runId) {
      await require(runId);
      return { items: await runs.logs(runId) };
    },
    async cancel(runId, by) {
      const run = await require(runId);
      if (isOver(run)) throw badRequest(`The run is already ${run.status}`);
      await runs.cancel(runId);
      noted(by, run);
      await runner.stop(runId);
      return toShown(await require(runId));
    },
    async start() {
      for (const run of await runs.all()) await runner.settle(run);
      for (const task of tasks) await tidy(task);
    },
    close: () => runner.close(),
  };
}
