import { describeFailure } from "../../jobs/failure.ts";
import type { Job } from "../../jobs/job.ts";
import { LeaseLost } from "../../storage/change.ts";
import type { RolloutScheduleService } from "./service.ts";

/** Starts rollout stages when they are due. */
export function createRolloutAdvanceJob(schedules: RolloutScheduleService): Job {
  return {
    name: "rollout-advance",
    description: "Starts the stages of rollout schedules that are due by time or by metric",
    schedule: "* * * * *",
    async run({ signal, change }) {
      const failures: string[] = [];
      for (const { id, name } of schedules.active()) {
        signal.throwIfAborted();
        try {
          await schedules.follow(id, change);
        } catch (error) {
          // A failing schedule does not stop the others.
          if (error instanceof Error && error.name === LeaseLost.name) throw error;
          failures.push(`Rollout schedule "${name}": ${describeFailure(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("; "));
    },
  };
}
