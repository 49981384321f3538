import { describeFailure } from "../../jobs/failure.ts";
import type { Job } from "../../jobs/job.ts";
import { LeaseLost } from "../../storage/change.ts";
import type { SafetyService } from "./service.ts";

/** Rolls back harmful flags. */
export function createSafetyCheckJob(safety: SafetyService): Job {
  return {
    name: "safety-check",
    description: "Rolls back flags with automatic_rollback whose users are significantly worse off",
    schedule: "* * * * *",
    async run({ signal, change }) {
      const failures: string[] = [];
      for (const id of safety.guarded()) {
        signal.throwIfAborted();
        try {
          await safety.check(id, change);
        } catch (error) {
          // A flag that cannot be checked does not leave the others unguarded.
          if (error instanceof Error && error.name === LeaseLost.name) throw error;
          failures.push(`Flag ${id}: ${describeFailure(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("; "));
    },
  };
}
