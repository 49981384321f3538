import type { ApiKey } from "@assay/contract";
import type { AreaInput } from "../../area.ts";
import type { Collections } from "../../storage/collections.ts";
import type { ResultsService } from "../results/service.ts";
import { createChannels } from "./channels.ts";
import { createDeliveryLog } from "./delivery-log.ts";
import { createKeyHygieneJob, createNotificationRetryJob, createResultsSnapshotJob } from "./job.ts";
import { createPreferences } from "./preferences.ts";
import { preferencesCollection } from "./record.ts";
import { createNotificationService } from "./service.ts";
import { watchDefinitions } from "./sources.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ preferences: define(preferencesCollection) });

type Needed = { results: Pick<ResultsService, "sequential">; apiKeys: { all(): ApiKey[] } };

/** Starts to notify of writes, and creates the jobs that detect the rest. */
export function create({ store, runtime, records, secrets, mailer, outbound, pageLinks, services }: AreaInput<Needed>) {
  const { users, preferences, experiments, flags, schedules } = records;
  const { results, apiKeys: keys } = services;
  const notifications = createNotificationService({
    store,
    runtime,
    users,
    preferences: createPreferences({ preferences, users, secrets }),
    log: createDeliveryLog(store),
    channels: createChannels({ mailer, outbound, runtime }),
  });
  watchDefinitions(notifications, { experiments, flags, schedules });
  const jobs = [
    createNotificationRetryJob(notifications),
    createResultsSnapshotJob({ experiments, results, notifications }),
    createKeyHygieneJob({ keys, notifications, pageLinks }),
  ];
  return { services: { notifications }, jobs, close: notifications.close };
}
