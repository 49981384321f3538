import type { Store } from "@assay/store";
import * as z from "zod";
import type { Analysis } from "../../../analysis/analysis.ts";
import { purgeEvents } from "../../../analysis/retention.ts";
import { invalid } from "../../../errors.ts";
import { type Runtime, timestampOf } from "../../../runtime.ts";
import { defineTask, type EtlTask } from "../task.ts";

/** How long data is kept. */
export interface RetentionOptions {
  /** Days after their receipt on which events are deleted. @default they are kept */
  eventsDays?: number;
}

/** What a purge works on. */
export interface RetentionDependencies {
  store: Store;
  runtime: Runtime;
  analysis: Analysis;
  retention: RetentionOptions | undefined;
}

const DAY = 86_400_000;

/** Deletes what is older than the server keeps events; the job `retention` does so every night. */
export function createRetentionPurge({ store, runtime, analysis, retention }: RetentionDependencies): EtlTask {
  const holder = runtime.id();
  return defineTask<unknown>({
    name: "retention-purge",
    description: "Delete events that are older than the server keeps them",
    parameters: z.strictObject({}),
    check() {
      if (retention?.eventsDays !== undefined) return;
      throw invalid(["body"], "The server keeps events for good (retention.eventsDays)", "no_retention");
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

/** The time of receipt from which on events are kept, in milliseconds since 1970. */
export function cutoffOf(eventsDays: number | undefined, now: number): number {
  return eventsDays === undefined ? Number.NEGATIVE_INFINITY : now - eventsDays * DAY;
}
