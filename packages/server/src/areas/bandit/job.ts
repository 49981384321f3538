import type { Job } from "../../jobs/job.ts";
import type { BanditService } from "./service.ts";

/** Computes the weights of all running bandits once an hour. */
export function createBanditUpdateJob({ bandit }: { bandit: Pick<BanditService, "updateAll"> }): Job {
  return {
    name: "bandit-update",
    description: "Updates the weights of running bandits that have enough new users",
    schedule: "0 * * * *",
    run: ({ signal, change }) => bandit.updateAll(change("bandit.update"), signal),
  };
}
