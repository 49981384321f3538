import { describeFailure } from "../../jobs/failure.ts";
import type { Job } from "../../jobs/job.ts";
import { LeaseLost } from "../../storage/change.ts";
import type { RolloutScheduleService } from "./service.ts";

/** Takes rollouts to their next stage when it is due. */
export function createRolloutAdvanceJob(schedules: RolloutScheduleService): Job {
  return {
    name: "rollout-advance",
    description: "Begins the stages of rollout schedules that are due by time or by metric",
    schedule: "* * * * *",
    async run({ signal, change }) {
      const failures: string[] = [];
      for (const { id, name } of schedules.active()) {
        signal.throwIfAborted();
        try {
          await schedules.follow(id, change);
        } catch (error) {
          // One that cannot go on does not hold up the others.
          if (error instanceof Error && error.name === LeaseLost.name) throw error;
          failures.push(`Rollout schedule "${name}": ${describeFailure(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("; "));
    },
  };
}
