import type { EtlLogs, EtlRun } from "@assay/contract";
import type { z } from "zod";
import type { Change } from "../../../storage/change.ts";

export type LogLevel = EtlLogs["items"][number]["level"];

/** The context of a running task. */
export interface TaskContext<P> {
  parameters: P;
  runId: string;
  /** Aborted when the run is cancelled, the server closes, or another node took over. */
  signal: AbortSignal;
  /** The audit note of a write, on behalf of the user who started the run. */
  change(action: string): Change;
  log(level: LogLevel, message: string): void;
  /** Reports progress, from 0 to 1. */
  report(processed: number, progress: number): void;
  addFile(file: EtlRun["files"][number]): void;
}

/** A data job: started manually, long-running, cancellable. */
export interface EtlTask<P = unknown> {
  name: string;
  description: string;
  parameters: z.ZodType<P>;
  /** Validates what the schema cannot express. @throws ApiError 422 */
  check?(parameters: P): void;
  /**
   * Removes what runs have left whose process died.
   *
   * @param hasEnded whether a run has ended; false if its id is unknown
   */
  tidy?(hasEnded: (runId: string) => Promise<boolean>): Promise<void>;
  /** @throws TaskFailure with a public message; the reason of the signal soon after it is aborted */
  run(context: TaskContext<P>): Promise<void>;
}

/** Declares a task, without side effects. */
export function defineTask<P>(task: EtlTask<P>): EtlTask {
  // A task only receives parameters parsed by its own schema.
  return task as EtlTask;
}

/** The failure of a run, with a public message. */
export class TaskFailure extends Error {
  override readonly name = "TaskFailure";
}
