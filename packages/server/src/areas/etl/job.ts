import { purgeEvents } from "../../analysis/retention.ts";
import type { Job } from "../../jobs/job.ts";
import { cutoffOf, type RetentionDependencies } from "./tasks/retention-purge.ts";

/** Deletes events past the retention period, every night. */
export function createRetentionJob({ store, runtime, analysis, retention }: RetentionDependencies): Job {
  const holder = runtime.id();
  return {
    name: "retention",
    description: "Deletes events that are older than the server keeps them",
    schedule: "23 3 * * *",
    async run({ now, signal }) {
      if (retention?.eventsDays === undefined) return;
      const before = cutoffOf(retention.eventsDays, now);
      const removed = await purgeEvents(store, analysis, { before, holder, signal });
      if (removed > 0) runtime.logger.info("Old events were deleted", { removed });
    },
  };
}
