import type { EtlLogs, EtlRun } from "@assay/contract";
import type { z } from "zod";
import type { Change } from "../../storage/change.ts";

export type LogLevel = EtlLogs["items"][number]["level"];

/** What a task works with while it runs. */
export interface TaskContext<P> {
  parameters: P;
  runId: string;
  /** Aborted where the run is cancelled, the server closes, or another node took it for dead. */
  signal: AbortSignal;
  /** The audit note of a write: whoever asked for the run. */
  change(action: string): Change;
  log(level: LogLevel, message: string): void;
  /** Says how much is done: `progress` from 0 to 1. */
  report(processed: number, progress: number): void;
  addFile(file: EtlRun["files"][number]): void;
}

/** A data job: work that is begun by hand, takes a while and can be stopped. */
export interface EtlTask<P = unknown> {
  name: string;
  description: string;
  parameters: z.ZodType<P>;
  /** Refuses what the schema cannot know. @throws ApiError 422 */
  check?(parameters: P): void;
  /** @throws TaskFailure with a message that may be shown; the signal's reason soon after it is aborted */
  run(context: TaskContext<P>): Promise<void>;
}

/** Declares a task; inert. */
export function defineTask<P>(task: EtlTask<P>): EtlTask {
  // A task is only ever given what its own schema has made of the parameters.
  return task as EtlTask;
}

/** A run that could not do what it is for; the message is shown. */
export class TaskFailure extends Error {
  override readonly name = "TaskFailure";
}
