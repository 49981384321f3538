import type { Job } from "../../jobs/job.ts";
import type { ExperimentService } from "./service.ts";

/** Starts and completes experiments on their dates. */
export function createExperimentScheduleJob(experiments: ExperimentService): Job {
  return {
    name: "experiment-schedule",
    description: "Starts experiments at their start_date and completes them at their end_date",
    schedule: "* * * * *",
    async run({ signal, change }) {
      const failures: string[] = [];
      for (const { id, key } of experiments.due()) {
        if (signal.aborted) return;
        const failure = await experiments.followSchedule(id, change);
        if (failure !== null) failures.push(`Experiment "${key}": ${failure}`);
      }
      if (failures.length > 0) throw new Error(failures.join("; "));
    },
  };
}
