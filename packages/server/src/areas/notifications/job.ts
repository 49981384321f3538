import { type ApiKey, SequentialQuery } from "@assay/contract";
import type { PageLinks } from "../../http/page-links.ts";
import type { Job } from "../../jobs/job.ts";
import type { Caller } from "../../model/caller.ts";
import { hasRole } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { type Fence, SYSTEM } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { ResultsService } from "../results/service.ts";
import type { NotificationService } from "./service.ts";

const EVERYONE: Caller = { type: "ANONYMOUS", actor: SYSTEM };

/** Retries failed deliveries, and deletes old ones. */
export function createNotificationRetryJob(notifications: Pick<NotificationService, "retry">): Job {
  return {
    name: "notification-retry",
    description: "Retries failed notifications, and deletes deliveries after 30 days",
    schedule: "* * * * *",
    run: ({ signal }) => notifications.retry(signal),
  };
}

/** Notifies once per metric and arm when a running experiment is significant by a sequential test. */
export function createResultsSnapshotJob(deps: {
  experiments: Collection<ExperimentRecord>;
  results: Pick<ResultsService, "sequential">;
  notifications: Pick<NotificationService, "notify">;
}): Job {
  const { experiments, results, notifications } = deps;
  return {
    name: "results-snapshot",
    description: "Computes the results of ACTIVE experiments, and notifies of those that became significant",
    schedule: "0 3 * * *",
    async run({ signal, change }) {
      const { fence } = change("results.snapshot");
      const failures: string[] = [];
      for (const experiment of experiments.all().filter(({ status }) => status === "ACTIVE")) {
        if (signal.aborted) return;
        await look(experiment, fence).catch((error: unknown) => {
          failures.push(`Experiment "${experiment.key}": ${error instanceof Error ? error.message : String(error)}`);
        });
      }
      if (failures.length > 0) throw new Error(failures.join("; "));
    },
  };

  async function look({ id, key, name, alpha }: ExperimentRecord, fence: Fence | undefined): Promise<void> {
    const query = SequentialQuery.parse({ method: "always_valid", alpha });
    const { metrics } = await results.sequential(id, query, EVERYONE);
    for (const { metric, metric_id, variant, difference, p_value } of metrics.filter((row) => row.is_significant)) {
      const title = `Experiment "${name}": ${metric} differs in ${variant}`;
      await notifications.notify({
        once: `significant ${id} ${metric_id} ${variant}`,
        fence,
        notice: {
          event: "RESULT_SIGNIFICANT",
          title,
          text: `${title} by ${difference ?? "an unknown amount"} (any-time-valid p = ${p_value}, alpha = ${alpha}).`,
          data: { experiment_id: id, experiment_key: key, metric, metric_id, variant, difference, p_value },
        },
      });
    }
  }
}

/** Reports unused keys and keys due for rotation. Revokes none. */
export function createKeyHygieneJob(deps: {
  keys: { all(): ApiKey[] };
  notifications: Pick<NotificationService, "notify">;
  pageLinks: PageLinks;
}): Job {
  return {
    name: "key-hygiene",
    description: "Notifies of API keys that were not used for 30 days or are due for rotation",
    schedule: "0 4 * * *",
    async run({ now, signal, change }) {
      const { fence } = change("api_key.hygiene");
      for (const key of deps.keys.all().filter(({ is_active }) => is_active)) {
        if (signal.aborted) return;
        const reasons: [boolean, string, string][] = [
          [key.stale, `unused since ${key.last_used_at ?? key.created_at}`, "was not used for 30 days"],
          [Date.parse(key.rotate_by) <= now, `to be rotated by ${key.rotate_by}`, "should be rotated"],
        ];
        const url = deps.pageLinks(`keys/${key.id}/rotate`);
        for (const [, reason, words] of reasons.filter(([isSo]) => isSo)) {
          await deps.notifications.notify({
            once: `key ${key.id} ${reason}`,
            fence,
            concerns: (user) =>
              user.id === key.created_by || hasRole({ ...user, isSuperuser: user.is_superuser }, "ADMIN"),
            notice: {
              event: "KEY_STALE",
              title: `API key "${key.name}" ${words}`,
              text: `API key "${key.name}" (${key.id}) ${words}: ${reason}. Revoke it, or replace it with \`assay keys rotate\`${url === null ? "" : `, or here: ${url}`}.`,
              data: {
                ...{ api_key_id: key.id, name: key.name, last_used_at: key.last_used_at, rotate_by: key.rotate_by },
                ...(url !== null && { url }),
              },
            },
          });
        }
      }
    },
  };
}
