import { type Analyst, createInlineAnalyst, NO_PROGRESS, type Progress, startWorkerAnalyst } from "@assay/analysis";
import type { Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import { type FollowedLogOptions, type Follower, followLog, type NeedsThread } from "./followed-log.ts";
import type { LogState } from "./storage.ts";

/** Work on all events at once. */
export type WholeLogWork<T> = (analyst: Analyst, state: LogState, progress: Progress) => Promise<T>;

const wholeLog: Follower<Analyst, Progress> = {
  startInline: createInlineAnalyst,
  startWorker: startWorkerAnalyst,
  none: NO_PROGRESS,
  chunksEnd: ({ position }) => position,
  loadChunks: (analyst, chunks) =>
    analyst.ask(
      "load",
      chunks.map(({ bytes }) => bytes),
      [],
    ),
  loadRecords: (analyst, records) => analyst.ask("load", [], records),
  skip: async (_analyst, progress, through) => ({ ...progress, position: through }),
};

/** Runs work on the whole log, which is in memory for as long as the work takes. */
export async function withWholeLog<T>(
  store: Store,
  runtime: Runtime,
  options: FollowedLogOptions,
  work: WholeLogWork<T>,
  needsThread?: NeedsThread,
): Promise<T> {
  const log = followLog(store, runtime, wholeLog, options);
  try {
    const { caller, state, progress } = await log.catchUp(needsThread);
    return await work(caller, state, progress);
  } finally {
    await log.reset();
  }
}
