import type { Store } from "@assay/store";
import * as z from "zod";
import type { Analysis } from "../../../analysis/analysis.ts";
import { purgeEvents } from "../../../analysis/retention.ts";
import { invalid } from "../../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../../ground/runtime.ts";
import { defineTask, type EtlTask } from "./task.ts";

/** How long data is kept. */
export interface RetentionOptions {
  /** Days after receipt until events are deleted. @default never */
  eventsDays?: number;
}

/** Dependencies of a purge. */
export interface RetentionDependencies {
  store: Store;
  runtime: Runtime;
  analysis: Analysis;
  retention: RetentionOptions | undefined;
}

const DAY = 86_400_000;

/** Deletes events past the retention period. The job `retention` does so every night. */
export function createRetentionPurge({ store, runtime, analysis, retention }: RetentionDependencies): EtlTask {
  const holder = runtime.id();
  return defineTask<unknown>({
    name: "retention-purge",
    description: "Delete events that are older than the server keeps them",
    parameters: z.strictObject({}),
    check() {
      if (retention?.eventsDays !== undefined) return;
      throw invalid(
        ["body"],
        "The server keeps events forever; set retention.eventsDays to delete old ones",
        "no_retention",
      );
    },
    async run({ signal, log, report }) {
      const before = cutoffOf(retention?.eventsDays, runtime.now());
      const onProgress = (progress: number) => report(0, progress);
      const removed = await purgeEvents(store, analysis, { before, holder, signal, onProgress });
      report(removed, 1);
      log("INFO", `Deleted ${removed} events received before ${timestampOf(before)}`);
    },
  });
}

/** Events received before this time are deleted, in milliseconds since 1970. */
export function cutoffOf(eventsDays: number | undefined, now: number): number {
  return eventsDays === undefined ? Number.NEGATIVE_INFINITY : now - eventsDays * DAY;
}
