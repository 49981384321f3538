import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, EtlRun } from "@assay/client";
import { expect, vi } from "vitest";
import { SYSTEM } from "../../storage/change.ts";
import type { EtlTask, TaskContext } from "./tasks/task.ts";

/** A folder that is removed afterwards. */
export async function createFolder() {
  const directory = await mkdtemp(join(tmpdir(), "assay-etl-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** The run once it has ended. */
export async function ended({ request }: Pick<Client, "request">, run_id: string): Promise<EtlRun> {
  return vi.waitFor(
    async () => {
      const run = await request("GET /etl/jobs/{run_id}", { params: { run_id } });
      expect(["QUEUED", "RUNNING"]).not.toContain(run.status);
      return run;
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** Begins a run and waits for its end. */
export async function perform({ request }: Pick<Client, "request">, job_name: string, parameters: object = {}) {
  const body = { parameters: parameters as Record<string, never> };
  const { run_id } = await request("POST /etl/jobs/{job_name}/run", { params: { job_name }, body });
  return ended({ request }, run_id);
}

/** Runs a task on its own and returns its log. */
export async function runTask(task: EtlTask, parameters: object = {}, changes: Partial<TaskContext<unknown>> = {}) {
  const lines: string[] = [];
  const files: EtlRun["files"] = [];
  const parsed = task.parameters.parse(parameters);
  task.check?.(parsed);
  await task.run({
    parameters: parsed,
    runId: "018f0000-0000-7000-8000-000000000001",
    signal: new AbortController().signal,
    change: (action) => ({ actor: SYSTEM, action }),
    log: (level, message) => lines.push(`${level} ${message}`),
    report() {},
    addFile: (file) => files.push(file),
    ...changes,
  });
  return { lines, files };
}
